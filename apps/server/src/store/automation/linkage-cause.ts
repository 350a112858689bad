import type { ConditionChange, LinkageCause } from '@linewarden/rules/automation'
import { clocksApartMs, consequenceMs } from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

/** A run of a linkage that a change may have come of. */
export interface CausingRun extends LinkageCause {
  /** Which of the changes. */
  readonly position: number
  /** The runs that led to it, and itself at the end: three at most, for with more it would not have acted. */
  readonly runs: readonly string[]
  /** A danger led to it, over however many runs. */
  readonly afterDanger: boolean
}

/** What became of an order of a run is asked for so long, and of one that goes on over many turns as long as turns may take. */
const [latelyMs, longestRunMs] = [15 * 60_000, 3 * 3_600_000]

interface Row {
  readonly position: number
  readonly is_direct: boolean
  readonly ordered_at: Date
  readonly reported_at: Date | null
  readonly ended_at: Date | null
  readonly runs: string[]
  readonly linkage_ids: number[]
  readonly after_danger: boolean
}

/**
 * What linkages of a project have done to the lines on which something changed, to those that feed them or are fed by them, and what they have raised
 * there, about the time of each change. What a trip was to open that somebody else opened at that moment counts as theirs as well. What anything but
 * a linkage has switched back since is over: with that a chain of its own begins.
 */
export async function causesOf(
  trx: Kysely<Schema>,
  projectId: number,
  changes: readonly (ConditionChange & { readonly position: number; readonly lineId: number })[],
): Promise<readonly CausingRun[]> {
  if (changes.length === 0) return []
  const given = <T>(of: (change: (typeof changes)[number]) => T) => changes.map(of)
  const { rows } = await sql<Row>`
    with recursive asked as (
      select * from unnest(${given(({ position }) => position)}::int[], ${given(({ lineId }) => lineId)}::int[],
        ${given(({ after }) => new Date(after))}::timestamptz[], ${given(({ by }) => new Date(by))}::timestamptz[])
        as change (position, line_id, after, by)),
    above as (
      select asked.position, line.line_id, line.fed_by from asked join line using (line_id)
      union select above.position, line.line_id, line.fed_by from line join above on line.line_id = above.fed_by),
    below as (
      select position, line_id from asked
      union select below.position, line.line_id from line join below on line.fed_by = below.line_id),
    branch as (
      select position, line_id, true as is_direct from above
      union all (select position, line_id, false from below except select position, line_id, false from above)),
    lately as (
      select asked.*, run_id from asked join automation_run r on r.project_id = ${projectId} and r.source = 'linkage'
        and r.claimed_at > asked.after - ${`${longestRunMs} ms`}::interval and r.claimed_at <= asked.by + ${`${clocksApartMs} ms`}::interval
      where r.ended_at is null or r.ended_at > asked.after - ${`${2 * consequenceMs} ms`}::interval
        or r.claimed_at > asked.after - ${`${latelyMs} ms`}::interval),
    caused as (
      select lately.position, lately.run_id, is_direct and c.command_id is not null as is_direct,
        coalesce(c.issued_at, o.started_at) as ordered_at, c.verified_at as reported_at,
        case when c.command_id is null then o.ended_at else c.ended_at end as ended_at
      from lately join operation_run o on o.automation_run_id = lately.run_id or o.outer_run_id = lately.run_id
        join operation_run_line l on l.run_id = o.run_id
        join branch on branch.line_id = l.line_id and branch.position = lately.position
        left join command c on c.command_id = l.command_id
      where (c.command_id is not null or l.state in ('waiting', 'ordered') or l.refusal->>'key' = 'underWay')
        and not exists (
          select from command back where back.line_id = l.line_id and back.source <> 'linkage' and back.verified_at is not null
            and back.action in ('trip', 'close') and back.action <> o.action and back.issued_at <= lately.by
            and back.issued_at >= coalesce(c.verified_at, c.issued_at, o.started_at))
      union all
      select asked.position, raised.run_id, true, raised.at, raised.at, raised.at
      from asked join linkage_raised raised using (line_id) where raised.at > asked.after - ${`${2 * consequenceMs} ms`}::interval)
    select caused.position, is_direct, ordered_at, reported_at, caused.ended_at, r.cause || r.run_id as runs,
      array(select source_id from automation_run led where led.run_id = any(r.cause) and led.source = 'linkage') || r.source_id as linkage_ids,
      -- Runs of an older version of the server did not keep it.
      coalesce(r.after_danger, true) as after_danger
    from caused join automation_run r on r.run_id = caused.run_id`.execute(trx)
  return rows.map((row) => ({
    ...{ position: row.position, isDirect: row.is_direct, linkageIds: row.linkage_ids, afterDanger: row.after_danger },
    ...{ orderedAt: row.ordered_at.getTime(), reportedAt: row.reported_at?.getTime() ?? null },
    ...{ endedAt: row.ended_at?.getTime() ?? null, runs: row.runs.slice(-3) },
  }))
}
