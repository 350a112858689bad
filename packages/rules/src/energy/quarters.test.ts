import { expect, test } from 'vitest'
import { Quality } from '../monitor/quality.ts'
import { withPower } from './power.ts'
import { How, quartersOf, runningWh } from './quarters.ts'
import type { Knot, MeterSpan, RegisterReading } from './register.ts'
import { registerOf } from './register.ts'
import { quarterMs } from './slots.ts'
import { byClock, evenly } from './test-energy.ts'

const minuteMs = 60_000
const periodMs = minuteMs
const ratedA = 63
const later = 1_000 * quarterMs

/** A reading so many minutes after the beginning. */
const at = (minutes: number, kwh: number, quality = 0): RegisterReading => ({ at: minutes * minuteMs, kwh, quality })
/** Readings of every minute from one to another, both included, rising evenly. */
const steady = (from: number, to: number, kwh: number, kwhPerMinute: number): readonly RegisterReading[] =>
  Array.from({ length: to - from + 1 }, (_, index) => at(from + index, kwh + index * kwhPerMinute))

const slotsOf = (count: number) => Array.from({ length: count }, (_, index) => index * quarterMs)
const quartersFrom = (knots: readonly Knot[], count: number, now = later, usual = evenly) => {
  const { wh, how } = quartersOf(knots, slotsOf(count), { now, periodMs, usual })
  return { wh, how: [...how] }
}
const used = (readings: readonly RegisterReading[], count: number, spans: readonly MeterSpan[] = []) =>
  quartersFrom(registerOf(readings, spans, ratedA), count)

const { measured, spread, estimated, entered, missing, open } = How

test('a register read every minute gives each quarter what it rose', () =>
  expect(used(steady(0, 30, 100, 0.02), 2)).toEqual({ wh: [300, 300], how: [measured, measured] }))

test('nothing before the first reading nor after the last becomes energy of the quarters beside them', () =>
  expect(used(steady(20, 50, 500, 0.1), 5)).toEqual({
    wh: [null, null, 1_500, null, null],
    how: [missing, missing, measured, missing, missing],
  }))

test('a silence of hours is spread over its quarters, and never the peak of the one in which the equipment came back', () =>
  expect(used([...steady(0, 15, 100, 0.02), ...steady(75, 90, 101.5, 0.02)], 6)).toEqual({
    wh: [300, 300, 300, 300, 300, 300],
    how: [measured, spread, spread, spread, spread, measured],
  }))

test('in a silence energy goes as the line usually does, and its total is the register', () => {
  const knots = registerOf([...steady(0, 15, 100, 0.02), ...steady(75, 90, 101.5, 0.02)], [], ratedA)
  const usual = (_gapFrom: number, slot: number) => (slot === 2 * quarterMs ? 700 : 100)
  expect(quartersFrom(knots, 6, later, usual).wh).toEqual([300, 120, 840, 120, 120, 300])
})

test('fourteen minutes without a report are no silence, sixteen are one', () => {
  expect(used([at(0, 1), at(14, 2), at(15, 2)], 1).how).toEqual([measured])
  expect(used([at(0, 1), at(16, 2), at(30, 3)], 2).how).toEqual([spread, spread])
})

test('a quarter that has not ended is open, and one whose end is not reported yet too', () => {
  const knots = registerOf(steady(0, 29, 100, 0.02), [], ratedA)
  expect(quartersFrom(knots, 3, 29 * minuteMs).how).toEqual([measured, open, open])
  expect(quartersFrom(knots, 3, 32 * minuteMs).how).toEqual([measured, open, open])
  // Silent for longer than a quarter: what is not there will not come by itself.
  expect(quartersFrom(knots, 3, 45 * minuteMs).how).toEqual([measured, missing, missing])
})

test('a late reading makes a missing quarter measured, and no other quarter changes', () => {
  const early = steady(0, 15, 100, 0.02)
  expect(used(early, 2).wh).toEqual([300, null])
  expect(used([...steady(16, 30, 100.32, 0.02), ...early], 2)).toEqual({ wh: [300, 300], how: [measured, measured] })
})

test('the running quarter is what the register rose since it began', () => {
  const knots = registerOf(steady(0, 20, 100, 0.02), [], ratedA)
  const question = { periodMs, usual: evenly }
  expect(runningWh(knots, quarterMs, question)).toBe(100)
  expect(runningWh(knots, 2 * quarterMs, question)).toBeNull()
  expect(runningWh(knots, -quarterMs, question)).toBeNull()
})

test('after a reset counts what the register shows', () =>
  expect(used([...steady(0, 20, 500, 0), ...steady(21, 45, 0.04, 0.01)], 3)).toEqual({
    wh: [0, 130, 150],
    how: [measured, measured, measured],
  }))

test('215.7 and then 215.6 is a clock and no reset of 215.6 kWh', () =>
  expect(used([at(0, 215.5), at(5, 215.7), at(7, 215.6), at(12, 215.8), at(15, 215.8)], 1).wh).toEqual([300]))

test('another meter in place of one counts nothing of what it brings along, and the quarter between them is missing', () =>
  expect(used([...steady(0, 20, 500, 0), ...steady(31, 60, 300, 0)], 4)).toEqual({
    wh: [0, null, null, 0],
    how: [measured, missing, missing, measured],
  }))

const meter = (from: number, to: number | null, more: Partial<MeterSpan> = {}): MeterSpan => ({
  from: from * minuteMs,
  to: to === null ? null : to * minuteMs,
  ...{ multiplier: 1, registerMaxKwh: null, startRegisterKwh: null, endRegisterKwh: null },
  ...more,
})

test('registers that were read off close the hole between two meters, and its quarters say that they were entered', () => {
  const readings = [...steady(0, 20, 500, 0.01), ...steady(30, 45, 7, 0.01)]
  const spans = [meter(0, 25, { endRegisterKwh: 500.3 }), meter(25, null, { startRegisterKwh: 6.9 })]
  expect(used(readings, 3, spans)).toEqual({ wh: [150, 250, 150], how: [measured, entered, measured] })
})

test('an end that was entered below the last reading counts nothing, and a start above the first closes nothing', () => {
  const readings = [...steady(0, 20, 500, 0.01), ...steady(31, 45, 7, 0.01)]
  const spans = [meter(0, 25, { endRegisterKwh: 5 }), meter(25, null, { startRegisterKwh: 60 })]
  expect(used(readings, 3, spans)).toEqual({ wh: [150, null, null], how: [measured, missing, missing] })
})

test('a register counts times its transformers', () =>
  expect(used(steady(0, 15, 100, 0.01), 1, [meter(0, null, { multiplier: 400 })]).wh).toEqual([60_000]))

test('a register that is full begins again and loses nothing', () => {
  const readings = [...steady(0, 7, 9_999.93, 0.01), ...steady(8, 15, 0.01, 0.01)]
  expect(used(readings, 1, [meter(0, null, { registerMaxKwh: 10_000 })]).wh).toEqual([150])
})

test('a fall from the end of a register by more than the line can carry is no new beginning', () => {
  const readings = [...steady(0, 14, 9_100, 0), at(15, 900)]
  expect(used(readings, 1, [meter(0, null, { registerMaxKwh: 10_000 })])).toEqual({ wh: [null], how: [missing] })
})

test('readings of a clock that was off give way to others of their hour, and count where there are none', () => {
  expect(used([...steady(0, 15, 100, 0.02), at(8, 900, Quality.clock)], 1).wh).toEqual([300])
  expect(
    used(
      steady(0, 15, 100, 0.02).map((each) => ({ ...each, quality: Quality.clock })),
      1,
    ).wh,
  ).toEqual([300])
})

test('quarters of a day are the same whichever readings before it are read along', () => {
  const all = steady(0, 90, 1_000.0007, 0.0333)
  const some = all.slice(25)
  const whole = quartersFrom(registerOf(all, [], ratedA), 6, later, byClock).wh.slice(2)
  expect(quartersFrom(registerOf(some, [], ratedA), 6, later, byClock).wh.slice(2)).toEqual(whole)
})

test('where power is reported a coarse register is as fine as power is, and counts the same', () => {
  const readings = Array.from({ length: 61 }, (_, minute) => at(minute, minute < 60 ? 100 : 101))
  const knots = registerOf(readings, [], ratedA)
  const powers = Array.from({ length: 60 }, (_, minute) => ({ at: minute * minuteMs, kw: minute < 30 ? 1.5 : 0.5 }))
  expect(quartersFrom(knots, 4).wh).toEqual([0, 0, 0, 1_000])
  expect(quartersFrom(withPower(knots, powers, periodMs), 4).wh).toEqual([375, 375, 125, 125])
  // A hole in the power: the register alone says when it rose.
  expect(withPower(knots, powers.toSpliced(20, 5), periodMs)).toEqual(knots)
})

test('how a quarter is known is that of its part that is known least', () => {
  const estimate: Knot = { at: 0, kwh: 0, epoch: 0, marked: false, source: 'power' }
  const knots = [estimate, { ...estimate, at: quarterMs, kwh: 0.25 }]
  expect(quartersFrom(knots, 1)).toEqual({ wh: [250], how: [estimated] })
})
