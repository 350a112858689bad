import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestIngest } from '../../field/test-ingest.ts'
import { positionsOf } from './day-source.ts'

// What a day is made of, read from the journal of one breaker.
const hourMs = 3_600_000
let plant: TestIngest
let client: pg.Client

beforeAll(async () => {
  plant = await TestIngest.start()
  await (await plant.edge('G1')).birth()
  client = await plant.database.connect()
})
afterAll(async () => {
  await client?.end()
  await plant?.close()
})

test('the positions of a stretch are those of the journal, and before its first entry the other one', async () => {
  const line = plant.line('G1')
  const hour = (n: number) => plant.now - 100 * hourMs + n * hourMs
  const entry = (key: string, at: number) =>
    client.query(
      `insert into event (gateway_id, project_id, line_id, kind, priority, key, label_zh, label_en, raised_at, stored_at)
       values ($1, $2, $3, 'journal', 'low', $4, '', '', $5, $5)`,
      [line.device.gateway.id, line.device.gateway.project.id, line.id, key, new Date(at)],
    )
  await entry('position.open', hour(2))
  await entry('position.closed', hour(5))
  await entry('position.open', hour(9))
  const courseOf = async (begins: number, ends: number) => (await positionsOf(client, [line.id], { begins, ends })).get(line.id)
  expect(await courseOf(hour(0), hour(9))).toEqual({
    first: true,
    moves: [
      { at: hour(2), closed: false },
      { at: hour(5), closed: true },
    ],
  })
  expect(await courseOf(hour(5), hour(10))).toEqual({
    first: false,
    moves: [
      { at: hour(5), closed: true },
      { at: hour(9), closed: false },
    ],
  })
  expect(await courseOf(hour(6), hour(9))).toEqual({ first: true, moves: [] })
})
