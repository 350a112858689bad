import type { TagKind, TagPlace } from '@linewarden/rules/control'
import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { PlantTag } from '../../plant/plant.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { lockLines } from './fence.ts'

/** One line, device or gateway, by its id in the database. */
export interface Tagged {
  readonly on: TagPlace
  readonly id: number
}

export interface NewTag {
  readonly id: string
  readonly on: Tagged
  readonly kind: TagKind
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
 * Every line with each tag in force on it: one row per line and tag, wherever the tag hangs. As `tagsInForce` says it of the plant;
 * whoever asks the database about a line asks here.
 */
const taggedLines: RawBuilder<unknown> = sql`(
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
  kind: TagKind
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

/** How much stands behind a place, as people count it: a detector is a device without lines. */
interface Behind {
  readonly devices: number
  readonly lines: number
}

/** `gone`: its gateway was removed meanwhile, and nothing hangs. `hanging`: what hangs there then, on that place itself. */
export type Hung =
  | { readonly is: 'hung'; readonly hanging: readonly PlantTag[] }
  | { readonly is: 'gone' }
  | { readonly is: 'end past' }

/** Hangs a tag. The same id again changes nothing, also when its expected end is over by then. */
export async function insertTag({ control }: Database, tag: NewTag, auditOf: (behind: Behind) => AuditEntry): Promise<Hung> {
  return control.transaction().execute(async (trx): Promise<Hung> => {
    const behind = await lockBehind(trx, tag.on)
    if (!behind) return { is: 'gone' }
    const { expectedEnd, placedAt } = tag
    if (expectedEnd !== null && expectedEnd <= placedAt && !(await isStored(trx, tag.id))) return { is: 'end past' }
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
        placed_at: new Date(placedAt),
        expected_end: expectedEnd === null ? null : new Date(expectedEnd),
      })
      .onConflict((oc) => oc.column('tag_id').doNothing())
      .executeTakeFirst()
    if (inserted) await appendAudit(trx, auditOf(behind))
    return { is: 'hung', hanging: await hangingOn(trx, tag.on) }
  })
}

const isStored = async (trx: Kysely<Schema>, tagId: string): Promise<boolean> =>
  (await trx.selectFrom('tag').select('tag_id').where('tag_id', '=', tagId).execute()).length > 0

/** Takes a tag off. `removed` is false when it hangs no longer. `hanging`: what is left there, on that place itself. */
export async function removeTag(
  { control }: Database,
  tag: { readonly id: string; readonly on: Tagged; readonly at: number; readonly by: string; readonly reason: string | null },
  auditOf: (behind: Behind) => AuditEntry,
): Promise<{ readonly removed: boolean; readonly hanging: readonly PlantTag[] }> {
  return control.transaction().execute(async (trx) => {
    const behind = await lockBehind(trx, tag.on)
    // Nobody stands before the lines of a gateway that is gone.
    if (!behind) return { removed: false, hanging: [] }
    const { numUpdatedRows } = await trx
      .updateTable('tag')
      .set({ removed_at: new Date(tag.at), removed_by: tag.by, removed_reason: tag.reason })
      .where('tag_id', '=', tag.id)
      .where(columnOf[tag.on.on], '=', tag.on.id)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await appendAudit(trx, auditOf(behind))
    return { removed: numUpdatedRows > 0n, hanging: await hangingOn(trx, tag.on) }
  })
}

/**
 * Locks what a tag is hung on or taken off: the gateway, so that whoever removes it comes before or after, and then every line behind the
 * place. A line that is born in this very moment is not among them; whatever is ordered of it is held up by the plant, just before it leaves.
 * Null when the gateway was removed.
 */
async function lockBehind(trx: Kysely<Schema>, { on, id }: Tagged): Promise<Behind | null> {
  const place = sql.ref(`${on === 'line' ? 'line' : 'device'}.${columnOf[on]}`)
  const gateway = await sql`select from gateway where removed_at is null and gateway_id in (
    select device.gateway_id from device left join line using (device_id) where ${place} = ${id}) for key share`.execute(trx)
  if (gateway.rows.length === 0) return null
  const { rows } = await sql<{ device_id: number; line_id: number | null; line_no: number | null }>`
    select device_id, line_id, line_no from device left join line using (device_id) where ${place} = ${id}`.execute(trx)
  const lineIds = rows.flatMap(({ line_id }) => line_id ?? [])
  if (lineIds.length > 0) await lockLines(trx, lineIds)
  return {
    devices: new Set(rows.map(({ device_id }) => device_id)).size,
    lines: rows.filter(({ line_no }) => line_no !== null && line_no > 0).length,
  }
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

/** The tags in force on these lines, wherever they hang, by line. A line without one is not in the answer. */
export async function tagsInForceOn(
  db: Kysely<Schema>,
  lineIds: readonly number[],
): Promise<ReadonlyMap<number, readonly PlantTag[]>> {
  const { rows } = await sql<TagRow & { on_line: number }>`
    select tagged.line_id as on_line, ${columns} from ${taggedLines} tagged join tag using (tag_id)
    where tagged.line_id = any(${[...lineIds]}::int[]) and removed_at is null order by placed_at, tag_id`.execute(db)
  const byLine = new Map<number, PlantTag[]>()
  for (const row of rows) byLine.set(row.on_line, [...(byLine.get(row.on_line) ?? []), tagOf(row)])
  return byLine
}

/** How many tags are in force on each line that has any, whichever server of this database they were hung by. */
export async function countTagged({ general }: Pick<Database, 'general'>): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ line_id: number; tags: number }>`
    select tagged.line_id, count(*)::int as tags from ${taggedLines} tagged join tag using (tag_id)
    where removed_at is null group by tagged.line_id`.execute(general)
  return new Map(rows.map(({ line_id, tags }) => [line_id, tags]))
}

/** Who has tags hanging on a gateway and on what is behind it, each once, with every place where one hangs, as the log calls it. */
export interface Holder {
  readonly holder: string
  readonly places: readonly string[]
}

export async function holdersOn(db: Kysely<Schema>, gatewayId: number): Promise<readonly Holder[]> {
  const { rows } = await sql<Holder>`
    select holder, array_agg(distinct case when tag.gateway_id is not null then gateway.number
      when line.line_no > 0 then controller_id || '/' || line.line_no else controller_id end) as places
    from tag left join line using (line_id)
      left join device on device.device_id = coalesce(tag.device_id, line.device_id)
      join gateway on gateway.gateway_id = coalesce(tag.gateway_id, device.gateway_id)
    where tag.removed_at is null and gateway.gateway_id = ${gatewayId}
    group by holder order by min(placed_at)`.execute(db)
  return rows
}

/** The tags of a line, wherever they hang or hung: those in force first, then newest first. */
export async function tagsOf({ general }: Database, lineId: number, size: number): Promise<readonly StoredTag[]> {
  const { rows } = await sql<TagRow>`
    select ${columns} from ${taggedLines} tagged join tag using (tag_id) where tagged.line_id = ${lineId}
    order by removed_at is not null, placed_at desc limit ${size}`.execute(general)
  return rows.map(tagOf)
}

/** The photo of a tag that is or was in force on this line. */
export async function tagPhoto(
  { general }: Database,
  lineId: number,
  tagId: string,
): Promise<{ readonly type: string; readonly bytes: Buffer } | null> {
  const { rows } = await sql<{ photo: Buffer | null; photo_type: string | null }>`
    select photo, photo_type from ${taggedLines} tagged join tag using (tag_id)
    where tagged.line_id = ${lineId} and tag_id = ${tagId}::uuid`.execute(general)
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
