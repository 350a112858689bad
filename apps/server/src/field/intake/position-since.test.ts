import { afterEach, beforeEach, expect, test } from 'vitest'
import { lineState } from '../../plant/line-state.ts'
import type { TestEdge } from '../test-ingest.ts'
import { TestIngest } from '../test-ingest.ts'

const open = { states: { position: 0 } }
const closed = { states: { position: 1 } }
const minute = 60_000

let plant: TestIngest
let edge: TestEdge

beforeEach(async () => {
  plant = await TestIngest.start()
  edge = await plant.edge()
  await edge.birth()
})
afterEach(() => plant.close())

const since = () => lineState(plant.line()).PositionSince

/** Its born position has changed a minute ago. */
async function opened(): Promise<number> {
  plant.now += minute
  await edge.data(open)
  const at = plant.now
  plant.now += minute
  return at
}

test('since when a line stands is not known until its position is seen to change', async () => {
  expect(since()).toBeNull()
  await edge.data(closed)
  expect(since()).toBeNull()
})

test('a line stands since the device time at which its position changed, however often it is confirmed', async () => {
  plant.now += minute
  const at = plant.now - 2_000
  await edge.data({ ...open, at })
  plant.now += minute
  await edge.data({ ...open, values: { residual: 5 } })
  expect(since()).toBe(at)
})

test('a change told from the future counts from its receipt', async () => {
  plant.now += minute
  await edge.data({ ...open, at: plant.now + 30_000 })
  expect(since()).toBe(plant.now)
})

test('a change told by a clock that is wrong counts from its receipt', async () => {
  await edge.birth({ at: plant.now - 3_600_000 })
  plant.now += minute
  await edge.data({ ...open, at: plant.now - 3_600_000 })
  expect(since()).toBe(plant.now)
})

test('another position after a birth has changed unobserved: nobody knows since when', async () => {
  await opened()
  await edge.birth(closed)
  expect(since()).toBeNull()
})

test('the same position after a birth is no change', async () => {
  const at = await opened()
  await edge.birth(open)
  expect(since()).toBe(at)
})

test('a late report of another position shows that it moved unobserved', async () => {
  const at = await opened()
  await edge.data({ ...closed, at: at - 1_000, historical: true })
  expect(since()).toBe(at)
  await edge.data({ ...open, at: at + 1_000, historical: true })
  expect(since()).toBe(at)
  await edge.data({ ...closed, at: at + 1_000, historical: true })
  expect(since()).toBeNull()
})

test('a report that another overtook shows it too', async () => {
  const at = await opened()
  await edge.data(open)
  await edge.data({ ...closed, at: at - 1_000 })
  expect(since()).toBe(at)
  await edge.data({ ...closed, at: at + 1_000 })
  expect(plant.line().states.get('position')).toBe('open')
  expect(since()).toBeNull()
})

test('a server that starts again knows it still, and what it does not know either', async () => {
  const at = await opened()
  await plant.restart()
  expect(since()).toBe(at)
  edge = await plant.edge()
  await edge.birth(closed)
  await plant.restart()
  expect(since()).toBeNull()
})
