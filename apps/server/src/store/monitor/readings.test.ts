import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestIngest } from '../../field/test-ingest.ts'
import { readRange } from './readings.ts'

let plant: TestIngest
beforeAll(async () => {
  plant = await TestIngest.start()
  await (await plant.edge()).birth()
  await plant.rows('delete from reading')
})
afterAll(() => plant?.close())

const from = Date.UTC(2026, 0, 15, 6)
const readings = async (seconds: number) => (await readRange(plant.database, plant.line().id, from, from + seconds * 1_000)).rows

test('each row says whether it was back-filled and whether its clock can be believed; a bucket says it when any of its rows is so', async () => {
  const { id } = plant.line()
  await plant.rows(`insert into reading (line_id, at, received_at, quality, v0)
    select ${id}, to_timestamp(${from / 1000} + n), to_timestamp(${from / 1000} + n), n % 4, n from generate_series(0, 3) n`)
  expect((await readings(60)).map(([at, [value], quality]) => [at - from, value, quality])).toEqual([
    [0, 0, 0],
    [1_000, 1, 1],
    [2_000, 2, 2],
    [3_000, 3, 3],
  ])

  await plant.rows(`insert into reading (line_id, at, received_at, quality, v0)
    select ${id}, to_timestamp(${from / 1000} + n), to_timestamp(${from / 1000} + n), case n when 4000 then 2 else 0 end, n
    from generate_series(4, 4100) n`)
  const uncertain = (await readings(4_101)).filter(([, , quality]) => quality !== 0)
  expect(uncertain.map(([, , quality]) => quality)).toEqual([3, 2])
})
