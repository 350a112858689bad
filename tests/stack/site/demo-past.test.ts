import { readFileSync } from 'node:fs'
import { getBalance, getEnergy, history, listBudgets, listSupplies, listTariffs, tree } from '@linewarden/contract'
import { dayMs, hourMs, SLOTS } from '@linewarden/equipment'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { demoPlan, feedTree, readScenario } from '@linewarden/simulator'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startDemoFleet } from '../../../scripts/demo/demo-fleet.ts'
import { reactionsOf } from '../../../scripts/demo/demo-linkages.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

/** Three cabinets of the one project of the demo, two of the other. */
const plan = demoPlan().map((project, i) => ({ ...project, gateways: project.gateways.slice(0, 3 - i) }))

let stack: Stack
let rows: <T>(sql: string, values?: unknown[]) => Promise<T[]>
let printed: string[]
let running: Awaited<ReturnType<typeof startDemoFleet>> | null = null
let close: () => Promise<void> = async () => {}

const start = async () => {
  printed = []
  running = await startDemoFleet(stack.server, (line) => printed.push(line), { quiet: true, plan })
}
const stop = async () => {
  await running?.quiesce()
  await running?.close()
  running = null
}
const lineOf = (controllerId: string, lineNo: number) => {
  const line = stack.server.plant.lineAt(controllerId, lineNo)
  if (!line) throw new Error(`no line ${controllerId}/${lineNo}`)
  return line
}
const counts = async () => [await countOf('reading_hour'), await countOf('command'), await countOf('self_test')]
const countOf = async (table: string): Promise<number> => {
  const [row] = await rows<{ count: number }>(`select count(*)::int as count from ${table}`)
  return row?.count ?? 0
}

beforeAll(async () => {
  stack = await startStack({ plan: [] })
  const client = await stack.server.database.connect()
  close = () => client.end()
  rows = async (sql, values = []) => (await client.query(sql, values)).rows
  await start()
}, 240_000)
afterAll(async () => {
  await stop()
  await close()
  await stack?.close()
})

test('each day is the sum of its hours, of every line', async () => {
  const wrong = await rows(
    `select line_id, day from reading_day join (
       select line_id, date_trunc('day', hour at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai' as day, sum(count) as count,
         sum(counter_used) as used from reading_hour group by 1, 2
     ) hours using (line_id, day)
     where hours.count <> reading_day.count or abs(coalesce(hours.used, 0) - coalesce(counter_used, 0)) > 1e-6`,
  )
  expect(wrong).toEqual([])
  expect(await countOf('reading_day')).toBeGreaterThan(35 * stack.server.plant.lines.size * 0.9)
})

test('the quarters of the whole past are there with its hours, measured but for its silences, and add up to what the hours counted', async () => {
  const lines = await rows<{ line_id: number; hours: number; quarters: number; known: number; spread: number; days: number }>(
    `with of_hours as (
       select line_id, (hour at time zone 'UTC')::date as day, sum(counter_used) as used, count(*) as hours from reading_hour
       where counter_used is not null group by 1, 2
     ), of_quarters as (
       select line_id, day, sum(each) / 1000.0 as used, count(each) as known, count(*) filter (where get_byte(how, number::int - 1) = 1) as spread
       from energy_quarter, unnest(wh) with ordinality as quarter (each, number) group by 1, 2
     )
     select line_id, sum(of_hours.used)::float8 as hours, sum(of_quarters.used)::float8 as quarters, sum(known)::int as known, sum(spread)::int as spread,
       count(*)::int as days
     from of_hours left join of_quarters using (line_id, day)
     where day > (select min((hour at time zone 'UTC')::date) from reading_hour as first where first.line_id = of_hours.line_id)
       and day < (select max((hour at time zone 'UTC')::date) from reading_hour as last where last.line_id = of_hours.line_id)
     group by line_id`,
  )
  const incomers = plan.flatMap(({ gateways }) => gateways.flatMap(({ incomer }) => incomer ?? []))
  expect(lines.length).toBeGreaterThan(40)
  for (const { line_id, hours, quarters, known, spread, days } of lines) {
    expect([line_id, known]).toEqual([line_id, days * 96])
    // A look lies up to five minutes beside the end of its hour.
    expect(Math.abs(quarters - hours)).toBeLessThanOrEqual(hours * 0.001 + 0.1)
    expect(spread).toBeLessThan(days * 96 * 0.01)
  }
  const own = new Set(lines.map(({ line_id }) => line_id))
  expect(incomers.filter(({ controllerId, lineNo }) => !own.has(lineOf(controllerId, lineNo).id))).toEqual([])
})

test('an incomer has used what its branches have, day by day, within one per cent, but for a meter that counts all twice', async () => {
  const doubled = lineOf('BJ03-T1', 2).id
  for (const gateway of plan.flatMap(({ gateways }) => gateways)) {
    if (!gateway.incomer) throw new Error(`${gateway.number} has no incomer`)
    const incomer = lineOf(gateway.incomer.controllerId, gateway.incomer.lineNo).id
    const branches = feedTree(gateway).map(({ line }) => lineOf(line.controllerId, line.lineNo).id)
    const days = await rows<{ own: number; sum: number }>(
      `select sum(counter_used) filter (where line_id = $1) as own,
         sum(case when line_id = $3 then counter_used / 2 else counter_used end) filter (where line_id = any($2)) as sum
       from reading_day where line_id = $1 or line_id = any($2) group by day order by day`,
      [incomer, branches, doubled],
    )
    // The first day and today are no whole days: just after midnight nothing has been counted yet. On the second the meter went wrong.
    const whole = days.slice(2, -1)
    expect(whole.length).toBeGreaterThan(35)
    for (const { own, sum } of whole) expect(Math.abs(own - sum) / sum).toBeLessThan(0.01)
  }
})

test('a sub-meter stands above its feeder on the last day, whose energy is made from the start on', async () => {
  const { gateway } = lineOf('BJ03-T1', 1).device
  const today = civilZone('Asia/Shanghai').dayAt(Date.now())
  const day = { From: dateText(today - 1), To: dateText(today) }
  const inHours = { query: { HouseID: gateway.project.id, Unit: 'hour', ...day } } as const
  // The last days are made before the address is printed; how many of them, the machine decides.
  await vi.waitFor(
    async () => expect((await stack.client.call(getEnergy, inHours)).Bars.filter(({ Wh }) => Wh === null)).toEqual([]),
    { timeout: 120_000, interval: 500 },
  )
  const { Lines } = await stack.client.call(getBalance, { query: { DeviceID: gateway.id, ...day } })
  expect(Lines.map(({ LineID, Verdict }) => [LineID, Verdict])).toEqual([[lineOf('BJ03-T1', 1).id, 'partsAboveWhole']])
  expect(Lines[0]?.Causes).toContainEqual(expect.objectContaining({ LineID: lineOf('BJ03-T1', 2).id, Cause: 'double' }))
})

test('the office building is billed by its incomers, with a tariff that has a new version from the 16th of a month on', async () => {
  const HouseID = lineOf('BJ01-T1', 1).device.gateway.project.id
  const [supply, another] = (await stack.client.call(listSupplies, { query: { HouseID } })).items
  // The refrigeration room is not in this plan.
  expect(another).toBeUndefined()
  expect(supply?.Members.map(({ LineID }) => LineID)).toEqual(['BJ01-T1', 'BJ02-T1', 'BJ03-T1'].map((id) => lineOf(id, 1).id))
  const [tariff, spot] = (await stack.client.call(listTariffs, { query: { HouseID } })).items
  expect(tariff?.Versions.map(({ PublishedAt, Superseded }) => [PublishedAt !== null, Superseded])).toEqual([
    [true, false],
    [true, false],
  ])
  expect(tariff?.Versions[0]?.From).toMatch(/-16$/)
  // And one by the quarter, with prices below nought.
  expect(spot?.Name).toBe('现货合同（演示）')
  const [series] = await rows<{ known: number; negative: number }>(
    `select count(price)::int as known, count(*) filter (where price < 0)::int as negative from price_day, unnest(prices) as price
     where tariff_id = ${spot?.TariffID}`,
  )
  expect([(series?.known ?? 0) > 96, (series?.negative ?? 0) > 0]).toEqual([true, true])
  // Its budget is a little more than it spends.
  const [budget] = (await stack.client.call(listBudgets, { query: { HouseID } })).items
  const today = civilZone('Asia/Shanghai').dayAt(Date.now())
  const { Cost, LengthS, LackingS } = (
    await stack.client.call(getEnergy, {
      query: { SupplyID: supply?.SupplyID ?? 0, Unit: 'day', From: dateText(today - 28), To: dateText(today), By: 'band' },
    })
  ).Total
  const monthlyFen = (Number(Cost?.KnownFee) * 100 * 30.4 * 86_400) / (LengthS - LackingS)
  expect((budget?.Amount ?? 0) / monthlyFen).toBeGreaterThan(1)
  expect((budget?.Amount ?? 0) / monthlyFen).toBeLessThan(1.2)
})

test('every day of every line is due for early warning, or has been evaluated by now', async () => {
  const [days] = await rows<{ count: number }>(
    'select count(*)::int as count from (select line_id, day from line_day_due union select line_id, day from line_day) as days',
  )
  expect(days?.count).toBeGreaterThan(40 * stack.server.plant.lines.size * 0.9)
})

test('what was found was found in the morning after the day that showed it, and the first start is no flood', async () => {
  const found = await rows<{ key: string; line_id: number; day: number; raised_at: Date; acknowledged_at: Date | null }>(
    'select key, line_id, day, raised_at, acknowledged_at from event join warning_evidence using (event_id) where day is not null',
  )
  const lineIds = [lineOf('BJ02-T1', 3).id, lineOf('WH01-S1', 2).id]
  for (const [i, key] of ['contact', 'release.slow'].entries())
    expect(found.some((each) => each.key === key && each.line_id === lineIds[i])).toBe(true)
  // Fifteen minutes after the local midnight at which its day was over.
  const late = found.map(({ day, raised_at }) => raised_at.getTime() - ((day + 1) * dayMs - 8 * hourMs))
  expect(late.filter((ms) => ms < 0 || ms > hourMs)).toEqual([])
  expect(found.filter(({ acknowledged_at }) => acknowledged_at !== null).length).toBeGreaterThan(0)
  const [called] = await rows<{ count: number }>(
    `select count(*)::int as count from announcement join event using (event_id) where kind = 'warning' and announcement.at > $1`,
    [new Date(Date.now() - hourMs)],
  )
  expect(called?.count).toBeLessThan(6)
})

test('a switch of the network that was exchanged is one incident of three gateways', async () => {
  const incidents = await rows<{ folded: number; closed: boolean }>(
    `select folded, closed_at is not null as closed from incident where kind = 'outage'`,
  )
  expect(incidents).toEqual([{ folded: 3, closed: true }])
})

test('people wrote orders of what was found, walked rounds and let one lapse, each by the rules and at its own time', async () => {
  const orders = await rows<{ title: string; status: string; steps: number }>(
    `select title, status, (select count(*)::int from work_order_step step where step.order_id = work_order.order_id) as steps
     from work_order order by work_order.order_id`,
  )
  const statusOf = new Map(orders.map(({ title, status }) => [title, status]))
  expect(Object.fromEntries(statusOf)).toMatchObject({ 'B 相端子发热': 'dispatched', 地下室照明漏电缓升: 'undispatched' })
  expect([...statusOf.values()]).toContain('closed')
  expect(await countOf("photo_use where kind = 'workOrder'")).toBe(1)
  const rounds = await rows<{ state: string }>('select state from inspection_round order by due_day')
  expect(rounds.map(({ state }) => state)).toEqual(['approved', 'lapsed', 'returned', 'finished', 'planned'])
  const states = await rows<{ state: string }>('select distinct state from hazard order by state')
  expect(states.map(({ state }) => state)).toEqual(expect.arrayContaining(['accepted', 'open', 'ordered']))
  expect(await countOf('health_check')).toBe(1)
})

test('the voltages of ten minutes are there for as long as they are kept', async () => {
  const [means] = await rows<{ hours: number; low: number; high: number }>(
    `select count(*)::int as hours, min(ten[1]) as low, max(ten[1]) as high from voltage_hour where line_id = $1`,
    [lineOf('BJ01-T1', 2).id],
  )
  expect(means?.hours).toBeGreaterThan(37 * 24)
  expect([(means?.low ?? 0) > 220, (means?.high ?? 999) < 240]).toEqual([true, true])
})

test('the upstream lines are registered, and both projects are marked as demo data', async () => {
  const { Groups } = await stack.client.call(tree, { query: {} })
  const projects = Groups.flatMap(({ Houses }) => Houses)
  expect(projects.map(({ Simulated }) => Simulated)).toEqual([true, true])
  const lines = projects.flatMap(({ Devices }) => Devices.flatMap((gateway) => gateway.Devices.flatMap(({ Lines }) => Lines)))
  const feeds = plan.flatMap(({ gateways }) => gateways.flatMap(feedTree))
  expect(lines.filter(({ FedBy }) => FedBy !== null)).toHaveLength(feeds.length)
  for (const { line, upstream } of feeds)
    expect(lines.find(({ LineID }) => LineID === lineOf(line.controllerId, line.lineNo).id)?.FedBy).toBe(
      lineOf(upstream.controllerId, upstream.lineNo).id,
    )
})

test('the history of thirty days has values for all of it but what was not reported', async () => {
  const to = Date.now()
  const { id: LineID } = lineOf('WH01-T1', 1)
  const body = { Points: [{ LineID, Point: 'power.total' }], From: to - 30 * dayMs, To: to, Width: 1_000 }
  const { Series } = await stack.client.call(history, { body })
  const [series] = Series
  expect([series?.Level, (series?.At.length ?? 0) > 700]).toEqual(['hour', true])
  const day = { ...body, From: to - dayMs }
  const [fine] = (await stack.client.call(history, { body: day })).Series
  expect([fine?.Level, fine?.Gaps]).toEqual(['raw', []])
})

test('the present goes on from the past: a counter that rises, at the pace that it had', async () => {
  const [seam] = await rows<{ before: number; after: number; seconds: number; kw: number }>(
    `select last.counter as before, now.counter as after, extract(epoch from now.at - last.at)::float8 as seconds, last.v9 as kw
     from (select * from reading where line_id = $1 and at <= $2 order by at desc limit 1) last,
       (select * from reading where line_id = $1 and at > $2 order by at limit 1) now`,
    [lineOf('BJ01-T1', 1).id, new Date(stack.server.plant.projects.values().next().value?.simulatedSince ?? 0)],
  )
  const rise = (seam?.after ?? 0) - (seam?.before ?? 0)
  expect([rise >= 0, rise < (2 * (seam?.kw ?? 0) * (seam?.seconds ?? 0)) / 3_600 + 0.05]).toEqual([true, true])
})

test('what happened was raised, acknowledged, returned and shelved by the way of every alarm', async () => {
  const states = await rows<{ act: string; count: number }>(
    'select act, count(*)::int as count from event_transition group by act order by act',
  )
  const counts = new Map(states.map(({ act, count }) => [act, count]))
  expect(Math.min(...['acknowledge', 'raise', 'return', 'shelve'].map((act) => counts.get(act) ?? 0))).toBeGreaterThan(0)
  const [backwards] = await rows<{ count: number }>(
    `select count(*)::int as count from (
       select at < lag(at) over (partition by event_id order by step_id) as backwards from event_transition) steps where backwards`,
  )
  expect(backwards?.count).toBe(0)
})

test('orders ended as they were proved; each test has its trip time, and the line says what its record says', async () => {
  const states = await rows<{ action: string; state: string }>('select distinct action, state from command order by 1, 2')
  expect(states.map(({ action, state }) => `${action} ${state}`)).toEqual([
    'close verified',
    // One was locked on site.
    'selfTest refused',
    'selfTest verified',
    'trip verified',
  ])
  const tests = await rows<{ trip_ms: number; result: string }>('select trip_ms, result from self_test')
  expect(tests.length).toBeGreaterThan(10)
  expect(tests.filter(({ trip_ms, result }) => !(trip_ms > 0) || result !== 'passed')).toEqual([])
  const line = lineOf('WH01-S1', 2)
  await expect.poll(() => line.states.get('selfTest')).toBe('passed')
  expect([line.selfTest?.result, (line.selfTest?.tripMs ?? 0) > 200]).toEqual(['passed', true])
  expect(lineOf('WH01-S1', 4).selfTest).toBeNull()
  expect(lineOf('WH01-S1', 4).states.get('selfTest')).toBe('notDone')
})

test('a second start writes nothing of the past again, and counters go on', async () => {
  const before = await counts()
  const [old] = await rows<{ count: number }>('select count(*)::int as count from event where raised_at < $1', [
    new Date(Date.now() - hourMs),
  ])
  const line = lineOf('BJ01-T1', 1)
  const counted = line.values[SLOTS - 1] ?? Number.NaN
  await stop()
  await start()
  expect(printed.some((each) => each.includes('Demo past'))).toBe(false)
  expect(await counts()).toEqual(before)
  const again = await rows<{ count: number }>('select count(*)::int as count from event where raised_at < $1', [
    new Date(Date.now() - hourMs),
  ])
  expect(again).toEqual([old])
  await stack.server.ingest.drained()
  const now = line.values[SLOTS - 1] ?? Number.NaN
  expect([now >= counted, now - counted < 1]).toEqual([true, true])
})

test('the demo has timers and scenes that somebody set up, runs of theirs behind it, and some that fire within minutes', async () => {
  const timers = await rows<{ name: string; due_at: Date | null }>(
    'select name, due_at from timer left join timer_due using (timer_id) order by name',
  )
  expect(timers.length).toBeGreaterThanOrEqual(4)
  expect(timers.filter(({ due_at }) => due_at === null)).toEqual([])
  const soonest = Math.min(...timers.map(({ due_at }) => due_at?.getTime() ?? Number.POSITIVE_INFINITY))
  expect(soonest - Date.now()).toBeLessThan(5 * 60_000)
  expect(await countOf('scene')).toBeGreaterThanOrEqual(1)
  // A scene is run by itself within minutes, and what it opened is closed again.
  const scenes = await rows<{ name: string; actions: string[]; due_at: Date }>(
    `select scene.name, array_agg(distinct scene_item.action) as actions, due_at from timer join timer_due using (timer_id)
       join scene on scene.scene_id = timer.scene_id join scene_item on scene_item.scene_id = scene.scene_id
     where function = 'scene' group by scene.name, due_at order by due_at`,
  )
  expect(scenes.map(({ actions }) => actions)).toEqual([['trip'], ['close']])
  expect((scenes[0]?.due_at.getTime() ?? 0) - Date.now()).toBeLessThan(6 * 60_000)
  expect(await countOf('project where latitude is null')).toBe(0)
  const runs = await rows<{ state: string; lines: number; verified: number }>(
    `select automation_run.state, count(*)::int as lines, count(*) filter (where command.state = 'verified')::int as verified
     from automation_run join operation_run on automation_run_id = automation_run.run_id
       join operation_run_line line on line.run_id = operation_run.run_id join command on command.command_id = line.command_id
     where command.source = 'timer' group by automation_run.run_id, automation_run.state`,
  )
  expect(runs.length).toBeGreaterThanOrEqual(4)
  expect(runs.every(({ state, lines, verified }) => state === 'done' && lines === verified)).toBe(true)
})

test('the demo has linkages; what they did stands at the alarms that brought it about, and one comes about within minutes', async () => {
  const modes = await rows<{ mode: string; enabled: boolean }>('select distinct mode, enabled from linkage order by mode')
  expect(modes).toEqual([
    { mode: 'live', enabled: true },
    { mode: 'shadow', enabled: true },
  ])
  const runs = await rows(
    `select l.name, r.state, r.why, count(distinct e.event_id)::int as alarms, count(distinct k.command_id)::int as tripped
     from automation_run r join linkage l on linkage_id = source_id join linkage_condition c using (linkage_id)
       left join event e on e.line_id = c.line_id and e.key = c.key and e.raised_at between claimed_at - interval '1 s' and claimed_at
       left join operation_run o on o.automation_run_id = r.run_id
       left join command k on k.run_id = o.run_id and k.source = 'linkage' and k.action = 'trip' and k.state = 'verified'
     where r.source = 'linkage' group by r.run_id, l.name, r.state, r.why order by min(claimed_at)`,
  )
  expect(runs).toEqual([
    { name: '2层烟感联动断电', state: 'done', why: null, alarms: 1, tripped: 3 },
    { name: '3层插座过流断电', state: 'skipped', why: 'shadow', alarms: 1, tripped: 0 },
  ])
  // People closed again what it had opened.
  expect([3, 4].map((lineNo) => lineOf('BJ02-S1', lineNo).states.get('position'))).toEqual(['closed', 'closed'])
  const round = readScenario(readFileSync(new URL('../../../scripts/demo/demo-round.yaml', import.meta.url), 'utf8'))
  const soon = round.steps.filter(({ afterMs }) => afterMs < 5 * 60_000).map(({ target }) => target)
  const reads = demoPlan().flatMap(({ gateways }) => gateways.flatMap(reactionsOf))
  expect(reads.filter(({ controllerId }) => soon.includes(controllerId))).not.toEqual([])
})
