import { about } from '@linewarden/contract'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { FirmwareTables } from './schema.ts'

type Row = Selectable<FirmwareTables['firmware_image']>

/** A signed image; its bytes are read apart from it, a part at a time. */
export interface StoredImage {
  readonly imageId: number
  readonly model: string
  readonly version: string
  readonly size: number
  readonly sha256: string
  readonly notes: string
  readonly manifest: Buffer
  readonly signature: Buffer
  readonly keyName: string
  readonly state: Row['state']
  readonly received: number
  readonly uploadedBy: string
  readonly uploadedAt: number
}

export const imageOf = (row: Row): StoredImage => ({
  imageId: row.image_id,
  model: row.model,
  version: row.version,
  size: row.size,
  sha256: row.sha256,
  notes: row.notes,
  manifest: row.manifest,
  signature: row.signature,
  keyName: row.key_name,
  state: row.state,
  received: row.received,
  uploadedBy: row.uploaded_by,
  uploadedAt: row.uploaded_at.getTime(),
})

export async function imageById({ general }: Database, imageId: number): Promise<StoredImage | null> {
  const row = await general.selectFrom('firmware_image').selectAll().where('image_id', '=', imageId).executeTakeFirst()
  return row ? imageOf(row) : null
}

/** All of them, newest version first. */
export async function allImages({ general }: Database): Promise<readonly StoredImage[]> {
  const rows = await general
    .selectFrom('firmware_image')
    .selectAll()
    .orderBy('model')
    .orderBy('version_order', 'desc')
    .orderBy('image_id', 'desc')
    .execute()
  return rows.map(imageOf)
}

/** The highest version of a model that was ever complete, or only of those that may be installed. */
export async function latestImage({ general }: Database, model: string, only: 'ready' | 'ever'): Promise<StoredImage | null> {
  const row = await general
    .selectFrom('firmware_image')
    .selectAll()
    .where('model', '=', model)
    .where('state', 'in', only === 'ready' ? ['ready'] : ['ready', 'withdrawn'])
    .orderBy('version_order', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? imageOf(row) : null
}

export type NewImage = Omit<StoredImage, 'imageId' | 'state' | 'received'> & { readonly versionOrder: readonly number[] }

/** Begins an upload, or answers the one of this very image that broke off. */
export async function beginImage({ general }: Database, image: NewImage, audit: AuditEntry): Promise<StoredImage> {
  return general.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('firmware_image')
      .values({
        model: image.model,
        version: image.version,
        version_order: [...image.versionOrder],
        size: image.size,
        sha256: image.sha256,
        notes: image.notes,
        manifest: image.manifest,
        signature: image.signature,
        key_name: image.keyName,
        state: 'receiving',
        uploaded_by: image.uploadedBy,
        uploaded_at: new Date(image.uploadedAt),
      })
      .onConflict((oc) => oc.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (made) {
      await appendAudit(trx, { ...audit, subject: about('image', made.image_id) })
      return imageOf(made)
    }
    const there = await trx
      .selectFrom('firmware_image')
      .selectAll()
      .where('sha256', '=', image.sha256)
      .where('model', '=', image.model)
      .where('version', '=', image.version)
      .where('state', '=', 'receiving')
      .executeTakeFirstOrThrow()
    return imageOf(there)
  })
}

/** Adds the next piece. Answers how much is there now; a piece that does not follow the last one changes nothing. */
export async function addPiece(
  { general }: Database,
  imageId: number,
  startsAt: number,
  bytes: Buffer,
): Promise<{ readonly added: boolean; readonly received: number } | null> {
  return general.transaction().execute(async (trx) => {
    const image = await trx
      .selectFrom('firmware_image')
      .select(['received', 'size'])
      .where('image_id', '=', imageId)
      .where('state', '=', 'receiving')
      .forUpdate()
      .executeTakeFirst()
    if (!image) return null
    if (startsAt !== image.received || bytes.length === 0) return { added: false, received: image.received }
    await trx
      .insertInto('firmware_piece')
      .values({ image_id: imageId, starts_at: startsAt, length: bytes.length, bytes })
      .execute()
    const received = startsAt + bytes.length
    await trx.updateTable('firmware_image').set({ received }).where('image_id', '=', imageId).execute()
    return { added: true, received }
  })
}

/** Some bytes of an image; fewer at its end. */
export async function readBytes({ general }: Database, imageId: number, from: number, length: number): Promise<Buffer> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select substring(bytes from greatest(${from}::int - starts_at, 0) + 1
             for least(starts_at + length, ${from + length}::int) - greatest(starts_at, ${from}::int)) as bytes
    from firmware_piece
    where image_id = ${imageId} and starts_at < ${from + length} and starts_at + length > ${from}
    order by starts_at`.execute(general)
  return Buffer.concat(rows.map(({ bytes }) => bytes))
}

/** An upload whose bytes are those that were signed may be installed from now on. False: its version came in by another upload meanwhile. */
export async function markReady({ general }: Database, imageId: number, audit: AuditEntry): Promise<boolean> {
  return general
    .transaction()
    .execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('firmware_image')
        .set({ state: 'ready' })
        .where('image_id', '=', imageId)
        .where('state', '=', 'receiving')
        .executeTakeFirst()
      if (numUpdatedRows > 0n) await appendAudit(trx, audit)
      return numUpdatedRows > 0n
    })
    .catch((error) => {
      if ((error as { code?: string }).code === '23505') return false
      throw error
    })
}

/** An upload that cannot be used is taken out with its bytes. */
export async function dropUpload({ general }: Database, imageId: number): Promise<void> {
  await general.deleteFrom('firmware_image').where('image_id', '=', imageId).where('state', '=', 'receiving').execute()
}

/** Takes an image out of use, with its bytes; an upload that was never finished goes altogether. False: a campaign installs it. */
export async function withdrawImage({ general }: Database, imageId: number, audit: AuditEntry): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('firmware_image')
      .select('state')
      .where('image_id', '=', imageId)
      .forUpdate()
      .executeTakeFirst()
    const used = await trx
      .selectFrom('firmware_campaign')
      .select('campaign_id')
      .where('image_id', '=', imageId)
      .where('ended_at', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (used) return false
    await trx.deleteFrom('firmware_piece').where('image_id', '=', imageId).execute()
    if (row?.state === 'receiving') await trx.deleteFrom('firmware_image').where('image_id', '=', imageId).execute()
    else await trx.updateTable('firmware_image').set({ state: 'withdrawn' }).where('image_id', '=', imageId).execute()
    await appendAudit(trx, audit)
    return true
  })
}
