import type { TagPlace } from '@linewarden/rules'
import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { PlantTag } from '../live/plant.ts'
import type { AuditEntry } from './audit.ts'
import { appendAudit } from './audit.ts'
import type { Database } from './database.ts'
import { lockLines } from './hold.ts'
import type { Schema } from './schema.ts'

/** One line, device or gateway, by its id in the database. */
export interface Tagged {
  readonly on: TagPlace
  readonly id: number
}

export interface NewTag {
  readonly id: string
  readonly on: Tagged
  readonly kind: 'lock' | 'tag'
  readonly accountId: string
  readonly holder: string
  readonly reason: string
  readonly photo: { readonly type: 'image/jpeg' | 'image/png' | 'image/webp'; readonly bytes: Buffer } | null
  readonly placedAt: number
  readonly expectedEnd: number | null
}

/** A tag with what became of it. */
export interface StoredTag extends PlantTag {
  readonly removedAt: number | null
  readonly removedBy: string | null
  readonly removedReason: string | null
}

const columnOf = { line: 'line_id', device: 'device_id', gateway: 'gateway_id' } as const satisfies Record<TagPlace, string>

/**
 * Every line that is held, with each tag that holds it: one row per line and tag, wherever the tag hangs. As `tagsHolding` says it of the
 * plant; whoever asks the database about a line asks here.
 */
const held: RawBuilder<unknown> = sql`(
  select line_id, tag_id from tag where line_id is not null
  union all select line.line_id, tag_id from tag join line using (device_id)
  union all select line.line_id, tag_id from tag join device using (gateway_id) join line on line.device_id = device.device_id)`

const columns = sql`tag_id, kind, account_id, holder, reason, photo is not null as has_photo, placed_at, expected_end, removed_at, removed_by,
  removed_reason, case when tag.gateway_id is not null then 'gateway' when tag.device_id is not null then 'device' else 'line' end as "on",
  coalesce(tag.gateway_id, tag.device_id, tag.line_id) as on_id`

interface TagRow {
  tag_id: string
  on: TagPlace
  on_id: number
  kind: 'lock' | 'tag'
  account_id: string | null
  holder: string
  reason: string
  has_photo: boolean
  placed_at: Date
  expected_end: Date | null
  removed_at: Date | null
  removed_by: string | null
  removed_reason: string | null
}

/** Null: its gateway was removed meanwhile, and nothing hangs. `hanging`: what hangs there then, on that place itself. */
export type Hung = { readonly hanging: readonly PlantTag[] } | null

/** Hangs a tag. The same id again changes nothing. */
export async function insertTag({ control }: Database, tag: NewTag, audit: AuditEntry): Promise<Hung> {
  return control.transaction().execute(async (trx) => {
    if (!(await lockBehind(trx, tag.on))) return null
    const { numInsertedOrUpdatedRows: inserted } = await trx
      .insertInto('tag')
      .values({
        tag_id: tag.id,
        [columnOf[tag.on.on]]: tag.on.id,
        kind: tag.kind,
        account_id: tag.accountId,
        holder: tag.holder,
        reason: tag.reason,
        photo: tag.photo?.bytes ?? null,
        photo_type: tag.photo?.type ?? null,
        placed_at: new Date(tag.placedAt),
        expected_end: tag.expectedEnd === null ? null : new Date(tag.expectedEnd),
      })
      .onConflict((oc) => oc.column('tag_id').doNothing())
      .executeTakeFirst()
    if (inserted) await appendAudit(trx, audit)
    return { hanging: await hangingOn(trx, tag.on) }
  })
}

/** Takes a tag off. `removed` is false when it hangs no longer. `hanging`: what is left there, on that place itself. */
export async function removeTag(
  { control }: Database,
  tag: { readonly id: string; readonly on: Tagged; readonly at: number; readonly by: string; readonly reason: string | null },
  audit: AuditEntry,
): Promise<{ readonly removed: boolean; readonly hanging: readonly PlantTag[] }> {
  return control.transaction().execute(async (trx) => {
    await lockBehind(trx, tag.on)
    const { numUpdatedRows } = await trx
      .updateTable('tag')
      .set({ removed_at: new Date(tag.at), removed_by: tag.by, removed_reason: tag.reason })
      .where('tag_id', '=', tag.id)
      .where(columnOf[tag.on.on], '=', tag.on.id)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await appendAudit(trx, audit)
    return { removed: numUpdatedRows > 0n, hanging: await hangingOn(trx, tag.on) }
  })
}

/**
 * Locks what a tag is hung on or taken off: the gateway, so that whoever removes it comes before or after, and then every line behind the
 * place. A line that is born in this very moment is not among them; whatever is ordered of it is held up by the plant, just before it leaves.
 * False when the gateway was removed.
 */
async function lockBehind(trx: Kysely<Schema>, { on, id }: Tagged): Promise<boolean> {
  const place = sql.ref(`${on === 'line' ? 'line' : 'device'}.${columnOf[on]}`)
  const gateway = await sql`select from gateway where removed_at is null and gateway_id in (
    select device.gateway_id from device left join line using (device_id) where ${place} = ${id}) for key share`.execute(trx)
  if (gateway.rows.length === 0) return false
  const { rows } = await sql<{ line_id: number }>`
    select line_id from line join device using (device_id) where ${place} = ${id}`.execute(trx)
  if (rows.length > 0)
    await lockLines(
      trx,
      rows.map(({ line_id }) => line_id),
    )
  return true
}

async function hangingOn(db: Kysely<Schema>, { on, id }: Tagged): Promise<readonly PlantTag[]> {
  const { rows } = await sql<TagRow>`select ${columns} from tag where ${sql.ref(columnOf[on])} = ${id} and removed_at is null
    order by placed_at, tag_id`.execute(db)
  return rows.map(tagOf)
}

/** Every tag that hangs, for the plant; on what it hangs stands in it. */
export async function hangingTags(db: Kysely<Schema>): Promise<readonly PlantTag[]> {
  const { rows } = await sql<TagRow>`select ${columns} from tag where removed_at is null order by placed_at, tag_id`.execute(db)
  return rows.map(tagOf)
}

/** The tags that hold these lines, wherever they hang, by line. A line without one is not in the answer. */
export async function tagsHoldingLines(
  db: Kysely<Schema>,
  lineIds: readonly number[],
): Promise<ReadonlyMap<number, readonly PlantTag[]>> {
  const { rows } = await sql<TagRow & { held_line: number }>`
    select held.line_id as held_line, ${columns} from ${held} held join tag using (tag_id)
    where held.line_id = any(${[...lineIds]}::int[]) and removed_at is null order by placed_at, tag_id`.execute(db)
  const byLine = new Map<number, PlantTag[]>()
  for (const row of rows) byLine.set(row.held_line, [...(byLine.get(row.held_line) ?? []), tagOf(row)])
  return byLine
}

/** Who has a tag hanging anywhere on a gateway, each once. */
export async function holdersOn(db: Kysely<Schema>, gatewayId: number): Promise<readonly string[]> {
  const { rows } = await sql<{ holder: string }>`
    select holder from tag left join line using (line_id)
      left join device on device.device_id = coalesce(tag.device_id, line.device_id)
    where removed_at is null and coalesce(tag.gateway_id, device.gateway_id) = ${gatewayId}
    group by holder order by min(placed_at)`.execute(db)
  return rows.map(({ holder }) => holder)
}

/** The tags that hold a line or held it, those that hang first, then newest first. */
export async function tagsOf({ general }: Database, lineId: number, size: number): Promise<readonly StoredTag[]> {
  const { rows } = await sql<TagRow>`
    select ${columns} from ${held} held join tag using (tag_id) where held.line_id = ${lineId}
    order by removed_at is not null, placed_at desc limit ${size}`.execute(general)
  return rows.map(tagOf)
}

/** The photo of a tag that holds this line or held it. */
export async function tagPhoto(
  { general }: Database,
  lineId: number,
  tagId: string,
): Promise<{ readonly type: string; readonly bytes: Buffer } | null> {
  const { rows } = await sql<{ photo: Buffer | null; photo_type: string | null }>`
    select photo, photo_type from ${held} held join tag using (tag_id)
    where held.line_id = ${lineId} and tag_id = ${tagId}::uuid`.execute(general)
  const [row] = rows
  return row?.photo && row.photo_type ? { type: row.photo_type, bytes: row.photo } : null
}

const tagOf = (row: TagRow): StoredTag => ({
  id: row.tag_id,
  on: row.on,
  onId: row.on_id,
  kind: row.kind,
  accountId: row.account_id,
  holder: row.holder,
  reason: row.reason,
  photo: row.has_photo,
  placedAt: row.placed_at.getTime(),
  expectedEnd: row.expected_end?.getTime() ?? null,
  removedAt: row.removed_at?.getTime() ?? null,
  removedBy: row.removed_by,
  removedReason: row.removed_reason,
})
