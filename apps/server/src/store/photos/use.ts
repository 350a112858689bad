import type { Insertable, Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { PhotoOnItsWay } from './piece.ts'
import { forgetPieces } from './piece.ts'

/** Whose photos they are: what they are read through. */
export interface PhotoOwner {
  readonly kind: Schema['photo_use']['kind']
  readonly id: string
}

/** A photo of something, with what is stored of it. */
export type PhotoRow = Selectable<Schema['photo_use']> &
  Pick<Selectable<Schema['photo_content']>, 'hash' | 'type' | 'size' | 'width' | 'height'>

export type NewPhotoUse = Omit<Insertable<Schema['photo_use']>, 'use_id' | 'kind' | 'owner_id'>

const owned = (db: Kysely<Schema>, { kind, id }: PhotoOwner) =>
  db
    .selectFrom('photo_use')
    .innerJoin('photo_content', 'photo_content.hash', 'photo_use.hash')
    .where('kind', '=', kind)
    .where('owner_id', '=', id)

/** Photos of something, the oldest first; also those whose comment has not come yet. */
export const photosOf = (db: Kysely<Schema>, owner: PhotoOwner): Promise<PhotoRow[]> =>
  owned(db, owner)
    .selectAll('photo_use')
    .select(['photo_content.type', 'photo_content.size', 'photo_content.width', 'photo_content.height'])
    .orderBy('use_id')
    .execute()

/** What is stored of a photo that its sender calls so; undefined: there is none of this owner. */
export const contentOf = (db: Kysely<Schema>, owner: PhotoOwner, sentHash: string) =>
  owned(db, owner)
    .select(['photo_content.hash', 'photo_content.type', 'photo_content.size'])
    .where('sent_hash', '=', sentHash)
    .limit(1)
    .executeTakeFirst()

/** Those of these, by what their senders call them, that are whole here. */
export async function storedPhotos(
  db: Kysely<Schema>,
  { kind, id }: PhotoOwner,
  sentHashes: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('photo_use')
    .select('sent_hash')
    .distinct()
    .where('kind', '=', kind)
    .where('owner_id', '=', id)
    .where(sql<boolean>`sent_hash = any(${[...sentHashes]}::text[])`)
    .execute()
  return new Set(rows.map(({ sent_hash }) => sent_hash))
}

/** How many there are of an owner under one note. */
export async function countPhotos(db: Kysely<Schema>, { kind, id }: PhotoOwner, note: string): Promise<number> {
  const { count } = await db
    .selectFrom('photo_use')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('kind', '=', kind)
    .where('owner_id', '=', id)
    .where('note', '=', note)
    .executeTakeFirstOrThrow()
  return count
}

/** How many bytes the photos of a project take; the same content counts once. */
export async function photoBytes(db: Kysely<Schema>, projectId: number): Promise<number> {
  const { rows } = await sql<{ used: string }>`select coalesce(sum(size), 0)::text as used from photo_content
    where hash in (select hash from photo_use where project_id = ${projectId})`.execute(db)
  return Number(rows[0]?.used ?? 0)
}

/** Whether it is there already, under this note. */
export async function hasPhoto(
  db: Kysely<Schema>,
  { kind, id }: PhotoOwner,
  { note, sent_hash }: Pick<NewPhotoUse, 'note' | 'sent_hash'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('photo_use')
    .select('use_id')
    .where('kind', '=', kind)
    .where('owner_id', '=', id)
    .where('note', '=', note)
    .where('sent_hash', '=', sent_hash)
    .executeTakeFirst()
  return row !== undefined
}

interface Limits {
  /** At most so many of the owner under one note. */
  readonly most: number
  readonly quotaBytes: number
}

/** `gone`: its content was cleared away meanwhile, and is to be stored again. */
type PhotoAdded = 'added' | 'there' | 'many' | 'full' | 'gone'

/** What goes with it: what of it was on its way, and what its owner says once more in the same transaction; `still` throws what refuses it. */
interface Along {
  readonly onItsWay: PhotoOnItsWay
  readonly audit: AuditEntry | null
  readonly still: (trx: Kysely<Schema>) => Promise<void>
}

/**
 * Says whose a photo is, once its content is stored; its pieces go with that. Locks the photos of the project before whatever `still` locks:
 * nobody who has that locked asks for them.
 */
export async function addPhotoUse(
  { general }: Database,
  owner: PhotoOwner,
  use: NewPhotoUse,
  { most, quotaBytes }: Limits,
  { onItsWay, audit, still }: Along,
): Promise<PhotoAdded> {
  try {
    return await general.transaction().execute(async (trx) => {
      // Two who send at once are counted one after the other.
      await sql`select pg_advisory_xact_lock(hashtext('photos of a project'), ${use.project_id}::int)`.execute(trx)
      await forgetPieces(trx, onItsWay)
      if (await hasPhoto(trx, owner, use)) return 'there'
      await still(trx)
      if ((await countPhotos(trx, owner, use.note)) >= most) return 'many'
      await trx
        .insertInto('photo_use')
        .values({ ...use, kind: owner.kind, owner_id: owner.id })
        .execute()
      if ((await photoBytes(trx, use.project_id)) > quotaBytes) throw new Full()
      if (audit) await appendAudit(trx, audit)
      return 'added'
    })
  } catch (error) {
    if (error instanceof Full) return 'full'
    if ((error as { constraint?: string }).constraint === 'photo_use_hash_fkey') return 'gone'
    throw error
  }
}

/**
 * Takes an owner's own photo out, unless `still` throws what keeps it; its content goes by itself when nobody has it any more. False: there is
 * none. What an act brings along is not asked for here.
 */
export async function removePhotoUse(
  { general }: Database,
  { kind, id }: PhotoOwner,
  sentHash: string,
  still: (trx: Kysely<Schema>, use: Selectable<Schema['photo_use']>) => Promise<AuditEntry>,
): Promise<boolean> {
  return await general.transaction().execute(async (trx) => {
    const use = await trx
      .selectFrom('photo_use')
      .selectAll()
      .where('kind', '=', kind)
      .where('owner_id', '=', id)
      .where('note', '=', '')
      .where('sent_hash', '=', sentHash)
      .executeTakeFirst()
    if (!use) return false
    const audit = await still(trx, use)
    const removed = await trx.deleteFrom('photo_use').where('use_id', '=', use.use_id).executeTakeFirst()
    // Somebody else was quicker.
    if (removed.numDeletedRows === 0n) return false
    await appendAudit(trx, audit)
    return true
  })
}

/** Undoes what was written to find out how much room it takes. */
class Full extends Error {}

/** What they come with has come: photos of this note stay. Answers how many of them there are. */
export async function keepPhotos(
  trx: Kysely<Schema>,
  { kind, id }: PhotoOwner,
  note: string,
  sentHashes: readonly string[],
): Promise<number> {
  const kept = await trx
    .updateTable('photo_use')
    .set({ kept: true })
    .where('kind', '=', kind)
    .where('owner_id', '=', id)
    .where('note', '=', note)
    .where(sql<boolean>`sent_hash = any(${[...sentHashes]}::text[])`)
    .executeTakeFirst()
  return Number(kept.numUpdatedRows)
}

/** The same photos are somebody else's, too: linked, and not copied. Answers how many there are by these hashes. */
export async function linkPhotos(
  trx: Kysely<Schema>,
  from: PhotoOwner,
  to: PhotoOwner,
  sentHashes: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ sent_hash: string }>`
    insert into photo_use (project_id, kind, owner_id, note, role, sent_hash, hash, sender_id, sender, sent_at, taken_at, kept)
    select distinct on (sent_hash) project_id, ${to.kind}, ${to.id}, '', role, sent_hash, hash, sender_id, sender, sent_at, taken_at, true
      from photo_use where kind = ${from.kind} and owner_id = ${from.id} and sent_hash = any(${[...sentHashes]}::text[])
      order by sent_hash, use_id
    on conflict (kind, owner_id, note, sent_hash) do update set kept = true
    returning sent_hash`.execute(trx)
  return rows.length
}
