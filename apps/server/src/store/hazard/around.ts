import type { AlarmTiming } from '@linewarden/rules/alarm'
import type { ReportedDay } from '@linewarden/rules/hazard'
import type { RuleValues } from '@linewarden/rules/warning'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { CountRange } from './analysis.ts'

type Db = Pick<Database, 'general'>

/** How much of these gateways reported on each day. */
export async function reportedOf(
  { general }: Db,
  gatewayIds: readonly number[],
  { from, to }: CountRange,
): Promise<readonly ReportedDay[]> {
  const { rows } = await sql<{ day: number; gateway_id: number; lines: number; line_hours: number }>`
    select day, gateway_id, lines, line_hours from gateway_day
    where day >= ${from} and day < ${to} and gateway_id = any(${[...gatewayIds]}::int[]) order by day, gateway_id`.execute(
    general,
  )
  return rows.map(({ day, gateway_id, lines, line_hours }) => ({ day, gatewayId: gateway_id, lines, lineHours: line_hours }))
}

/** Which of these lines have readings of any hour of a range. */
export async function linesWithReadings(
  { general }: Db,
  lineIds: readonly number[],
  from: Date,
  to: Date,
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ line_id: number }>`
    select line_id from unnest(${[...lineIds]}::int[]) as line (line_id)
    where exists (select from reading_hour where reading_hour.line_id = line.line_id and hour >= ${from} and hour < ${to})`.execute(
    general,
  )
  return new Set(rows.map(({ line_id }) => line_id))
}

/** Settings that equipment took over: what one person ordered at once is one change. */
export interface ChangeRow {
  readonly at: Date
  readonly line_id: number | null
  readonly lines: number
  readonly wanted: Readonly<Record<string, number>>
  readonly former: Readonly<Record<string, number | null>>
}

/** The newest of them on these gateways, or on this line alone, newest first. */
export async function changesIn(
  { general }: Db,
  { gatewayIds, lineIds }: { readonly gatewayIds: readonly number[]; readonly lineIds: readonly number[] | null },
  { from, to, most }: { readonly from: Date; readonly to: Date; readonly most: number },
): Promise<readonly ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select max(verified_at) as at, min(line_id) as line_id, count(*)::int as lines, (array_agg(wanted order by verified_at))[1] as wanted,
      (array_agg(former order by verified_at))[1] as former
    from setting_change
    where state = 'verified' and verified_at >= ${from} and verified_at < ${to} and gateway_id = any(${[...gatewayIds]}::int[])
      and (${lineIds === null} or line_id = any(${[...(lineIds ?? [])]}::int[]))
    group by batch_id order by at desc limit ${most}`.execute(general)
  return rows
}

/** A rule of early warning that somebody changed: of a project, or a default. */
export interface RuleChangedRow {
  readonly at: Date
  readonly project_id: number | null
  readonly key: string
  readonly version: number
  readonly actor: string
  readonly reason: string
  readonly restored: boolean
  readonly before: Pick<RuleValues, 'enabled' | 'params'>
  readonly after: Pick<RuleValues, 'enabled' | 'params'>
}

/** The newest of these, newest first. */
export async function ruleChangesIn(
  { general }: Db,
  asked: ChangesOf,
  { from, to, most }: { readonly from: Date; readonly to: Date; readonly most: number },
): Promise<readonly RuleChangedRow[]> {
  const { rows } = await sql<RuleChangedRow>`
    select at, project_id, key, change.version, actor, reason, restored, before, after
    from warning_rule_change change join warning_rule rule using (rule_id)
    where at >= ${from} and at < ${to} and ${concerned(asked)}
    order by at desc, rule_id, change.version desc limit ${most}`.execute(general)
  return rows
}

/** An answer of the rationalisation sheet that somebody wrote: of a project, or a default. */
export interface SheetChangedRow {
  readonly at: Date
  readonly project_id: number | null
  readonly key: string
  readonly version: number
  readonly actor: string
  readonly reason: string
  readonly restored: boolean
}

/** The same of the sheet. */
export async function sheetChangesIn(
  { general }: Db,
  asked: ChangesOf,
  { from, to, most }: { readonly from: Date; readonly to: Date; readonly most: number },
): Promise<readonly SheetChangedRow[]> {
  const { rows } = await sql<SheetChangedRow>`
    select at, project_id, key, change.version, actor, reason, restored
    from alarm_rationale_change change join alarm_rationale using (rationale_id)
    where at >= ${from} and at < ${to} and ${concerned(asked)} order by at desc, rationale_id, change.version desc limit ${most}`.execute(
    general,
  )
  return rows
}

/** An alarm of a point of a line that somebody tuned, or took back to how it ships. */
export interface TuningChangedRow {
  readonly at: Date
  readonly line_id: number
  readonly key: string
  readonly point: string
  readonly version: number
  readonly actor: string
  readonly reason: string
  readonly restored: boolean
  readonly before: AlarmTiming
  readonly after: AlarmTiming
}

/** The same of the tunings of these lines; `keys` null: of all their alarms. */
export async function tuningChangesIn(
  { general }: Db,
  { lineIds, keys }: { readonly lineIds: readonly number[]; readonly keys: readonly string[] | null },
  { from, to, most }: { readonly from: Date; readonly to: Date; readonly most: number },
): Promise<readonly TuningChangedRow[]> {
  const { rows } = await sql<TuningChangedRow>`
    select at, line_id, key, point, change.version, actor, reason, restored, before, after
    from alarm_tuning_change change join alarm_tuning using (tuning_id)
    where at >= ${from} and at < ${to} and line_id = any(${[...lineIds]}::int[])
      and (${keys === null} or key = any(${[...(keys ?? [])]}::text[]))
    order by at desc, tuning_id, change.version desc limit ${most}`.execute(general)
  return rows
}

/** The newest event of an alarm of a line. */
export interface NewestRow {
  readonly event_id: string
  readonly line_id: number
  readonly key: string
  readonly point: string | null
}

/** Of each of these before a moment. */
export async function newestOf(
  { general }: Db,
  places: readonly { readonly line_id: number; readonly key: string }[],
  before: Date,
): Promise<readonly NewestRow[]> {
  const { rows } = await sql<NewestRow>`
    select event_id, place.line_id, place.key, point
    from unnest(${places.map(({ line_id }) => line_id)}::int[], ${places.map(({ key }) => key)}::text[]) as place (line_id, key)
    cross join lateral (select event_id, point from event
      where event.line_id = place.line_id and event.key = place.key and raised_at < ${before}
      order by raised_at desc, event_id desc limit 1) as newest`.execute(general)
  return rows
}

/** Of which projects, of whose defaults (null: the installation's own) and of which alarms changes are asked for; null: of all. */
export interface ChangesOf {
  readonly projectIds: readonly number[]
  readonly ownerIds: readonly (string | null)[]
  readonly keys: readonly string[] | null
}

/** Of the tables whose rows are of a project, or as the default of an owner of none. */
function concerned({ projectIds, ownerIds, keys }: ChangesOf) {
  const owners = ownerIds.filter((each) => each !== null)
  return sql`(${keys === null} or key = any(${[...(keys ?? [])]}::text[]))
    and (project_id = any(${[...projectIds]}::int[])
      or (project_id is null and (owner_id = any(${owners}::uuid[]) or (owner_id is null and ${ownerIds.includes(null)}))))`
}
