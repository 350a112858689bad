import { families, priorities } from '@linewarden/equipment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { evaluateLimit, newEvaluationState } from './evaluate.ts'
import type { CompiledLimit } from './limits.ts'
import { compileLimits } from './limits.ts'
import { isDanger } from './shelving.ts'
import type { AlarmPeriod, AlarmTiming } from './tuning.ts'
import { chatterBursts, limitWithTiming, maxAddedDelayMs, offerTuning, proofOfTuning, replayLimit, timingOf } from './tuning.ts'

const secondMs = 1_000
const breaker = families.find(({ alarms }) => alarms.some(({ key }) => key === 'voltage.over'))
const [shipped] = breaker
  ? compileLimits({ family: breaker, model: 'x', ratedCurrentA: 63, reported: new Map([['voltage.over', 250]]) }).filter(
      ({ alarm }) => alarm.key === 'voltage.over',
    )
  : []
if (!shipped) throw new Error('no family has an overvoltage alarm')
/** 250 V, raised and returned at once, without a dead band: what is raised is what was there. */
const atOnce: AlarmTiming = { onDelayMs: 0, offDelayMs: 0, deadBandShare: 0 }
const limit: CompiledLimit = { ...shipped, trigger: 250, limit: 250, ignoreAtOrBelow: 0 }

type Reading = readonly [at: number, value: number]
const replayOf = (readings: readonly Reading[]) => (timing: AlarmTiming) => replayLimit(limitWithTiming(limit, timing), readings)
/** One reading each second. */
const secondly = (values: readonly number[]): Reading[] => values.map((value, second) => [second * secondMs, value])
const times = (count: number, ...values: number[]) => Array.from({ length: count }, () => values).flat()
const asked = (readings: readonly Reading[]) =>
  ({ priority: 'medium', timing: atOnce, shipped: atOnce, actedAt: [], replay: replayOf(readings) }) as const

describe('what is offered', () => {
  test('a value that falls back for a second each time gets an off-delay, which delays no raise', () => {
    const readings = secondly([...times(40, 252, 252, 230), ...times(30, 230)])
    expect(offerTuning(asked(readings))).toEqual({
      changes: 'offDelayMs',
      timing: { ...atOnce, offDelayMs: 5_000 },
      before: { raises: 40, bursts: 1 },
      after: { raises: 1, bursts: 0 },
      longestDelayMs: 0,
      longestMissedMs: 0,
    })
  })

  test('a value that moves about its limit for longer than any off-delay gets a dead band', () => {
    const fleeting = Array.from({ length: 12 }, (_, index): Reading[] =>
      secondly([252, 249.9, 249.9]).map(([at, value]) => [index * 590 * secondMs + (at > secondMs ? 303 * secondMs : at), value]),
    ).flat()
    const over: Reading = [12 * 590 * secondMs, 200]
    expect(offerTuning(asked([...fleeting, over]))).toMatchObject({
      changes: 'deadBandShare',
      timing: { deadBandShare: 0.02 },
      after: { raises: 1 },
    })
  })

  test('spikes far apart get an on-delay, and it says how much later the true one comes', () => {
    const spikes = Array.from({ length: 12 }, (_, hour): Reading[] => [
      [hour * 3_600_000, 260],
      [hour * 3_600_000 + secondMs, 200],
    ]).flat()
    const trueOne = secondly(times(90, 260)).map(([at, value]): Reading => [at + 90 * 3_600_000, value])
    expect(offerTuning(asked([...spikes, ...trueOne]))).toMatchObject({
      changes: 'onDelayMs',
      timing: { ...atOnce, onDelayMs: 2_000 },
      before: { raises: 13, bursts: 0 },
      after: { raises: 1, bursts: 0 },
      longestDelayMs: 2_000,
      longestMissedMs: secondMs,
    })
  })

  const spikes = Array.from({ length: 12 }, (_, hour): Reading[] => [
    [hour * 3_600_000, 260],
    [hour * 3_600_000 + secondMs, 200],
  ]).flat()
  const actedOnThenTrue = secondly([260, ...times(9, 200), ...times(90, 260)]).map(
    ([at, value]): Reading => [at + 40 * 3_600_000, value],
  )
  test.each([
    ['a critical alarm never comes later', { priority: 'critical' }, 'nothingFits'],
    ['one that somebody acted on is not lost', { actedAt: [3_600_500] }, 'nothingFits'],
    [
      'one that somebody acted on is lost, and not late, when only the next one is raised',
      { actedAt: [40 * 3_600_000 + 500], replay: replayOf([...spikes, ...actedOnThenTrue]) },
      'nothingFits',
    ],
    ['no further than its limit beyond what the family has', { shipped: { ...atOnce, onDelayMs: -30_000 } }, 'nothingFits'],
    ['an alarm that neither chatters nor is fleeting needs nothing', { replay: replayOf(secondly([200, 260, 260])) }, 'quiet'],
  ] as const)('%s', (_, difference, refusal) => {
    expect(offerTuning({ ...asked(spikes), ...difference })).toBe(refusal)
  })

  test('readings hours apart are not bridged by an off-delay, however few raises that would make', () => {
    const hourly = Array.from({ length: 12 }, (_, hour): Reading => [hour * 3_600_000, hour % 2 === 0 ? 260 : 200])
    const chatter = secondly(times(20, 260, 200)).map(([at, value]): Reading => [at + 12 * 3_600_000, value])
    expect(offerTuning(asked([...hourly, ...chatter]))).toBe('nothingFits')
  })
})

describe('what can be tuned', () => {
  const alarms = families.flatMap((family) => family.alarms)

  test('no danger of any family, nothing that latches, and no trip', () => {
    const never = alarms.filter(({ key, latching, danger }) => isDanger(key) || latching || danger || key.startsWith('trip.'))
    expect(never.length).toBeGreaterThan(5)
    expect(new Set(never.map(timingOf))).toEqual(new Set(['notTunable']))
  })

  test('nothing that warns of gas before it is an alarm', () => {
    const rising = alarms.filter(({ key }) => key === 'gas.rising')
    expect(rising.map(timingOf)).toEqual(rising.map(() => 'notTunable'))
    expect(rising.length).toBeGreaterThan(0)
  })

  test('no state that equipment reports when it changes: a delay would wait for a report that does not come', () => {
    expect(alarms.filter(({ on }) => on === 'state').filter((alarm) => typeof timingOf(alarm) !== 'string')).toEqual([])
  })

  test('a limit, by the delays and the dead band that it has', () => {
    expect(timingOf(shipped.alarm)).toEqual({ onDelayMs: 1_000, offDelayMs: 5_000, deadBandShare: 0.02 })
  })
})

describe('bursts of chatter', () => {
  const at = (...seconds: number[]): AlarmPeriod[] =>
    seconds.map((second) => ({ raisedAt: second * secondMs, returnedAt: second * secondMs + 1 }))
  test.each([
    ['two raises are none', at(0, 1), 0],
    ['three within a minute are one', at(0, 30, 59.9), 1],
    ['three in just a minute are none', at(0, 30, 60), 0],
    ['what goes on is the same', at(0, 10, 20, 30, 40, 50, 60), 1],
    ['a later one is another', at(0, 1, 2, 500, 501, 502), 2],
  ])('%s', (_, periods, bursts) => {
    expect(chatterBursts(periods)).toBe(bursts)
  })
})

const anyReadings = fc
  .array(
    fc.tuple(
      fc.constantFrom(100, 500, 1_000, 5_000, 30_000, 400_000),
      fc.constantFrom(200, 240, 249, 251, 260),
      fc.integer({ min: 1, max: 12 }),
    ),
    {
      minLength: 3,
      maxLength: 40,
    },
  )
  .map((steps) => {
    let at = 0
    return steps.flatMap(([everyMs, value, count]) =>
      Array.from({ length: count }, (_, index): Reading => {
        at += everyMs
        // Every second one is back: that is what chatters.
        return [at, index % 2 === 0 ? value : 200]
      }),
    )
  })
const anyTiming = fc.record({
  onDelayMs: fc.constantFrom(0, 0, 1_000, 3_000),
  offDelayMs: fc.constantFrom(0, 0, 1_000, 10_000),
  deadBandShare: fc.constantFrom<number>(0, 0.02),
})
const anyPriority = fc.constantFrom(...priorities)

describe('laws', () => {
  test('a replay raises as often as the evaluation of the plant did', () => {
    fc.assert(
      fc.property(anyReadings, anyTiming, (readings, timing) => {
        const tried = limitWithTiming(limit, timing)
        const state = newEvaluationState()
        const transitions = readings.map(([at, value]) => evaluateLimit(tried, state, value, at))
        const periods = replayOf(readings)(timing)
        expect(periods.length).toBe(transitions.filter((each) => each === 'raised').length)
        expect(periods.filter(({ returnedAt }) => returnedAt !== null).length).toBe(
          transitions.filter((each) => each === 'returned').length,
        )
      }),
      { numRuns: lawRuns(500) },
    )
  })

  test('an offer loses none that lasted longer than its on-delay or was acted on, and delays none beyond its limit', () => {
    let offers = 0
    fc.assert(
      fc.property(
        anyReadings,
        anyTiming,
        anyPriority,
        fc.array(fc.nat(2_000_000), { maxLength: 3 }),
        (readings, timing, priority, actedAt) => {
          const replay = replayOf(readings)
          const offer = offerTuning({ priority, timing, shipped: timing, actedAt, replay })
          if (typeof offer === 'string') return
          offers++
          const [before, after] = [replay(timing), replay(offer.timing)]
          expect(offer.before.raises).toBe(before.length)
          expect(offer.after).toEqual({ raises: after.length, bursts: 0 })
          expect(after.length * 2).toBeLessThanOrEqual(before.length)
          expect(offer.longestDelayMs).toBeLessThanOrEqual(maxAddedDelayMs[priority])
          expect(offer.longestMissedMs).toBeLessThanOrEqual(offer.timing.onDelayMs)
          expect(proofOfTuning({ priority, timing, shipped: timing, actedAt, replay }, offer.timing)).toEqual(offer)
          for (const { raisedAt, returnedAt } of before) {
            const end = returnedAt ?? Number.POSITIVE_INFINITY
            const isLong = end - timing.offDelayMs - raisedAt + timing.onDelayMs > offer.timing.onDelayMs
            if (!isLong && !actedAt.some((at) => at >= raisedAt && at <= end)) continue
            const during = after.filter(
              (each) => each.raisedAt <= end && (each.returnedAt ?? Number.POSITIVE_INFINITY) >= raisedAt,
            )
            expect(during.length).toBeGreaterThan(0)
            expect(Math.min(...during.map((each) => each.raisedAt)) - raisedAt).toBeLessThanOrEqual(offer.longestDelayMs)
          }
        },
      ),
      { numRuns: lawRuns(1_000) },
    )
    expect(offers).toBeGreaterThan(0)
  })

  test('only one figure is changed, and only upwards', () => {
    fc.assert(
      fc.property(anyReadings, anyTiming, anyPriority, (readings, timing, priority) => {
        const offer = offerTuning({
          priority,
          timing,
          shipped: timing,
          actedAt: [],
          replay: replayOf(readings),
        })
        if (typeof offer === 'string') return
        const changed = (['onDelayMs', 'offDelayMs', 'deadBandShare'] as const).filter(
          (each) => offer.timing[each] !== timing[each],
        )
        expect(changed).toEqual([offer.changes])
        expect(offer.timing[offer.changes] ?? 0).toBeGreaterThan(timing[offer.changes] ?? 0)
      }),
      { numRuns: lawRuns(500) },
    )
  })
})
