import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Batch } from '../ingest/batch.ts'
import { newWatch } from '../ingest/line-watch.ts'
import { TestIngest } from '../ingest/test-ingest.ts'
import { Committer } from './commit.ts'
import { rollUpDue } from './rollup.ts'

const at = (time: string) => Date.parse(`2026-01-15T${time}:00Z`)
const energySlot = 16
const residualSlot = 10

let plant: TestIngest
let client: pg.Client

beforeEach(async () => {
  plant = await TestIngest.start()
  await (await plant.edge()).birth()
  await plant.rows('delete from reading; delete from rollup_due')
  client = await plant.database.connect()
})
afterEach(async () => {
  await client.end()
  await plant.close()
})

/** Commits one reading of energy (kWh) and residual current (mA). */
async function read(time: string, energy: number | null, residual = 0, receivedAt = at(time), quality = 0): Promise<void> {
  const batch = new Batch(1)
  const row = batch.rowOf(newWatch(plant.line()), at(time), receivedAt, quality)
  if (energy !== null) batch.set(row, energySlot, energy)
  batch.set(row, residualSlot, residual)
  await new Committer(client, 90).commit(batch, receivedAt)
}

const hours = async () => {
  const rows = await plant.rows<{ hour: Date; count: number; used: number | null; mean: number[] }>(
    'select hour, count, counter_used as used, mean from reading_hour order by hour',
  )
  return rows.map(({ hour, count, used }) => `${hour.toISOString().slice(11, 13)} ${count} ${used}`)
}

test('a finished hour is rolled up: how many, least, mean and most', async () => {
  await read('08:10', 100, 10)
  await read('08:50', 103, 30)
  await rollUpDue(client, new Date(at('09:05')))
  const [row] = await plant.rows<{ min: number[]; mean: number[]; max: number[]; count: number }>('select * from reading_hour')
  expect([row?.count, row?.min[residualSlot], row?.mean[residualSlot], row?.max[residualSlot]]).toEqual([2, 10, 20, 30])
})

test('the present hour waits, and an hour that has just ended waits for commits on their way', async () => {
  await read('08:10', 100)
  await rollUpDue(client, new Date(at('08:59')))
  await rollUpDue(client, new Date(at('09:01')))
  expect(await hours()).toEqual([])
  await rollUpDue(client, new Date(at('09:02')))
  expect(await hours()).toEqual(['08 1 null'])
})

test('energy between two hours belongs to the later one, so that the hours add up', async () => {
  await read('08:10', 100)
  await read('08:50', 103)
  await read('09:10', 105)
  await rollUpDue(client, new Date(at('10:05')))
  expect(await hours()).toEqual(['08 2 3', '09 1 2'])
})

test('a fall of the counter is a reset and counts from the new value', async () => {
  await read('08:10', 100)
  await read('08:20', 4)
  await rollUpDue(client, new Date(at('09:05')))
  expect(await hours()).toEqual(['08 2 4'])
})

test('a fall that leaves more than half is no reset, and counts nothing', async () => {
  await read('08:10', 20_000)
  await read('08:20', 15_000)
  await read('08:30', 15_001)
  await rollUpDue(client, new Date(at('09:05')))
  expect(await hours()).toEqual(['08 3 1'])
})

test('what a wrong clock put among other readings counts nothing there, and is counted once the clock is right', async () => {
  await read('08:10', 20_000)
  await read('08:20', 20_001)
  await read('08:13', 20_002, 0, at('08:30'), 1)
  await read('08:16', 20_003, 0, at('08:33'), 1)
  await read('08:40', 20_004)
  await read('09:10', 20_005)
  await rollUpDue(client, new Date(at('10:05')))
  expect(await hours()).toEqual(['08 5 4', '09 1 1'])
})

test('readings without a counter do not hide its rise', async () => {
  await read('08:10', 100)
  await read('08:20', null)
  await read('08:30', 101)
  await rollUpDue(client, new Date(at('09:05')))
  expect(await hours()).toEqual(['08 3 1'])
})

test('an hour before a long outage of the server is rolled up after it', async () => {
  await read('01:10', 100)
  await rollUpDue(client, new Date(at('08:30')))
  expect(await hours()).toEqual(['01 1 null'])
})

test('a late reading has its hour rolled up again, and the hour that followed', async () => {
  await read('08:10', 100)
  await read('09:10', 105)
  await rollUpDue(client, new Date(at('10:05')))
  expect(await hours()).toEqual(['08 1 null', '09 1 5'])
  await read('08:50', 103, 0, at('10:30'))
  await rollUpDue(client, new Date(at('10:35')))
  expect(await hours()).toEqual(['08 2 3', '09 1 2'])
})

test('an hour that fails stays due, and the others are done', async () => {
  await read('06:10', 1)
  await read('07:10', 2)
  await read('08:10', 3)
  await plant.rows(`create function refuse() returns trigger language plpgsql as $$ begin
    if new.hour = '2026-01-15T07:00Z' then raise exception 'no'; end if; return new; end $$;
    create trigger refuse before insert on reading_hour for each row execute function refuse()`)
  await expect(rollUpDue(client, new Date(at('09:05')))).rejects.toThrow('no')
  expect(await hours()).toEqual(['06 1 null', '08 1 1'])
  await plant.rows('drop trigger refuse on reading_hour')
  await rollUpDue(client, new Date(at('09:05')))
  expect(await hours()).toEqual(['06 1 null', '07 1 1', '08 1 1'])
})
