import { setTimeout as wait } from 'node:timers/promises'
import { seededRandom, startFleet } from '@linewarden/simulator'
import type pg from 'pg'
import { median, percentile, rawCopyRate } from './calibrate.ts'
import { traffic } from './field.ts'
import type { LinkageField, Size } from './linkage-field.ts'
import { linkageField, linkagesOf, loadPlace, sparePlaces, triggerPlace } from './linkage-field.ts'
import type { ExpectedFiring, FoundRun } from './linkage-oracle.ts'
import { compareFirings, compareTrips } from './linkage-oracle.ts'
import type { Edge, PlannedLinkage } from './linkage-plan.ts'
import type { CommittedAt, Used } from './linkage-server.ts'

export interface LiveOptions extends Size {
  /** In which they come about. */
  readonly seconds: number
  /** Messages a second. */
  readonly rate: number
  /** Stretches with linkages and without, of so many seconds each. */
  readonly pairs: number
  readonly pairSeconds: number
}

/** A linkage of the bench as it was stored. */
interface Stored {
  readonly planned: PlannedLinkage
  readonly linkageId: number
  readonly triggerLineId: number
  /** Where it happens. */
  readonly place: string
  readonly trips: readonly { readonly lineId: number; readonly place: string }[]
}

type Fleet = ReturnType<typeof startFleet>

const warmUpMs = 10_000
/** Linkages that are switched in the database are read by the server within five seconds; what was under way belongs to neither half. */
const settleMs = 8_000

/** What linkages do while messages stream in, and what they cost these. */
export async function linkagesLive(options: LiveOptions) {
  const projects = linkagesOf(options)
  const target = await linkageField(projects)
  const fleet = startFleet(target.triggers, { url: `mqtt://127.0.0.1:${target.mqttPort}` })
  for (const { devices } of target.triggers)
    for (const { controllerId, lines } of devices)
      for (const { lineNo } of lines) {
        const { forced } = fleet.gatewayOf(controllerId).line(controllerId, lineNo)
        for (const [key, value] of [
          ['current.a', 10],
          ['current.b', 10],
          ['temperature.a', 35],
        ] as const)
          forced.set(key, value)
      }
  try {
    await fleet.ready
    const rawCopyRowsPerSecond = await rawCopyRate(target.database, 3)
    const stored = await store(target, projects)
    process.stderr.write(`${stored.length} linkages on ${target.load.length + target.triggers.length} gateways\n`)
    const fired = options.firings > 0 ? await fire(target, fleet, stored, options) : {}
    const cost = options.pairs > 0 ? await costOf(target, options) : {}
    return { rawCopyRowsPerSecond, ...fired, ...cost }
  } finally {
    await fleet.close()
    await target.close()
  }
}

/** Stores the linkages as people would have, enabled and live. */
async function store(
  { database, admin }: LinkageField,
  projects: readonly (readonly PlannedLinkage[])[],
): Promise<readonly Stored[]> {
  const { rows } = await database.query<{ place: string; line_id: number; project_id: number }>(
    `select controller_id || '/' || line_no as place, line_id, project_id
     from line join device using (device_id) join gateway using (gateway_id)`,
  )
  const lines = new Map(rows.map((row) => [row.place, row]))
  const lineOf = (place: string) => {
    const line = lines.get(place)
    if (!line) throw new Error(`there is no line ${place}`)
    return line
  }
  const stored: Stored[] = []
  for (const [project, linkages] of projects.entries()) {
    const { project_id } = lineOf(triggerPlace(project, 0))
    const rowsOf = linkages.map(({ name, match, conditions, trigger, does }) => {
      const trips = [triggerPlace(project, trigger), ...(does === 'scene' ? sparePlaces(project, trigger) : [])]
      return {
        ...{ name, match, scene: does === 'scene', trips: trips.map((place) => lineOf(place).line_id) },
        conditions: conditions.map((each, position) => ({
          ...{ ...each, position, for_s: each.forS },
          line_id: lineOf(each.on === 'load' ? loadPlace(project, each.line) : triggerPlace(project, each.line)).line_id,
        })),
      }
    })
    const made = await database.query<{ linkage_id: number; name: string }>(insertion, [
      ...[JSON.stringify(rowsOf), project_id, admin.userName],
    ])
    const ids = new Map(made.rows.map(({ linkage_id, name }) => [name, linkage_id]))
    for (const planned of linkages) {
      const place = triggerPlace(project, planned.trigger)
      const places = [place, ...(planned.does === 'scene' ? sparePlaces(project, planned.trigger) : [])]
      stored.push({
        ...{ planned, linkageId: ids.get(planned.name) ?? 0, triggerLineId: lineOf(place).line_id, place },
        trips: places.map((each) => ({ lineId: lineOf(each).line_id, place: each })),
      })
    }
  }
  return stored
}

const insertion = `
  with given as (select * from jsonb_to_recordset($1::jsonb) as g (name text, match text, scene boolean, trips int[], conditions jsonb)),
    person as (select account_id from account where user_name = $3),
    s as (insert into scene (project_id, name, icon, if_refused, enabled, owner_id, owner_name, changed_at)
      select $2, name, 'scene', 'goOn', true, account_id, $3, now() from given, person where scene returning scene_id, name),
    si as (insert into scene_item (scene_id, line_id, action, turn, position)
      select scene_id, line_id, 'trip', n, n from s join given using (name), unnest(trips) with ordinality as t (line_id, n)),
    l as (insert into linkage (project_id, name, enabled, mode, match, active_hours, cooldown_s, max_per_hour, max_per_day, may_close,
        owner_id, owner_name, changed_at, changed_by)
      select $2, name, true, 'live', match, '[]', 300, 6, 24, false, account_id, $3, now(), $3 from given, person
      returning linkage_id, name),
    c as (insert into linkage_condition (linkage_id, position, kind, line_id, key, op, value, release, for_s)
      select linkage_id, c.position, c.kind, c.line_id, c.key, c.op, c.value, c.release, c.for_s from l join given using (name),
        jsonb_to_recordset(conditions) as c (position smallint, kind text, line_id int, key text, op text, value float8,
          release float8, for_s int)),
    a as (insert into linkage_action (linkage_id, position, kind, line_id, scene_id, delay_s)
      select linkage_id, 0, case when scene then 'scene' else 'trip' end, case when not scene then trips[1] end, scene_id, 0
      from l join given using (name) left join s using (name))
  select linkage_id, name from l`

/** Makes what concerns them happen, spread over the time, and holds what is stored and what breakers did against it. */
async function fire(target: LinkageField, fleet: Fleet, stored: readonly Stored[], { seconds, rate }: LiveOptions) {
  const { database } = target
  const firing = stored.filter(({ planned }) => planned.edge !== null)
  await target.ask({
    watch: firing.map(({ triggerLineId, planned }) => ({ lineId: triggerLineId, edge: planned.edge ?? 'point' })),
  })
  const running = traffic(target, target.load, rate, 86_400)
  running.done.catch(() => {})
  await known(database, stored.length)
  const random = seededRandom(1)
  const order = firing.map((each) => ({ each, at: random() })).sort((one, other) => one.at - other.at)
  await target.ask<Used>({ used: true })
  const [began, acknowledged] = [performance.now(), running.acknowledged()]
  for (const [index, { each }] of order.entries()) {
    await wait(Math.max(0, ((index + 0.5) * seconds * 1_000) / order.length - (performance.now() - began)))
    happen(fleet, each.place, each.planned.edge ?? 'point')
  }
  await wait(Math.max(0, seconds * 1_000 - (performance.now() - began)))
  const messagesPerSecond = Math.round((1_000 * (running.acknowledged() - acknowledged)) / (performance.now() - began))
  const { loopDelayP99Ms } = await target.ask<Used>({ used: true })
  await ended(database)
  running.end()
  const committedAt = new Map(await target.ask<CommittedAt>({ committed: true }))
  const expected = firing.map(
    ({ linkageId, triggerLineId, planned, trips }): ExpectedFiring => ({
      ...{ linkageId, lineIds: trips.map(({ lineId }) => lineId), committedAt: committedAt.get(triggerLineId) ?? null },
      forMs: planned.forS * 1_000,
    }),
  )
  const { sentAfterMs, lateAfterDurationMs, ...found } = compareFirings(expected, await runsOf(database))
  const tripped = fleet.executed.filter(({ action, outcome }) => action === 'trip' && outcome === 'executed')
  const moved = compareTrips(
    firing.flatMap(({ trips }) => trips.map(({ place }) => place)),
    tripped.map(({ controllerId, lineNo }) => `${controllerId}/${lineNo}`),
  )
  const of = (values: readonly number[], share: number) => Math.round(percentile(values, share))
  return {
    ...{ linkages: stored.length, firings: firing.length, firingsPerSecond: Math.round((10 * firing.length) / seconds) / 10 },
    ...{ messagesPerSecond, asked: rate, ...found, ...moved },
    ...{ notCommitted: expected.filter((each) => each.committedAt === null).length, ordersTimed: sentAfterMs.length },
    ...{ sentAfterMedianMs: of(sentAfterMs, 0.5), sentAfterP99Ms: of(sentAfterMs, 0.99), sentAfterMaxMs: of(sentAfterMs, 1) },
    ...{ waited: lateAfterDurationMs.length, lateAfterDurationMaxMs: of(lateAfterDurationMs, 1), loopDelayP99Ms },
  }
}

function happen(fleet: Fleet, place: string, edge: Edge): void {
  const [controllerId = '', lineNo] = place.split('/')
  const line = fleet.gatewayOf(controllerId).line(controllerId, Number(lineNo))
  if (edge === 'state') line.forcedStates.set('selfTest', 'failed')
  else if (edge === 'alarm') line.forced.set('temperature.a', 120)
  else line.forced.set('current.a', 45)
}

/** Nothing that was not known to be false before can rise. */
async function known(database: pg.Client, wanted: number): Promise<void> {
  for (const until = performance.now() + 120_000; performance.now() < until; await wait(500)) {
    const { rows } = await database.query<{ n: number }>(
      `select count(*)::int as n from linkage_state where (state->>'known')::boolean = false`,
    )
    if (rows[0]?.n === wanted) return
  }
  throw new Error('not every linkage came to know where it stands')
}

/** A value is reported every five seconds, some wait for two, and orders have their time. */
async function ended(database: pg.Client): Promise<void> {
  await wait(10_000)
  for (const until = performance.now() + 60_000; performance.now() < until; await wait(500)) {
    const { rows } = await database.query<{ n: number }>(
      `select (select count(*) from automation_run where ended_at is null)
        + (select count(*) from command where state in ('authorised', 'sent', 'acknowledged')) as n`,
    )
    if (Number(rows[0]?.n) === 0) return
  }
}

async function runsOf(database: pg.Client): Promise<readonly FoundRun[]> {
  const { rows } = await database.query<{ run_id: string; source_id: number; trips: FoundRun['trips'] | null }>(
    `select r.run_id, r.source_id, jsonb_agg(jsonb_build_object('lineId', c.line_id, 'sentAt', extract(epoch from c.sent_at) * 1000))
       filter (where c.line_id is not null) as trips
     from automation_run r left join operation_run o on coalesce(o.outer_run_id, o.automation_run_id) = r.run_id
       left join command c on c.run_id = o.run_id and c.action = 'trip'
     where r.source = 'linkage' group by r.run_id, r.source_id`,
  )
  return rows.map(({ run_id, source_id, trips }) => ({ executionId: run_id, linkageId: source_id, trips: trips ?? [] }))
}

interface Stretch {
  readonly perSecond: number
  readonly cpuMicros: number
}

/** As many messages as are acknowledged, with linkages and without in turn; of each second pair the other way round. */
async function costOf(target: LinkageField, { pairs, pairSeconds }: LiveOptions) {
  const lasts = warmUpMs + pairs * 2 * (pairSeconds * 1_000 + settleMs) + 60_000
  const running = traffic(target, target.load, 0, lasts / 1_000)
  running.done.catch(() => {})
  await wait(warmUpMs)
  const made: (readonly [withLinkages: Stretch, without: Stretch])[] = []
  for (let pair = 0; pair < pairs; pair++) {
    const first = await stretch(target, pair % 2 === 0, pairSeconds)
    const second = await stretch(target, pair % 2 !== 0, pairSeconds)
    made.push(pair % 2 === 0 ? [first, second] : [second, first])
  }
  running.end()
  const tenth = (value: number) => Math.round(10 * value) / 10
  const losses = made.map(([own, without]) => 100 * (1 - own.perSecond / without.perSecond))
  const cpuCosts = made.map(([own, without]) => 100 * (own.cpuMicros / without.cpuMicros - 1))
  const of = (which: 0 | 1, what: keyof Stretch) => median(made.map((pair) => pair[which][what]))
  return {
    ...{ pairs, pairSeconds, ingestLossPercent: tenth(median(losses)), ingestLossesPercent: losses.map(tenth) },
    mostMessagesPerSecond: { with: Math.round(of(0, 'perSecond')), without: Math.round(of(1, 'perSecond')) },
    ...{ cpuCostPercent: tenth(median(cpuCosts)), cpuCostsPercent: cpuCosts.map(tenth) },
    cpuMicrosPerMessage: { with: tenth(of(0, 'cpuMicros')), without: tenth(of(1, 'cpuMicros')) },
  }
}

async function stretch(target: LinkageField, enabled: boolean, seconds: number): Promise<Stretch> {
  await target.database.query('update linkage set enabled = $1 where enabled <> $1', [enabled])
  await wait(settleMs)
  const before = await target.ask<Used>({ used: true })
  const began = performance.now()
  await wait(seconds * 1_000)
  const after = await target.ask<Used>({ used: true })
  const readings = after.readings - before.readings
  return {
    perSecond: (1_000 * readings) / (performance.now() - began),
    cpuMicros: (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / readings,
  }
}
