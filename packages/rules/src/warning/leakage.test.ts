import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { defaultParams } from './detector.ts'
import type { HourRow } from './hours.ts'
import { lineHours } from './hours.ts'
import { evaluateLeakageDrift, leakageDrift } from './leakage-drift.ts'
import { evaluateLeakageHours } from './leakage-hourly.ts'
import { evaluateLeakageStep, leakageStep } from './leakage-step.ts'
import type { LeakageDay } from './line-day.ts'

const step = defaultParams(leakageStep)
const drift = defaultParams(leakageDrift)
const today = 100
const line = { today, tripMa: 300 }

/** A line that leaks about 30 mA; `more` is what it leaks more, `ago` days before today. */
const days = (more: (ago: number) => number | null = () => 0): LeakageDay[] =>
  Array.from({ length: 60 }, (_, i) => {
    const ago = 59 - i
    const extra = more(ago)
    return { day: today - ago, floorMa: extra === null ? null : 30 + 2 * Math.sin(i * 2.3) + extra, peakMa: null }
  })

describe('leakage.step', () => {
  test.each<[string, (ago: number) => number | null, object | null]>([
    ['a line as it always was', () => 0, null],
    ['45 mA more for three days', (ago) => (ago < 3 ? 45 : 0), { level: 'notice' }],
    ['for one day: too short to be sure', (ago) => (ago < 1 ? 45 : 0), null],
    ['27 mA more, less than a tenth of IΔn', (ago) => (ago < 10 ? 24 : 0), null],
    ['70 mA more: above what may stand', (ago) => (ago < 3 ? 70 : 0), { level: 'warning' }],
    ['130 mA more: the device may trip', (ago) => (ago < 3 ? 130 : 0), { level: 'alarm' }],
    ['mended three days ago', (ago) => (ago >= 3 && ago < 9 ? 45 : 0), null],
    ['less than before', (ago) => (ago < 5 ? -20 : 0), null],
    ['one wild day', (ago) => (ago === 1 ? 400 : 0), null],
    ['a step that was there for six weeks is the baseline', (ago) => (ago < 42 ? 45 : 0), null],
    [
      'the days of the step but for two that are missing',
      (ago) => (ago === 1 || ago === 2 ? null : ago < 5 ? 45 : 0),
      { level: 'notice' },
    ],
    ['six days of a baseline', (ago) => (ago > 13 ? null : 0), { notEvaluated: 'tooFewDays', have: 6, need: 7 }],
    ['nothing known of the last three days', (ago) => (ago < 3 ? null : 0), { notEvaluated: 'tooFewDays' }],
  ])('%s', (_, more, expected) => {
    const outcome = evaluateLeakageStep(step, days(more), line)
    if (expected === null) expect(outcome).toBeNull()
    else expect(outcome).toMatchObject(expected)
  })

  test('without IΔn nothing can be said', () =>
    expect(evaluateLeakageStep(step, days(), { today, tripMa: null })).toMatchObject({ notEvaluated: 'settingUnknown' }))

  test('it is proven by the median of three days against the baseline', () => {
    const outcome = evaluateLeakageStep(
      step,
      days((ago) => (ago < 3 ? 45 : 0)),
      line,
    )
    expect(outcome).toMatchObject({ key: 'leakage.step', point: 'residual', evidence: { unit: 'mA', used: 28 } })
    if (outcome && 'evidence' in outcome) {
      expect(outcome.evidence.value).toBeGreaterThan(70)
      expect(outcome.evidence.baseline).toBeCloseTo(30, 0)
      expect(outcome.evidence.limit).toBeCloseTo(60, 0)
      expect(outcome.evidence.spread).toBe(6)
    }
  })

  test('at 30 mA, three milliamperes are a step, and less is not', () => {
    const person = { today, tripMa: 30 }
    const small = (more: number) => days().map(({ day }) => ({ day, floorMa: day > today - 4 ? 2 + more : 2, peakMa: null }))
    expect(evaluateLeakageStep(step, small(3.1), person)).toMatchObject({ key: 'leakage.step' })
    expect(evaluateLeakageStep(step, small(2.9), person)).toBeNull()
  })
})

describe('leakage.drift', () => {
  const rising = (perDay: number, since = 30) => days((ago) => perDay * Math.max(0, since - ago))

  test.each<[string, readonly LeakageDay[], object | null]>([
    ['a line as it always was', days(), null],
    ['2 mA a day for a month', rising(2), { key: 'leakage.drift', level: 'warning' }],
    ['0.7 mA a day: less than 0.08 IΔn in a month', rising(0.7), null],
    ['1.6 mA a day, but far from where the device trips', rising(1.2), null],
    ['falling', rising(-1), null],
    ['a step a fortnight ago is no drift that goes on', days((ago) => (ago < 15 ? 40 : 0)), null],
    ['a day in three is missing', rising(2).filter(({ day }) => day % 3 !== 0), { key: 'leakage.drift' }],
    [
      'a month that rises to what the month before often had',
      days((ago) => (ago < 30 ? 1.7 * (30 - ago) : ago % 2 === 0 ? 51 : 0)),
      null,
    ],
    [
      'nine days before the month that rises',
      days((ago) => (ago > 38 ? null : 2 * Math.max(0, 30 - ago))),
      { notEvaluated: 'tooFewDays', have: 9, need: 10 },
    ],
    [
      'half of the days are missing',
      rising(2).filter(({ day }) => day % 2 !== 0),
      { notEvaluated: 'tooFewDays', have: 15, need: 20 },
    ],
  ])('%s', (_, given, expected) => {
    const outcome = evaluateLeakageDrift(drift, given, line)
    if (expected === null) expect(outcome).toBeNull()
    else expect(outcome).toMatchObject(expected)
  })

  test('it says how fast, and when the device may trip', () => {
    const outcome = evaluateLeakageDrift(drift, rising(2), line)
    expect(outcome).toMatchObject({ evidence: { limit: 150, unit: 'mA', toLimit: { confidence: 'high' } } })
    if (outcome && 'evidence' in outcome) {
      expect(outcome.evidence.slope).toBeCloseTo(2, 1)
      expect(outcome.evidence.toLimit?.mid).toBeCloseTo(30, -1)
    }
  })
})

describe('leakage.step within hours', () => {
  const rows = (more: (hour: number) => number, gone: (hour: number) => boolean = () => false): HourRow[] =>
    Array.from(
      { length: 40 * 24 },
      (_, hour): HourRow => ({
        hour,
        day: Math.floor(hour / 24),
        slot: (hour % 24) + (Math.floor(hour / 24) % 7 >= 5 ? 24 : 0),
        counts: !gone(hour),
        squareA2: [],
        maxA: [],
        terminalC: [],
        residualMa: 20 + (hour % 24) + Math.sin(hour * 1.7) + more(hour),
      }),
    )
  const last = 39 * 24
  const within = (from: number, to: number) => (hour: number) => (hour >= last + from && hour < last + to ? 60 : 0)

  test.each<[string, HourRow[], object | null]>([
    ['a day like any other', rows(() => 0), null],
    ['60 mA more for three hours', rows(within(5, 8)), { key: 'leakage.step', level: 'notice' }],
    ['for two', rows(within(5, 7)), null],
    ['for two and, after a sound hour, two more', rows((hour) => within(5, 7)(hour) + within(8, 10)(hour)), null],
    ['an hour that does not count interrupts nothing', rows(within(5, 9), (hour) => hour === last + 7), { key: 'leakage.step' }],
    [
      'an hour that is not known interrupts nothing',
      rows((hour) => (hour === last + 7 ? Number.NaN : within(5, 9)(hour))),
      { key: 'leakage.step' },
    ],
    ['60 mA more than on a line that varies by 30', rows((hour) => within(5, 8)(hour) + 25 * Math.sin(hour * 0.9)), null],
    ['yesterday', rows(within(-10, -5)), null],
    [
      'nothing of today counts',
      rows(
        () => 0,
        (hour) => hour >= last,
      ),
      { notEvaluated: 'coverage', have: 0, need: 3 },
    ],
    [
      'nothing of four weeks counts',
      rows(
        () => 0,
        (hour) => hour < last,
      ),
      { notEvaluated: 'coverage', have: 0, need: 3 },
    ],
  ])('%s', (_, given, expected) => {
    const outcome = evaluateLeakageHours(step, lineHours(given), { today: 39, tripMa: 300 })
    if (expected === null) expect(outcome).toBeNull()
    else expect(outcome).toMatchObject(expected)
  })

  test('without IΔn nothing can be said', () =>
    expect(evaluateLeakageHours(step, lineHours(rows(() => 0)), { today: 39, tripMa: null })).toMatchObject({
      notEvaluated: 'settingUnknown',
    }))

  test('a stricter figure never finds more, and hours that are missing of a sound day find nothing', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    const figures = fc.constantFrom('hourlyShare' as const, 'minHourlyMa' as const, 'hourlySpreads' as const)
    fc.assert(
      fc.property(fc.integer({ min: 1 }), fc.nat(120), fc.nat(30), figures, share, (seed, more, varies, name, by) => {
        const noise = (hour: number) => varies * (((Math.imul(seed + hour, 2_654_435_761) >>> 8) % 1_000) / 1_000)
        const given = lineHours(rows((hour) => noise(hour) + (hour >= last + 5 && hour < last + 9 ? more : 0)))
        const { max } = leakageStep.parameters[name]
        const looked = (params: typeof step) => evaluateLeakageHours(params, given, { today: 39, tripMa: 300 })
        const [usual, stricter] = found([looked(step), looked({ ...step, [name]: step[name] + by * (max - step[name]) })])
        expect(usual || !stricter).toBe(true)
        const gone = lineHours(rows(noise, (hour) => (Math.imul(seed, hour + 1) >>> 7) % 3 === 0))
        // A line that varies by 30 mA at random has no hour that is 45 mA above its others.
        expect(found([evaluateLeakageHours(step, gone, { today: 39, tripMa: 300 })])).toEqual([false])
      }),
      { numRuns: lawRuns(200) },
    )
  })
})

/** Sixty days of a line of which anything may be true: drawn from one number, because drawing is what takes the time. */
const wildDays = fc.integer().map((seed): LeakageDay[] => {
  let state = seed
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const [level, noise, perDay, step, since] = [50 * draw(), 30 * draw(), 4 * draw() - 2, 120 * draw() - 40, 40 * draw()]
  return Array.from({ length: 60 }, (_, i) => {
    const floorMa = level + noise * draw() + Math.max(0, i - since) * perDay + (i > since ? step : 0)
    return { day: today - 59 + i, floorMa: draw() < 0.1 ? null : floorMa, peakMa: null }
  })
})
const both = (given: readonly LeakageDay[], tripMa = 300, scale = 1) => [
  evaluateLeakageStep({ ...step, minStepMa: step.minStepMa * scale, minSpreadMa: step.minSpreadMa * scale }, given, {
    today,
    tripMa,
  }),
  evaluateLeakageDrift({ ...drift, minRiseMa: drift.minRiseMa * scale }, given, { today, tripMa }),
]
const found = (outcomes: readonly (object | null)[]) => outcomes.map((each) => each !== null && 'level' in each)

describe('laws', () => {
  test('milliamperes or amperes: the same is found', () => {
    fc.assert(
      fc.property(wildDays, (given) => {
        // 1,024 is exact in binary: what is compared is the rule, not rounding.
        const amperes = given.map((each) => ({ ...each, floorMa: each.floorMa === null ? null : each.floorMa / 1_024 }))
        expect(found(both(amperes, 300 / 1_024, 1 / 1_024))).toEqual(found(both(given)))
      }),
      { numRuns: lawRuns(2_500) },
    )
  })

  test('days in any order say the same', () => {
    fc.assert(
      fc.property(wildDays, (given) => {
        expect(evaluateLeakageStep(step, given.toReversed(), line)).toEqual(evaluateLeakageStep(step, given, line))
      }),
      { numRuns: lawRuns(2_000) },
    )
  })

  test('a stricter figure never finds more', () => {
    fc.assert(
      fc.property(wildDays, fc.double({ min: 1, max: 4, noNaN: true }), (given, factor) => {
        const [asStep, asDrift] = found(both(given))
        const stricter = { stepShare: step.stepShare * factor, minStepMa: step.minStepMa * factor }
        const [moreStep] = found([evaluateLeakageStep({ ...step, ...stricter }, given, line)])
        const rise = { riseShare: drift.riseShare * factor, significance: drift.significance * factor }
        const [moreDrift] = found([
          evaluateLeakageDrift({ ...drift, ...rise, horizonDays: drift.horizonDays / factor }, given, line),
        ])
        expect(asStep || !moreStep).toBe(true)
        expect(asDrift || !moreDrift).toBe(true)
      }),
      { numRuns: lawRuns(2_500) },
    )
  })

  test('days that are removed from a sound line make no finding', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), (seed) => {
        const left = days().filter((_, i) => (Math.imul(seed, i + 1) >>> 7) % 3 > 0)
        expect(found(both(left))).toEqual([false, false])
      }),
      { numRuns: lawRuns(2_500) },
    )
  })
})
