import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { dayOfSlot } from './cover.ts'
import { barsOf, energyUnits } from './periods.ts'
import type { Quarters } from './quarters.ts'
import { How, quartersOf } from './quarters.ts'
import type { MeterSpan, RegisterReading } from './register.ts'
import { registerOf } from './register.ts'
import { quarterMs, quarterOf, slotsOfDay, startOfDay } from './slots.ts'
import { addSums, emptySum, sumOfQuarters } from './sums.ts'
import { anyDay, anyZone, byClock, evenly, risingFrom } from './test-energy.ts'

// The laws of energy.md that are of quarters alone, against the readings themselves.
const numRuns = lawRuns(300)
const periodMs = 60_000
const never = Number.MAX_SAFE_INTEGER

const anyUsual = fc.constantFrom(evenly, byClock)
/** Readings that begin somewhere around the start of a civil day. */
const anyCase = fc
  .record({ zone: anyZone, day: anyDay, offset: fc.integer({ min: -2_000, max: 2_000 }), usual: anyUsual })
  .chain((each) => risingFrom(startOfDay(each.zone, each.day) + each.offset * 60_000).map((readings) => ({ ...each, readings })))

const slotsBetween = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, (to - from) / quarterMs) }, (_, index) => from + index * quarterMs)

const firstAt = (readings: readonly RegisterReading[]) => readings[0]?.at ?? 0
const lastAt = (readings: readonly RegisterReading[]) => readings.at(-1)?.at ?? 0
const spanOf = (readings: readonly RegisterReading[]) =>
  slotsBetween(quarterOf(firstAt(readings)) - quarterMs, quarterOf(lastAt(readings)) + 2 * quarterMs)

test('quarters sum to the difference of the register over every stretch that is known', () => {
  fc.assert(
    fc.property(anyCase, fc.nat(), ({ readings, usual }, pick) => {
      const knots = registerOf(readings, [], null)
      const slots = spanOf(readings)
      const { wh } = quartersOf(knots, slots, { now: never, periodMs, usual })
      // Readings put on two quarters: there the register is known to the Wh whatever lies between.
      const from = Math.ceil(firstAt(readings) / quarterMs) * quarterMs
      const to = Math.max(from, quarterOf(lastAt(readings)) - (pick % 5) * quarterMs)
      const extra = [from, to].map((at) => ({ at, kwh: registerBy(readings, at), quality: 0 }))
      const withBoth = registerOf([...readings, ...extra], [], null)
      const made = quartersOf(withBoth, slotsBetween(from, to), { now: never, periodMs, usual: evenly })
      const difference = Math.round(registerBy(readings, to) * 1_000) - Math.round(registerBy(readings, from) * 1_000)
      if (to > from) expect(sumOfQuarters(made).usedWh).toBe(difference)
      // And whatever the course of the silences, all of it lies between the first reading and the last.
      const whole = Math.round((lastKwh(readings) - (readings[0]?.kwh ?? 0)) * 1_000)
      expect(wh.reduce<number>((sum, each) => sum + (each ?? 0), 0)).toBeLessThanOrEqual(whole)
    }),
    { numRuns },
  )
})

const lastKwh = (readings: readonly RegisterReading[]) => readings.at(-1)?.kwh ?? 0

/** The register at an instant, straight between the readings around it. */
function registerBy(readings: readonly RegisterReading[], at: number): number {
  const next = readings.findIndex((each) => each.at >= at)
  const [before, after] = [readings[next - 1], readings[next]]
  if (!after) return lastKwh(readings)
  if (!before) return after.kwh
  return before.kwh + ((after.kwh - before.kwh) * (at - before.at)) / (after.at - before.at)
}

test('hours sum to days and days to the whole, on every date, and each date can be made alone', () => {
  fc.assert(
    fc.property(anyCase, ({ zone, readings, usual }) => {
      const knots = registerOf(readings, [], null)
      const question = { now: never, periodMs, usual }
      const [first, last] = [dayOfSlot(zone, quarterOf(firstAt(readings))), dayOfSlot(zone, quarterOf(lastAt(readings)))]
      const whole = quartersOf(knots, slotsBetween(startOfDay(zone, first), startOfDay(zone, last + 1)), question)
      const days = Array.from({ length: last - first + 1 }, (_, index) => {
        const slots = slotsOfDay(zone, first + index)
        const made = quartersOf(knots, slots, question)
        const hours = slots.flatMap((_slot, at) =>
          at % 4 === 0 ? [sumOfQuarters(made, at, Math.min(at + 4, slots.length))] : [],
        )
        expect(addSums(hours)).toEqual(sumOfQuarters(made))
        return sumOfQuarters(made)
      })
      expect(addSums(days)).toEqual(sumOfQuarters(whole))
    }),
    { numRuns },
  )
})

test('bars by the hour, day, month and year give the same energy, in every zone', () => {
  fc.assert(
    fc.property(anyCase, ({ zone, readings, usual }) => {
      const knots = registerOf(readings, [], null)
      const [first, last] = [
        zone.dayAt(firstAt(readings)),
        Math.min(zone.dayAt(lastAt(readings)), zone.dayAt(firstAt(readings)) + 40),
      ]
      const sums = energyUnits.map((unit) =>
        addSums(
          barsOf(zone, unit, first, last + 1).map(({ start, end }) =>
            sumOfQuarters(quartersOf(knots, slotsBetween(start, end), { now: never, periodMs, usual })),
          ),
        ),
      )
      for (const each of sums) expect(each).toEqual(sums[0])
    }),
    { numRuns: lawRuns(100) },
  )
})

test('cutting a stretch anywhere and joining it again changes no quarter', () => {
  fc.assert(
    fc.property(anyCase, fc.array(fc.nat(400), { maxLength: 5 }), ({ readings, usual }, cuts) => {
      const knots = registerOf(readings, [], null)
      const slots = spanOf(readings)
      const question = { now: never, periodMs, usual }
      const edges = [0, ...cuts.filter((cut) => cut < slots.length), slots.length].sort((one, other) => one - other)
      const pieces = edges.slice(1).map((edge, index) => quartersOf(knots, slots.slice(edges[index], edge), question))
      expect(joined(pieces)).toEqual(quartersOf(knots, slots, question))
    }),
    { numRuns },
  )
})

const joined = (pieces: readonly Quarters[]): Quarters => ({
  wh: pieces.flatMap(({ wh }) => wh),
  how: Uint8Array.from(pieces.flatMap(({ how }) => [...how])),
})

/** Readings as plants send them: resets, small falls, clocks that were off. */
const anyReports = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 3_000 }).map((minutes) => minutes * 60_000),
    kwh: fc.oneof(
      fc.integer({ min: 0, max: 3_000 }).map((tenths) => tenths / 10),
      fc.constantFrom(0, 0.1, 300, -5, Number.NaN),
    ),
    quality: fc.constantFrom(0, 0, 0, 1, 2),
  }),
  { maxLength: 50 },
)

test('the order of the reports, and that one comes twice, changes nothing', () => {
  fc.assert(
    fc.property(anyReports, fc.infiniteStream(fc.nat()), (reports, order) => {
      const keys = reports.map(() => order.next().value ?? 0)
      const shuffled = reports.map((each, index) => ({ each, key: keys[index] ?? 0 })).sort((one, other) => one.key - other.key)
      const again = [...shuffled.map(({ each }) => each), ...reports.slice(0, 5)]
      expect(registerOf(again, [], 63)).toEqual(registerOf(reports, [], 63))
    }),
    { numRuns },
  )
})

const anySpans: fc.Arbitrary<readonly MeterSpan[]> = fc
  .array(
    fc.record({
      minutes: fc.integer({ min: 100, max: 1_500 }),
      multiplier: fc.constantFrom(1, 60, 400),
      start: fc.option(fc.constantFrom(0, 12)),
      end: fc.option(fc.constantFrom(100, 290)),
      max: fc.option(fc.constant(300)),
    }),
    { maxLength: 3 },
  )
  .map((each) => {
    let from = 0
    return each.map(({ minutes, multiplier, start, end, max }) => {
      const span = {
        from,
        to: from + minutes * 60_000,
        multiplier,
        registerMaxKwh: max,
        startRegisterKwh: start,
        endRegisterKwh: end,
      }
      from = span.to
      return span
    })
  })

test('no quarter is negative, none that is missing has energy, and inside an epoch nothing falls', () => {
  fc.assert(
    fc.property(anyReports, anySpans, anyUsual, fc.integer({ min: 0, max: 4_000 }), (reports, spans, usual, minutes) => {
      const knots = registerOf(reports, spans, 63)
      const fallen = knots.filter(({ at, kwh, epoch }, index) => {
        const before = knots[index - 1]
        return before && (at < before.at || epoch < before.epoch || (epoch === before.epoch && kwh < before.kwh))
      })
      expect(fallen).toEqual([])
      const { wh, how } = quartersOf(knots, slotsBetween(0, 240 * quarterMs), { now: minutes * 60_000, periodMs, usual })
      const wrong = wh.filter((each, index) => {
        const isUnknown = how[index] === How.missing || how[index] === How.open
        return isUnknown ? each !== null : each === null || !Number.isInteger(each) || each < 0
      })
      expect(wrong).toEqual([])
    }),
    { numRuns },
  )
})

test('the course of a silence changes no total: the quarters that it fills sum alike however it is spread', () => {
  fc.assert(
    fc.property(anyCase, ({ readings }) => {
      const knots = registerOf(readings, [], null)
      const slots = spanOf(readings)
      const [even, uneven] = [evenly, byClock].map((usual) => {
        const made = quartersOf(knots, slots, { now: never, periodMs, usual })
        return [...made.how.keys()].reduce((sum, index) => sum + (made.how[index] === How.missing ? 1 : 0), 0)
      })
      expect(even).toBe(uneven)
      const widened = [firstAt(readings), lastAt(readings)].map((at, index) => ({
        at: index === 0 ? quarterOf(at) : quarterOf(at) + quarterMs,
        kwh: index === 0 ? (readings[0]?.kwh ?? 0) : lastKwh(readings),
        quality: 0,
      }))
      const wide = registerOf([...readings, ...widened], [], null)
      const sums = [evenly, byClock].map(
        (usual) => sumOfQuarters(quartersOf(wide, slots, { now: never, periodMs, usual })).usedWh,
      )
      expect(sums[0]).toBe(sums[1])
      expect(sums[0]).toBe(Math.round(lastKwh(readings) * 1_000) - Math.round((readings[0]?.kwh ?? 0) * 1_000))
    }),
    { numRuns },
  )
})

test('no readings are no energy and not nought', () => {
  const made = quartersOf(registerOf([], [], null), slotsBetween(0, 4 * quarterMs), { now: never, periodMs, usual: evenly })
  expect(made.wh).toEqual([null, null, null, null])
  expect(sumOfQuarters(made)).toEqual({ ...emptySum, quarters: 4, missing: 4 })
})
