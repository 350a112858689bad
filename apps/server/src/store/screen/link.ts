import type { Kysely, RawBuilder, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { ownedBy } from '../core/tenant.ts'
import type { Shown } from './schema.ts'

/** A link without its key. */
export type LinkRow = Omit<Selectable<Schema['screen_link']>, 'key_hash'>

const columns = [
  ...(['link_id', 'owner_id', 'name', 'group_id', 'project_ids', 'shown', 'most_seats', 'hard_until'] as const),
  ...(['made_by', 'made_at', 'revoked_at', 'version'] as const),
] as const

/** How many browsers show a link, and when one was last heard. */
export interface LinkUse {
  readonly seats: number
  readonly lastBeat: Date | null
}

/** Whose links somebody sees: of an owner, and of these projects alone; null: all of that owner. */
export interface LinkScope {
  readonly owner: Owner
  readonly projectIds: readonly number[] | null
}

const isSeen = ({ owner, projectIds }: LinkScope): RawBuilder<boolean> =>
  projectIds === null
    ? ownedBy('owner_id', owner)
    : sql<boolean>`${ownedBy('owner_id', owner)} and group_id is null and cardinality(project_ids) > 0
        and project_ids <@ ${[...projectIds]}::int[]`

/** As somebody sees them, the newest first; with how many there are. */
export async function linksSeen(
  db: Kysely<Schema>,
  scope: LinkScope,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ rows: LinkRow[]; total: number }> {
  const rows = await db
    .selectFrom('screen_link')
    .select([...columns, sql<string>`count(*) over ()`.as('total')])
    .where(isSeen(scope))
    .orderBy('link_id', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return { rows, total: Number(rows[0]?.total ?? 0) }
}

/** One of them, as somebody sees it. */
export const linkSeen = (db: Kysely<Schema>, scope: LinkScope, linkId: number): Promise<LinkRow | undefined> =>
  db.selectFrom('screen_link').select(columns).where('link_id', '=', linkId).where(isSeen(scope)).executeTakeFirst()

export async function usesOf(db: Kysely<Schema>, linkIds: readonly number[]): Promise<ReadonlyMap<number, LinkUse>> {
  if (linkIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('screen_seat')
    .select(['link_id', sql<string>`count(*)`.as('seats'), sql<Date>`max(last_beat)`.as('last_beat')])
    .where('link_id', 'in', [...linkIds])
    .where('ended_at', 'is', null)
    .groupBy('link_id')
    .execute()
  return new Map(rows.map(({ link_id, seats, last_beat }) => [link_id, { seats: Number(seats), lastBeat: last_beat }]))
}

export interface LinkContent {
  readonly name: string
  readonly groupId: number | null
  readonly projectIds: readonly number[]
  readonly shown: Shown
  readonly mostSeats: number
  readonly hardUntil: number | null
}

const rowOf = ({ name, groupId, projectIds, shown, mostSeats, hardUntil }: LinkContent) => ({
  ...{ name, group_id: groupId, project_ids: [...projectIds], shown: JSON.stringify(shown), most_seats: mostSeats },
  hard_until: hardUntil === null ? null : new Date(hardUntil),
})

interface NewLink extends LinkContent {
  readonly ownerId: string | null
  readonly keyHash: string
  readonly madeBy: string
  readonly now: number
}

/** `full`: its owner has so many already. */
export async function insertLink(
  { general }: Database,
  { ownerId, keyHash, madeBy, now, ...content }: NewLink,
  most: number,
  audit: (linkId: number) => AuditEntry,
): Promise<LinkRow | 'full'> {
  return general.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`screen_link ${ownerId}`}))`.execute(trx)
    const { count } = await trx
      .selectFrom('screen_link')
      .select(sql<string>`count(*)`.as('count'))
      .where(sql<boolean>`owner_id is not distinct from ${ownerId}::uuid`)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(count) >= most) return 'full'
    const row = { ...rowOf(content), owner_id: ownerId, key_hash: keyHash, made_by: madeBy, made_at: new Date(now) }
    const made = await trx.insertInto('screen_link').values(row).returning(columns).executeTakeFirstOrThrow()
    await appendAudit(trx, audit(made.link_id))
    return made
  })
}

interface LinkEdit extends LinkContent {
  readonly linkId: number
  readonly ownerId: string | null
  /** As its editor read it. */
  readonly version: number
}

/** Writes over the version that its editor saw. */
export async function updateLink(
  { general }: Database,
  { linkId, ownerId, version, ...content }: LinkEdit,
  audit: AuditEntry,
): Promise<LinkRow | 'changed'> {
  return general.transaction().execute(async (trx) => {
    const saved = await trx
      .updateTable('screen_link')
      .set({ ...rowOf(content), owner_id: ownerId, version: version + 1 })
      .where('link_id', '=', linkId)
      .where('version', '=', version)
      .where('revoked_at', 'is', null)
      .returning(columns)
      .executeTakeFirst()
    if (!saved) return 'changed'
    await appendAudit(trx, audit)
    return saved
  })
}

/** Ends a link and every seat of it; answers the numbers of those that showed it. Undefined: it was over already. */
export async function revokeLink(
  { general }: Database,
  linkId: number,
  now: number,
  audit: AuditEntry,
): Promise<{ row: LinkRow; seatNos: string[] } | undefined> {
  return general.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('screen_link')
      .set({ revoked_at: new Date(now), version: sql`version + 1` })
      .where('link_id', '=', linkId)
      .where('revoked_at', 'is', null)
      .returning(columns)
      .executeTakeFirst()
    if (!row) return undefined
    const ended = await trx
      .updateTable('screen_seat')
      .set({ ended_at: new Date(now), ended_why: 'revoked' })
      .where('link_id', '=', linkId)
      .where('ended_at', 'is', null)
      .returning('seat_no')
      .execute()
    await appendAudit(trx, audit)
    return { row, seatNos: ended.map(({ seat_no }) => seat_no) }
  })
}

/** The names of links, for the audit log. */
export const namesOfLinks = (db: Kysely<Schema>, linkIds: readonly number[] | null) =>
  db
    .selectFrom('screen_link')
    .select(['link_id', 'name', 'owner_id'])
    .$if(linkIds !== null, (query) => query.where(sql<boolean>`link_id = any(${[...(linkIds ?? [])]}::int[])`))
    .execute()
