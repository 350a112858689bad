import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestIngest } from '../../field/test-ingest.ts'
import { newWatch } from '../../field/watch/line-watch.ts'
import { Batch } from '../ingest/batch.ts'
import { Committer } from '../ingest/commit.ts'
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

test('a late reading of the counter has no hour to come rolled up anew', async () => {
  await read('08:10', 100)
  await plant.rows(
    `delete from rollup_due; insert into rollup_due (hour) values ('2026-01-15T12:00:00Z'), ('2026-01-15T10:00:00Z')`,
  )
  await read('08:40', 103, 0, at('11:30'), 2)
  const due = await plant.rows<{ hour: Date; count: string }>('select hour, count(*) from rollup_due group by hour order by hour')
  expect(due.map(({ hour, count }) => `${hour.toISOString().slice(11, 13)} ${count}`)).toEqual(['08 1', '10 1', '12 1'])
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

test('a late reading takes its energy from the next hour that has any, however far away', async () => {
  await read('02:00', 100)
  await read('14:00', 125)
  await rollUpDue(client, new Date(at('15:05')))
  expect(await hours()).toEqual(['02 1 null', '14 1 25'])
  await read('08:00', 110, 0, at('15:30'))
  await rollUpDue(client, new Date(at('15:35')))
  expect(await hours()).toEqual(['02 1 null', '08 1 10', '14 1 15'])
})

test('and from the hour after that, where its clock was ahead and it is still the highest', async () => {
  await read('08:00', 100)
  await read('09:03', 101)
  await read('14:00', 125)
  await rollUpDue(client, new Date(at('15:05')))
  expect(await hours()).toEqual(['08 1 null', '09 1 1', '14 1 24'])
  await read('08:58', 102, 0, at('15:30'))
  await rollUpDue(client, new Date(at('15:35')))
  expect(await hours()).toEqual(['08 2 2', '09 1 0', '14 1 23'])
})

test('and from the hour of the first reading there was, beyond hours that only measured', async () => {
  await read('08:10', null)
  await read('09:10', null)
  await read('11:10', 105)
  await rollUpDue(client, new Date(at('12:05')))
  await plant.rows('delete from rollup_due')
  await read('07:50', 100, 0, at('12:30'))
  expect(await plant.rows('select hour from rollup_due order by hour')).toEqual(
    ['07:00', '11:00'].map((hour) => ({ hour: new Date(at(hour)) })),
  )
  await rollUpDue(client, new Date(at('12:35')))
  expect(await hours()).toEqual(['07 1 null', '08 1 null', '09 1 null', '11 1 5'])
})

test('and from hours of a wrong clock and the first one of a right clock after them', async () => {
  await read('08:10', 100)
  await read('09:10', 106, 0, at('09:20'), 1)
  await read('10:10', 107, 0, at('10:20'), 1)
  await read('11:10', 108)
  await rollUpDue(client, new Date(at('12:05')))
  expect(await hours()).toEqual(['08 1 null', '09 1 6', '10 1 1', '11 1 1'])
  await read('08:50', 104, 0, at('12:30'))
  await rollUpDue(client, new Date(at('12:35')))
  expect(await hours()).toEqual(['08 2 4', '09 1 2', '10 1 1', '11 1 1'])
})

test('a late reading without a counter makes its own hour due and no other', async () => {
  await read('08:10', 100)
  await read('11:10', 105)
  await rollUpDue(client, new Date(at('12:05')))
  await read('08:20', null, 0, at('12:30'))
  expect(await plant.rows('select hour from rollup_due order by hour')).toEqual([{ hour: new Date(at('08:00')) }])
})

test('a clock that is hours ahead all the time has its hours rolled up when they are over', async () => {
  await read('16:10', 100, 0, at('08:10'), 1)
  await read('17:10', 103, 0, at('09:10'), 1)
  await rollUpDue(client, new Date(at('10:05')))
  expect(await hours()).toEqual([])
  await rollUpDue(client, new Date(at('18:05')))
  expect(await hours()).toEqual(['16 1 null', '17 1 3'])
})

test('an hour is due though the first commit that said so failed', async () => {
  const committer = new Committer(client, 90)
  const commit = (time: string) => {
    const batch = new Batch(1)
    batch.set(batch.rowOf(newWatch(plant.line()), at(time), at(time), 0), energySlot, 100)
    return committer.commit(batch, at(time))
  }
  await commit('07:10')
  await plant.rows(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create constraint trigger refuse after insert on rollup_due deferrable initially deferred for each row execute function refuse()`)
  await expect(commit('08:10')).rejects.toThrow('no')
  await plant.rows('drop trigger refuse on rollup_due')
  await commit('08:10')
  await rollUpDue(client, new Date(at('09:05')))
  expect(await hours()).toEqual(['07 1 null', '08 1 0'])
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
