import type { AlarmTiming, RaiseOrReturn, Span } from '@linewarden/rules/alarm'
import { Quality } from '@linewarden/rules/monitor'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { LineTunings } from '../../plant/plant.ts'
import { alarmKeyOf } from '../../plant/plant.ts'
import type { AuditEntry, Subject } from '../audit/append.ts'
import { changesOfVersioned, changeVersioned } from '../audit/versioned.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { columnOf } from '../history/samples.ts'
import type { NotedTuning } from './schema.ts'

type Row = Selectable<Schema['alarm_tuning']>
type Db = Pick<Database, 'general'>

const kept = { table: 'alarm_tuning', changes: 'alarm_tuning_change', id: 'tuning_id' } as const

/** The alarm of one point of a line. */
export interface TunedPlace {
  readonly lineId: number
  readonly key: string
  readonly point: string
}

/** How somebody tuned an alarm, and whether that is still in force. */
export interface KeptTuning {
  readonly timing: AlarmTiming
  readonly inForce: boolean
  readonly version: number
  readonly changedAt: number
  readonly changedBy: string
}

/** Changes whenever any tuning did, whoever changed it. */
export async function markOfTunings({ general }: Db): Promise<string> {
  const { rows } = await sql<{ mark: string }>`
    select concat(count(*), ' ', sum(version)) as mark from alarm_tuning`.execute(general)
  return rows[0]?.mark ?? ''
}

/** How all lines are tuned, by line and `alarmKeyOf`. */
export async function tuningsInForce({ general }: Db): Promise<ReadonlyMap<number, LineTunings>> {
  const rows = await general.selectFrom('alarm_tuning').selectAll().where('in_force', '=', true).execute()
  const byLine = new Map<number, Map<string, AlarmTiming>>()
  for (const row of rows) {
    const own = byLine.get(row.line_id) ?? new Map<string, AlarmTiming>()
    byLine.set(row.line_id, own.set(alarmKeyOf(row.key, row.point), timingOf(row)))
  }
  return byLine
}

/** Null: nobody ever tuned it. */
export async function keptTuning({ general }: Db, { lineId, key, point }: TunedPlace): Promise<KeptTuning | null> {
  const row = await general
    .selectFrom('alarm_tuning')
    .selectAll()
    .where('line_id', '=', lineId)
    .where('key', '=', key)
    .where('point', '=', point)
    .executeTakeFirst()
  return row ? tuningOf(row) : null
}

export interface TuningChange {
  readonly place: TunedPlace
  readonly version: number
  readonly before: NotedTuning
  readonly after: NotedTuning
  /** It is taken back. */
  readonly restored: boolean
  readonly reason: string
}

/** Tunes an alarm, with its entry in the log and in its own history. `changed`: somebody else did in between. */
export async function changeTuning(
  database: Db,
  { place, ...change }: TuningChange,
  audit: AuditEntry & { readonly subject: Subject },
): Promise<KeptTuning | 'changed'> {
  const { onDelayMs, offDelayMs, deadBandShare } = change.after
  const values = { on_delay_ms: onDelayMs, off_delay_ms: offDelayMs, dead_band_share: deadBandShare }
  const row = await changeVersioned<Row>(database, kept, { ...change, values, at: columnsOf(place) }, audit, () => audit.subject)
  return row === 'changed' ? row : tuningOf(row)
}

/** A page of what was changed of how an alarm is tuned, the newest first, and how much that is. */
export const changesOfTuning = (database: Db, place: TunedPlace, page: { readonly page: number; readonly size: number }) =>
  changesOfVersioned<Selectable<Schema['alarm_tuning_change']>>(database, kept, columnsOf(place), page)

/** When an alarm was raised and returned, and when somebody did something about it, Unix ms, oldest first. */
export interface AlarmPast {
  readonly steps: readonly RaiseOrReturn[]
  readonly actedAt: readonly number[]
}

/** Of one alarm since a moment, the newest of it; what was back-filled raised nothing. */
export async function pastOfAlarm({ general }: Db, place: TunedPlace, from: number, maxSteps: number): Promise<AlarmPast> {
  const { rows } = await sql<{ act: 'raise' | 'return' | 'acknowledge' | 'comment'; at: Date }>`
    select act, at from event_transition join event using (event_id)
    where line_id = ${place.lineId} and key = ${place.key} and point = ${place.point} and not historical
      and at >= ${new Date(from)} and act in ('raise', 'return', 'acknowledge', 'comment')
    order by at desc, step_id desc limit ${maxSteps}`.execute(general)
  const steps: RaiseOrReturn[] = []
  const actedAt: number[] = []
  for (const { act, at } of rows.reverse()) {
    if (act === 'raise' || act === 'return') steps.push({ act, at: at.getTime() })
    else actedAt.push(at.getTime())
  }
  return { steps, actedAt }
}

export type Reading = readonly [at: number, value: number]

/** Live readings of one value in stretches of one day, oldest first; of more than `most` the newest. */
export async function readingsOf(
  { general }: Db,
  { lineId, slot }: { readonly lineId: number; readonly slot: number },
  spans: readonly Span[],
  most: number,
): Promise<readonly Reading[]> {
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last) return []
  const { rows } = await sql<{ at: number; value: number }>`
    select (extract(epoch from at) * 1000)::float8 as at, value
    from unnest(${spans.map(({ from }) => new Date(from))}::timestamptz[], ${spans.map(({ to }) => new Date(to))}::timestamptz[])
      as span (begins, ends)
    cross join lateral (select at, ${columnOf(slot)} as value from reading where line_id = ${lineId} and at >= begins and at < ends
      and at >= ${new Date(first.from)} and at < ${new Date(last.to)} and quality & ${Quality.historical} = 0) as own
    where value is not null order by at desc limit ${most}`.execute(general)
  return rows.reverse().map(({ at, value }) => [at, value])
}

const columnsOf = ({ lineId, key, point }: TunedPlace) => ({ line_id: lineId, key, point })

const timingOf = (row: Pick<Row, 'on_delay_ms' | 'off_delay_ms' | 'dead_band_share'>): AlarmTiming => ({
  ...{ onDelayMs: row.on_delay_ms, offDelayMs: row.off_delay_ms, deadBandShare: row.dead_band_share },
})

const tuningOf = (row: Row): KeptTuning => ({
  timing: timingOf(row),
  inForce: row.in_force,
  version: row.version,
  changedAt: row.changed_at.getTime(),
  changedBy: row.changed_by,
})
