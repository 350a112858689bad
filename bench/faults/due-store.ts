import type pg from 'pg'
import type { DueField } from './due-field.ts'
import { until } from './due-field.ts'
import type { StoredOutcome } from './due-oracle.ts'
import type { DuePlan } from './due-plan.ts'
import { closeDelayMs, riseAboveA } from './due-plan.ts'
import type { LinkageRun } from './rise-oracle.ts'

/** What has no end stored by then has none: a lease of a minute, a taking over, and closes that have their turns. */
const settleMs = 240_000

/** As people would have stored them; the servers work out by themselves when each timer is due. Owners are gone, and some tags hang, from the start. */
export async function storePlan(field: DueField, plan: DuePlan): Promise<void> {
  const { scenes, timers, linkages, tags } = plan
  for (const { line, at } of tags) if (at === 0) await hangTag(field, line)
  await field.withDatabase(async (client) => {
    const sceneIds: number[] = []
    for (const [index, items] of scenes.entries()) {
      const rows = items.map(({ line, action }) => ({ line_id: field.lineIds[line], action }))
      const scene = await client.query<{ scene_id: number }>(storeScene, [
        ...[JSON.stringify(rows), field.projectId, `s${index}`, new Date(field.now())],
      ])
      sceneIds.push(scene.rows[0]?.scene_id ?? 0)
    }
    await client.query(storeTimers, [
      JSON.stringify(timers.map((timer, index) => rowOf(timer, index, field, sceneIds))),
      ...[field.projectId, new Date(field.now()), plan.timeZone, new Date(plan.beginsAt + 86_400_000)],
    ])
    const rows = linkages.map(({ source, target }, index) => {
      return { name: `l${index}`, source: field.lineIds[source], target: field.lineIds[target] }
    })
    await client.query(storeLinkages, [
      ...[JSON.stringify(rows), field.projectId, new Date(field.now()), riseAboveA, closeDelayMs / 1_000],
    ])
  })
}

const rowOf = (
  { date, points, lines, scene, hasOwner }: DuePlan['timers'][number],
  index: number,
  { lineIds }: DueField,
  sceneIds: readonly number[],
) => ({
  ...{ name: `d${index}`, line_ids: lines.map((line) => lineIds[line]), has_owner: hasOwner, action: points[0]?.action },
  ...(scene === null ? { function: 'switch', scene_id: null } : { function: 'scene', scene_id: sceneIds[scene] }),
  schedule: {
    period: { type: 'once', date, fromDate: null, toDate: null },
    points: points.map((point, no) => ({ pointNo: no + 1, ...point })),
    exceptions: [],
  },
})

const platform = "(select account_id from account where kind = 'platform' limit 1)"

const storeScene = `
  with s as (insert into scene (project_id, name, icon, if_refused, enabled, owner_id, owner_name, changed_at)
    values ($2, $3, 'scene', 'goOn', true, ${platform}, 'due', $4) returning scene_id)
  insert into scene_item (scene_id, line_id, action, turn, position)
    select scene_id, line_id, action, n, n from s,
      rows from (jsonb_to_recordset($1::jsonb) as (line_id int, action text)) with ordinality as r (line_id, action, n)
    returning scene_id`

/** Their due rows are still to be made, so that the servers work them out. */
const storeTimers = `
  with r as (select * from jsonb_to_recordset($1::jsonb) as r (name text, function text, scene_id int, line_ids int[], has_owner boolean,
      schedule jsonb, action text)),
    t as (insert into timer (project_id, name, function, schedule, scene_id, keep_while_wanted, enabled, owner_id, owner_name, changed_at,
        changed_by)
      select $2, name, function, schedule, scene_id, true, true, case when has_owner then ${platform} end, 'due', $3, 'due' from r
      returning timer_id, name),
    l as (insert into timer_line (timer_id, position, line_id)
      select timer_id, n - 1, line_id from t join r using (name), unnest(line_ids) with ordinality as u (line_id, n))
  insert into timer_due (timer_id, version, time_zone, point_no, due_at, action, zone_data, stale)
    select timer_id, 1, $4, 1, $5, action, '', true from t join r using (name)`

const storeLinkages = `
  with r as (select * from jsonb_to_recordset($1::jsonb) as r (name text, source int, target int)),
    l as (insert into linkage (project_id, name, enabled, mode, match, active_hours, cooldown_s, max_per_hour, max_per_day, may_close,
        owner_id, owner_name, changed_at, changed_by)
      select $2, name, true, 'live', 'all', '[]', 300, 20, 100, true, ${platform}, 'due', $3, 'due' from r returning linkage_id, name),
    c as (insert into linkage_condition (linkage_id, position, kind, line_id, key, op, value, release, for_s)
      select linkage_id, 0, 'point', source, 'current.a', '>', $4::float8, 2, 0 from l join r using (name))
  insert into linkage_action (linkage_id, position, kind, line_id, scene_id, delay_s)
    select linkage_id, n, action, target, null, delay_s from l join r using (name),
      (values (0, 'trip', 0), (1, 'close', $5::int)) as a (n, action, delay_s)`

/** Of somebody who has reached the database, whichever server; the others find it there. */
export const hangTag = (field: DueField, line: number): Promise<unknown> =>
  field.withDatabase((client) =>
    client.query(
      `insert into tag (tag_id, line_id, kind, holder, reason, placed_at) values (gen_random_uuid(), $1, 'tag', 'somebody', 'at work', $2)`,
      [field.lineIds[line], new Date(field.now())],
    ),
  )

/** Waits until the servers have worked out when each timer is due, and says where they are wrong. */
export async function dueRowsOf(field: DueField, { timers, dues }: DuePlan): Promise<void> {
  const firstOf = new Map<number, number>()
  for (const { timer, dueAt } of dues) firstOf.set(timer, Math.min(dueAt, firstOf.get(timer) ?? Number.POSITIVE_INFINITY))
  await until('the due row of every timer', 120_000, () =>
    field.withDatabase(async (client) => {
      const { rows } = await client.query<{ name: string; due_at: Date }>(
        'select name, due_at from timer_due join timer using (timer_id) where not stale',
      )
      if (rows.length < timers.length) return null
      const wrong = rows.filter(({ name, due_at }) => due_at.getTime() !== firstOf.get(placeOf(name)))
      for (const { name, due_at } of wrong) process.stderr.write(`${name} is due at ${due_at.toISOString()}\n`)
      return true
    }),
  )
}

const placeOf = (name: string): number => Number(name.slice(1))

export interface StoredRuns {
  readonly timers: readonly StoredOutcome[]
  readonly linkages: readonly LinkageRun[]
  readonly near: ReadonlyMap<number, number>
  readonly left: readonly number[]
}

/** What is stored of every instant and rise, once all that were due by then have an end, or none came. */
export async function settledRuns(field: DueField, { dues }: DuePlan, dueBefore: number): Promise<StoredRuns> {
  const wanted = dues.filter(({ dueAt }) => dueAt < dueBefore).length
  const dueOf = new Map(dues.map(({ timer, pointNo }, index) => [`d${timer} ${pointNo}`, index]))
  const read = () =>
    field.withDatabase(async (client): Promise<StoredRuns> => {
      const left = await client.query<{ name: string }>(
        'select name from linkage_due join linkage using (linkage_id) where due_at < $1',
        [new Date(dueBefore)],
      )
      return {
        timers: await timerRuns(client, dueOf),
        ...(await linkageRuns(client)),
        left: left.rows.map(({ name }) => placeOf(name)),
      }
    })
  await until('the end of every run', settleMs, async () => {
    const { timers, linkages, left } = await read()
    const ended = timers.filter(({ isEnded, dueAt }) => isEnded && dueAt < dueBefore)
    return ended.length >= wanted && left.length === 0 && linkages.every(({ isEnded }) => isEnded) ? true : null
  }).catch((error) => process.stderr.write(`${error}\n`))
  return until('what is stored', 60_000, read)
}

interface RunRow {
  readonly name: string
  readonly state: string
  readonly why: string | null
  readonly due: Date | null
  readonly point: number | null
  readonly later: boolean
  readonly ended: boolean
  readonly ids: string[]
}

const runsOf = async (client: pg.Client, source: 'timer' | 'linkage') => {
  const { rows } = await client.query<RunRow>(
    `select ${source}.name, r.state, r.why, r.due_at as due, r.point_no as point, r.parent_run_id is not null as later,
       r.ended_at is not null as ended, coalesce((select array_agg(command_id::text) from operation_run o join operation_run_line using (run_id)
         where o.automation_run_id = r.run_id or o.outer_run_id = r.run_id), '{}') as ids
     from automation_run r join ${source} on ${source}_id = source_id where source = $1`,
    [source],
  )
  return rows
}

const timerRuns = async (client: pg.Client, dueOf: ReadonlyMap<string, number>): Promise<readonly StoredOutcome[]> =>
  (await runsOf(client, 'timer')).map(({ name, state, why, due, point, ended, ids }) => ({
    ...{ due: dueOf.get(`${name} ${point}`) ?? null, dueAt: due?.getTime() ?? 0, state, why, isEnded: ended, commandIds: ids },
  }))

async function linkageRuns(client: pg.Client): Promise<Pick<StoredRuns, 'linkages' | 'near'>> {
  const runs = await runsOf(client, 'linkage')
  const near = await client.query<{ name: string; count: number }>(
    `select linkage.name, count(*)::int as count from linkage_near n join linkage using (linkage_id)
     where why not in ('blind', 'almost') group by linkage.name`,
  )
  return {
    linkages: runs.map(({ name, later, ended, ids }) => ({
      ...{ linkage: placeOf(name), isLater: later, isEnded: ended, commandIds: ids },
    })),
    near: new Map(near.rows.map(({ name, count }) => [placeOf(name), count])),
  }
}
