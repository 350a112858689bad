import { families } from '@linewarden/equipment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { compileLimits } from './limits.ts'
import type { AlarmTiming, Tuned } from './tuning.ts'
import { limitWithTiming, maxAddedDelayMs, maxTiming, proofOfTuning, replayLimit, timingOf, tunedLimits } from './tuning.ts'

/** Every limit of every family. */
const known = families.flatMap((family) =>
  compileLimits({ family, model: family.models[0] ?? '', ratedCurrentA: 63, reported: new Map() }),
)
/** Whatever a family may come to declare: a limit that is a danger, and one that latches. */
const limits = known.flatMap((limit) => [
  ...[limit, { ...limit, alarm: { ...limit.alarm, danger: 'gas' as const } }],
  { ...limit, alarm: { ...limit.alarm, latching: true as const } },
])
const anyTiming = fc.record({
  onDelayMs: fc.oneof(fc.integer({ min: -1_000_000, max: 1_000_000_000 }), fc.constant(Number.NaN)),
  offDelayMs: fc.integer({ min: -1_000_000, max: 1_000_000_000 }),
  deadBandShare: fc.double({ min: -5, max: 5, noNaN: false }),
})

test('whatever is stored: no danger is tuned, no limit moves, no figure is less than shipped or more than may be set', () => {
  expect(known.length).toBeGreaterThan(10)
  fc.assert(
    fc.property(anyTiming, (stored) => {
      const tuned = tunedLimits(limits, () => stored)
      for (const [index, limit] of limits.entries()) {
        const { alarm, trigger, limit: at, release } = tuned[index] ?? limit
        expect([trigger, at]).toEqual([limit.trigger, limit.limit])
        const shipped = timingOf(limit.alarm)
        if (typeof shipped === 'string') {
          expect(tuned[index]).toBe(limit)
          continue
        }
        expect(alarm.onDelayMs).toBeGreaterThanOrEqual(shipped.onDelayMs)
        expect(alarm.onDelayMs).toBeLessThanOrEqual(shipped.onDelayMs + maxAddedDelayMs[alarm.priority])
        expect(alarm.offDelayMs).toBeGreaterThanOrEqual(shipped.offDelayMs)
        expect(alarm.offDelayMs).toBeLessThanOrEqual(Math.max(shipped.offDelayMs, maxTiming.offDelayMs))
        expect(alarm.deadBandShare).toBeGreaterThanOrEqual(shipped.deadBandShare)
        expect(alarm.deadBandShare).toBeLessThanOrEqual(Math.max(shipped.deadBandShare, maxTiming.deadBandShare))
        expect(release).toBeLessThanOrEqual(limit.release)
      }
    }),
    { numRuns: lawRuns(200) },
  )
})

test('what nobody tuned stays as it is', () => {
  expect(tunedLimits(limits, () => undefined)).toEqual(limits)
})

test('a critical alarm never comes later, whatever is stored', () => {
  const critical = limits.map((limit) => ({ ...limit, alarm: { ...limit.alarm, priority: 'critical' as const } }))
  const late: AlarmTiming = { ...maxTiming, onDelayMs: 60_000 }
  expect(tunedLimits(critical, () => late).map(({ alarm }) => alarm.onDelayMs)).toEqual(
    critical.map(({ alarm }) => alarm.onDelayMs),
  )
})

const overvoltage = limits.find(({ alarm }) => alarm.key === 'voltage.over')
if (!overvoltage) throw new Error('no family has an overvoltage alarm')
const atOnce: AlarmTiming = { onDelayMs: 0, offDelayMs: 0, deadBandShare: 0 }
const limit = { ...overvoltage, trigger: 250, limit: 250, release: 250, ignoreAtOrBelow: 0 }
/** Back for a second each time, then for good. */
const chatter = Array.from(
  { length: 240 },
  (_, second) => [second * 1_000, second % 3 === 2 || second >= 120 ? 230 : 252] as const,
)
const tuned: Tuned = {
  ...{ priority: 'high', timing: atOnce, shipped: atOnce, actedAt: [] },
  replay: (timing) => replayLimit(limitWithTiming(limit, timing), chatter),
}

test.each<[string, AlarmTiming, boolean]>([
  ['what would be offered', { ...atOnce, offDelayMs: 5_000 }, true],
  ['more of the same, which its readings bear out as well', { ...atOnce, offDelayMs: 60_000 }, true],
  ['two figures at once', { ...atOnce, offDelayMs: 5_000, deadBandShare: 0.02 }, false],
  ['a figure that is never offered', { ...atOnce, offDelayMs: 4_321 }, false],
  ['a delay by which nothing is raised that lasted less', { ...atOnce, onDelayMs: 5_000 }, true],
  ['a delay beyond what its priority may have', { ...atOnce, onDelayMs: 10_000 }, false],
  ['as it is', atOnce, false],
])('a proof of %s', (_, timing, isProven) => {
  expect(proofOfTuning(tuned, timing) !== null).toBe(isProven)
})
