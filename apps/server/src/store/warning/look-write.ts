import type { WarningLevel } from '@linewarden/rules/warning'
import type pg from 'pg'
import type { LearntOf, StoredFollowed, StoredOutcomes } from './look.ts'

/** What is kept of a line between two looks. */
export interface LineLook {
  readonly lineId: number
  readonly day: number
  readonly learntFrom: number
  readonly learntOf: LearntOf
  readonly wear: number
  readonly openings: number
  readonly reason: string | null
  readonly outcomes: StoredOutcomes
  readonly followed: StoredFollowed
  readonly followedBefore: StoredFollowed
}

interface LookRow {
  line_id: number
  day: number
  learnt_from: number
  learnt_of: LearntOf
  wear: number
  openings: number
  reason: string | null
  outcomes: StoredOutcomes
  followed: StoredFollowed
  followed_before: StoredFollowed
}

/** The last looks at lines. */
export async function storedLooks(client: pg.ClientBase, lineIds: readonly number[]): Promise<ReadonlyMap<number, LineLook>> {
  const { rows } = await client.query<LookRow>(
    `select line_id, day, learnt_from, learnt_of, wear, openings, reason, outcomes, followed, followed_before
     from line_look where line_id = any($1)`,
    [lineIds],
  )
  return new Map(
    rows.map((row) => [
      row.line_id,
      {
        lineId: row.line_id,
        day: row.day,
        learntFrom: row.learnt_from,
        learntOf: row.learnt_of,
        wear: row.wear,
        openings: row.openings,
        reason: row.reason,
        outcomes: row.outcomes,
        followed: row.followed,
        followedBefore: row.followed_before,
      },
    ]),
  )
}

/** Since when lines that were never looked at have reported, and what their openings took so far. */
export async function firstDaysOf(
  client: pg.ClientBase,
  lineIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly day: number; readonly wear: number; readonly openings: number }>> {
  const { rows } = await client.query<{ line_id: number; day: number; wear: number; openings: number }>(
    `select line_id, min(day) filter (where coverage > 0) as day, sum(wear) as wear, sum(cardinality(broken_a))::int as openings
     from line_day where line_id = any($1) group by line_id having min(day) filter (where coverage > 0) is not null`,
    [lineIds],
  )
  return new Map(rows.map(({ line_id, day, wear, openings }) => [line_id, { day, wear, openings }]))
}

/** Stores looks; the later one counts. */
export async function writeLooks(client: pg.ClientBase, looks: readonly LineLook[], now: number): Promise<void> {
  const given = looks.map((look) => ({
    line_id: look.lineId,
    day: look.day,
    learnt_from: look.learntFrom,
    learnt_of: look.learntOf,
    wear: look.wear,
    openings: look.openings,
    reason: look.reason,
    outcomes: look.outcomes,
    followed: look.followed,
    followed_before: look.followedBefore,
  }))
  await client.query(
    `insert into line_look (line_id, day, at, learnt_from, learnt_of, wear, openings, reason, outcomes, followed, followed_before)
     select line_id, day, $2, learnt_from, learnt_of, wear, openings, reason, outcomes, followed, followed_before
     from json_populate_recordset(null::line_look, $1)
     on conflict (line_id) do update set day = excluded.day, at = excluded.at, learnt_from = excluded.learnt_from,
       learnt_of = excluded.learnt_of, wear = excluded.wear, openings = excluded.openings, reason = excluded.reason,
       outcomes = excluded.outcomes, followed = excluded.followed, followed_before = excluded.followed_before`,
    [JSON.stringify(given), new Date(now)],
  )
}

/** The days from which lines are compared with themselves after a normal change, by line the newest of each group of detectors. */
export async function storedBaselines(
  client: pg.ClientBase,
  lineIds: readonly number[],
): Promise<ReadonlyMap<number, readonly { readonly detector: string; readonly fromDay: number }[]>> {
  const { rows } = await client.query<{ line_id: number; detector: string; from_day: number }>(
    'select line_id, detector, from_day from warning_baseline where line_id = any($1) and undone_at is null',
    [lineIds],
  )
  return new Map(
    [...Map.groupBy(rows, ({ line_id }) => line_id)].map(([id, own]) => [
      id,
      own.map(({ detector, from_day }) => ({ detector, fromDay: from_day })),
    ]),
  )
}

/** A finding whose condition is still there. */
export interface OpenFinding {
  readonly eventId: string
  readonly lineId: number
  readonly key: string
  readonly point: string | null
  readonly level: WarningLevel
  /** How often somebody was called for it. */
  readonly announced: number
}

/** The findings of detectors that have not returned, on these lines. */
export async function openFindings(client: pg.ClientBase, lineIds: readonly number[]): Promise<readonly OpenFinding[]> {
  const { rows } = await client.query<{
    event_id: string
    line_id: number
    key: string
    point: string | null
    level: WarningLevel
    announced: number
  }>(
    `select event_id, line_id, key, point, level, announced from event join warning_evidence using (event_id)
     where line_id = any($1) and state in ('active', 'acknowledged') and not historical`,
    [lineIds],
  )
  return rows.map(({ event_id, line_id, ...row }) => ({ eventId: event_id, lineId: line_id, ...row }))
}
