import { hourMs, minuteMs } from '@linewarden/equipment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { largestFrameA, maxKwhPerAmpereHour, orderedAfterMs } from '../history/counter.ts'
import { Quality } from '../monitor/quality.ts'
import { lawRuns } from '../test-runs.ts'
import type { RegisterReading } from './register.ts'
import { registerOf } from './register.ts'

/**
 * What each reading counts by the words of ADR 17, each asked of all readings anew: null of the first one and of those that give way to others. Slow, and
 * written without a look at how it is done.
 */
function countedByTheWords(readings: readonly RegisterReading[], ratedA: number): ReadonlyMap<number, number> {
  const isOff = ({ quality }: RegisterReading) => (quality & Quality.clock) !== 0
  const hourOf = (at: number) => Math.floor(at / hourMs)
  const sorted = readings.toSorted((one, other) => one.at - other.at)
  const kept = sorted.filter(
    (each) => !isOff(each) || !sorted.some((other) => !isOff(other) && hourOf(other.at) === hourOf(each.at)),
  )
  const isFallen = (index: number): boolean => {
    const { at, kwh } = kept[index]!
    const earlier = kept.slice(0, index)
    const old = earlier.findLast((each) => each.at <= at - orderedAfterMs)
    if (!old) return earlier.some((each) => kwh < each.kwh / 2)
    return isOff(old) === isOff(kept[index]!) && kwh < old.kwh
  }
  const fallen = kept.map((_, index) => isFallen(index))
  const isReset = kept.map(
    ({ at }, index) =>
      fallen[index]! && !kept.some((other, place) => place < index && fallen[place] && other.at >= at - orderedAfterMs),
  )
  const counted = new Map<number, number>()
  for (const [index, { at, kwh }] of kept.entries()) {
    const before = kept[index - 1]
    if (!before) continue
    const epochStart = isReset.findLastIndex((reset, place) => reset && place < index)
    const recent = kept.slice(Math.max(0, epochStart), index).filter((each) => each.at >= before.at - orderedAfterMs)
    const used = isReset[index] ? kwh : Math.max(0, kwh - Math.max(...recent.map((each) => each.kwh)))
    const most = (ratedA || largestFrameA) * maxKwhPerAmpereHour * ((at - before.at + orderedAfterMs) / hourMs)
    counted.set(at, (fallen[index] || fallen[index - 1]) && used > most ? 0 : used)
  }
  return counted
}

/** What each reading added, by the knots. */
function countedByKnots(readings: readonly RegisterReading[], ratedA: number): ReadonlyMap<number, number> {
  const knots = registerOf(readings, [], ratedA)
  const counted = new Map<number, number>()
  for (const [index, { at, kwh, epoch }] of knots.entries()) {
    const before = knots[index - 1]
    if (!before) continue
    // A new epoch begins with nought where the one before ended, or else with what nothing is known of.
    const isJoint = before.epoch !== epoch && before.at === at
    if (!isJoint) counted.set(at, before.epoch === epoch ? kwh - before.kwh : 0)
  }
  return counted
}

/** Registers that mostly rise, with falls, jumps, resets and clocks that were off, each minute at most once. */
const anyReadings = fc
  .array(
    fc.record({
      minutes: fc.oneof(
        { weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) },
        { weight: 1, arbitrary: fc.integer({ min: 5, max: 90 }) },
      ),
      step: fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 0, max: 20 }) },
        { weight: 1, arbitrary: fc.integer({ min: -30, max: 0 }) },
        { weight: 1, arbitrary: fc.constantFrom(-100_000, -400, 3_000) },
      ),
      quality: fc.constantFrom(0, 0, 0, 0, Quality.clock, Quality.historical),
    }),
    { maxLength: 60 },
  )
  .map((steps): readonly RegisterReading[] => {
    let [at, tenths] = [0, 500]
    return steps.map(({ minutes, step, quality }) => {
      at += minutes * minuteMs
      tenths = Math.max(0, tenths + step)
      return { at, kwh: tenths / 10, quality }
    })
  })

test('each reading counts what ADR 17 says that it does', () => {
  fc.assert(
    fc.property(anyReadings, fc.constantFrom(0, 16, 63), (readings, ratedA) => {
      const [words, knots] = [countedByTheWords(readings, ratedA), countedByKnots(readings, ratedA)]
      expect([...knots.keys()]).toEqual([...words.keys()])
      for (const [at, used] of words) expect(knots.get(at)).toBeCloseTo(used, 6)
    }),
    { numRuns: lawRuns(300) },
  )
})

test('a register that begins again counts what one without an end would', () => {
  const anyRises = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 2, maxLength: 80 })
  fc.assert(
    fc.property(anyRises, fc.integer({ min: 9_500, max: 9_999 }), (rises, begins) => {
      let tenths = begins
      const endless = rises.map((rise, index) => {
        tenths += rise
        return { at: index * 5 * minuteMs, kwh: tenths / 10, quality: 0 }
      })
      const full = endless.map((each) => ({ ...each, kwh: Math.round((each.kwh % 1_000) * 10) / 10 }))
      const span = { from: 0, to: null, multiplier: 60, registerMaxKwh: 1_000, startRegisterKwh: null, endRegisterKwh: null }
      const knots = registerOf(full, [span], null)
      const usedWh = Math.round(((knots.at(-1)?.kwh ?? 0) - (knots[0]?.kwh ?? 0)) * 1_000)
      expect(usedWh).toBe(Math.round((tenths - endless[0]!.kwh * 10) * 6_000))
      expect(new Set(knots.map(({ epoch }) => epoch)).size).toBe(1)
    }),
    { numRuns: lawRuns(300) },
  )
})
