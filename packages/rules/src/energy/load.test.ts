import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCalendar } from '../automation/calendar.ts'
import { bundledDays } from '../automation/chinese-holidays.ts'
import type { CivilZone } from '../automation/civil-time.ts'
import { civilZone, parseDate } from '../automation/civil-time.ts'
import { lawRuns } from '../test-runs.ts'
import { maxDemandOf } from './demand.ts'
import type { Load } from './load.ts'
import { durationCurve, howOfParts, largestQuarters, loadFiguresOf, loadQuarters, percentileOf } from './load.ts'
import { heatOfDay, loadDayTypeOf, typicalDays } from './load-days.ts'
import { loadRangeProblem } from './load-range.ts'
import { How } from './quarters.ts'
import { quarterMs, slotsOfDay, startOfDay } from './slots.ts'
import { anyDay, anyZone } from './test-energy.ts'

const numRuns = lawRuns(200)
const shanghai = civilZone('Asia/Shanghai')
const dayOf = (date: string) => parseDate(date)!
const noHolidays = createCalendar({})

/** The quarters of some dates, each as `quarter` says: Wh and how it is known. */
function loadOf(
  zone: CivilZone,
  first: number,
  days: number,
  quarter: (index: number) => readonly [number | null, number],
): Load {
  const slots = Array.from({ length: days }, (_, index) => slotsOfDay(zone, first + index)).flat()
  const all = slots.map((_, index) => quarter(index))
  return { slots, wh: all.map(([wh]) => wh), how: Uint8Array.from(all, ([, how]) => how) }
}

const anyQuarter = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.nat(5_000), fc.constantFrom(How.measured, How.estimated, How.spread, How.entered)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant(null), fc.constantFrom(How.missing, How.open)) },
)
/** Two dates, also those on which clocks change, of quarters known in every way. */
const anyLoad = fc
  .record({ zone: anyZone, day: anyDay, quarters: fc.array(anyQuarter, { minLength: 200, maxLength: 200 }) })
  .map(({ zone, day, quarters }) => ({
    ...{ zone, day },
    load: loadOf(zone, day, 2, (index) => quarters[index] ?? [null, How.missing]),
  }))

test('a duration curve never rises, begins at the maximum, ends at the minimum, and each point is reached for its share of the time', () => {
  fc.assert(
    fc.property(anyLoad, ({ load, zone }) => {
      const quarters = loadQuarters(load)
      const curve = durationCurve(quarters)
      const { maxW, minW } = loadFiguresOf(load, quarters, zone)
      for (const [index, { perMille, w }] of curve.entries()) {
        expect(w).toBeLessThanOrEqual(curve[index - 1]?.w ?? Number.POSITIVE_INFINITY)
        const reached = quarters.filter((each) => each.w >= w).length
        expect(reached * 1_000).toBeGreaterThanOrEqual(perMille * quarters.length)
      }
      expect([curve[0]?.w ?? null, curve.at(-1)?.w ?? null]).toEqual([maxW, minW])
    }),
    { numRuns },
  )
})

test('the load factor is at most 1, the mean lies between minimum and maximum, and the maximum is that of demand', () => {
  fc.assert(
    fc.property(anyLoad, ({ load, zone }) => {
      const quarters = loadQuarters(load)
      const figures = loadFiguresOf(load, quarters, zone)
      const demand = maxDemandOf(load, load.slots)
      expect([figures.maxW, figures.maxAt]).toEqual([demand.maxW, demand.at])
      const { spread, entered, missing } = figures.leftOut
      expect(spread + entered + missing).toBe(demand.leftOut)
      expect(largestQuarters(quarters, 1).map(({ at }) => at)).toEqual(demand.at === null ? [] : [demand.at])
      const falling = quarters.toSorted((one, other) => other.w - one.w || one.at - other.at)
      for (const count of [2, 5, 200]) expect(largestQuarters(quarters, count)).toEqual(falling.slice(0, count))
      if (figures.loadFactor !== null) {
        expect(figures.loadFactor).toBeLessThanOrEqual(1)
        expect(figures.meanW!).toBeGreaterThanOrEqual(figures.minW!)
        // The maximum, for so many hours, uses what was used.
        expect(figures.fullLoadHours! * figures.maxW!).toBeCloseTo(
          quarters.reduce((sum, { w }) => sum + w / 4, 0),
          3,
        )
      }
    }),
    { numRuns },
  )
})

test('means of hours, each weighed by its quarters, are the energy of the date, on dates of 92 and 100 quarters too', () => {
  fc.assert(
    fc.property(anyLoad, ({ load, zone, day }) => {
      const cells = heatOfDay(load, { zone, first: day }, day)
      const count = slotsOfDay(zone, day).length
      const used = load.wh.slice(0, count).reduce<number>((sum, each) => sum + (each ?? 0), 0)
      expect(cells.reduce((sum, { meanW, known }) => sum + ((meanW ?? 0) * known) / 4, 0)).toBeCloseTo(used, 3)
      expect(cells).toHaveLength(24)
      expect(cells.reduce((sum, { known }) => sum + known, 0)).toBe(
        load.wh.slice(0, count).filter((each) => each !== null).length,
      )
    }),
    { numRuns },
  )
})

test('a steady load is the same in every hour that the clock shows, once or twice', () => {
  fc.assert(
    fc.property(anyZone, anyDay, (zone, day) => {
      const load = loadOf(zone, day, 1, () => [250, How.measured])
      for (const { meanW, how } of heatOfDay(load, { zone, first: day }, day)) {
        expect(meanW).toBe(how === 'skipped' ? null : 1_000)
        expect(['skipped', How.measured]).toContain(how)
      }
    }),
    { numRuns },
  )
})

test('an hour that came twice has eight quarters, and one that the clock left out none', () => {
  const berlin = civilZone('Europe/Berlin')
  const knownOn = (date: string) =>
    heatOfDay(
      loadOf(berlin, dayOf(date), 1, () => [1, How.measured]),
      { zone: berlin, first: dayOf(date) },
      dayOf(date),
    ).map(({ known }) => known)
  expect(knownOn('2026-10-25').slice(0, 5)).toEqual([4, 4, 8, 4, 4])
  expect(knownOn('2026-03-29').slice(0, 5)).toEqual([4, 4, 0, 4, 4])
})

test('the figures of a day by hand: 2 kW by night, 10 kW from eight to sixteen, one quarter of 12 kW', () => {
  const load = loadOf(shanghai, dayOf('2026-11-30'), 1, (index) => [
    index === 40 ? 3_000 : index >= 32 && index < 64 ? 2_500 : 500,
    How.measured,
  ])
  const quarters = loadQuarters(load)
  const figures = loadFiguresOf(load, quarters, shanghai)
  // 31 quarters of 10 kW, one of 12 and 64 of 2 are 112.5 kWh, over 24 h 4.6875 kW.
  expect(figures).toMatchObject({ maxW: 12_000, maxAt: load.slots[40], meanW: 4_687.5, minW: 2_000, complete: 1 })
  expect(figures.loadFactor).toBeCloseTo(4.6875 / 12)
  expect(figures.fullLoadHours).toBeCloseTo(112.5 / 12)
  // 20 quarters before five are too few for a base.
  expect(figures).toMatchObject({ baseW: null, baseQuarters: 20 })
  const [largest, next] = largestQuarters(quarters, 20)
  expect([largest, next]).toEqual([
    { at: load.slots[40], w: 12_000, how: How.measured },
    { at: load.slots[32], w: 10_000, how: How.measured },
  ])
  const at = (perMille: number) => durationCurve(quarters).find((each) => each.perMille === perMille)?.w
  expect([at(10), at(20), at(330), at(340)]).toEqual([12_000, 10_000, 10_000, 2_000])
})

test('the base is of measured quarters of the night alone, from 60 on', () => {
  const days = (howOfNight: number, count: number) => {
    const load = loadOf(shanghai, dayOf('2026-11-02'), count, (index) => {
      const quarter = index % 96
      return quarter < 20 ? [100 + quarter, howOfNight] : [10, How.measured]
    })
    return loadFiguresOf(load, loadQuarters(load), shanghai)
  }
  expect(days(How.measured, 2)).toMatchObject({ baseW: null, baseQuarters: 40 })
  // The third of 60, which are 100, 100, 100, 101 ... Wh.
  expect(days(How.measured, 3)).toMatchObject({ baseW: 400, baseQuarters: 60 })
  expect(days(How.estimated, 3)).toMatchObject({ baseW: null, baseQuarters: 0 })
})

test('what is missing is not nought, and what was spread or entered makes no demand', () => {
  const hows = [How.measured, How.spread, How.entered, How.missing, How.open, How.estimated]
  const load = loadOf(shanghai, dayOf('2026-11-30'), 1, (index) => {
    const how = hows[index] ?? How.open
    return [how === How.missing || how === How.open ? null : 1_000 * (index + 1), how]
  })
  const figures = loadFiguresOf(load, loadQuarters(load), shanghai)
  expect(figures).toMatchObject({ quarters: 2, estimated: 1, minW: 4_000, maxW: 24_000, maxHow: How.estimated })
  expect(figures.leftOut).toEqual({ spread: 1, entered: 1, missing: 1 })
  expect(figures.complete).toBe(4 / 5)
  const nothing = loadOf(shanghai, dayOf('2026-11-30'), 1, () => [null, How.missing])
  expect(loadFiguresOf(nothing, loadQuarters(nothing), shanghai)).toMatchObject({
    ...{ maxW: null, minW: null, meanW: null, loadFactor: null, fullLoadHours: null, baseW: null, complete: 0 },
  })
  expect(durationCurve([])).toEqual([])
})

test('a quarter of several lines is as little known as the line of it that says least of its course', () => {
  const none = { missing: 0, spread: 0, estimated: 0, entered: 0 }
  expect(howOfParts(none)).toBe(How.measured)
  expect(howOfParts({ ...none, estimated: 5 })).toBe(How.estimated)
  expect(howOfParts({ ...none, estimated: 5, spread: 1 })).toBe(How.spread)
  expect(howOfParts({ ...none, estimated: 5, entered: 1 })).toBe(How.entered)
  expect(howOfParts({ ...none, spread: 5, missing: 1 })).toBe(How.missing)
})

test('typical days: the median and the tenths of each type of day, a weekend worked being a workday', () => {
  const calendar = createCalendar({ bundle: bundledDays('Asia/Shanghai') })
  // 1 to 11 October 2026: holidays to the 7th, Saturday the 10th is worked, Sunday the 11th is not.
  expect(
    ['2026-10-07', '2026-10-08', '2026-10-10', '2026-10-11', '2026-10-17'].map((date) => loadDayTypeOf(calendar, dayOf(date))),
  ).toEqual(['holiday', 'workday', 'workday', 'holiday', 'saturday'])
  const first = dayOf('2026-10-01')
  const load = loadOf(shanghai, first, 11, (index) => [100 * (Math.floor(index / 96) + 1), How.measured])
  const days = typicalDays(load, { zone: shanghai, first, end: first + 11 }, calendar)
  expect(days.map(({ type, days: count }) => [type, count])).toEqual([
    ['workday', 3],
    ['holiday', 8],
  ])
  // The 8th, 9th and 10th: 3.2, 3.6 and 4 kW.
  expect(days[0]?.quarters[0]).toEqual({ p10W: 3_200, medianW: 3_600, p90W: 4_000, count: 3 })
  expect(days[1]?.quarters[95]).toEqual({ p10W: 400, medianW: 1_600, p90W: 4_400, count: 8 })
})

test('in a typical day no tenth is beyond the median, and no quarter counts that makes no demand', () => {
  fc.assert(
    fc.property(anyLoad, ({ load, zone, day }) => {
      const days = typicalDays(load, { zone, first: day, end: day + 2 }, noHolidays)
      for (const { p10W, medianW, p90W } of days.flatMap(({ quarters }) => quarters)) {
        expect(p10W ?? 0).toBeLessThanOrEqual(medianW ?? 0)
        expect(medianW ?? 0).toBeLessThanOrEqual(p90W ?? 0)
      }
      const counted = days.flatMap(({ quarters }) => quarters).reduce((sum, { count }) => sum + count, 0)
      expect(counted).toBe(loadQuarters(load).length)
    }),
    { numRuns },
  )
})

test('ranks are exact: 7 % of 100 is the seventh', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
  expect([0, 10, 70, 75, 500, 1_000].map((perMille) => percentileOf(hundred, perMille))).toEqual([1, 1, 7, 8, 50, 100])
  expect(percentileOf([], 500)).toBe(null)
})

test('a period goes over the dates that it has, and one that its zone left out is none', () => {
  const apia = civilZone('Pacific/Apia')
  const skipped = dayOf('2011-12-30')
  const load = loadOf(apia, skipped - 1, 3, () => [1, How.measured])
  expect(load.slots.at(-1)! - startOfDay(apia, skipped - 1)).toBe(191 * quarterMs)
  const days = typicalDays(load, { zone: apia, first: skipped - 1, end: skipped + 2 }, noHolidays)
  expect(days.map(({ days: count }) => count).reduce((one, other) => one + other, 0)).toBe(2)
  expect(heatOfDay(load, { zone: apia, first: skipped - 1 }, skipped).every(({ how }) => how === 'skipped')).toBe(true)
})

test.each([
  ['profile', '2025-01-01', '2026-01-01', null],
  ['heat', '2024-01-01', '2025-01-01', null],
  ['max', '2024-01-01', '2025-01-02', 'tooManyDays'],
  ['quarters', '2025-01-01', '2025-02-01', null],
  ['quarters', '2025-01-01', '2025-02-02', 'tooManyDays'],
  ['duration', '2025-01-01', '2025-01-01', 'endsBeforeStart'],
  ['duration', '2025-02-29', '2025-03-01', 'notDates'],
] as const)('%s from %s to before %s: %s', (kind, from, to, problem) => expect(loadRangeProblem(kind, from, to)).toBe(problem))
