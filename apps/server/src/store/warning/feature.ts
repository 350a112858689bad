import type { NotEvaluatedReason } from '@linewarden/rules/warning'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { StoredOutcomes } from './look.ts'

type Reads = Pick<Database, 'general'>

/** What is kept of a line on a local day, as people are shown it; null is not known. */
export interface FeatureRow {
  readonly line_id: number
  readonly day: number
  readonly hours: number
  readonly coverage: number
  readonly opened: boolean
  readonly leak_floor_ma: number | null
  readonly leak_peak_ma: number | null
  readonly i95_a: readonly (number | null)[]
  readonly peak_a: readonly (number | null)[]
  readonly excess_k: readonly (number | null)[]
  readonly excess_error_k: readonly (number | null)[]
  readonly unbalance_percent: number | null
  readonly voltage_known_min: number
  readonly voltage_outside_min: number
  readonly arc_hours: number | null
  readonly wear: number
  readonly trip_ms: readonly number[]
}

const shown = [
  ...(['line_id', 'day', 'hours', 'coverage', 'opened', 'leak_floor_ma', 'leak_peak_ma', 'i95_a', 'peak_a'] as const),
  ...(['excess_k', 'excess_error_k', 'unbalance_percent', 'voltage_known_min', 'voltage_outside_min'] as const),
  ...(['arc_hours', 'wear', 'trip_ms'] as const),
]

/** Days of lines in order, both ends included. */
export const featuresOf = (
  { general }: Reads,
  lineIds: readonly number[],
  from: number,
  to: number,
): Promise<readonly FeatureRow[]> =>
  general
    .selectFrom('line_day')
    .select(shown)
    .where(sql<boolean>`line_id = any(${[...lineIds]}::int[])`)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('line_id')
    .orderBy('day')
    .execute()

/** The hours of a line day by day, by columns one after the other; NaN is not known. */
export interface HoursOfDay {
  readonly day: number
  readonly firstHour: number
  /** Bit 0 is the first hour. */
  readonly counts: number
  readonly residualMa: Float32Array | null
  readonly squareA2: Float32Array
  readonly maxA: Float32Array
  readonly terminalC: Float32Array
}

export async function hoursOfDays({ general }: Reads, lineId: number, from: number, to: number): Promise<readonly HoursOfDay[]> {
  const rows = await general
    .selectFrom('line_hours')
    .selectAll()
    .where('line_id', '=', lineId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute()
  return rows.map((row) => ({
    ...{ day: row.day, firstHour: row.first_hour, counts: row.counts },
    residualMa: row.residual_ma && floatsOf(row.residual_ma),
    ...{ squareA2: floatsOf(row.square_a2), maxA: floatsOf(row.max_a), terminalC: floatsOf(row.terminal_c) },
  }))
}

/** The driver's buffers begin anywhere, so the bytes are copied. */
const floatsOf = (bytes: Buffer): Float32Array => new Float32Array(new Uint8Array(bytes).buffer)

/** What the daily detectors last said of a line. */
export const lookAt = ({ general }: Reads, lineId: number) =>
  general
    .selectFrom('line_look')
    .select(['day', 'at', 'learnt_from', 'reason', 'outcomes', 'wear'])
    .where('line_id', '=', lineId)
    .executeTakeFirst() as Promise<
    | {
        readonly day: number
        readonly at: Date
        readonly learnt_from: number
        readonly reason: NotEvaluatedReason | null
        readonly outcomes: StoredOutcomes
        readonly wear: number
      }
    | undefined
  >

/** Of how many of these lines something could be said at their last look, of how many nothing by which reason, and when that was. */
export async function countLooks({ general }: Reads, lineIds: readonly number[]) {
  const rows = await general
    .selectFrom('line_look')
    .select(['reason', sql<number>`count(*)::int`.as('lines'), sql<Date>`max(at)`.as('at')])
    .where(sql<boolean>`line_id = any(${[...lineIds]}::int[])`)
    .groupBy('reason')
    .execute()
  return rows as readonly { readonly reason: NotEvaluatedReason | null; readonly lines: number; readonly at: Date }[]
}

/** The findings of a line that are open, by detector. */
export const openFindingsOf = ({ general }: Reads, lineId: number) =>
  general
    .selectFrom('event')
    .innerJoin('warning_evidence', 'warning_evidence.event_id', 'event.event_id')
    .select(['event.event_id', 'key', 'point'])
    .where('line_id', '=', lineId)
    .where('state', 'in', ['active', 'acknowledged', 'returned'])
    .execute()

/** How a finding was explained as a normal change, and whether that was taken back; undefined: it was not. */
export const explanationOf = ({ general }: Reads, eventId: string) =>
  general
    .selectFrom('warning_baseline')
    .select(['from_day', 'reason', 'actor', 'at', 'undone_at', 'undone_by', 'undone_reason'])
    .where('event_id', '=', eventId)
    .orderBy('baseline_id', 'desc')
    .executeTakeFirst()
