import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { PlatformWatch } from './platform-watch.ts'

// Three projects, each with a gateway that reports. The database is real; that it is away is what the pipeline would say.
const start = Date.UTC(2026, 0, 15, 8, 30)
let made: TestDatabase
const query = async <R extends object>(text: string): Promise<R[]> => {
  const client = await made.database.connect()
  return (await client.query(text).finally(() => client.end())).rows
}
const noted = async () =>
  (
    await query<{ name: string; opened: number; raised: number }>(`
      select name, extract(epoch from opened_at)::float8 * 1000 as opened, extract(epoch from raised_at)::float8 * 1000 as raised
      from incident join project using (project_id) where kind = 'platform' and closed_at is null order by name`)
  ).map(({ name, opened, raised }) => `${name} ${opened - start} to ${raised - start}`)
/** As long as the work is done, the database refuses the incident in these projects. */
const refusing = async (which: string, work: () => Promise<void>) => {
  await query(`alter table incident add constraint refuse check (not (kind = 'platform' and ${which})) not valid`)
  await work()
  await query('alter table incident drop constraint refuse')
}

beforeAll(async () => {
  made = await testDatabase()
  await query(`
    insert into project (city_id, name, time_zone) select min(city_id), 'P' || n, 'UTC' from city, generate_series(1, 3) n group by n order by n`)
  await query(`
    insert into gateway (project_id, number, name, secret_hash, reporting_period_ms, link)
      select project_id, 'G' || project_id, '', '', 10000, 'online' from project`)
})
afterAll(() => made?.drop())

test('an interruption that cannot be noted is noted when it can be; silence counts meanwhile, and one more goes with it', async () => {
  const watch = new PlatformWatch(made.database, start)
  await watch.note()
  expect(await noted()).toEqual(['P1 0 to 0', 'P2 0 to 0', 'P3 0 to 0'])
  await watch.note()
  expect(watch.silenceFrom(false, start + 1_000)).toBe(start)
  // Away from the last time that it was there until it is there again.
  await query('delete from incident')
  expect(watch.silenceFrom(true, start + 2_000)).toBeNull()
  expect(watch.silenceFrom(true, start + 3_000)).toBeNull()
  await refusing('true', async () => {
    expect(watch.silenceFrom(false, start + 4_000)).toBe(start + 3_000)
    await expect(watch.note()).rejects.toThrow('refuse')
    await expect(watch.note()).rejects.toThrow('refuse')
    expect(watch.silenceFrom(true, start + 5_000)).toBeNull()
    expect(watch.silenceFrom(false, start + 6_000)).toBe(start + 5_000)
    await expect(watch.note()).rejects.toThrow('refuse')
  })
  await watch.note()
  expect(await noted()).toEqual(['P1 1000 to 5000', 'P2 1000 to 5000', 'P3 1000 to 5000'])
})

test('after it stood still itself the platform reads first what came in, and judges the next second, or every other time', () => {
  const watch = new PlatformWatch(made.database, start)
  const asked = (second: number) => watch.silenceFrom(false, start + second * 1_000, second * 1_000)
  expect([1, 2, 7, 8].map(asked)).toEqual([start, start, null, start])
  // Ever so slow, silence is noticed all the same.
  expect([11, 14, 17].map(asked)).toEqual([null, start, null])
  // A clock that is set is no standing still.
  expect(watch.silenceFrom(false, start + 3_600_000, 18_000)).toBe(start)
})
