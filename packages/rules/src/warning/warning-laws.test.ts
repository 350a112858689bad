import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { ArcDay } from './arc-precursor.ts'
import { arcPrecursor, evaluateArcPrecursor } from './arc-precursor.ts'
import { defaultParams } from './detector.ts'
import type { Outcome } from './finding.ts'
import { isFinding } from './finding.ts'
import type { LiveChange } from './live-change.ts'
import { evaluateWeeklyPeaks, loadGrowth } from './load-growth.ts'
import { foldNeutral, neutral, newNeutralState } from './neutral.ts'
import { evaluateLink, evaluateTrips, linkUnstable, tripsOften } from './often.ts'
import { foldPhaseLoss, newPhaseLossState, phaseLoss } from './phase-loss.ts'
import { evaluateRelease, releaseSlow } from './release-slow.ts'
import type { ThreeVoltages } from './unbalance.ts'
import { evaluateUnbalance, unbalance } from './unbalance.ts'
import { evaluateVoltageRange, voltageRange } from './voltage-range.ts'
import { enduranceOf, evaluateWear, openingWear, wear } from './wear.ts'

// The laws of what detectors find, of those that have none beside them: data that is missing makes no finding, phases that are exchanged exchange
// what is found, and what came twice or late is as if it had come once and in time.
const numRuns = lawRuns(1_500)
const today = 100
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))
/** Which of them are missing, by one number. */
const anyGap = fc.integer({ min: 1 })
const left = <T>(all: readonly T[], gap: number): T[] => all.filter((_, i) => (Math.imul(gap, i + 1) >>> 7) % 3 > 0)
const law = <T>(name: string, given: fc.Arbitrary<T>, check: (each: T) => void) =>
  test(name, () => fc.assert(fc.property(given, check), { numRuns }))

describe('what is missing makes no finding', () => {
  /** Sound lines: what each detector is given of one, from the number that makes it. */
  const noise = (seed: number, i: number) => ((Math.imul(seed + i, 2_654_435_761) >>> 8) % 1_000) / 1_000
  const sound: readonly (readonly [string, (seed: number, gap: number) => Outcome])[] = [
    [
      'arcs',
      (seed, gap) => {
        // An hour with arcing now and then, of days that may not be known.
        const days = times(50, (i): ArcDay => ({ day: today - 49 + i, hours: i % 10 === 3 ? 1 : 0 }))
        return evaluateArcPrecursor(defaultParams(arcPrecursor), left(days, gap + seed), { today })
      },
    ],
    [
      'weeks',
      (seed, gap) => {
        const peaks = times(10, (week) => ((gap >> week) % 2 ? Number.NaN : 40 + 3 * noise(seed, week % 2)))
        const given = { ratedA: 63, points: ['a'] }
        return evaluateWeeklyPeaks(defaultParams(loadGrowth), [Float64Array.from(peaks)], given)[0] ?? null
      },
    ],
    [
      'voltages of a week',
      (seed, gap) => {
        const days = times(7, (i) => ({
          day: today - i,
          knownMinutes: 200 + Math.floor(1_240 * noise(seed, i)),
          outsideMinutes: 0,
        }))
        return evaluateVoltageRange(defaultParams(voltageRange), left(days, gap), { today, supplyV: 230 })
      },
    ],
    [
      'self-tests',
      (seed, gap) => {
        const tests = times(14, (i) => ({ at: i * 30 * dayMs, tripMs: 30 + 6 * noise(seed, i) }))
        return evaluateRelease(defaultParams(releaseSlow), left(tests, gap))
      },
    ],
  ]
  for (const [what, look] of sound)
    law(`${what} of a sound line`, fc.tuple(fc.nat(100_000), anyGap), ([seed, gap]) => {
      expect(isFinding(look(seed, gap))).toBe(false)
    })

  law(
    'ten minutes that are missing of any line: a stretch ends where they are',
    fc.tuple(fc.nat(100_000), anyGap),
    ([seed, gap]) => {
      const windows = times(60, (i) => {
        const apart = 6 * noise(seed, i >> 2)
        return { at: i * 10 * minuteMs, volts: [230 + 2.3 * apart, 230, 230 - 2.3 * apart] as ThreeVoltages }
      })
      const look = (given: typeof windows) =>
        evaluateUnbalance(defaultParams(unbalance), given, { reference: 'phaseToNeutral', supplyV: 230 })
      if (isFinding(look(left(windows, gap)))) expect(isFinding(look(windows))).toBe(true)
    },
  )

  law('trips and losses that are missing', fc.tuple(fc.nat(100_000), anyGap, fc.nat(12)), ([seed, gap, count]) => {
    const of = (lengthMs: number) => times(count, (i) => lengthMs * noise(seed, i))
    const [trips, losses] = [of(8 * dayMs), of(2 * hourMs)]
    const tripped = (at: readonly number[]) => isFinding(evaluateTrips(defaultParams(tripsOften), at, 8 * dayMs))
    const lost = (at: readonly number[]) => isFinding(evaluateLink(defaultParams(linkUnstable), at, 2 * hourMs))
    if (tripped(left(trips, gap))) expect(tripped(trips)).toBe(true)
    if (lost(left(losses, gap))) expect(lost(losses)).toBe(true)
  })
})

describe('phases that are exchanged', () => {
  const order = fc.shuffledSubarray([0, 1, 2], { minLength: 3, maxLength: 3 })
  const three = <T>(each: fc.Arbitrary<T>) => fc.tuple(each, each, each)
  const exchanged = <T>(values: readonly T[], by: readonly number[]) => by.map((from) => values[from] as T)

  const anyPeaks = fc.tuple(fc.double({ min: 0.2, max: 0.9, noNaN: true }), fc.double({ min: 0, max: 0.08, noNaN: true }))
  law('exchange the phase whose load grows', fc.tuple(three(anyPeaks), order), ([phases, by]) => {
    const points = ['a', 'b', 'c']
    const peaks = phases.map(([from, perWeek]) => Float64Array.from(times(10, (week) => 63 * (from + perWeek * week))))
    const look = (given: readonly Float64Array[], named: readonly string[]) =>
      evaluateWeeklyPeaks(defaultParams(loadGrowth), given, { ratedA: 63, points: named })
    expect(look(exchanged(peaks, by), exchanged(points, by))).toEqual(exchanged(look(peaks, points), by))
  })

  const anyVolts = fc.double({ min: 180, max: 260, noNaN: true })
  const anyWindows = fc.array(three(anyVolts), { minLength: 4, maxLength: 12 })
  law('change nothing of an unbalance', fc.tuple(anyWindows, order, fc.boolean()), ([all, by, isLineToLine]) => {
    const reference = isLineToLine ? 'lineToLine' : 'phaseToNeutral'
    const look = (turn: (volts: ThreeVoltages) => readonly number[]) =>
      evaluateUnbalance(
        defaultParams(unbalance),
        all.map((volts, i) => ({ at: i * 10 * minuteMs, volts: turn(volts) as ThreeVoltages })),
        { reference, supplyV: 230 },
      )
    const [one, other] = [look((volts) => volts), look((volts) => exchanged(volts, by))]
    expect(isFinding(other) && other.level).toBe(isFinding(one) && one.level)
  })

  const anySample = fc.record({
    count: fc.integer({ min: 1, max: 15 }),
    volts: three(fc.oneof(fc.constant(230), fc.double({ min: 0, max: 240, noNaN: true }))),
    amperes: three(fc.constantFrom(0.2, 20)),
  })
  law('exchange the phase that is lost', fc.tuple(fc.array(anySample, { maxLength: 5 }), order), ([stretches, by]) => {
    const points = ['a', 'b', 'c']
    const samples = stretches.flatMap(({ count, volts, amperes }) => times(count, () => ({ volts, amperes })))
    const look = (turn: <T>(values: readonly T[]) => readonly T[]) => {
      const state = newPhaseLossState()
      const context = { supplyV: 230, ratedA: 63, points: turn(points), periodMs: 10_000 }
      return samples.map(({ volts, amperes }, i) => {
        const [v, a] = [turn(volts) as ThreeVoltages, turn(amperes) as ThreeVoltages]
        return named(
          foldPhaseLoss(defaultParams(phaseLoss), state, { at: i * 1_000, closed: true, volts: v, amperes: a }, context),
        )
      })
    }
    expect(look((values) => exchanged(values, by))).toEqual(look((values) => values))
  })

  law('change nothing of a broken neutral', fc.tuple(fc.array(three(anyVolts), { maxLength: 12 }), order), ([all, by]) => {
    const look = (turn: (volts: readonly number[]) => readonly number[]) => {
      const state = newNeutralState()
      const fold = (at: number, volts: readonly number[]) =>
        foldNeutral(defaultParams(neutral), state, { at, volts: turn(volts) as unknown as ThreeVoltages }, { periodMs: 10_000 })
      for (let i = 0; i < 10; i++) fold(i * minuteMs, [230, 229, 231])
      // Each for a while: a finding takes ten seconds.
      return all.flatMap((volts, i) => times(3, (n) => fold(10 * minuteMs + (3 * i + n) * 5_000, volts)?.kind ?? null))
    }
    expect(look((volts) => exchanged(volts, by))).toEqual(look((volts) => volts))
  })
})

const named = (changes: readonly LiveChange[]) =>
  changes.map((change) => `${change.kind} ${change.kind === 'raised' ? change.finding.point : change.point}`).toSorted()

test('samples of a phase that is lost come late or twice, and change nothing', () => {
  const again = fc.array(fc.nat(80), { maxLength: 12 })
  const stretch = fc.record({ count: fc.integer({ min: 1, max: 20 }), volts: fc.constantFrom(5, 100, 230), closed: fc.boolean() })
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 5 }), again, (stretches, which) => {
      const samples = stretches.flatMap(({ count, volts, closed }) => times(count, () => ({ volts, closed })))
      const given = samples.map(({ volts, closed }, i) => {
        return { at: i * 1_000, closed, volts: [230, volts, 231] as ThreeVoltages, amperes: [20, 0.1, 19] as ThreeVoltages }
      })
      const look = (each: typeof given) => {
        const state = newPhaseLossState()
        const context = { supplyV: 230, ratedA: 63, points: ['a', 'b', 'c'], periodMs: 10_000 }
        return each.flatMap((sample) => named(foldPhaseLoss(defaultParams(phaseLoss), state, sample, context)))
      }
      const repeated = given.flatMap((each, i) => (which.includes(i) ? [each, each, given[Math.max(0, i - 3)] ?? each] : [each]))
      expect(look(repeated)).toEqual(look(given))
    }),
    { numRuns },
  )
})

test('wear is the sum of openings in any order, rises with each of them, and its level never falls', () => {
  const opening = fc.record({
    brokenA: fc.option(fc.double({ min: 0, max: 700, noNaN: true })),
    shortCircuit: fc.boolean(),
    ratedA: fc.constant(63),
  })
  fc.assert(
    fc.property(fc.array(opening, { maxLength: 30 }), (openings) => {
      const levels = [null, 'notice', 'warning', 'alarm']
      let [share, level] = [0, 0]
      for (const [index, each] of openings.entries()) {
        const before = share
        share += openingWear(each, enduranceOf(63))
        expect(share).toBeGreaterThan(before)
        const found = evaluateWear(defaultParams(wear), { share, openings: index + 1 })
        const now = levels.indexOf(isFinding(found) ? found.level : null)
        expect(now).toBeGreaterThanOrEqual(level)
        level = now
      }
    }),
    { numRuns },
  )
})
