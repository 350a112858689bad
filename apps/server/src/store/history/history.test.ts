import { COUNTER_SLOT, dayMs, hourMs } from '@linewarden/equipment'
import fc from 'fast-check'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { ReadLines } from '../core/row-security.ts'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { readDays, readHours } from './rolled.ts'
import { rollUpDue } from './rollup.ts'
import { rollUpDaysDue } from './rollup-day.ts'
import type { BucketRow } from './rows.ts'
import { readSampleBuckets, readSamples, readSampleUse } from './samples.ts'
import { samplesOf } from './samples-of.ts'

/** Midnight in Shanghai. */
const midnight = Date.UTC(2026, 0, 14, 16)
const timeZone = 'Asia/Shanghai'

interface Sample {
  readonly at: number
  readonly current: number | null
  readonly counter: number | null
}

let test_: TestDatabase
let client: pg.Client
let lineId: number

beforeAll(async () => {
  test_ = await testDatabase()
  client = await test_.database.connect()
  await client.query(`
    insert into city (name) values ('c');
    insert into project (city_id, name, time_zone) values (1, 'p', '${timeZone}');
    insert into gateway (project_id, number, name, secret_hash) values (1, 'G', 'G', '');
    insert into device (gateway_id, controller_id, name, family, model) values (1, 'C', 'C', 'breaker3p', '3P');
    insert into line (device_id, line_no, name) values (1, 1, 'L')`)
  lineId = 1
})
afterAll(async () => {
  await client.end()
  await test_.drop()
})
beforeEach(() => client.query('truncate reading, reading_hour, reading_day, rollup_due, rollup_day_due'))
afterEach(() => client.query('drop trigger if exists refuse on reading_hour'))

async function store(samples: readonly Sample[], quality = 0): Promise<void> {
  await client.query(
    `insert into reading (line_id, at, received_at, quality, v0, counter)
     select $1, to_timestamp(at / 1000), to_timestamp(at / 1000), $5, current, counter
     from unnest($2::float8[], $3::real[], $4::float8[]) as t (at, current, counter) on conflict do nothing`,
    [lineId, samples.map(({ at }) => at), samples.map(({ current }) => current), samples.map(({ counter }) => counter), quality],
  )
  await client.query("insert into rollup_due select distinct date_trunc('hour', at) from reading on conflict do nothing")
}

const lines = () => [{ lineId, timeZone }]
const own = <T>(rows: ReadonlyMap<number, readonly T[]> | null): readonly T[] => rows?.get(lineId) ?? []
const range = { from: midnight, to: midnight + 3 * dayMs }
const roll = async (until: number) => {
  await rollUpDue(client, new Date(until))
  await rollUpDaysDue(client, new Date(until))
}

const hours = async (bucketMs: number, use = false) =>
  own(await readHours(test_.database, { lines: lines(), range, slots: use ? [] : [0], use, bucketMs }))
const days = async (bucketMs: number, use = false) =>
  own(await readDays(test_.database, { lines: lines(), range, slots: use ? [] : [0], use, bucketMs }))

/** What a bucket of these samples must say. */
function expected(samples: readonly Sample[], bucketMs: number): Map<number, { min: number; mean: number; max: number }> {
  const buckets = new Map<number, number[]>()
  for (const { at, current } of samples) {
    if (current === null) continue
    const start = midnight + Math.floor((at - midnight) / bucketMs) * bucketMs
    buckets.set(start, [...(buckets.get(start) ?? []), current])
  }
  return new Map(
    [...buckets].map(([at, all]) => [
      at,
      { min: Math.min(...all), mean: all.reduce((sum, each) => sum + each, 0) / all.length, max: Math.max(...all) },
    ]),
  )
}

function mustAgree(rows: readonly BucketRow[], wanted: ReturnType<typeof expected>): void {
  const found = rows.filter(({ values }) => values[0]?.mean !== null)
  expect(found.map(({ at }) => at)).toEqual([...wanted.keys()].sort((a, b) => a - b))
  for (const { at, values } of found) {
    const { min, mean, max } = wanted.get(at) ?? { min: Number.NaN, mean: Number.NaN, max: Number.NaN }
    expect([values[0]?.min, values[0]?.max]).toEqual([min, max])
    expect(Math.abs((values[0]?.mean ?? Number.NaN) - mean)).toBeLessThan(0.001)
  }
}

const someSamples = fc
  .uniqueArray(
    fc.record({
      at: fc.integer({ min: 0, max: 3 * 24 * 60 - 1 }).map((minute) => midnight + minute * 60_000),
      current: fc.option(fc.integer({ min: 0, max: 4_000 }).map((each) => each / 10)),
      counter: fc.option(fc.integer({ min: 0, max: 500 })),
    }),
    { selector: ({ at }) => at, minLength: 1, maxLength: 120 },
  )
  .map((samples) => samples.sort((a, b) => a.at - b.at))

test('whatever was rolled up so far, hours and days say what the readings say', async () => {
  await fc.assert(
    fc.asyncProperty(someSamples, fc.integer({ min: 0, max: 74 }), async (samples, rolledHours) => {
      await client.query('truncate reading, reading_hour, reading_day, rollup_due, rollup_day_due')
      await store(samples)
      await roll(midnight + rolledHours * hourMs)
      mustAgree(await hours(hourMs), expected(samples, hourMs))
      mustAgree(await hours(6 * hourMs), expected(samples, 6 * hourMs))
      mustAgree(await days(dayMs), expected(samples, dayMs))
      mustAgree(own(await readSampleBuckets(test_.database, lines(), range, [0], 600_000)), expected(samples, 600_000))
    }),
    { numRuns: 40 },
  )
})

test('use is never negative, and every level adds up to the same, whatever was rolled up so far', async () => {
  const total = (rows: readonly BucketRow[]) => rows.reduce((sum, { values }) => sum + (values[0]?.mean ?? 0), 0)
  await fc.assert(
    fc.asyncProperty(someSamples, fc.integer({ min: 0, max: 74 }), async (samples, rolledHours) => {
      await client.query('truncate reading, reading_hour, reading_day, rollup_due, rollup_day_due')
      await store(samples)
      await roll(midnight + rolledHours * hourMs)
      const levels = [
        await hours(hourMs, true),
        await days(dayMs, true),
        own(await readSampleUse(test_.database, lines(), range, 600_000)),
      ]
      for (const rows of levels) for (const { values } of rows) expect(values[0]?.mean ?? 0).toBeGreaterThanOrEqual(0)
      const [byHours, byDays, bySamples] = levels.map(total)
      expect(byHours).toBeCloseTo(bySamples ?? Number.NaN, 6)
      expect(byDays).toBeCloseTo(bySamples ?? Number.NaN, 6)
    }),
    { numRuns: 40 },
  )
})

test('a counter that fell was reset: its use counts from the new value', async () => {
  await store([minute(1, 100), minute(2, 103), minute(3, 4)])
  const rows = own(await readSampleUse(test_.database, lines(), range, hourMs))
  expect(rows.map(({ values }) => values.map(({ mean }) => mean))).toEqual([[7]])
})

test('a fall that leaves more than half, and readings of a wrong clock, count the same at every level: nothing', async () => {
  await store([minute(1, 20_000), minute(9, 20_001)])
  await store([minute(5, 20_002), minute(7, 20_003)], 1)
  await store([minute(20, 20_004), minute(30, 15_000), minute(40, 15_001)])
  const used = async () =>
    [await hours(hourMs, true), await days(dayMs, true), own(await readSampleUse(test_.database, lines(), range, hourMs))].map(
      (rows) => rows.map(({ values }) => values[0]?.mean),
    )
  expect(await used()).toEqual([[5], [5], [5]])
  await roll(midnight + 2 * dayMs)
  expect(await used()).toEqual([[5], [5], [5]])
})

const minute = (at: number, counter: number) => ({ at: midnight + at * 60_000, current: null, counter })

/** What every level says was used, before anything is rolled up and after everything is: all the same, in `hours` as given. */
async function usedByHour(): Promise<(readonly [hour: number, used: number])[]> {
  const byHour = (rows: readonly BucketRow[]) =>
    rows.map(({ at, values }) => [(at - midnight) / hourMs, Math.round((values[0]?.mean ?? Number.NaN) * 1e6) / 1e6] as const)
  const sum = (rows: readonly BucketRow[]) => rows.reduce((all, { values }) => all + (values[0]?.mean ?? 0), 0)
  const raw = own(await readSampleUse(test_.database, lines(), range, hourMs))
  const finer = own(await readSampleUse(test_.database, lines(), range, 300_000))
  expect(sum(finer)).toBeCloseTo(sum(raw), 6)
  for (const { values } of finer) expect(values[0]?.mean).toBeGreaterThanOrEqual(0)
  const known = (rows: readonly BucketRow[]) => rows.filter(({ values }) => values[0]?.mean != null)
  expect(byHour(known(await hours(hourMs, true)))).toEqual(byHour(raw))
  await roll(midnight + 4 * dayMs)
  expect(byHour(known(await hours(hourMs, true)))).toEqual(byHour(raw))
  expect(sum(await days(dayMs, true))).toBeCloseTo(sum(raw), 6)
  return byHour(raw)
}

test('a clock that is set back a little counts nothing twice', async () => {
  // Ten kWh every ten seconds, an hour long; after half an hour the clock is set back by 245 s.
  await store([minute(-15, 0)])
  await store(
    Array.from({ length: 360 }, (_, i) => ({
      at: midnight + i * 10_000 - (i >= 180 ? 245_000 : 0),
      current: null,
      counter: 10 * (i + 1),
    })),
  )
  await store([minute(75, 4_000)])
  expect(await usedByHour()).toEqual([
    [0, 3_600],
    [1, 400],
  ])
})

test('however a clock that is not marked is set about, and whatever is lost: what was used is counted once', async () => {
  const play = fc.record({
    periodMs: fc.integer({ min: 5_000, max: 900_000 }),
    // The clock's error, and the use of each period.
    steps: fc.array(
      fc.record({
        offMs: fc.option(fc.integer({ min: -299_999, max: 299_999 })),
        used: fc.integer({ min: 0, max: 50 }),
        lost: fc.integer({ min: 0, max: 9 }),
        silent: fc.integer({ min: 0, max: 300 }),
      }),
      { minLength: 1, maxLength: 60 },
    ),
    from: fc.integer({ min: 0, max: 1_000 }),
    rolledHours: fc.integer({ min: 0, max: 74 }),
  })
  await fc.assert(
    fc.asyncProperty(play, async ({ periodMs, steps, from, rolledHours }) => {
      await client.query('truncate reading, reading_hour, reading_day, rollup_due, rollup_day_due')
      let counter = from
      let off = 0
      let trueAt = midnight + 900_000
      const samples: Sample[] = [{ at: midnight, current: null, counter }]
      for (const { offMs, used, lost, silent } of steps) {
        off = offMs ?? off
        counter += used
        trueAt += periodMs + (silent > 290 ? silent * 20_000 : 0)
        const at = trueAt + off
        if (lost > 0 && !samples.some((each) => each.at === at)) samples.push({ at, current: null, counter })
      }
      await store(samples)
      await roll(midnight + rolledHours * hourMs)
      const highest = Math.max(...samples.map((each) => each.counter ?? 0))
      const wanted = highest - from
      for (const rows of [
        await hours(hourMs, true),
        await days(dayMs, true),
        own(await readSampleUse(test_.database, lines(), range, 600_000)),
      ])
        expect(rows.reduce((sum, { values }) => sum + (values[0]?.mean ?? 0), 0)).toBeCloseTo(wanted, 6)
    }),
    { numRuns: 60 },
  )
})

test('a meter reset while its gateway was away counts from nought, also when it has counted more than half again', async () => {
  await store([minute(-25, 8), minute(-15, 8), minute(0, 8), minute(10, 10), minute(130, 6), minute(140, 7)])
  expect(await usedByHour()).toEqual([
    [0, 2],
    [2, 7],
  ])
})

test('a meter reset while it reports every ten seconds counts from nought, whatever clocks do to the last readings before', async () => {
  const each = (from: number, to: number, first: number) =>
    Array.from({ length: (to - from) * 6 }, (_, i) => ({
      at: midnight + from * 60_000 + i * 10_000,
      current: null,
      counter: first + i / 100,
    }))
  // Four minutes ahead until meter and clock begin anew: new readings stand among the old ones.
  const before = each(0, 30, 20_000).map((sample) => ({ ...sample, at: sample.at + 4 * 60_000 + 5_000 }))
  await store(before)
  await store(each(30, 60, 0))
  const [[, used] = [0, Number.NaN]] = await usedByHour()
  // Nothing twice; only what was used until ten minutes after the last of the old ones, 0.85 kWh, cannot be told.
  expect(used).toBeCloseTo(1.79 + 1.79 - 0.85, 6)
})

test('another meter in its place counts nothing, only what it counts from then on', async () => {
  await client.query('update line set rated_current_a = 63')
  try {
    await store([minute(0, 20_000), minute(300, 15_000), minute(310, 15_002)])
    expect(await usedByHour()).toEqual([[5, 2]])
  } finally {
    await client.query('update line set rated_current_a = null')
  }
})

test('a counter below nought has counted nothing', async () => {
  await store([minute(0, 5), minute(20, -3), minute(40, -1), minute(59, 2)])
  expect(await usedByHour()).toEqual([[0, 2]])
})

test('a gateway whose clock stays wrong shows what is used, hour by hour, with its mark', async () => {
  await store([minute(-30, 100), minute(30, 103)])
  await store([minute(24, 104), minute(54, 105), minute(84, 107), minute(114, 108), minute(144, 110)], 1)
  await store([minute(190, 113)])
  expect(await usedByHour()).toEqual([
    [0, 3],
    [1, 5],
    [2, 2],
    [3, 3],
  ])
  const marks = (rows: readonly BucketRow[]) => rows.map(({ quality }) => quality)
  expect(marks(own(await readSampleUse(test_.database, lines(), range, hourMs)))).toEqual([0, 1, 1, 0])
  expect(marks(await hours(hourMs, true))).toEqual([1, 1, 1, 0])
})

test('a wrong clock and a believed one do not reset each other', async () => {
  await store([minute(0, 1_000)])
  // Received days later, from a clock that is days slow: it stands where nothing was reported.
  await store([minute(70, 1_300)], 1)
  await store([minute(150, 1_010), minute(160, 1_011)])
  expect(await usedByHour()).toEqual([
    [1, 300],
    [2, 1],
  ])
})

test('a meter that was silent for weeks counts at every level from where it was', async () => {
  await client.query(
    `insert into reading (line_id, at, received_at, quality, counter) values ($1, $2, $2, 0, 100), ($1, $3, $3, 0, 140)`,
    [lineId, new Date(midnight - 20 * dayMs), new Date(midnight + hourMs)],
  )
  await client.query("insert into rollup_due select distinct date_trunc('hour', at) from reading")
  expect(await usedByHour()).toEqual([[1, 40]])
})

test('a day is a day of the project, not of Greenwich', async () => {
  await store([
    { at: midnight, current: 1, counter: null },
    { at: midnight + dayMs - 1_000, current: 3, counter: null },
    { at: midnight + dayMs, current: 9, counter: null },
  ])
  await roll(midnight + 3 * dayMs)
  const rows = await days(dayMs)
  expect(rows.map(({ at, values }) => [at, values[0]?.mean])).toEqual([
    [midnight, 2],
    [midnight + dayMs, 9],
  ])
})

test('when the project moves to another time zone, its days are made again', async () => {
  await store([
    { at: midnight, current: 1, counter: null },
    { at: midnight + 8 * hourMs, current: 3, counter: null },
  ])
  await roll(midnight + 3 * dayMs)
  expect((await days(dayMs)).map(({ values }) => values[0]?.mean)).toEqual([2])
  const utc = () =>
    readDays(test_.database, { lines: [{ lineId, timeZone: 'UTC' }], range, slots: [0], use: false, bucketMs: dayMs })
  const means = async () => own(await utc()).map(({ at, values }) => [at, values[0]?.mean])
  const wanted = [
    [midnight - 16 * hourMs, 1],
    [midnight + 8 * hourMs, 3],
  ]
  try {
    await client.query("update project set time_zone = 'UTC'")
    expect(await means()).toEqual(wanted)
    await roll(midnight + 3 * dayMs)
    expect(await means()).toEqual(wanted)
  } finally {
    await client.query('update project set time_zone = $1', [timeZone])
  }
})

test('a back-filled reading changes the day that was already made', async () => {
  await store([{ at: midnight + hourMs, current: 4, counter: null }])
  await roll(midnight + 2 * dayMs)
  await store([{ at: midnight + 2 * hourMs, current: 8, counter: null }], 2)
  expect((await days(dayMs))[0]?.values[0]?.mean).toBe(6)
  await roll(midnight + 2 * dayMs)
  expect((await days(dayMs))[0]).toMatchObject({ quality: 2, values: [{ min: 4, mean: 6, max: 8 }] })
})

test('hours rolled up by an earlier version still count', async () => {
  await store([{ at: midnight + hourMs, current: 4, counter: null }])
  await roll(midnight + 2 * hourMs + 300_000)
  await client.query('update reading_hour set known = null')
  expect((await hours(hourMs))[0]?.values[0]?.mean).toBe(4)
})

test('more samples than may be sent are not sent', async () => {
  await store(Array.from({ length: 11 }, (_, i) => ({ at: midnight + i * 1_000, current: i, counter: null })))
  expect(await readSamples(test_.database, lines(), range, [0], 10)).toBeNull()
  expect(own(await readSamples(test_.database, lines(), range, [0], 11)).map(({ values }) => values[0])).toEqual(
    Array.from({ length: 11 }, (_, i) => i),
  )
})

test('every sample is read once, over days and pages', async () => {
  await client.query(
    `insert into reading (line_id, at, received_at, quality, counter)
     select 1, at, at, 0, extract(epoch from at) from generate_series($1::timestamptz, $2::timestamptz, '40 s') as at`,
    [new Date(midnight - dayMs), new Date(midnight + 4 * dayMs)],
  )
  const read: number[] = []
  const queried = vi.fn<ReadLines>((query) => query(test_.database))
  for await (const { at, values } of samplesOf(queried as ReadLines, lineId, range, [COUNTER_SLOT])) {
    expect(values).toEqual([at / 1000])
    read.push(at)
  }
  expect(read).toEqual(Array.from({ length: (3 * dayMs) / 40_000 }, (_, i) => midnight + i * 40_000))
  // Four days of UTC are looked for; they have 720, 2,160, 2,160 and 1,440 samples, at most 1,000 a query.
  expect(queried).toHaveBeenCalledTimes(4 + 1 + 3 + 3 + 2)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity where state = 'idle in transaction'
    and datname = current_database()`.execute(test_.database.general)
  expect(rows[0]?.n).toBe(0)
})
