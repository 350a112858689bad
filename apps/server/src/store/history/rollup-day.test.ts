import { dayMs, hourMs } from '@linewarden/equipment'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { rollUpDaysDue } from './rollup-day.ts'

// Two projects with a line each: one in Shanghai, one in UTC. Whoever looks has a connection of their own and sees what is committed.
/** Midnight in Shanghai. */
const midnight = Date.UTC(2026, 0, 14, 16)
const zones = ['Asia/Shanghai', 'UTC']

let db: TestDatabase
let client: pg.Client
let looker: pg.Client

beforeAll(async () => {
  db = await testDatabase()
  client = await db.database.connect()
  looker = await db.database.connect()
  await client.query(
    `with p as (insert into project (city_id, name, time_zone) select min(city_id), zone, zone from city, unnest($1::text[]) zone
        group by zone returning project_id, time_zone),
      g as (insert into gateway (project_id, number, name, secret_hash) select project_id, time_zone, 'g', '' from p returning gateway_id, number),
      d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, number, 'd', 'breaker3p', '' from g
        returning device_id, controller_id)
    insert into line (device_id, line_no, name) select device_id, 1, controller_id from d`,
    [zones],
  )
})
afterAll(async () => {
  await client?.end()
  await looker?.end()
  await db?.drop()
})
beforeEach(async () => {
  await client.query('truncate reading_hour, reading_day, rollup_day_due; drop trigger if exists refuse on reading_day')
})

/** So many readings in the hour that begins then, on both lines. */
const hour = (at: number, count: number) =>
  client.query(
    `insert into reading_hour (line_id, hour, count, min, mean, max, known)
     select line_id, $1, $2, '{}', '{}', '{}', '{}' from line`,
    [new Date(at), count],
  )
const due = (at: number, zone = 'Asia/Shanghai') =>
  client.query('insert into rollup_day_due (time_zone, day) values ($1, $2)', [zone, new Date(at)])
const days = async () => {
  const { rows } = await looker.query<{ name: string; day: Date; count: number }>(
    'select name, day, count from reading_day join line using (line_id) order by name, day',
  )
  return rows.map(({ name, day, count }) => [name, day.getTime(), count])
}
const stillDue = async () => {
  const { rows } = await looker.query<{ time_zone: string; day: Date }>('select * from rollup_day_due order by day, time_zone')
  return rows.map(({ time_zone, day }) => [time_zone, day.getTime()])
}
const rolled = (now: number) => rollUpDaysDue(client, new Date(now))

test('a day is made of the hours that begin in it, of the lines that go by its clock, in the moment it ends', async () => {
  for (const [at, count] of [
    [midnight - hourMs, 1],
    [midnight, 2],
    [midnight + dayMs - hourMs, 4],
    [midnight + dayMs, 8],
  ] as const)
    await hour(at, count)
  await due(midnight)
  expect([await rolled(midnight + dayMs - 1), await days()]).toEqual([0, []])
  expect([await rolled(midnight + dayMs), await days()]).toEqual([1, [['Asia/Shanghai', midnight, 6]]])
  expect(await stillDue()).toEqual([])
})

test('a day that is made leaves the day after it due', async () => {
  const day = midnight + 8 * hourMs
  await hour(day, 1)
  await due(day, 'UTC')
  await due(day + dayMs, 'UTC')
  expect([await rolled(day + dayMs), await days()]).toEqual([1, [['UTC', day, 1]]])
  expect(await stillDue()).toEqual([['UTC', day + dayMs]])
})

test('a day that fails stays due with nothing written, the days before it are made, and it is made once nothing is in its way', async () => {
  await hour(midnight, 1)
  await hour(midnight + dayMs, 2)
  await due(midnight)
  await due(midnight + dayMs)
  await client.query(
    `create or replace function refuse() returns trigger language plpgsql as $$ begin if new.count = 2 then raise 'no'; end if; return new; end $$;
     create trigger refuse before insert on reading_day for each row execute function refuse()`,
  )
  const now = midnight + 3 * dayMs
  await expect(rolled(now)).rejects.toThrow('no')
  expect(await days()).toEqual([['Asia/Shanghai', midnight, 1]])
  expect(await stillDue()).toEqual([['Asia/Shanghai', midnight + dayMs]])
  await client.query('drop trigger refuse on reading_day')
  expect([await rolled(now), await stillDue()]).toEqual([1, []])
  expect((await days()).at(-1)).toEqual(['Asia/Shanghai', midnight + dayMs, 2])
})
