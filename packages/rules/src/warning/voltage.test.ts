import { minuteMs } from '@linewarden/equipment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { defaultParams } from './detector.ts'
import type { ThreeVoltages } from './unbalance.ts'
import { deviationPercent, evaluateUnbalance, sequenceUnbalancePercent, unbalance } from './unbalance.ts'
import { evaluateVoltageRange, outsideBand, voltageBandOf, voltageRange } from './voltage-range.ts'

describe('unbalance', () => {
  const params = defaultParams(unbalance)
  const sound: ThreeVoltages = [230, 229, 231]
  /** One phase lies this much per cent of the mean above the others. */
  const off = (percent: number): ThreeVoltages => [
    230 * (1 - percent / 200),
    230 * (1 + percent / 100),
    230 * (1 - percent / 200),
  ]
  const windows = (...volts: (ThreeVoltages | null)[]) =>
    volts.flatMap((each, i) => (each ? [{ at: i * 10 * minuteMs, volts: each }] : []))
  const look = (...volts: (ThreeVoltages | null)[]) =>
    evaluateUnbalance(params, windows(...volts), { reference: 'phaseToNeutral', supplyV: 230 })

  test.each<[string, (ThreeVoltages | null)[], object | null]>([
    ['as it should be', [sound, sound, sound, sound], null],
    [
      '3 % for half an hour',
      [sound, off(3), off(3.2), off(3), sound],
      { key: 'unbalance', level: 'notice', evidence: { limit: 2, unit: '%' } },
    ],
    ['3 % for twenty minutes', [off(3), off(3), sound, off(3), off(3)], null],
    ['3 % with a gap in between', [off(3), off(3), null, off(3), off(3)], null],
    ['5 % for ten minutes', [sound, off(5), sound], { level: 'warning', evidence: { limit: 4 } }],
    ['the limit itself', [off(2), off(2), off(2)], null],
    [
      'one phase is gone: that is another finding',
      [
        [230, 230, 3],
        [230, 230, 3],
        [230, 230, 3],
      ],
      { notEvaluated: 'coverage' },
    ],
    ['nothing is known', [[Number.NaN, 230, 230]], { notEvaluated: 'coverage', have: 0, need: 1 }],
  ])('%s', (_, volts, expected) => {
    const outcome = look(...volts)
    if (expected === null) expect(outcome).toBeNull()
    else expect(outcome).toMatchObject(expected)
  })

  test('the highest of a stretch is its value', () =>
    expect(look(off(3), off(3.4), off(3))).toMatchObject({ evidence: { value: expect.closeTo(3.4, 6) } }))

  test('line-to-line voltages are evaluated by their negative sequence', () => {
    const lines = windows([400, 400, 380], [400, 400, 380], [400, 400, 380])
    const outcome = evaluateUnbalance(params, lines, { reference: 'lineToLine', supplyV: 400 })
    expect(outcome).toMatchObject({
      level: 'notice',
      evidence: { value: expect.closeTo(sequenceUnbalancePercent([400, 400, 380]), 9) },
    })
  })

  test('lengths that close no triangle have no answer', () => expect(sequenceUnbalancePercent([400, 100, 100])).toBeNaN())

  const angle = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true })
  test('what lengths alone say is what phasors say', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.5, noNaN: true }), angle, (share, phi) => {
        const third = (2 * Math.PI) / 3
        const volts = [0, 1, 2].map((i) => {
          const [re, im] = [
            Math.cos(-i * third) + share * Math.cos(phi + i * third),
            Math.sin(-i * third) + share * Math.sin(phi + i * third),
          ]
          return 400 * Math.hypot(re, im)
        })
        expect(sequenceUnbalancePercent(volts as unknown as ThreeVoltages)).toBeCloseTo(100 * share, 4)
      }),
      { numRuns: lawRuns(10_000) },
    )
  })

  test('exchanging phases changes nothing', () => {
    const volts = fc.double({ min: 180, max: 260, noNaN: true })
    fc.assert(
      fc.property(volts, volts, volts, (a, b, c) => {
        expect(deviationPercent([b, c, a])).toBeCloseTo(deviationPercent([a, b, c]), 9)
        expect(sequenceUnbalancePercent([b, a, c])).toBeCloseTo(sequenceUnbalancePercent([a, b, c]), 6)
      }),
      { numRuns: lawRuns(10_000) },
    )
  })
})

describe('voltage.range', () => {
  const params = defaultParams(voltageRange)
  const days = (known: number, outside: number, first = 94) =>
    Array.from({ length: 100 - first + 1 }, (_, i) => ({ day: first + i, knownMinutes: known, outsideMinutes: outside }))
  const look = (given: ReturnType<typeof days>) => evaluateVoltageRange(params, given, { today: 100, supplyV: 230 })

  test.each<[string, ReturnType<typeof days>, object | null]>([
    ['always inside', days(1_440, 0), null],
    ['5 % of the week outside', days(1_440, 72), null],
    [
      '6 % of the week outside',
      days(1_440, 86.4),
      { key: 'voltage.range', level: 'notice', evidence: { value: expect.closeTo(6, 9), limit: 5, used: 7 } },
    ],
    ['the week before counts no more', [...days(1_440, 0), { day: 93, knownMinutes: 1_440, outsideMinutes: 1_440 }], null],
    ['half of the week is known', days(720, 60), { key: 'voltage.range' }],
    ['less than half of the week is known', days(700, 700), { notEvaluated: 'coverage', have: 4_900, need: 5_040 }],
  ])('%s', (_, given, expected) => {
    const outcome = look(given)
    if (expected === null) expect(outcome).toBeNull()
    else expect(outcome).toMatchObject(expected)
  })

  test.each<[number, readonly [number, number]]>([
    [230, [198, 235.4]],
    [400, [360, 440]],
    [48, [43.2, 52.8]],
  ])('%i V may lie between %j', (supplyV, [low, high]) => {
    const band = voltageBandOf(params, supplyV)
    expect(band[0]).toBeCloseTo(low, 9)
    expect(band[1]).toBeCloseTo(high, 9)
  })

  test.each<[string, number[], boolean | null]>([
    ['inside', [230, 229, 231], false],
    ['the limits themselves', [198, 235.4], false],
    ['one phase too low', [230, 197.9, 230], true],
    ['one phase too high', [235.5], true],
    ['an outage is no low voltage', [230, 40, 230], null],
    ['not known', [230, Number.NaN, 230], null],
  ])('%s', (_, volts, expected) => expect(outsideBand(volts, 230, [198, 235.4])).toBe(expected))
})
