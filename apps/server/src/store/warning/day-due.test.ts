import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestIngest } from '../../field/test-ingest.ts'
import { newWatch } from '../../field/watch/line-watch.ts'
import { rollUpDue } from '../history/rollup.ts'
import { Batch } from '../ingest/batch.ts'
import { Committer } from '../ingest/commit.ts'

const at = (time: string) => Date.parse(`2026-01-15T${time}Z`)
const day = Math.floor(at('00:00:00') / 86_400_000)

let plant: TestIngest
let client: pg.Client

beforeEach(async () => {
  plant = await TestIngest.start()
  await (await plant.edge()).birth()
  await plant.rows("delete from reading; delete from rollup_due; update project set time_zone = 'Asia/Shanghai'")
  await plant.rows('delete from line_day_due')
  client = await plant.database.connect()
})
afterEach(async () => {
  await client.end()
  await plant.close()
})

async function read(time: string, values: Readonly<Record<number, number>>): Promise<void> {
  const batch = new Batch(1)
  const row = batch.rowOf(newWatch(plant.line()), at(time), at(time), 0)
  for (const [slot, value] of Object.entries(values)) batch.set(row, Number(slot), value)
  await new Committer(client, 90).commit(batch, at(time))
}
const due = () => plant.rows('select line_id as line, day from line_day_due')

test('an hour keeps the mean of the squares of its currents, which is more than the square of their mean', async () => {
  await read('08:10:00', { 0: 2 })
  await read('08:50:00', { 0: 10 })
  await rollUpDue(client, new Date(at('09:05:00')))
  const [row] = await plant.rows<{ square: (number | null)[]; mean: number[] }>('select square, mean from reading_hour')
  expect([row?.square, row?.mean[0]]).toEqual([[52, null, null], 6])
})

test('ten-minute means of a voltage stand in the order of time, and ten minutes without a reading are not known', async () => {
  await read('08:00:00', { 3: 230 })
  await read('08:09:59', { 3: 232 })
  await read('08:55:00', { 3: 180 })
  await rollUpDue(client, new Date(at('09:05:00')))
  const [row] = await plant.rows<{ ten: (number | null)[] }>('select ten from voltage_hour')
  expect(row?.ten.slice(0, 6)).toEqual([231, null, null, null, null, 180])
})

test('a rolled-up hour makes the local day of its line due, once however many hours it has', async () => {
  await read('08:10:00', { 0: 2 })
  await read('09:10:00', { 0: 2 })
  // Half past midnight in Shanghai: the next day has begun there.
  await read('16:30:00', { 0: 2 })
  await rollUpDue(client, new Date(at('17:05:00')))
  const line = plant.line().id
  expect(await due()).toEqual([
    { line, day },
    { line, day: day + 1 },
  ])
})

test('an hour that is rolled up again is news only where it is another than it was', async () => {
  await read('08:10:00', { 0: 2 })
  await rollUpDue(client, new Date(at('09:05:00')))
  await plant.rows('delete from line_day_due')
  await plant.rows(`insert into rollup_due values ('${new Date(at('08:00:00')).toISOString()}')`)
  await rollUpDue(client, new Date(at('09:05:00')))
  expect(await due()).toEqual([])
  await read('08:20:00', { 0: 4 })
  await rollUpDue(client, new Date(at('09:05:00')))
  expect(await due()).toHaveLength(1)
})

test('whoever finds the note of a day just being worked off makes another', async () => {
  await read('08:10:00', { 0: 2 })
  await rollUpDue(client, new Date(at('09:05:00')))
  const other = await plant.database.connect()
  await other.query('begin')
  await other.query('delete from line_day_due')
  await read('08:20:00', { 0: 4 })
  await rollUpDue(client, new Date(at('09:05:00')))
  await other.query('commit')
  await other.end()
  expect(await due()).toHaveLength(1)
})
