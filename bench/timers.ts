import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { insertScene, queryScenes, sceneLog, switchScene, tree } from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import type { PlannedTimer, Schedule } from '@linewarden/rules/automation'
import { bundledDays, conflicts, createCalendar, nextRuns, occurrences } from '@linewarden/rules/automation'
import { operationGapMs } from '@linewarden/rules/control'
import type { GatewayPlan } from '@linewarden/simulator'
import { generatedPlan, seededRandom, startFleet } from '@linewarden/simulator'
import type pg from 'pg'
import { seedPlan } from '../scripts/demo/seed.ts'
import { signedIn } from '../tests/kit/stack.ts'
import { percentile, rawCopyRate } from './calibrate.ts'
import { cpuSeconds } from './cpu.ts'
import type { Field } from './field.ts'
import { field } from './field.ts'
import { report } from './report.ts'
import { timerLists } from './timer-lists.ts'

const targets = {
  ...{ claimedTwice: 0, unclaimed: 0, claimP99Ms: 1_000, tripsSentMaxMs: 10_000, otherCallsP95Ms: 300 },
  ...{ nextFiveMs: 2_000, conflictsMs: 500, sceneKnownMs: 10_000, sceneNotVerified: 0, listP95Ms: 150 },
}
const timeZone = 'Asia/Shanghai'

/**
 * `--part rules`: what is pure; `--part due`: a minute in which all timers are due; `--part scene`: one of many lines; `--part lists`: the list
 * and the log of ten thousand timers. Default: all.
 */
export async function timers(
  options: { timers?: number; projects?: number; scene?: number; rounds?: number },
  part: string,
): Promise<void> {
  const isAsked = (name: string) => part === '' || part === name
  const figures = {
    ...(isAsked('rules') && rules()),
    ...((isAsked('due') || isAsked('scene')) &&
      (await plant({
        ...{ timers: isAsked('due') ? (options.timers ?? 10_000) : 0, projects: options.projects ?? 200 },
        scene: isAsked('scene') ? (options.scene ?? 500) : 0,
      }))),
    ...(isAsked('lists') && (await timerLists(options.timers ?? 10_000, options.rounds ?? 20))),
  }
  const isKept = ([name, most]: [string, number]) => {
    const figure = (figures as Readonly<Record<string, number | undefined>>)[name]
    return figure === undefined || figure <= most
  }
  report('timers', { ...figures, targets, verdict: Object.entries(targets).every(isKept) })
}

/** Schedules of every kind, as people set them. */
function scheduleOf(index: number, random: () => number): Schedule {
  const at = (hour: number) => `${String(hour).padStart(2, '0')}:${String(Math.floor(random() * 60)).padStart(2, '0')}`
  const always = { fromDate: null, toDate: null }
  const periods = [
    { type: 'weekly', days: 1 + Math.floor(random() * 127), ...always },
    { type: 'calendar', classes: ['workday'], ...always },
    { type: 'monthly', days: [1 + Math.floor(random() * 28)], ...always },
    { type: 'sun', days: 127, ...always },
  ] as const
  const period = periods[index % periods.length] ?? periods[0]
  const points =
    period.type === 'sun'
      ? [
          { pointNo: 1, at: { sun: 'set', offsetMin: 10 }, action: 'close' } as const,
          { pointNo: 2, at: { sun: 'rise', offsetMin: -10 }, action: 'trip' } as const,
        ]
      : [
          { pointNo: 1, at: at(6 + Math.floor(random() * 4)), action: 'close' } as const,
          { pointNo: 2, at: at(17 + Math.floor(random() * 6)), action: 'trip' } as const,
        ]
  return { period, points, exceptions: [], skipNext: null }
}

/** The next five runs of 100,000 timers, and what 1,000 timers of 1,000 lines do to each other in 14 days. */
function rules() {
  const random = seededRandom(1)
  const time = {
    ...{ timeZone, position: { latitude: 31.2, longitude: 121.5 } },
    calendar: createCalendar({ project: [], bundle: bundledDays(timeZone) }),
  }
  const now = Date.UTC(2026, 10, 24, 8)
  const schedules = Array.from({ length: 100_000 }, (_, index) => scheduleOf(index, random))
  let began = performance.now()
  for (const schedule of schedules) nextRuns(schedule, time, now, 5)
  const nextFiveMs = Math.round(performance.now() - began)
  began = performance.now()
  for (const schedule of schedules.slice(0, 10_000)) nextRuns(schedule, time, now, 5)
  const nextFiveOf10000Ms = Math.round(performance.now() - began)
  const lines = Array.from({ length: 1_000 }, (_, index) => `D${index}/1`)
  const planned = schedules.slice(0, 1_000).map((schedule, index): PlannedTimer => {
    const first = Math.floor(random() * 900)
    const due = occurrences(schedule, time, now, now + 14 * dayMs)
    const own = lines.slice(first, first + 1 + Math.floor(random() * 100))
    return { timerId: index + 1, name: `t${index}`, due, lines: own, sceneActions: null, hasOwner: true, broken: [] }
  })
  began = performance.now()
  const found = conflicts(planned, {
    ...{ timeZone, quiet: [], tags: [], linkages: [], staggerMs: 1_000, canDo: () => true, to: now + 14 * dayMs },
  })
  return { nextFiveMs, nextFiveOf10000Ms, conflictsMs: Math.round(performance.now() - began), conflictsFound: found.length }
}

const linesPerGateway = 50

async function plant({ timers: count, projects, scene }: { timers: number; projects: number; scene: number }) {
  const gateways: GatewayPlan[] = []
  const perProject = Math.ceil(count / projects)
  const plan = count === 0 ? [] : generatedPlan({ gateways: projects, linesPerGateway: perProject, reportingPeriodMs: 60_000 })
  const ofScene = generatedPlan({
    ...{ gateways: Math.ceil(scene / linesPerGateway), linesPerGateway, reportingPeriodMs: 10_000 },
  }).map((gateway) => renamed(gateway, 'SC'))
  const target = await field([], 18_460, {
    async seed(server) {
      const projectsOf = plan.map((gateway, index) => ({ name: `timers ${index}`, gateways: [gateway] }))
      for (const { name, gateways: own } of [...projectsOf, ...(scene > 0 ? [{ name: 'scene', gateways: ofScene }] : [])])
        gateways.push(...(await seedPlan(server, [{ group: 'timers', name, timeZone: 'UTC', standard: 'GB', gateways: own }])))
    },
  })
  const fleet = startFleet(gateways, { url: `mqtt://127.0.0.1:${target.mqttPort}` })
  const database = await target.database()
  try {
    await fleet.ready
    const wanted = gateways.flatMap(({ devices }) => devices.flatMap(({ lines }) => lines)).length
    while ((await one(database, 'select count(*)::int as n from line where line_no > 0')).n! < wanted) await wait(500)
    process.stderr.write(`${wanted} lines of ${gateways.length} gateways are there\n`)
    const calibratorRowsPerS = await rawCopyRate(database, 3)
    const client = await signedIn(target.url, target.admin)
    return {
      calibratorRowsPerS,
      ...(count > 0 && (await minute(target, database, client, count))),
      ...(scene > 0 && (await scenes(database, client, scene))),
      serverMemoryMb: Math.round(await target.memoryMb()),
    }
  } finally {
    await database.end()
    await fleet.close()
    await target.close()
  }
}

const renamed = (gateway: GatewayPlan, prefix: string): GatewayPlan => ({
  ...gateway,
  number: `${prefix}-${gateway.number}`,
  name: `${prefix}-${gateway.name}`,
  devices: gateway.devices.map((device) => ({ ...device, controllerId: `${prefix}${device.controllerId}` })),
})

/** All timers are due within one minute, each at a second of it. */
async function minute(target: Field, database: pg.Client, client: Client, count: number) {
  const startAt = Math.ceil((Date.now() + 20_000) / 1_000) * 1_000
  const dues = Array.from({ length: count }, (_, index) => startAt + Math.floor((index * 60) / count) * 1_000)
  const texts = dues.map((due) => new Date(due).toISOString().slice(11, 19))
  await database.query(
    `with l as (select line_id, project_id, row_number() over (order by line_id) as n from line
        join device using (device_id) join gateway using (gateway_id) join project using (project_id)
        where line_no > 0 and project.name like 'timers %' limit $3),
      t as (insert into timer (project_id, name, function, schedule, keep_while_wanted, enabled, owner_id, owner_name, changed_at, changed_by)
        select project_id, 't' || n, 'switch', jsonb_build_object('period', jsonb_build_object('type', 'weekly', 'days', 127,
          'fromDate', null, 'toDate', null), 'exceptions', '[]'::jsonb, 'points',
          jsonb_build_array(jsonb_build_object('pointNo', 1, 'at', ($1::text[])[n], 'action', 'trip'))),
          true, true, (select account_id from account where user_name = $2), $2, now(), $2 from l returning timer_id, project_id, name)
      , tl as (insert into timer_line (timer_id, position, line_id) select timer_id, 0, line_id from t join l on name = 't' || n)
      insert into timer_due (timer_id, version, time_zone, point_no, due_at, action, zone_data)
        select timer_id, 1, 'UTC', 1, to_timestamp(($4::float8[])[n] / 1000), 'trip', $5 from t join l on name = 't' || n`,
    [texts, target.admin.userName, count, dues, process.versions.tz],
  )
  const others: number[] = []
  const before = await cpuSeconds(target.serverPid, database)
  const endsAt = startAt + 180_000
  const isOver = async () =>
    Date.now() > startAt + 60_000 &&
    (await one(database, `select count(*)::int as n from automation_run where ended_at is not null`)).n! >= count
  while (Date.now() < endsAt && !(await isOver())) {
    const began = performance.now()
    await client.call(tree, { query: { Depth: 'projects' } })
    if (Date.now() >= startAt) others.push(performance.now() - began)
    await wait(250)
  }
  const after = await cpuSeconds(target.serverPid, database)
  const claimed = await one(
    database,
    `select count(*)::int as n, count(distinct source_id)::int as timers, count(*) filter (where state = 'done')::int as done,
       percentile_cont(0.99) within group (order by extract(epoch from claimed_at - due_at) * 1000)::float8 as "p99",
       max(extract(epoch from claimed_at - due_at) * 1000)::float8 as most from automation_run where source = 'timer'`,
  )
  const sent = await one(
    database,
    `select count(*)::int as n, percentile_cont(0.99) within group (order by extract(epoch from sent_at - due_at) * 1000)::float8 as p99,
       max(extract(epoch from sent_at - due_at) * 1000)::float8 as most
     from command join operation_run on operation_run.run_id = command.run_id
       join automation_run on automation_run.run_id = automation_run_id where sent_at is not null`,
  )
  return {
    ...{
      timers: count,
      claimed: claimed.n,
      done: claimed.done,
      claimedTwice: claimed.n! - claimed.timers!,
      unclaimed: count - claimed.timers!,
    },
    ...{ claimP99Ms: Math.round(claimed.p99 ?? 0), claimMaxMs: Math.round(claimed.most ?? 0) },
    ...{ tripsSent: sent.n, tripsSentP99Ms: Math.round(sent.p99 ?? 0), tripsSentMaxMs: Math.round(sent.most ?? 0) },
    ...{ otherCallsMedianMs: Math.round(percentile(others, 0.5)), otherCallsP95Ms: Math.round(percentile(others, 0.95)) },
    serverCpuMsATimer: Math.round(((after.server - before.server) * 10_000) / count) / 10,
    databaseCpuMsATimer: Math.round(((after.database - before.database) * 10_000) / count) / 10,
  }
}

/** A scene of many trips and some closes is run once; from its last turn until every outcome is known. */
async function scenes(database: pg.Client, client: Client, size: number) {
  const { rows } = await database.query<{ controller_id: string; line_no: number; project_id: number }>(
    `select controller_id, line_no, project_id from line join device using (device_id) join gateway using (gateway_id)
       join project using (project_id) where line_no > 0 and project.name = 'scene' order by line_id limit $1`,
    [size],
  )
  const closes = Math.min(30, Math.floor(size / 10))
  const HouseID = rows[0]?.project_id ?? 0
  const Items = rows.map(({ controller_id, line_no }, index) => ({
    ...{ ControllerID: controller_id, LineNo: line_no, Order: index + 1 },
    Action: index < rows.length - closes ? ('trip' as const) : ('close' as const),
  }))
  // What is to be closed stands open first: else nothing would be sent for it.
  const opened = Items.filter(({ Action }) => Action === 'close').map((item) => ({ ...item, Action: 'trip' as const }))
  await runScene(database, client, HouseID, 'opened', opened)
  await wait(operationGapMs)
  const { executionId, tookMs } = await runScene(database, client, HouseID, 'bench', Items)
  const outcome = await one(
    database,
    `select (extract(epoch from max(command.ended_at) - max(issued_at)) * 1000)::float8 as known,
       count(*) filter (where command.state = 'verified')::int as verified,
       count(*) filter (where command.action = 'close')::int as closed from command
       join operation_run on operation_run.run_id = command.run_id where operation_run.automation_run_id = $1`,
    [executionId],
  )
  // Why lines had no command, or what their commands came to, where that is not what was meant.
  const { rows: otherwise } = await database.query<{ why: string }>(
    `select concat_ws(' ', o.action, l.state, l.refusal->>'key', l.refusal->'text'->>'en', c.state, c.outcome, count(*)) as why
     from operation_run o join operation_run_line l on l.run_id = o.run_id left join command c on c.command_id = l.command_id
     where o.automation_run_id = $1 and c.state is distinct from 'verified'
     group by o.action, l.state, l.refusal, c.state, c.outcome`,
    [executionId],
  )
  await client.call(queryScenes, { body: { HouseID } })
  return {
    sceneOtherwise: otherwise.map(({ why }) => why),
    ...{ sceneLines: size, sceneCloses: outcome.closed, sceneNotVerified: size - (outcome.verified ?? 0) },
    ...{ sceneMs: Math.round(tookMs), sceneKnownMs: Math.round(outcome.known ?? Number.NaN) },
  }
}

/** Until every outcome of it is known. */
async function runScene(
  database: pg.Client,
  client: Client,
  HouseID: number,
  Name: string,
  Items: Request<typeof insertScene>['body']['Items'],
): Promise<{ executionId: string; tookMs: number }> {
  const form = { HouseID, Name, Icon: 'scene', Items, IfRefused: 'goOn', Enabled: true } as const
  const { SceneID, Version } = await client.call(insertScene, { body: form })
  const RunID = crypto.randomUUID()
  const began = performance.now()
  await client.call(switchScene, { body: { SceneID, RunID, Reason: 'bench', Version, Confirmed: Items.length } })
  const ended = async () =>
    (await client.call(sceneLog, { body: { HouseID } })).items.find((run) => run.RunID === RunID)?.EndedAt ?? null
  const open = async () =>
    (await one(database, `select count(*)::int as n from command where state in ('authorised', 'sent', 'acknowledged')`)).n ?? 0
  while (performance.now() - began < hourMs / 4 && ((await ended()) === null || (await open()) > 0)) await wait(200)
  return { executionId: RunID, tookMs: performance.now() - began }
}

async function one(
  database: pg.Client,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Record<string, number | undefined>> {
  const { rows } = await database.query(sql, [...values])
  return rows[0] ?? {}
}
