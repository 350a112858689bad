import { history, lineTrips, operationPermit, tripAnalysis } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { everyFamilyPlan } from '../../kit/every-family-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

// What a meter and a clock in the field can do to the figures and to the permits of people.
let stack: Stack
let ahead = 0
const now = () => Date.now() + ahead

beforeAll(async () => {
  // The fleet lives by our steps alone: what it used is known to the second.
  stack = await startStack({ plan: everyFamilyPlan, clock: now, fleet: { now, ticking: false } })
})
afterAll(() => stack?.close())

const gateway = () => stack.fleet.gatewayOf('breaker3p')
async function passes(seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i += 10) {
    ahead += 10_000
    await gateway().step()
  }
  await stack.server.ingest.drained()
}

test.each([
  ['a breaker line', 'breaker3p', 1],
  ['a power controller way', 'powerController', 2],
  ['a current limiter', 'currentLimiter', 0],
] as const)(
  'after the meter of %s was reset the history has what was used before and after, and nothing negative',
  async (_, id, lineNo) => {
    const meter = () => (lineNo === 0 ? (gateway().detector(id).values.get('energy') ?? 0) : gateway().line(id, lineNo).energyKwh)
    const LineID = stack.server.plant.lineAt(id, lineNo)?.id ?? 0
    await passes(10)
    const start = meter()
    // The buckets of the history begin with the minute: the last report before it is where they count from.
    const From = Math.ceil(now() / 60_000) * 60_000
    ahead += From - now()
    await passes(120)
    const before = meter() - start
    expect(before).toBeGreaterThan(0)
    stack.fleet.run('meterReset', { controllerId: id, ...(lineNo > 0 && { lineNo }) })
    await passes(120)
    const after = meter()
    expect(after).toBeGreaterThan(0)
    expect(after).toBeLessThan(start)
    const { Series } = await stack.client.call(history, {
      body: { Points: [{ LineID, Point: 'energy' }], From, To: now() + 1, Width: 1_000 },
    })
    const used = (Series[0]?.Value ?? []).filter((each) => each !== null)
    expect(used.length).toBeGreaterThan(1)
    expect(Math.min(...used)).toBeGreaterThanOrEqual(0)
    expect(used.reduce((total, each) => total + each, 0)).toBeCloseTo(before + after, 2)
  },
)

test('what is used while the clock is wrong is counted once, when it is right again', async () => {
  const meter = () => gateway().line('breaker3p', 2).energyKwh
  const LineID = stack.server.plant.lineAt('breaker3p', 2)?.id ?? 0
  const line = stack.server.plant.lineAt('breaker3p', 2)
  await passes(10)
  const start = meter()
  const From = Math.ceil(now() / 60_000) * 60_000
  ahead += From - now()
  // Long enough that the wrong times lie among the right ones.
  await passes(480)
  for (const fault of ['clockWrong', 'clockRight'] as const) {
    stack.fleet.run(fault, { gateway: 'GW-F' })
    await vi.waitFor(() => expect(line?.clockGood).toBe(fault === 'clockRight'))
    await passes(120)
  }
  const { Series } = await stack.client.call(history, {
    body: { Points: [{ LineID, Point: 'energy' }], From, To: now() + 1, Width: 1_000 },
  })
  const used = (Series[0]?.Value ?? []).filter((each) => each !== null)
  expect(Math.min(...used)).toBeGreaterThanOrEqual(0)
  expect(used.reduce((total, each) => total + each, 0)).toBeCloseTo(meter() - start, 2)
})

test('a clock that is wrong is marked while values move on, forbids closing, and is trusted again once it is right', async () => {
  const params = { ControllerID: 'breaker1p', LineNo: 1, attr: 'close' } as const
  const clock = async () => {
    const { Conditions } = await stack.client.call(operationPermit, { params })
    return Conditions.find(({ Key }) => Key === 'clock')?.Met
  }
  const line = stack.server.plant.lineAt('breaker1p', 1)
  const reports = async (residual: number) => {
    gateway().setPoint('breaker1p', 1, 'residual', residual)
    await passes(10)
    expect(line?.values[10]).toBe(residual)
  }
  await reports(11)
  expect([line?.clockGood, await clock()]).toEqual([true, true])
  stack.fleet.run('clockWrong', { gateway: 'GW-F' })
  await vi.waitFor(() => expect(line?.clockGood).toBe(false))
  await reports(12)
  expect((line?.liveReceivedAt ?? 0) - (line?.liveAt ?? 0)).toBeGreaterThan(6.9 * 60_000)
  expect([line?.clockGood, await clock()]).toEqual([false, false])
  stack.fleet.run('clockRight', { gateway: 'GW-F' })
  await vi.waitFor(() => expect(line?.clockGood).toBe(true))
  await reports(13)
  expect([line?.clockGood, await clock()]).toEqual([true, true])
})

test.each([
  ['leakageTrip', 'residual', 300],
  ['shortCircuit', 'current.a', 8 * 40],
  ['overheatTrip', 'temperature.a', 80],
] as const)(
  '%s is stored with what was read when it tripped, before the opening; no limit is evaluated on it',
  async (fault, point, least) => {
    const at = { ControllerID: 'breaker3p', LineNo: 2 } as const
    const plantLine = stack.server.plant.lineAt('breaker3p', 2)
    gateway().line('breaker3p', 2).position = 'closed'
    await passes(20)
    stack.fleet.run(fault, { controllerId: 'breaker3p', lineNo: 2 })
    await vi.waitFor(() => expect(plantLine?.states.get('position')).toBe('open'))
    await passes(10)
    const { items } = await stack.client.call(lineTrips, { params: at })
    const trip = await stack.client.call(tripAnalysis, { params: { ...at, EventID: items[0]?.EventID ?? '' } })
    const read = trip.Rows.filter(([time]) => time <= trip.At).map(([, values]) => values[trip.Points.indexOf(point)] ?? 0)
    expect(Math.max(...read)).toBeGreaterThan(least)
    // What is hot stays hot, and that is evaluated as it stands; the others were over with the opening.
    const beyond = [...(plantLine?.alarms.values() ?? [])].filter((alarm) => alarm.point === point)
    expect(beyond.length > 0).toBe(fault === 'overheatTrip')
  },
)

test('an opened line has no power factor and no last one either', async () => {
  const plantLine = stack.server.plant.lineAt('breaker3p', 1)
  const slot = plantLine?.device.family.points.find(({ key }) => key === 'powerFactor')?.slot ?? 0
  await passes(10)
  expect(plantLine?.values[slot]).toBeGreaterThan(0.8)
  gateway().line('breaker3p', 1).position = 'open'
  await passes(10)
  expect([plantLine?.values[slot], plantLine?.values[0]]).toEqual([Number.NaN, 0])
  // Born with nothing flowing, it tells the power factor as soon as something does.
  gateway().disconnectAbruptly()
  await gateway().reconnect()
  gateway().line('breaker3p', 1).position = 'closed'
  await passes(10)
  expect(plantLine?.values[slot]).toBeGreaterThan(0.8)
})
