import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { isCompleted } from '@linewarden/rules/alarm'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { commandOf, type StoredCommand } from '../control/command.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { EventRow } from './event.ts'

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)]
/** Whoever copies has so long until another server does. */
const leaseMs = 30_000
/** An event that somebody had locked is looked at again then. */
const retryMs = 1_000

type Db = Pick<Database, 'general'>

/** A minute of a line that this server is copying. */
export interface DueEvidence {
  readonly lineId: number
  /** Unix ms. */
  readonly minute: number
  readonly wholeAt: number
  readonly revision: number
  readonly samples: number
  readonly copiedAt: number | null
  readonly states: Readonly<Record<string, string>>
}

/** So long copies are kept of a line that was taken out: as far back as statistics of alarms go. */
const removedKeptMs = 400 * 86_400_000

/** Forgets copies of lines whose gateway was taken out long ago, and of those that are no more. Of all others they stay as long as their alarms. */
export const purgeEvidence = ({ general }: Db, now: number): Promise<unknown> =>
  sql`delete from evidence where not exists (
    select from line join device using (device_id) join gateway using (gateway_id)
    where line.line_id = evidence.line_id and (removed_at is null or removed_at > ${new Date(now - removedKeptMs)}))`.execute(
    general,
  )

/** Claims what is due, the longest due first: what another server copies at this moment is left to it. */
export async function claimEvidence({ general }: Db, now: number, most: number): Promise<readonly DueEvidence[]> {
  const { rows } = await sql<Selectable<Schema['evidence']>>`
    with due as materialized (
      select line_id, minute from evidence where due_at <= ${new Date(now)} order by due_at limit ${most} for update skip locked
    )
    update evidence set due_at = ${new Date(now + leaseMs)} from due
    where evidence.line_id = due.line_id and evidence.minute = due.minute returning evidence.*`.execute(general)
  return rows.map((row) => ({
    lineId: row.line_id,
    minute: row.minute.getTime(),
    wholeAt: row.whole_at.getTime(),
    revision: row.revision,
    samples: row.samples,
    copiedAt: row.copied_at?.getTime() ?? null,
    states: row.states,
  }))
}

/** Has a minute copied that nobody had copied when it was raised; of one that is noted nothing changes. */
export async function askForEvidence(
  { general }: Db,
  asked: { readonly lineId: number; readonly minute: number; readonly dueAt: number; readonly states: object },
): Promise<void> {
  await general
    .insertInto('evidence')
    .values({
      line_id: asked.lineId,
      minute: new Date(asked.minute),
      states: JSON.stringify(asked.states),
      due_at: new Date(asked.dueAt),
      whole_at: new Date(asked.dueAt),
      copied_at: null,
      completed_at: null,
      content: null,
    })
    .onConflict((oc) => oc.columns(['line_id', 'minute']).doNothing())
    .execute()
}

/**
 * Stores a copy, and answers the events whose evidence is there with it. What was noted meanwhile stays due; events that somebody has at this
 * moment are come back to.
 */
export async function storeEvidence(
  { general }: Db,
  claim: DueEvidence,
  copy: { readonly content: object; readonly samples: number },
  now: number,
): Promise<readonly EventRow[]> {
  const content = await deflate(JSON.stringify(copy.content), { level: 9 })
  const whole = claim.copiedAt !== null && claim.copiedAt >= claim.wholeAt
  const completedAt = isCompleted({ whole, samples: claim.samples }, copy.samples) ? new Date(now) : null
  return general.transaction().execute(async (trx) => {
    const key = sql<boolean>`line_id = ${claim.lineId} and minute = ${new Date(claim.minute)}`
    const { rows: written } = await sql`
      update evidence set content = ${content}, samples = ${copy.samples}, copied_at = ${new Date(now)},
        completed_at = coalesce(${completedAt}::timestamptz, completed_at),
        due_at = case when revision <> ${claim.revision} then least(due_at, ${new Date(now)}::timestamptz)
          when whole_at > ${new Date(now)} then whole_at end
      where ${key} and revision >= ${claim.revision} and (copied_at is null or copied_at <= ${new Date(now)}) returning 1`.execute(
      trx,
    )
    if (written.length === 0) return []
    const ready = sql<boolean>`line_id = ${claim.lineId} and evidence_minute = ${new Date(claim.minute)} and evidence_due <= ${new Date(now)}`
    const { rows } = await sql<EventRow>`
      with ready as materialized (select event_id from event where ${ready} order by event_id for update skip locked)
      update event set evidence_due = null from ready where event.event_id = ready.event_id returning event.*`.execute(trx)
    await sql`update evidence set due_at = least(due_at, ${new Date(now + retryMs)}::timestamptz)
      where ${key} and exists (select from event where ${ready})`.execute(trx)
    return rows
  })
}

/** A copy as it is stored; null: there is none, or not yet. */
export async function evidenceCopy(
  { general }: Db,
  lineId: number,
  minute: number,
): Promise<{ readonly content: unknown; readonly copiedAt: number; readonly completedAt: number | null } | null> {
  const row = await general
    .selectFrom('evidence')
    .select(['content', 'copied_at', 'completed_at'])
    .where('line_id', '=', lineId)
    .where('minute', '=', new Date(minute))
    .executeTakeFirst()
  if (!row?.content || !row.copied_at) return null
  return {
    content: JSON.parse((await inflate(row.content)).toString()),
    copiedAt: row.copied_at.getTime(),
    completedAt: row.completed_at?.getTime() ?? null,
  }
}

/** Lines that feed one, the nearest first, and those that it feeds at any depth, at most so many. */
export async function linesAround(
  { general }: Db,
  lineId: number,
  most: number,
): Promise<{ readonly upstream: readonly number[]; readonly downstream: readonly number[] }> {
  const { rows } = await sql<{ line_id: number; depth: number }>`
    with recursive above (line_id, depth, path) as (
      select fed_by, 1, array[line_id, fed_by] from line where line_id = ${lineId} and fed_by is not null
      union all
      select line.fed_by, depth + 1, path || line.fed_by from above join line using (line_id)
      where line.fed_by is not null and line.fed_by <> all(path) and depth < 50
    ), below (line_id, depth, path) as (
      select line_id, 1, array[fed_by, line_id] from line where fed_by = ${lineId}
      union all
      select line.line_id, depth + 1, path || line.line_id from below join line on line.fed_by = below.line_id
      where line.line_id <> all(path) and depth < 50
    )
    (select line_id, -depth as depth from above order by depth desc)
    union all (select line_id, depth from below order by depth, line_id limit ${most})`.execute(general)
  return {
    upstream: rows.flatMap(({ line_id, depth }) => (depth < 0 ? [line_id] : [])),
    downstream: rows.flatMap(({ line_id, depth }) => (depth > 0 ? [line_id] : [])),
  }
}

/** What was ordered of a line in a stretch, oldest first. */
export async function commandsIn(
  { general }: Db,
  lineId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly StoredCommand[]> {
  const rows = await general
    .selectFrom('command')
    .selectAll()
    .where('line_id', '=', lineId)
    .where('issued_at', '>=', new Date(from))
    .where('issued_at', '<', new Date(to))
    .orderBy('issued_at')
    .limit(50)
    .execute()
  return rows.map(commandOf)
}

/** When an event was raised that has a copy of its own, the newest first: an alarm may have been raised several times. */
export async function raisesOf({ general }: Db, eventId: string): Promise<readonly number[]> {
  const rows = await general
    .selectFrom('event_occurrence')
    .select('raised_at')
    .where('event_id', '=', eventId)
    .orderBy('raised_at', 'desc')
    .limit(50)
    .execute()
  return rows.map(({ raised_at }) => raised_at.getTime())
}
