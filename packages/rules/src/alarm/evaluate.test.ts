import { families } from '@linewarden/equipment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { EvaluationState } from './evaluate.ts'
import { evaluateLimit, evaluateState, newEvaluationState, Phase } from './evaluate.ts'
import { compileLimits } from './limits.ts'

/** Over 100: raised after 3 s, returned at 90 or less after 5 s. */
const over = {
  sign: 1 as const,
  trigger: 100,
  release: 90,
  ignoreAtOrBelow: Number.NEGATIVE_INFINITY,
  alarm: { onDelayMs: 3_000, offDelayMs: 5_000 },
}
const atOnce = { ...over, alarm: { onDelayMs: 0, offDelayMs: 0 } }
/** Under 175 V, back at 178.5 V; 40 V and less is no supply. */
const under = { ...atOnce, sign: -1 as const, trigger: -175, release: -178.5, ignoreAtOrBelow: 40 }

type Limit = Parameters<typeof evaluateLimit>[0]
type Sample = readonly [at: number, value: number]

const run = (limit: Limit, samples: readonly Sample[], evaluationState = newEvaluationState()) =>
  samples.map(([at, value]) => evaluateLimit(limit, evaluationState, value, at))

describe('without delay', () => {
  test('the limit itself is within the limit', () => {
    expect(run(atOnce, [[0, 100]])).toEqual([null])
  })

  test('beyond it is raised at once, and once only', () => {
    expect(
      run(atOnce, [
        [0, 100.1],
        [1, 150],
        [2, 101],
      ]),
    ).toEqual(['raised', null, null])
  })

  test('it returns only by the dead-band', () => {
    expect(
      run(atOnce, [
        [0, 101],
        [1, 100],
        [2, 90.1],
        [3, 90],
      ]),
    ).toEqual(['raised', null, null, 'returned'])
  })

  test('a value that swings about the limit raises once', () => {
    const swinging = Array.from({ length: 100 }, (_, i): Sample => [i, 100 + (i % 2 === 0 ? 5 : -5)])
    expect(run(atOnce, swinging).filter((each) => each !== null)).toEqual(['raised'])
  })

  test('under is the mirror of over', () => {
    expect(
      run(under, [
        [0, 175],
        [1, 174.9],
        [2, 178],
        [3, 178.5],
      ]),
    ).toEqual([null, 'raised', null, 'returned'])
  })
})

describe('on-delay', () => {
  test('is measured in device time, and its last instant counts', () => {
    expect(
      run(over, [
        [0, 120],
        [2_999, 120],
        [3_000, 120],
      ]),
    ).toEqual([null, null, 'raised'])
  })

  test('begins again after one value within the limit', () => {
    expect(
      run(over, [
        [0, 120],
        [2_000, 100],
        [2_500, 120],
        [5_499, 120],
        [5_500, 120],
      ]),
    ).toEqual([null, null, null, null, 'raised'])
  })

  test('one value alone never raises', () => {
    expect(run(over, [[1_000_000, 120]])).toEqual([null])
  })
})

describe('off-delay', () => {
  const active = () => newEvaluationState(true)

  test('is measured in device time, and its last instant counts', () => {
    expect(
      run(
        over,
        [
          [0, 80],
          [4_999, 80],
          [5_000, 80],
        ],
        active(),
      ),
    ).toEqual([null, null, 'returned'])
  })

  test('begins again when the value leaves the dead-band', () => {
    expect(
      run(
        over,
        [
          [0, 80],
          [4_000, 95],
          [4_500, 80],
          [9_499, 80],
          [9_500, 80],
        ],
        active(),
      ),
    ).toEqual([null, null, null, null, 'returned'])
  })

  test('a second excursion while it runs is the same alarm', () => {
    expect(
      run(
        over,
        [
          [0, 80],
          [1_000, 150],
          [9_000, 150],
        ],
        active(),
      ),
    ).toEqual([null, null, null])
  })
})

describe('what says nothing', () => {
  test.each([
    ['normal', Phase.normal],
    ['waiting to be raised', Phase.pendingOn],
    ['active', Phase.active],
    ['waiting to return', Phase.pendingOff],
  ])('a missing value leaves an alarm that is %s as it is', (_, phase) => {
    const evaluationState: EvaluationState = { phase, since: 7 }
    expect(evaluateLimit(over, evaluationState, Number.NaN, 1_000_000)).toBeNull()
    expect(evaluationState).toEqual({ phase, since: 7 })
  })

  test('no supply is not a low voltage', () => {
    expect(
      run(under, [
        [0, 0],
        [1, 40],
        [2, 40.1],
      ]),
    ).toEqual([null, null, 'raised'])
  })

  test('no supply does not return an alarm either', () => {
    expect(run(under, [[0, 0]], newEvaluationState(true))).toEqual([null])
  })

  test('time that steps back raises and returns nothing', () => {
    expect(
      run(over, [
        [10_000, 120],
        [0, 120],
        [9_999, 120],
      ]),
    ).toEqual([null, null, null])
    expect(
      run(
        over,
        [
          [10_000, 80],
          [0, 80],
        ],
        newEvaluationState(true),
      ),
    ).toEqual([null, null])
  })
})

describe('a reported state', () => {
  const smoke = { values: ['alarm'], onDelayMs: 0, offDelayMs: 0 }
  const states = (alarm: Parameters<typeof evaluateState>[0], reports: readonly (readonly [number, string])[]) => {
    const evaluationState = newEvaluationState()
    return reports.map(([at, value]) => evaluateState(alarm, evaluationState, value, at))
  }

  test('raises when it is reported, and stays while it is', () => {
    expect(
      states(smoke, [
        [0, 'normal'],
        [1, 'alarm'],
        [2, 'alarm'],
        [86_400_000, 'alarm'],
      ]),
    ).toEqual([null, 'raised', null, null])
  })

  test('returns only when the device itself says so', () => {
    expect(
      states(smoke, [
        [0, 'alarm'],
        [1, 'normal'],
      ]),
    ).toEqual(['raised', 'returned'])
  })

  test('any of its values is the alarm: one to the other is no new alarm', () => {
    expect(
      states({ ...smoke, values: ['chamber', 'sensor'] }, [
        [0, 'chamber'],
        [1, 'sensor'],
        [2, 'none'],
      ]),
    ).toEqual(['raised', null, 'returned'])
  })

  test('waits for its delays', () => {
    expect(
      states({ values: ['on'], onDelayMs: 100, offDelayMs: 200 }, [
        [0, 'on'],
        [99, 'on'],
        [100, 'on'],
        [200, 'off'],
        [399, 'off'],
        [400, 'off'],
      ]),
    ).toEqual([null, null, 'raised', null, null, 'returned'])
  })
})

test('an alarm that is open at start stays open, and is not raised again', () => {
  expect(run(atOnce, [[0, 120]], newEvaluationState(true))).toEqual([null])
})

/** The rule in its own words, from the whole history: how long have the last values been bad (or good) without a break? */
function byHistory(limit: Limit, samples: readonly Sample[]): ('raised' | 'returned' | null)[] {
  const evaluated: { at: number; signed: number }[] = []
  let active = false
  return samples.map(([at, value]) => {
    if (Number.isNaN(value) || value <= limit.ignoreAtOrBelow) return null
    evaluated.push({ at, signed: limit.sign * value })
    const counts = (signed: number) => (active ? signed <= limit.release : signed > limit.trigger)
    const lastOther = evaluated.findLastIndex(({ signed }) => !counts(signed))
    const first = evaluated[lastOther + 1]
    if (!first || at - first.at < (active ? limit.alarm.offDelayMs : limit.alarm.onDelayMs)) return null
    active = !active
    return active ? 'raised' : 'returned'
  })
}

const everyLimit = families.flatMap((family) =>
  compileLimits({ family, model: family.models[0] ?? '', ratedCurrentA: 40, reported: new Map() }),
)

/** Steps of device time, and values that like to be near the limit. */
const samplesAround = (limit: Limit & { readonly limit: number }) =>
  fc
    .array(
      fc.tuple(
        fc.integer({ min: 1, max: 8_000 }),
        fc.oneof(
          fc.constantFrom(Number.NaN, 0, limit.limit, limit.sign * limit.release, limit.limit * 1.2, limit.limit * 0.5),
          fc.double({
            min: limit.limit - Math.abs(limit.limit) * 0.3,
            max: limit.limit + Math.abs(limit.limit) * 0.3,
            noNaN: true,
          }),
        ),
      ),
      { maxLength: 40 },
    )
    .map((steps) => {
      let at = 0
      return steps.map(([step, value]): Sample => {
        at += step
        return [at, value]
      })
    })

test('every limit of every family is evaluated as its whole history says', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...everyLimit).chain((limit) => fc.tuple(fc.constant(limit), samplesAround(limit))),
      ([limit, samples]) => {
        expect(run(limit, samples)).toEqual(byHistory(limit, samples))
      },
    ),
    { numRuns: lawRuns(3_000) },
  )
})

test('raised and returned take turns, and no sooner than their delays, though time may step back', () => {
  const wild = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.double({ min: 80, max: 120, noNaN: true })), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(wild, (samples) => {
      const seen: Sample[] = []
      let last: 'raised' | 'returned' = 'returned'
      for (const [i, transition] of run(over, samples).entries()) {
        const [at, value] = samples[i] ?? [0, 0]
        seen.push([at, value])
        if (transition === null) continue
        expect(transition).not.toBe(last)
        last = transition
        const delay = transition === 'raised' ? 3_000 : 5_000
        const alike = (other: number) => (transition === 'raised' ? other > 100 : other <= 90)
        expect(seen.some(([then, other]) => alike(other) && at - then >= delay)).toBe(true)
      }
    }),
    { numRuns: lawRuns(2_000) },
  )
})
