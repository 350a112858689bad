import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { liveMessages } from '../../plant/test-topics.ts'
import type { TestEdge } from '../test-ingest.ts'
import { TestIngest } from '../test-ingest.ts'

// The breaker's trip level is 300 mA: notice at 90, warning at 150, alarm at 240; each returns 10 % lower after 5 s.
let plant: TestIngest
let edge: TestEdge

beforeEach(async () => {
  plant = await TestIngest.start()
  edge = await plant.edge()
  await edge.birth()
})

afterEach(() => plant.close())

/** Reports these residual currents, one second apart. */
async function report(...values: number[]): Promise<void> {
  for (const residual of values) {
    plant.now += 1_000
    await edge.data({ values: { residual } })
  }
}

test('an alarm is raised once while the value stays beyond its limit', async () => {
  await report(100, 101, 120)
  expect(await plant.alarms()).toEqual(['residual.notice active'])
  expect([...plant.line().alarms.keys()]).toEqual(['residual.notice@residual'])
})

test('between the limit and the dead-band nothing moves', async () => {
  await report(100, 85, 85, 85, 85, 85, 85, 85)
  expect(await plant.alarms()).toEqual(['residual.notice active'])
})

test('below the dead-band for the off-delay the alarm returns', async () => {
  await report(100, 80, 80, 80, 80, 80)
  expect(await plant.alarms()).toEqual(['residual.notice active'])
  await report(80)
  expect(await plant.alarms()).toEqual(['residual.notice returned'])
  expect(plant.line().alarms.size).toBe(0)
})

test('a restart of the server raises nothing again, and the return is still seen', async () => {
  await report(100)
  await plant.restart()
  edge = await plant.edge()
  plant.now += 1_000
  await edge.birth({ values: { residual: 100 } })
  await report(100)
  const residual = async () => (await plant.alarms()).filter((each) => each.startsWith('residual'))
  expect(await residual()).toEqual(['residual.notice active'])
  await report(10, 10, 10, 10, 10, 10)
  expect(await residual()).toEqual(['residual.notice returned'])
})

test('a line that opened by itself seconds before a restart has been operated all the same', async () => {
  // Whatever the clock of the breaker says.
  await edge.birth({ at: plant.now - 200_000 })
  plant.now += 60_000
  const openedAt = plant.now
  await edge.data({ states: { position: 0, 'trip.cause': 5 }, at: openedAt - 200_000 })
  await report(100)
  expect(plant.line().lastOperationAt).toBe(openedAt)
  await plant.restart()
  expect(plant.line().lastOperationAt).toBe(openedAt)
})

test('an alarm whose commit succeeded while its answer was lost is told when it is raised again', async () => {
  const { device, id } = plant.line()
  await plant.rows(`insert into event (kind, priority, key, label_zh, label_en, point, state, project_id, gateway_id, line_id, raised_at, stored_at)
    values ('warning', 'low', 'residual.notice', '', '', 'residual', 'active', ${device.gateway.project.id}, ${device.gateway.id}, ${id}, now(), now())`)
  plant.committed.length = 0
  await report(100)
  expect([...plant.line().alarms.keys()]).toEqual(['residual.notice@residual'])
  expect(liveMessages('event', ...plant.committed).map(({ event }) => event.Key)).toEqual(['residual.notice'])
  expect(await plant.alarms()).toEqual(['residual.notice active'])
})

/** Of the one event that there is. */
const only = async () => {
  const rows = await plant.rows<{
    state: string
    raises: number
    raised_at: Date
    raised_again_at: Date | null
    returned_at: Date | null
  }>("select state, raises, raised_at, raised_again_at, returned_at from event where kind <> 'journal'")
  expect(rows).toHaveLength(1)
  return rows[0]
}
const back = [80, 80, 80, 80, 80, 80]
const published = () => liveMessages('event', ...plant.committed).map(({ event, isNew }) => [event.State, event.Raises, isNew])

test('an alarm that returned and is raised again before anybody acknowledged it is the same event', async () => {
  await report(100, ...back)
  const first = await only()
  plant.committed.length = 0
  await report(101)
  expect(await only()).toMatchObject({ state: 'active', raises: 2, raised_at: first?.raised_at, returned_at: null })
  expect((await only())?.raised_again_at?.getTime()).toBe(plant.now)
  expect([...plant.line().alarms.keys()]).toEqual(['residual.notice@residual'])
  expect(published()).toEqual([['active', 2, false]])
  await report(...back)
  expect((await only())?.state).toBe('returned')
})

test('a value that chatters makes one row, keeps each step, and is announced again only after a while', async () => {
  for (let i = 0; i < 20; i++) await report(100, ...back)
  expect(await only()).toMatchObject({ state: 'returned', raises: 20 })
  const steps = await plant.rows<{ act: string; from_state: string | null; to_state: string }>(
    'select act, from_state, to_state from event_transition order by at',
  )
  expect(steps).toHaveLength(40)
  expect(steps.slice(0, 3)).toEqual([
    { act: 'raise', from_state: null, to_state: 'active' },
    { act: 'return', from_state: 'active', to_state: 'returned' },
    { act: 'raise', from_state: 'returned', to_state: 'active' },
  ])
  expect(published().filter(([, , isNew]) => isNew)).toEqual([['active', 1, true]])
  plant.now += 600_000
  await report(100)
  expect(published().at(-1)).toEqual(['active', 21, true])
})

test('a line that was re-closed onto its fault is announced to have tripped each time', async () => {
  const step = async (position: number, cause: number) => {
    plant.now += 1_000
    await edge.data({ states: { position, 'trip.cause': cause } })
  }
  await step(1, 0)
  for (let i = 0; i < 2; i++) {
    await step(0, 5)
    await step(1, 0)
  }
  const trips = liveMessages('event', ...plant.committed).filter(({ event }) => event.Priority === 'critical')
  expect(trips.filter(({ event }) => event.State === 'active').map(({ event, isNew }) => [event.Raises, isNew])).toEqual([
    [1, true],
    [2, true],
  ])
})

test('once somebody has acknowledged it and it has returned, the next raise is an event of its own', async () => {
  await report(100)
  await plant.rows("update event set state = 'acknowledged', acknowledged_at = now() where key = 'residual.notice'")
  await report(...back, 100)
  expect(await plant.alarms()).toEqual(['residual.notice normal', 'residual.notice active'])
})

test('an alarm of a gateway that comes and goes is one event, too', async () => {
  for (let i = 0; i < 3; i++) {
    plant.now += 60_000
    edge.client.end(true)
    await vi.waitFor(async () => expect(await plant.alarms()).toEqual(['gateway.offline active']))
    edge = await plant.edge()
    await edge.birth()
    await vi.waitFor(async () => expect(await plant.alarms()).toEqual(['gateway.offline returned']))
  }
  expect((await only())?.raises).toBe(3)
})

test('a lower reported trip level lowers the limits at once', async () => {
  await report(50)
  expect(await plant.alarms()).toEqual([])
  await edge.setting(100)
  await report(50)
  expect(await plant.alarms()).toEqual(['residual.notice active'])
})

test('a back-filled setting is the past and changes no limit', async () => {
  await edge.setting(100, { historical: true })
  await report(50)
  expect(await plant.alarms()).toEqual([])
})

test('back-filled values are stored and marked, move nothing and raise nothing', async () => {
  await report(20)
  await edge.data({ values: { residual: 280 }, at: plant.now - 3_600_000, historical: true })
  expect(plant.value('residual')).toBe(20)
  expect(await plant.alarms()).toEqual([])
  const rows = await plant.rows<{ v10: number; quality: number }>('select v10, quality from reading where v10 = 280')
  expect(rows[0]?.quality).toBe(2)
  const due = await plant.rows<{ hour: Date }>('select hour from rollup_due')
  expect(due.map(({ hour }) => hour.toISOString())).toContain('2026-01-15T07:00:00.000Z')
})

test('a back-filled trip is kept as history, not as an alarm', async () => {
  await edge.data({ states: { 'trip.cause': 1 }, at: plant.now - 60_000, historical: true })
  const rows = await plant.rows('select key, state, historical from event')
  expect(rows).toEqual([{ key: 'trip.leakage', state: 'returned', historical: true }])
  expect(plant.line().alarms.size).toBe(0)
  expect(plant.line().states.get('trip.cause')).toBe('none')
})

test('a value that comes late moves nothing and raises nothing', async () => {
  await report(20)
  await edge.data({ values: { residual: 280 }, at: plant.now - 500 })
  expect(plant.value('residual')).toBe(20)
  expect(await plant.alarms()).toEqual([])
})

test('a position that comes late does not turn the breaker back', async () => {
  plant.now += 2_000
  await edge.data({ states: { position: 0 }, at: plant.now })
  await edge.data({ states: { position: 1 }, at: plant.now - 1_000 })
  expect(plant.line().states.get('position')).toBe('open')
})

test('a device clock more than five minutes off is kept but marked', async () => {
  await edge.data({ values: { residual: 20 }, at: plant.now + 300_001 })
  expect(plant.line().clockGood).toBe(false)
  const rows = await plant.rows<{ quality: number; received_at: Date }>('select quality, received_at from reading where v10 = 20')
  expect(rows[0]?.quality).toBe(1)
  expect(rows[0]?.received_at.getTime()).toBe(plant.now)
})

test('after a clock that was ahead is set right and the gateway born again, values move and alarms are raised', async () => {
  await edge.data({ values: { residual: 20 }, states: { position: 1 }, at: plant.now + 3_600_000 })
  plant.now += 1_000
  await edge.birth({ values: { residual: 30 } })
  expect(plant.value('residual')).toBe(30)
  expect(plant.line().clockGood).toBe(true)
  await edge.data({ values: { residual: 280 }, states: { position: 0 } })
  expect(plant.value('residual')).toBe(280)
  expect(plant.line().states.get('position')).toBe('open')
  expect(await plant.alarms()).toContain('residual.alarm active')
})

test('a trip is an alarm until the breaker says that its cause is gone', async () => {
  await edge.data({ states: { position: 0, 'trip.cause': 1 } })
  expect(await plant.alarms()).toEqual(['trip.leakage active'])
  expect(plant.committed.at(-1)?.reports).toMatchObject([{ state: 'position', value: 'open' }])
  plant.now += 1_000
  await edge.data({ states: { position: 1, 'trip.cause': 0 } })
  expect(await plant.alarms()).toEqual(['trip.leakage returned'])
})

test('a missing value is null in the table, and zero is zero', async () => {
  await edge.data({ values: { residual: null, 'current.a': 0 }, at: plant.now + 1 })
  const rows = await plant.rows('select v10, v0 from reading order by at desc limit 1')
  expect(rows).toEqual([{ v10: null, v0: 0 }])
  expect(plant.value('residual')).toBeNull()
  expect(plant.value('current.a')).toBe(0)
})

test('after a restart the newest values are there again, also those after the last checkpoint', async () => {
  await report(20, 30, 40)
  await plant.restart()
  expect(plant.value('residual')).toBe(40)
  expect(plant.line().liveAt).toBe(plant.now)
  expect(plant.line().states.get('position')).toBe('closed')
})

test('a self-test that runs neither raises nor returns the alarm of the one before, and tells what changed', async () => {
  const codes = { passed: 1, failed: 2, running: 3 }
  const reportsTest = (result: keyof typeof codes) => edge.data({ states: { selfTest: codes[result] } })
  plant.committed.length = 0
  for (const result of ['failed', 'failed', 'running', 'failed', 'running'] as const) await reportsTest(result)
  expect(await plant.alarms()).toEqual(['selfTest.failed active'])
  await reportsTest('passed')
  expect(await plant.alarms()).toEqual(['selfTest.failed returned'])
  const published = plant.committed.flatMap(({ reports = [] }) => reports).map(({ value, changed }) => [value, changed])
  expect(published).toEqual([
    ['failed', true],
    ['failed', false],
    ['running', true],
    ['failed', true],
    ['running', true],
    ['passed', true],
  ])
})

test('a self-test on record as failed raises its alarm once, and only one on record as passed returns it', async () => {
  const codes = { passed: 1, failed: 2, running: 3 }
  const reportsTest = (result: keyof typeof codes) => edge.data({ states: { selfTest: codes[result] } })
  const recorded = async (result: 'passed' | 'failed') => {
    const line = plant.line()
    line.selfTest = { at: plant.now, result, tripMs: null }
    plant.ingest.testRecorded(line, plant.now)
    await plant.ingest.drained()
  }
  for (const result of ['running', 'passed'] as const) await reportsTest(result)
  await recorded('failed')
  await recorded('failed')
  expect(await plant.alarms()).toEqual(['selfTest.failed active'])
  // Its own word returns nothing, neither now nor as a birth tells it after a restart.
  await reportsTest('running')
  await reportsTest('passed')
  const { selfTest } = plant.line()
  await plant.restart()
  plant.line().selfTest = selfTest
  edge = await plant.edge()
  await edge.birth({ states: { selfTest: codes.passed } })
  const own = async () => (await plant.alarms()).filter((each) => each.startsWith('selfTest'))
  expect(await own()).toEqual(['selfTest.failed active'])
  await recorded('passed')
  expect(await own()).toEqual(['selfTest.failed returned'])

  // Where both say so it is one alarm, and it stands as long as one of them does.
  await reportsTest('failed')
  await recorded('failed')
  await recorded('passed')
  expect(await own()).toEqual(['selfTest.failed active'])
  await reportsTest('passed')
  expect(await own()).toEqual(['selfTest.failed returned'])
})
