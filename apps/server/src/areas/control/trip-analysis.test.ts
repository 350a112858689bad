import { aboutNothing } from '@linewarden/contract'
import { freshForMs } from '@linewarden/rules/control'
import { DataType, metric } from '@linewarden/sparkplug'
import type { Insertable } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { TestIngest } from '../../field/test-ingest.ts'
import { linkOfDevice } from '../../plant/plant.ts'
import { saveTripCause } from '../../store/control/trip.ts'
import type { Schema } from '../../store/core/schema.ts'
import { createTripAnalysis } from './trip-analysis.ts'
import { UpstreamLines } from './upstream-lines.ts'

// Reported by a gateway, stored by ingest: what the analysis says of each of a line's trips.
let plant: TestIngest
let edge: Awaited<ReturnType<TestIngest['edge']>>

beforeAll(async () => {
  plant = await TestIngest.start()
  edge = await plant.edge()
  await edge.birth()
})
afterAll(() => plant?.close())

const { leakage, short, undervoltage, manual, remote } = { leakage: 1, short: 2, undervoltage: 5, manual: 8, remote: 9 }

/** The line opens for this cause, is closed by hand, and the cause is gone. */
async function trips(cause: number, againAfterMs = 60_000): Promise<void> {
  plant.now += againAfterMs
  await edge.data({ states: { position: 0, 'trip.cause': cause } })
}
async function closed(): Promise<void> {
  plant.now += 1_000
  await edge.data({ states: { position: 1, 'trip.cause': 0 } })
}

/** Somebody trips the line, and the breaker opens for it. */
async function ordered(words: Partial<Insertable<Schema['command']>> = {}): Promise<void> {
  plant.now += 60_000
  const at = new Date(plant.now)
  await plant.database.control
    .insertInto('command')
    .values({
      command_id: crypto.randomUUID(),
      line_id: plant.line().id,
      action: 'trip',
      state: 'verified',
      actor: 'zhang',
      source: 'console',
      reason: '',
      fence: '1',
      issued_at: at,
      deadline: new Date(plant.now + 30_000),
      sent_at: at,
      ...words,
    })
    .execute()
  plant.now += 500
}

async function explain(words: string): Promise<void> {
  const { id, tripSequence } = plant.line()
  const audit = {
    at: plant.now,
    actor: 'a',
    address: '',
    action: 'trip.cause',
    subject: aboutNothing,
    target: '',
    outcome: 'done',
  } as const
  expect(
    await saveTripCause(plant.database, { lineId: id, tripSequence: tripSequence, cause: words }, plant.now, audit),
  ).toBeNull()
}

const anybody = { seesGateway: () => true }
const upstreamLines = () =>
  new UpstreamLines({
    ...{ database: plant.database, plant: plant.plant, ingest: plant.ingest },
    ...{ hub: { publish: () => {} }, clock: () => plant.now },
  })
const analysis = () => createTripAnalysis({ database: plant.database, upstreamLines: upstreamLines() })

/** Cause, words and whether words are missing of every opening, oldest first. */
async function analysed() {
  const tripAnalysis = analysis()
  const { items } = await tripAnalysis.trips(plant.line())
  const each = await Promise.all(items.map(({ EventID }) => tripAnalysis.of(anybody, plant.line(), EventID)))
  return each.reverse().map(({ Cause, Explained, CauseRequired }) => [Cause, Explained, CauseRequired])
}

/** Cause and person of the newest openings, oldest first. */
async function openers(count: number) {
  const tripAnalysis = analysis()
  const { items } = await tripAnalysis.trips(plant.line())
  const each = await Promise.all(items.slice(0, count).map(({ EventID }) => tripAnalysis.of(anybody, plant.line(), EventID)))
  return each.reverse().map(({ Cause, Command }) => [Cause, Command?.Actor ?? null])
}

test('every trip keeps its own cause and its own explanation', async () => {
  await trips(leakage)
  expect(await analysed()).toEqual([['leakage', null, true]])
  await explain('wet cable')
  await closed()
  expect(await analysed()).toEqual([['leakage', 'wet cable', false]])

  await trips(short)
  // Explained is explained, whatever came after it.
  expect(await analysed()).toEqual([
    ['leakage', 'wet cable', false],
    ['short', null, true],
  ])
  await explain('screw in the board')
  expect(await analysed()).toEqual([
    ['leakage', 'wet cable', false],
    ['short', 'screw in the board', false],
  ])
})

test('an opening that followed within seconds has its own trip, and the trip before it stays without words', async () => {
  await closed()
  const before = await analysed()
  await trips(leakage)
  await closed()
  await trips(short, 3_000)
  await explain('the same screw')
  expect((await analysed()).slice(before.length)).toEqual([
    ['leakage', null, false],
    ['short', 'the same screw', false],
  ])
})

test.each([2_000, 45_000])(
  'a trip whose cause is reported %i ms after the opening is the trip of that opening',
  async (later) => {
    await closed()
    plant.now += 60_000
    await edge.data({ states: { position: 0 } })
    plant.now += later
    await edge.data({ states: { 'trip.cause': leakage } })
    expect((await analysed()).at(-1)).toEqual(['leakage', null, true])
    await explain('late words')
    expect((await analysed()).at(-1)).toEqual(['leakage', 'late words', false])
  },
)

test('a cause that is reported after the line was closed again is not of that opening', async () => {
  await closed()
  plant.now += 60_000
  await edge.data({ states: { position: 0 } })
  plant.now += 20_000
  await closed()
  plant.now += 20_000
  await edge.data({ states: { 'trip.cause': leakage } })
  expect((await analysed()).at(-1)?.slice(1)).toEqual([null, false])
})

test('a line that was closed again has opened for another reason than the trip somebody ordered before', async () => {
  await closed()
  await ordered()
  await edge.data({ states: { position: 0 } })
  await closed()
  plant.now += 5_000
  await edge.data({ states: { position: 0 } })
  expect(await openers(2)).toEqual([
    ['remote', 'zhang'],
    [null, null],
  ])
})

test.each([
  [manual, 'manual', null],
  [undervoltage, 'undervoltage', null],
  [remote, 'remote', 'zhang'],
])(
  'a trip that was ordered when the breaker opened for cause %i does not stand in for that cause',
  async (code, cause, actor) => {
    await closed()
    await ordered()
    await edge.data({ states: { position: 0, 'trip.cause': code } })
    expect(await openers(1)).toEqual([[cause, actor]])
  },
)

test('what was sent after the opening was heard did not open it, whatever the clock of the breaker says', async () => {
  await closed()
  plant.now += 60_000
  await edge.data({ states: { position: 0 }, at: plant.now + 60_500 })
  await ordered()
  expect(await openers(1)).toEqual([[null, null]])
})

test('of a line above it says when that opened too, which is not when that had an alarm', async () => {
  const above = await plant.edge('G2')
  await above.birth()
  await plant.database.control
    .updateTable('line')
    .set({ fed_by: plant.line('G2').id })
    .where('line_id', '=', plant.line().id)
    .execute()
  const tripAnalysis = analysis()
  const openedAbove = async () => {
    const { items } = await tripAnalysis.trips(plant.line())
    const { Upstream } = await tripAnalysis.of(anybody, plant.line(), items[0]?.EventID ?? '')
    return Upstream.map(({ OpenedAt }) => OpenedAt)
  }
  await closed()
  await trips(short)
  await above.data({ states: { 'trip.cause': short } })
  expect(await plant.rows(`select key from event where line_id = ${plant.line('G2').id}`)).toEqual([{ key: 'trip.short' }])
  expect(await openedAbove()).toEqual([null])
  plant.now += 2_000
  await above.data({ states: { position: 0 } })
  expect(await openedAbove()).toEqual([plant.now])
})

test('the position of a line above or below is what it reports now, and else not known: nothing that it reported before', async () => {
  const position = () => upstreamLines().neighbour(plant.line(), null).Position
  await edge.birth()
  expect(position()).toBe('closed')
  plant.now += freshForMs
  expect(position()).toBe('closed')
  plant.now += 1
  expect(position()).toBeNull()
  await edge.data({ values: { residual: 5 } })
  expect(position()).toBe('closed')
  await edge.death()
  await vi.waitFor(() => expect(position()).toBeNull())
  // It is there again, and has not reported its position yet.
  edge.bdSeq += 1
  await edge.client.endAsync(true)
  edge = await plant.edge()
  await edge.nodeBirth()
  await edge.deviceBirth(edge.device, {}, [metric({ name: '1/position', type: DataType.Int32, value: null })])
  expect(linkOfDevice(plant.line().device).link).toBe('online')
  expect(position()).toBeNull()
  await edge.deviceBirth(edge.device)
  expect(position()).toBe('closed')
})

test('lines below stand by gateway, device and number, however they happened to be born', async () => {
  const edges = await plant.edge('G2')
  await edges.birth()
  for (const device of ['D-1', 'B-1']) await edges.deviceBirth(device)
  await plant.database.control.updateTable('line').set({ fed_by: null }).execute()
  await plant.database.control
    .updateTable('line')
    .set({ fed_by: plant.line().id })
    .where('line_id', '<>', plant.line().id)
    .execute()
  const { Downstream } = await upstreamLines().neighbours(anybody, plant.line())
  expect(Downstream.map(({ ControllerID }) => ControllerID)).toEqual(['B-1', 'C-G2', 'D-1'])
})
