import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import { quarterMs, quarterOf } from '@linewarden/rules/energy'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rollUpDue } from '../history/rollup.ts'
import { makeDueQuarters, makeNewQuarters } from './due.ts'
import type { Sample } from './test-energy.ts'
import { energyHouse, main, midnight, other, steady, sub } from './test-energy.ts'

const house = energyHouse()

test('an hour of a line becomes its four quarters; what comes after the last reading is not nought', async () => {
  await house.report(main, steady(midnight, midnight + hourMs))
  await house.work(midnight + hourMs + 5 * minuteMs)
  expect(await house.whOf(main, midnight - quarterMs, midnight + hourMs + quarterMs)).toEqual([null, 150, 150, 150, 150, null])
  expect(await house.howOf(main, midnight, midnight + hourMs + quarterMs)).toEqual([0, 0, 0, 0, 4])
})

test('once a line has energy each quarter is there minutes after it ended, before its hour is over', async () => {
  await house.report(main, steady(midnight, midnight + hourMs))
  await house.work(midnight + hourMs + 5 * minuteMs)
  await house.report(main, steady(midnight + hourMs, midnight + hourMs + 16 * minuteMs, 100.6))
  await makeNewQuarters(house.client, midnight + hourMs + 17 * minuteMs)
  expect(await house.whOf(main, midnight + hourMs, midnight + hourMs + 2 * quarterMs)).toEqual([150, null])
})

test('a silence is spread, and late readings replace what was spread by what was measured, without moving the total', async () => {
  const back = midnight + 4 * hourMs
  // Nothing was used for three hours, then all within the last one.
  await house.report(main, [...steady(midnight, midnight + hourMs), ...steady(back, back + hourMs, 103.0)])
  await house.work(back + hourMs + 5 * minuteMs)
  const silence = await house.whOf(main, midnight + hourMs, back)
  expect(silence).toEqual(Array(12).fill(200))
  expect(new Set(await house.howOf(main, midnight + hourMs, back))).toEqual(new Set([1]))
  const late: Sample[] = Array.from({ length: 179 }, (_, index) => [
    midnight + hourMs + (index + 1) * minuteMs,
    index < 119 ? 100.6 : 100.6 + ((index - 119) * 2.4) / 60,
  ])
  await house.report(main, late)
  await house.work(back + hourMs + 10 * minuteMs)
  const filled = await house.whOf(main, midnight + hourMs, back)
  expect(filled.slice(0, 8)).toEqual(Array(8).fill(0))
  expect(filled.reduce((one: number, each) => one + (each ?? Number.NaN), 0)).toBe(2_400)
  expect(new Set(await house.howOf(main, midnight + hourMs, back))).toEqual(new Set([0]))
})

test('work that is broken off is done once the server is back, and twice is the same as once', async () => {
  await house.report(main, steady(midnight, midnight + 30 * hourMs))
  await rollUpDue(house.client, new Date(midnight + 31 * hourMs))
  await house.client.query('begin')
  await makeDueQuarters(house.client, midnight + 31 * hourMs).catch(() => {})
  await house.client.query('rollback')
  await house.work(midnight + 31 * hourMs)
  const once = await house.whOf(main, midnight, midnight + 30 * hourMs)
  expect(once).toEqual(Array(120).fill(150))
  await house.client.query("insert into energy_due values (1, $1, $1::timestamptz + interval '30 hours')", [new Date(midnight)])
  await house.work(midnight + 31 * hourMs)
  expect(await house.whOf(main, midnight, midnight + 30 * hourMs)).toEqual(once)
})

test('lines with more readings than are looked at in one go are made alike, each to its end', async () => {
  const seconds = Array.from({ length: 3 * 3_600 + 1 }, (_, index): Sample => [midnight + index * 1_000, 100 + index / 6_000])
  for (const lineId of [main, other]) await house.report(lineId, seconds)
  await house.work(midnight + 3 * hourMs + 5 * minuteMs)
  for (const lineId of [main, other]) {
    expect(await house.whOf(lineId, midnight, midnight + 3 * hourMs)).toEqual(Array(12).fill(150))
    expect(new Set(await house.howOf(lineId, midnight, midnight + 3 * hourMs))).toEqual(new Set([0]))
  }
})

test('how finely a register counts is kept: it is known better with each that was reported', async () => {
  const stepOf = async (lineId: number) =>
    (await house.client.query<{ step_wh: number | null }>('select step_wh from energy_line where line_id = $1', [lineId])).rows[0]
      ?.step_wh
  // By whole kilowatt hours, at first two at a time.
  const coarse = (from: number, step: number, start: number): Sample[] =>
    Array.from({ length: 61 }, (_, index) => [from + index * minuteMs, start + step * Math.floor(index / 20)])
  await house.report(main, coarse(midnight, 2, 100))
  await house.report(other, steady(midnight, midnight + hourMs))
  await house.report(sub, coarse(midnight, 0, 100))
  await house.work(midnight + hourMs + 5 * minuteMs)
  expect([await stepOf(main), await stepOf(other), await stepOf(sub)]).toEqual([2_000, 10, null])
  await house.report(main, coarse(midnight + hourMs, 1, 106))
  await house.work(midnight + 2 * hourMs + 5 * minuteMs)
  expect(await stepOf(main)).toBe(1_000)
})

test('a register that jumps by more than any line can use leaves that quarter unknown, and keeps no other from being made', async () => {
  await house.report(main, [
    ...steady(midnight, midnight + 20 * minuteMs, 0),
    ...steady(midnight + 21 * minuteMs, midnight + hourMs, 3_000_000),
  ])
  await house.report(other, steady(midnight, midnight + hourMs))
  await house.work(midnight + hourMs + 5 * minuteMs)
  expect(await house.whOf(main, midnight, midnight + hourMs)).toEqual([150, null, 150, 150])
  expect(await house.howOf(main, midnight, midnight + hourMs)).toEqual([0, 4, 0, 0])
  expect(await house.whOf(other, midnight, midnight + hourMs)).toEqual([150, 150, 150, 150])
})

test('a clock that says a year to come makes no quarters up to there', async () => {
  await house.report(main, [...steady(midnight, midnight + hourMs), [midnight + 400 * dayMs, 900]])
  await house.work(midnight + hourMs + 5 * minuteMs)
  const { rows } = await house.client.query('select from energy_quarter')
  expect(rows.length).toBeLessThanOrEqual(2)
  await house.report(main, steady(midnight + hourMs, midnight + 2 * hourMs, 100.6))
  await house.work(midnight + 2 * hourMs + 5 * minuteMs)
  expect(await house.whOf(main, midnight, midnight + 2 * hourMs)).toEqual(Array(8).fill(150))
})

const gone = (from: number, to: number) =>
  house.client.query('delete from reading where at >= $1 and at < $2', [new Date(from), new Date(to)])

test('where readings are kept no longer, what they said stays known, and is made of nothing else', async () => {
  await house.report(main, steady(midnight, midnight + 6 * hourMs))
  const now = midnight + 6 * hourMs + 5 * minuteMs
  await house.work(now)
  for (const [from, to] of [
    // The oldest are dropped; then some between.
    [midnight - hourMs, midnight + 2 * hourMs],
    [midnight + 3 * hourMs + 20 * minuteMs, midnight + 5 * hourMs + 10 * minuteMs],
  ] as const) {
    await gone(from, to)
    await house.dueAgain(main, midnight - hourMs, midnight + 6 * hourMs)
    await house.work(now)
    expect(await house.whOf(main, midnight, midnight + 6 * hourMs)).toEqual(Array(24).fill(150))
    expect(new Set(await house.howOf(main, midnight, midnight + 6 * hourMs))).toEqual(new Set([0]))
  }
  await gone(midnight, now)
  await house.dueAgain(main, midnight, midnight + 6 * hourMs)
  await house.work(now)
  expect(await house.whOf(main, midnight, midnight + 6 * hourMs)).toEqual(Array(24).fill(150))
})

test('where old hours end and readings begin nothing is counted twice or lost', async () => {
  const began = midnight + 3 * hourMs + 20 * minuteMs
  await house.report(main, steady(midnight, midnight + 6 * hourMs))
  await rollUpDue(house.client, new Date(midnight + 7 * hourMs))
  await gone(midnight, began)
  await house.work(midnight + 7 * hourMs)
  const made = await house.whOf(main, midnight, midnight + 6 * hourMs)
  // The first of all readings counted nothing, and the last one of an hour counts what came before the next.
  expect(Math.abs(made.reduce((sum: number, each) => sum + (each ?? Number.NaN), 0) - 3_600)).toBeLessThanOrEqual(20)
  expect(await house.howOf(main, midnight, midnight + 6 * hourMs)).toEqual([...Array(14).fill(1), ...Array(10).fill(0)])
  await house.dueAgain(main, midnight, midnight + 6 * hourMs)
  await house.work(midnight + 7 * hourMs)
  expect(await house.whOf(main, midnight, midnight + 6 * hourMs)).toEqual(made)
})

test('an hour in which an old silence ended is spread over all of it, over midnight too', async () => {
  const evening = midnight - 2 * hourMs
  await house.bring(main, evening, [0.6, Number.NaN, Number.NaN, Number.NaN, 2.4, 0.6])
  await house.work(midnight + 8 * hourMs)
  expect(await house.whOf(main, evening, midnight + 4 * hourMs)).toEqual(Array(24).fill(150))
  expect(new Set(await house.howOf(main, evening, midnight + 4 * hourMs))).toEqual(new Set([1]))
  await house.dueAgain(main, evening, midnight + 4 * hourMs)
  await house.work(midnight + 8 * hourMs)
  expect(await house.whOf(main, evening, midnight + 4 * hourMs)).toEqual(Array(24).fill(150))
})

test('a reading of a clock that is ahead keeps no quarter from being made when it ends', async () => {
  await house.report(main, [...steady(midnight, midnight + hourMs + 2 * minuteMs), [midnight + hourMs + 16 * minuteMs, 100.76]])
  const soon = midnight + hourMs + 3 * minuteMs
  await house.work(soon)
  const { rows } = await house.client.query<{ made_to: Date }>('select made_to from energy_line')
  expect(rows.map(({ made_to }) => made_to.getTime())).toEqual([midnight + hourMs])
  await house.report(main, steady(soon, midnight + hourMs + 15 * minuteMs, 100.63))
  await makeNewQuarters(house.client, midnight + hourMs + 18 * minuteMs)
  expect(await house.whOf(main, midnight + hourMs, midnight + hourMs + quarterMs)).toEqual([150])
})

test('what is due now does not wait for years of before', async () => {
  await house.bring(main, midnight - 20 * dayMs, Array(20 * 24).fill(0.6))
  for (let hour = 0; hour < 450; hour++)
    await house.dueAgain(main, midnight - 20 * dayMs + hour * hourMs, midnight - 20 * dayMs + (hour + 1) * hourMs)
  await house.report(other, steady(midnight, midnight + hourMs))
  await rollUpDue(house.client, new Date(midnight + 2 * hourMs))
  let rounds = 0
  await makeDueQuarters(house.client, midnight + 2 * hourMs, () => rounds++ > 0)
  expect(await house.whOf(other, midnight, midnight + hourMs)).toEqual([150, 150, 150, 150])
  expect(await house.whOf(main, midnight - 20 * dayMs, midnight - 20 * dayMs + quarterMs)).toEqual([null])
  await house.work(midnight + 2 * hourMs)
  expect(await house.whOf(main, midnight - 20 * dayMs, midnight)).toEqual(Array(20 * 96).fill(150))
})

test('quarters are the register’s rise, whatever the order of arrival and however often they are made', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 50 })), { minLength: 3, maxLength: 25 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 25, maxLength: 25 }),
      async (steps, rounds) => {
        await house.client.query(
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
          await house.report(main, arriving)
          await rollUpDue(house.client, new Date(now))
          await makeNewQuarters(house.client, now)
          await makeDueQuarters(house.client, now)
        }
        const end = quarterOf(now)
        const inParts = await house.whOf(main, midnight, end)
        await house.client.query('truncate energy_quarter, energy_line, energy_due')
        await house.client.query('insert into energy_due values (1, $1, $2)', [new Date(midnight), new Date(now)])
        await makeDueQuarters(house.client, now)
        expect(inParts).toEqual(await house.whOf(main, midnight, end))
      },
    ),
    { numRuns: 15 },
  )
})
