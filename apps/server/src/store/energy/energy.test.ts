import { dayMs, hourMs, MEASURE_SLOTS, minuteMs } from '@linewarden/equipment'
import { quarterMs, quarterOf } from '@linewarden/rules/energy'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { bringInHours } from '../history/bring-in.ts'
import { rollUpDue } from '../history/rollup.ts'
import { takeBack } from '../history/take-back.ts'
import { makeDueQuarters, makeNewQuarters } from './due.ts'
import { makeDueMonths } from './make-months.ts'
import { makeDueProfiles } from './make-profiles.ts'
import { readProfile, readQuarters } from './read.ts'
import { readMonths } from './read-months.ts'

/** Midnight in Shanghai, of 15 January 2026. */
const midnight = Date.UTC(2026, 0, 14, 16)
const day = Date.UTC(2026, 0, 15) / dayMs
const project = { kind: 'p', id: 1 } as const
const [main, sub, other] = [1, 2, 3]

let db: TestDatabase
let client: pg.Client

beforeAll(async () => {
  db = await testDatabase()
  client = await db.database.connect()
  await client.query(`
    insert into city (name) values ('c');
    insert into project (city_id, name, time_zone) values (1, 'p', 'Asia/Shanghai');
    insert into gateway (project_id, number, name, secret_hash, reporting_period_ms) values (1, 'G', 'G', '', 60000), (1, 'H', 'H', '', 60000);
    insert into device (gateway_id, controller_id, name, family, model) values (1, 'C', 'C', 'breaker3p', '3P'), (2, 'D', 'D', 'breaker3p', '3P');
    insert into line (device_id, line_no, name) values (1, 1, 'main'), (1, 2, 'sub'), (2, 1, 'other')`)
})
afterAll(async () => {
  await client.end()
  await db.drop()
})
beforeEach(() =>
  client.query(`truncate reading, reading_hour, rollup_due, energy_quarter, energy_line, energy_due, energy_profile, energy_profile_due, energy_month, energy_month_due, feed_span, line_day_due, rollup_day_due;
    update line set fed_by = null`),
)

type Sample = readonly [atMs: number, kwh: number]

async function report(lineId: number, samples: readonly Sample[]): Promise<void> {
  await client.query(
    `insert into reading (line_id, at, received_at, quality, v0, counter) select $1, at, at, 0, 1, counter
     from unnest($2::timestamptz[], $3::float8[]) as own (at, counter) on conflict do nothing`,
    [lineId, samples.map(([at]) => new Date(at)), samples.map(([, kwh]) => kwh)],
  )
  await client.query(
    'insert into rollup_due (hour) select distinct date_trunc($1, at) from unnest($2::timestamptz[]) as own (at)',
    ['hour', samples.map(([at]) => new Date(at))],
  )
}

/** What the server does by itself every five minutes. */
async function work(now: number): Promise<void> {
  await rollUpDue(client, new Date(now))
  await makeNewQuarters(client, now)
  await makeDueQuarters(client, now)
  await makeDueProfiles(client, now)
}

/** A register that rises by 0.6 kWh an hour, read each minute of `[from, to]`. */
const steady = (from: number, to: number, start = 100): Sample[] =>
  Array.from({ length: (to - from) / minuteMs + 1 }, (_, index) => [from + index * minuteMs, start + index / 100])

const whOf = async (lineId: number, from: number, to: number) => (await readQuarters(db.database, lineId, from, to)).wh
const howOf = async (lineId: number, from: number, to: number) => [...(await readQuarters(db.database, lineId, from, to)).how]
const firstHours = async () =>
  (await readProfile(db.database, project, { first: day, end: day + 1 }, 'all'))[0]?.quarters?.wh.slice(0, 8)

test('an hour of a line becomes its four quarters; what comes after the last reading is not nought', async () => {
  await report(main, steady(midnight, midnight + hourMs))
  await work(midnight + hourMs + 5 * minuteMs)
  expect(await whOf(main, midnight - quarterMs, midnight + hourMs + quarterMs)).toEqual([null, 150, 150, 150, 150, null])
  expect(await howOf(main, midnight, midnight + hourMs + quarterMs)).toEqual([0, 0, 0, 0, 4])
})

test('once a line has energy each quarter is there minutes after it ended, before its hour is over', async () => {
  await report(main, steady(midnight, midnight + hourMs))
  await work(midnight + hourMs + 5 * minuteMs)
  await report(main, steady(midnight + hourMs, midnight + hourMs + 16 * minuteMs, 100.6))
  await makeNewQuarters(client, midnight + hourMs + 17 * minuteMs)
  expect(await whOf(main, midnight + hourMs, midnight + hourMs + 2 * quarterMs)).toEqual([150, null])
})

test('a silence is spread, and late readings replace what was spread by what was measured, without moving the total', async () => {
  const back = midnight + 4 * hourMs
  // Nothing was used for three hours, then all within the last one.
  await report(main, [...steady(midnight, midnight + hourMs), ...steady(back, back + hourMs, 103.0)])
  await work(back + hourMs + 5 * minuteMs)
  const silence = await whOf(main, midnight + hourMs, back)
  expect(silence).toEqual(Array(12).fill(200))
  expect(new Set(await howOf(main, midnight + hourMs, back))).toEqual(new Set([1]))
  const late: Sample[] = Array.from({ length: 179 }, (_, index) => [
    midnight + hourMs + (index + 1) * minuteMs,
    index < 119 ? 100.6 : 100.6 + ((index - 119) * 2.4) / 60,
  ])
  await report(main, late)
  await work(back + hourMs + 10 * minuteMs)
  const filled = await whOf(main, midnight + hourMs, back)
  expect(filled.slice(0, 8)).toEqual(Array(8).fill(0))
  expect(filled.reduce((one: number, each) => one + (each ?? Number.NaN), 0)).toBe(2_400)
  expect(new Set(await howOf(main, midnight + hourMs, back))).toEqual(new Set([0]))
})

test('work that is broken off is done once the server is back, and twice is the same as once', async () => {
  await report(main, steady(midnight, midnight + 30 * hourMs))
  await rollUpDue(client, new Date(midnight + 31 * hourMs))
  await client.query('begin')
  await makeDueQuarters(client, midnight + 31 * hourMs).catch(() => {})
  await client.query('rollback')
  await work(midnight + 31 * hourMs)
  const once = await whOf(main, midnight, midnight + 30 * hourMs)
  expect(once).toEqual(Array(120).fill(150))
  await client.query("insert into energy_due values (1, $1, $1::timestamptz + interval '30 hours')", [new Date(midnight)])
  await work(midnight + 31 * hourMs)
  expect(await whOf(main, midnight, midnight + 30 * hourMs)).toEqual(once)
})

test('two servers at once make the same as one', async () => {
  await report(main, steady(midnight, midnight + 5 * hourMs))
  await report(other, steady(midnight, midnight + 5 * hourMs, 7))
  const now = midnight + 5 * hourMs + 5 * minuteMs
  await rollUpDue(client, new Date(now))
  const second = await db.database.connect()
  try {
    await Promise.all([makeDueQuarters(client, now), makeDueQuarters(second, now)])
    await Promise.all([makeDueProfiles(client, now), makeDueProfiles(second, now)])
  } finally {
    await second.end()
  }
  expect(await whOf(main, midnight, midnight + 5 * hourMs)).toEqual(Array(20).fill(150))
  expect(await firstHours()).toEqual(Array(8).fill(300))
})

test('a project is what its lines used that nothing in it feeds, from the day on which that changes', async () => {
  const nextDay = midnight + dayMs
  for (const lineId of [main, sub, other]) await report(lineId, steady(midnight, nextDay + 2 * hourMs))
  await work(nextDay + 2 * hourMs + 5 * minuteMs)
  await client.query('update line set fed_by = 1 where line_id = 2')
  // As if it had been changed at one o'clock of the second day.
  await client.query('update feed_span set starts = $1', [new Date(nextDay + hourMs)])
  await client.query('insert into energy_profile_due values (1, $1), (1, $2)', ['2026-01-15', '2026-01-16'])
  await makeDueProfiles(client, nextDay + 2 * hourMs + 5 * minuteMs)
  const days = await readProfile(db.database, project, { first: day, end: day + 2 }, [])
  expect(days.map(({ used, fed, lines }) => [used, fed, lines])).toEqual([
    [3 * 24 * 600, false, 3],
    [2 * 2 * 600, true, 2],
  ])
})

test('a past of many days makes every one of them', async () => {
  await report(main, steady(midnight, midnight + 5 * dayMs))
  await work(midnight + 5 * dayMs + hourMs)
  const days = await readProfile(db.database, project, { first: day, end: day + 5 }, [])
  expect(days.map(({ used }) => used)).toEqual(Array(5).fill(24 * 600))
})

test('what one line does not know is lacking in the project, and the others are there', async () => {
  await report(main, steady(midnight, midnight + 2 * hourMs))
  await report(other, [...steady(midnight, midnight + hourMs), [midnight + hourMs + minuteMs, 100.61]])
  await work(midnight + 3 * hourMs)
  const [row] = await readProfile(db.database, project, { first: day, end: day + 1 }, 'all')
  expect(row?.quarters?.wh.slice(0, 9)).toEqual([300, 300, 300, 300, 150, 150, 150, 150, null])
  expect(row?.quarters?.missing?.slice(0, 8)).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
})

test('another zone has other days of the same quarters', async () => {
  await report(main, steady(midnight, midnight + dayMs))
  await work(midnight + dayMs + hourMs)
  await client.query("update project set time_zone = 'UTC'")
  await makeDueProfiles(client, midnight + dayMs + hourMs)
  const days = await readProfile(db.database, project, { first: day - 1, end: day + 2 }, [])
  await client.query("update project set time_zone = 'Asia/Shanghai'")
  expect(days.map((each) => [each.day - day, each.used])).toEqual([
    [-1, 8 * 600],
    [0, 16 * 600],
  ])
})

test('a clock that says a year to come makes no quarters up to there', async () => {
  await report(main, [...steady(midnight, midnight + hourMs), [midnight + 400 * dayMs, 900]])
  await work(midnight + hourMs + 5 * minuteMs)
  const { rows } = await client.query('select from energy_quarter')
  expect(rows.length).toBeLessThanOrEqual(2)
  await report(main, steady(midnight + hourMs, midnight + 2 * hourMs, 100.6))
  await work(midnight + 2 * hourMs + 5 * minuteMs)
  expect(await whOf(main, midnight, midnight + 2 * hourMs)).toEqual(Array(8).fill(150))
})

const dueAgain = (lineId: number, from: number, to: number) =>
  client.query('insert into energy_due values ($1, $2, $3)', [lineId, new Date(from), new Date(to)])
const gone = (from: number, to: number) =>
  client.query('delete from reading where at >= $1 and at < $2', [new Date(from), new Date(to)])

test('where readings are kept no longer, what they said stays known, and is made of nothing else', async () => {
  await report(main, steady(midnight, midnight + 6 * hourMs))
  const now = midnight + 6 * hourMs + 5 * minuteMs
  await work(now)
  for (const [from, to] of [
    // The oldest are dropped; then some between.
    [midnight - hourMs, midnight + 2 * hourMs],
    [midnight + 3 * hourMs + 20 * minuteMs, midnight + 5 * hourMs + 10 * minuteMs],
  ] as const) {
    await gone(from, to)
    await dueAgain(main, midnight - hourMs, midnight + 6 * hourMs)
    await work(now)
    expect(await whOf(main, midnight, midnight + 6 * hourMs)).toEqual(Array(24).fill(150))
    expect(new Set(await howOf(main, midnight, midnight + 6 * hourMs))).toEqual(new Set([0]))
  }
  await gone(midnight, now)
  await dueAgain(main, midnight, midnight + 6 * hourMs)
  await work(now)
  expect(await whOf(main, midnight, midnight + 6 * hourMs)).toEqual(Array(24).fill(150))
})

/** Hours of a line that were counted elsewhere, kWh; NaN: without a counter. */
const bring = (lineId: number, firstHour: number, used: readonly number[]) => {
  const floats = (size: number) => new Float32Array(used.length * size).fill(Number.NaN)
  const [min, mean, max, square] = [floats(MEASURE_SLOTS), floats(MEASURE_SLOTS), floats(MEASURE_SLOTS), floats(3)]
  return bringInHours(client, [
    {
      ...{ lineId, timeZone: 'Asia/Shanghai', firstHour: firstHour / hourMs, reports: new Int32Array(used.length).fill(60) },
      ...{ min, mean, max, square, used: Float64Array.from(used) },
    },
  ])
}

test('an old hour that was counted becomes four even quarters, marked spread, to the Wh; one that was not stays unknown', async () => {
  await bring(main, midnight, [0.6, Number.NaN, 0.003, ...Array(30).fill(0.402)])
  await work(midnight + 40 * hourMs)
  expect(await whOf(main, midnight, midnight + 4 * hourMs)).toEqual([
    ...[150, 150, 150, 150, null, null, null, null, 0, 1, 1, 1, 100, 101, 100, 101],
  ])
  expect(await howOf(main, midnight, midnight + 3 * hourMs)).toEqual([1, 1, 1, 1, 4, 4, 4, 4, 1, 1, 1, 1])
  const days = await readProfile(db.database, project, { first: day, end: day + 2 }, [])
  expect(days.map(({ used, spread, lacking }) => [used, spread, lacking])).toEqual([
    [603 + 21 * 402, 603 + 21 * 402, 4],
    [9 * 402, 9 * 402, 60],
  ])
})

test('where old hours end and readings begin nothing is counted twice or lost', async () => {
  const began = midnight + 3 * hourMs + 20 * minuteMs
  await report(main, steady(midnight, midnight + 6 * hourMs))
  await rollUpDue(client, new Date(midnight + 7 * hourMs))
  await gone(midnight, began)
  await work(midnight + 7 * hourMs)
  const made = await whOf(main, midnight, midnight + 6 * hourMs)
  // The first of all readings counted nothing, and the last one of an hour counts what came before the next.
  expect(Math.abs(made.reduce((sum: number, each) => sum + (each ?? Number.NaN), 0) - 3_600)).toBeLessThanOrEqual(20)
  expect(await howOf(main, midnight, midnight + 6 * hourMs)).toEqual([...Array(14).fill(1), ...Array(10).fill(0)])
  await dueAgain(main, midnight, midnight + 6 * hourMs)
  await work(midnight + 7 * hourMs)
  expect(await whOf(main, midnight, midnight + 6 * hourMs)).toEqual(made)
})

test('a line that has energy since earlier lacks on the days after, as one lacks that was there', async () => {
  await report(other, steady(midnight, midnight + 3 * dayMs))
  await work(midnight + 3 * dayMs + hourMs)
  await bring(main, midnight, Array(24).fill(0.6))
  await work(midnight + 3 * dayMs + hourMs)
  const days = await readProfile(db.database, project, { first: day, end: day + 3 }, [])
  expect(days.map(({ lacking }) => lacking)).toEqual([0, 96, 96])
})

test('whatever is taken back of a line takes its energy along, and the project is the sum of what is left', async () => {
  for (const lineId of [main, other]) await report(lineId, steady(midnight, midnight + dayMs))
  await work(midnight + dayMs + hourMs)
  await dueAgain(main, midnight, midnight + hourMs)
  expect(await takeBack(client, { lineIds: [main, sub], gatewayIds: [1] })).toBe(true)
  for (const table of ['energy_quarter', 'energy_line', 'energy_due'])
    expect((await client.query(`select from ${table} where line_id = any ($1)`, [[main, sub]])).rowCount).toBe(0)
  const left = async (scope: Parameters<typeof readProfile>[1]) =>
    (await readProfile(db.database, scope, { first: day, end: day + 1 }, [])).map(({ used }) => used)
  expect([await left(project), await left({ kind: 'g', id: 1 })]).toEqual([[], []])
  await work(midnight + dayMs + hourMs)
  expect([await left(project), await left({ kind: 'g', id: 1 })]).toEqual([[24 * 600], []])
})

test('a reading of a clock that is ahead keeps no quarter from being made when it ends', async () => {
  await report(main, [...steady(midnight, midnight + hourMs + 2 * minuteMs), [midnight + hourMs + 16 * minuteMs, 100.76]])
  const soon = midnight + hourMs + 3 * minuteMs
  await work(soon)
  const { rows } = await client.query<{ made_to: Date }>('select made_to from energy_line')
  expect(rows.map(({ made_to }) => made_to.getTime())).toEqual([midnight + hourMs])
  await report(main, steady(soon, midnight + hourMs + 15 * minuteMs, 100.63))
  await makeNewQuarters(client, midnight + hourMs + 18 * minuteMs)
  expect(await whOf(main, midnight + hourMs, midnight + hourMs + quarterMs)).toEqual([150])
})

test('what is due now does not wait for years of before', async () => {
  await bring(main, midnight - 20 * dayMs, Array(20 * 24).fill(0.6))
  for (let hour = 0; hour < 450; hour++)
    await dueAgain(main, midnight - 20 * dayMs + hour * hourMs, midnight - 20 * dayMs + (hour + 1) * hourMs)
  await report(other, steady(midnight, midnight + hourMs))
  await rollUpDue(client, new Date(midnight + 2 * hourMs))
  let rounds = 0
  await makeDueQuarters(client, midnight + 2 * hourMs, () => rounds++ > 0)
  expect(await whOf(other, midnight, midnight + hourMs)).toEqual([150, 150, 150, 150])
  expect(await whOf(main, midnight - 20 * dayMs, midnight - 20 * dayMs + quarterMs)).toEqual([null])
  await work(midnight + 2 * hourMs)
  expect(await whOf(main, midnight - 20 * dayMs, midnight)).toEqual(Array(20 * 96).fill(150))
})

test('a month that is over stands as one sum, and not a moment longer than it is true', async () => {
  const months = async () =>
    Promise.all(
      (['l', 'g', 'p'] as const).map(async (kind) => {
        const january = { first: Date.UTC(2026, 0, 1) / dayMs, end: Date.UTC(2026, 1, 1) / dayMs }
        const stored = await readMonths(db.database, { kind, id: 1 }, [january])
        return [...stored.values()].map(({ used, spread, known, complete }) => [used, spread, known, complete])
      }),
    )
  await report(main, [...steady(midnight, midnight + hourMs), ...steady(midnight + 2 * hourMs, midnight + 3 * hourMs, 101.2)])
  await work(midnight + 4 * hourMs)
  expect(await makeDueMonths(client, midnight + dayMs)).toBe(0)
  const february = Date.UTC(2026, 1, 3)
  expect(await makeDueMonths(client, february)).toBe(1)
  expect(await months()).toEqual(Array(3).fill([[1_800, 600, 12, 12]]))
  await report(main, steady(midnight + 3 * hourMs, midnight + 4 * hourMs, 101.8))
  await rollUpDue(client, new Date(february))
  await makeDueQuarters(client, february)
  expect((await months())[0]).toEqual([])
  await makeDueProfiles(client, february)
  expect(await months()).toEqual([[], [], []])
  await makeDueMonths(client, february)
  expect(await months()).toEqual(Array(3).fill([[2_400, 600, 16, 16]]))
  await client.query("update project set time_zone = 'UTC'")
  await client.query("update project set time_zone = 'Asia/Shanghai'")
  expect(await months()).toEqual([[], [], []])
})

test('quarters are the register’s rise, whatever the order of arrival and however often they are made', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 50 })), { minLength: 3, maxLength: 25 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 25, maxLength: 25 }),
      async (steps, rounds) => {
        await client.query(
          'truncate reading, reading_hour, rollup_due, energy_quarter, energy_line, energy_due, energy_profile_due',
        )
        let [at, watts] = [midnight, 5_000]
        const samples = steps.map(([minutes, rise]): Sample => {
          at += minutes * minuteMs
          watts += rise
          return [at, watts / 1_000]
        })
        const now = at + 3 * hourMs
        for (const round of [0, 1, 2, 3]) {
          const arriving = samples.filter((_, index) => rounds[index] === round)
          if (arriving.length === 0) continue
          await report(main, arriving)
          await rollUpDue(client, new Date(now))
          await makeNewQuarters(client, now)
          await makeDueQuarters(client, now)
        }
        const end = quarterOf(now)
        const inParts = await whOf(main, midnight, end)
        await client.query('truncate energy_quarter, energy_line, energy_due')
        await client.query('insert into energy_due values (1, $1, $2)', [new Date(midnight), new Date(now)])
        await makeDueQuarters(client, now)
        expect(inParts).toEqual(await whOf(main, midnight, end))
      },
    ),
    { numRuns: 15 },
  )
})
