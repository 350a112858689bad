import { families } from '@linewarden/equipment'
import { describe, expect, test } from 'vitest'
import { contact } from './contact.ts'
import { daySeries, loadOfDay } from './day-series.ts'
import { defaultParams } from './detector.ts'
import type { HourRow } from './hours.ts'
import { hoursBetween, lineHours } from './hours.ts'
import { leakageLevel } from './leakage-level.ts'
import { levelPriority } from './level-priority.ts'
import { arcHoursOf, dayFeatures, usualArcAlarm, voltageMinutes, voltageWindows } from './line-features.ts'
import { isWatched, lineKind } from './line-kind.ts'
import { evaluateLoadAgain, loadAgain, loadAgainFrom } from './load-again.ts'
import { newPersistence, persist } from './persistence.ts'

const family = (key: string) => {
  const found = families.find((each) => each.key === key)
  if (!found) throw new Error(key)
  return found
}
const kindOf = (key: string, model: string, reported: readonly (readonly [string, number])[] = []) =>
  lineKind({ family: family(key), model, ratedCurrentA: 63, reported: new Map(reported) })
const three = kindOf('breaker3p', '3PN', [['leakage.trip', 300]])

describe('what a line is', () => {
  test('by its family and what it reports, and null where it does not', () => {
    expect(three).toMatchObject({
      ...{ voltageReference: 'phaseToNeutral', supplyV: 230, measuresResidual: true, switches: true, ratedA: 63 },
      ...{ tripMa: 300, overloadWarningA: null, temperatureAlarmC: null, arcAlarm: null },
    })
    expect([three.currentPoints.length, three.voltagePoints.length, three.terminalPoints.length]).toEqual([3, 3, 4])
    const set = [
      ['overload.warning', 50],
      ['temperature.alarm', 80],
      ['arc.halfCycles', 12],
    ] as const
    expect(kindOf('breaker3p', '3PN', set)).toMatchObject({ overloadWarningA: 50, temperatureAlarmC: 80, arcAlarm: 12 })
  })
  test('a smoke detector is none to be watched, a breaker is', () =>
    expect([isWatched(kindOf('smoke', '')), isWatched(three)]).toEqual([false, true]))
  test.each([
    ['a current', { currentPoints: ['current.a'] }],
    ['a voltage', { voltagePoints: ['voltage.a'] }],
    ['residual current', { measuresResidual: true }],
    ['arcs', { measuresArcs: true }],
    ['nothing, but opens', { switches: true }],
  ])('what measures %s is to be watched', (_, has) => expect(isWatched({ ...kindOf('smoke', ''), ...has })).toBe(true))
})

describe('ten-minute means of a day', () => {
  const minutes = (...volts: readonly number[][]) =>
    voltageMinutes(
      three,
      volts.map((each, ten) => ({ at: ten, volts: each })),
    )
  test.each<[string, number[], object]>([
    ['sound', [230, 230, 230], { known: 10, outside: 0, unbalancePercent: 0, unbalance2: 0, unbalance4: 0 }],
    ['one phase too low', [197, 230, 230], { known: 10, outside: 10, unbalance4: 10 }],
    ['unbalanced by 3 %', [223, 233, 234], { outside: 0, unbalance2: 10, unbalance4: 0 }],
    ['not known', [Number.NaN, 230, 230], { known: 0, outside: 0, unbalancePercent: null }],
    ['two phases', [230, 230], { known: 10, outside: 0, unbalancePercent: null }],
    ['no voltage at all', [], { known: 0, outside: 0, unbalancePercent: null }],
    ['a phase that is gone is no unbalance', [100, 230, 230], { known: 10, outside: 10, unbalancePercent: null }],
  ])('%s', (_, volts, expected) => expect(minutes(volts)).toMatchObject(expected))

  test('the highest unbalance counts, and all of the minutes', () => {
    const all = minutes([223, 233, 234], [230, 230, 230], [218, 234, 234])
    expect(all).toMatchObject({ known: 30, outside: 0, unbalance2: 20, unbalance4: 10 })
    expect(all.unbalancePercent).toBeGreaterThan(4)
  })
  test('only three voltages make a window', () =>
    expect(
      voltageWindows([
        { at: 1, volts: [230, 231, 229] },
        { at: 2, volts: [230, 231] },
      ]),
    ).toEqual([{ at: 1, volts: [230, 231, 229] }]))
})

test('hours with arcing are those below the alarm; of fewer than twelve hours nothing is known', () => {
  const of = (known: number, ...most: number[]) => arcHoursOf([...most, ...Array(known - most.length).fill(0)], usualArcAlarm)
  expect([of(12, 5, 13), of(12, 4, 14), of(11, 5)]).toEqual([2, 0, null])
  expect(arcHoursOf([...Array(12).fill(6), Number.NaN], 14)).toBe(12)
})

const hour = (nth: number, more: Partial<HourRow> = {}): HourRow => ({
  ...{ hour: nth, day: Math.floor(nth / 24), slot: nth % 24, counts: true, residualMa: 10 + (nth % 24) },
  ...{ squareA2: [400, 400, 400], maxA: [20, 20, 20], terminalC: [30, 30, 30, 30] },
  ...more,
})

describe('what is kept of a day', () => {
  const rows = Array.from({ length: 48 }, (_, nth) => {
    const load = 0.3 + 0.3 * Math.sin(nth / 3) ** 2
    const excess = (terminal: number) => (terminal === 1 && nth >= 24 ? 40 : 0)
    return hour(nth, {
      squareA2: [0, 1, 2].map((phase) => (63 * load * (1 + 0.05 * Math.sin(nth + phase))) ** 2),
      maxA: [nth % 24, 5, 5],
      terminalC: [0, 1, 2, 3].map((terminal) => 25 + (32 + excess(terminal)) * load ** 2 + 0.2 * Math.sin(nth * (2 + terminal))),
    })
  })
  const of = (given: readonly HourRow[], day: number, kind = three) =>
    dayFeatures(kind, defaultParams(contact), lineHours(given), day)
  test('usual and highest peak of its own hours', () => {
    const { i95A, peakA, leakage } = of(rows, 1)
    expect([i95A[0], i95A[1]]).toEqual([expect.closeTo(21.85, 6), 5])
    expect(peakA).toEqual([23, 5, 5])
    expect(leakage).toMatchObject({ peakMa: 33 })
  })
  test('hours that do not count, or are not known, are no zero', () => {
    const some = rows.map((each, nth) =>
      nth % 24 > 20 ? { ...each, counts: false } : nth % 24 > 18 ? { ...each, maxA: [Number.NaN, 5, 5] } : each,
    )
    expect(of(some, 1).peakA).toEqual([18, 5, 5])
    expect(of([], 1)).toMatchObject({
      peakA: [Number.NaN, Number.NaN, Number.NaN],
      excessK: [Number.NaN, Number.NaN, Number.NaN, Number.NaN],
    })
  })
  test('the excess of each terminal by its own day', () => {
    const [before, day] = [of(rows, 0).excessK, of(rows, 1).excessK]
    expect(Math.abs(before[1] ?? 99)).toBeLessThan(10)
    expect(day[1]).toBeGreaterThan(30)
    expect(Math.abs(day[0] ?? 99)).toBeLessThan(20)
    expect(day[3]).toBeNaN()
    expect(of(rows, 1).excessErrorK[1]).toBeGreaterThan(0)
    expect(of(rows, 1, { ...three, ratedA: null }).excessK[1]).toBeNaN()
    expect(of(rows.slice(0, 31), 1).excessK[1]).toBeNaN()
  })
  test('hours between two days, both included', () => {
    const cut = hoursBetween(lineHours(Array.from({ length: 96 }, (_, nth) => hour(nth))), 1, 2)
    expect([cut.hour[0], cut.hour.length, cut.residualMa.length, cut.maxA[2]?.length]).toEqual([24, 48, 48, 48])
  })
})

describe('a load that comes again', () => {
  const params = defaultParams(loadAgain)
  /** Five workdays and a weekend; on some of them 60 A flow at some hour. */
  const look = (
    passes: (day: number, hourOfDay: number) => boolean,
    more: Partial<Parameters<typeof evaluateLoadAgain>[2]> = {},
    change: Partial<HourRow> = {},
  ) =>
    evaluateLoadAgain(
      params,
      lineHours(
        Array.from({ length: 7 * 24 }, (_, nth) => {
          const [day, own] = [Math.floor(nth / 24), nth % 24]
          const over = passes(day, own)
          return hour(nth, { slot: own + (day >= 5 ? 24 : 0), maxA: [20, over ? 60 + day : 20, 20], ...(over && change) })
        }),
      ),
      { today: 6, isRestDay: false, limitA: 57, points: ['a', 'b', 'c'], ...more },
    )
  test.each<[string, ReturnType<typeof look>, object | null]>([
    ['never', look(() => false), null],
    [
      'at one hour of two of the last three workdays',
      look((day, own) => own === 9 && (day === 2 || day === 4)),
      { key: 'load.again', point: 'b', level: 'notice', evidence: { value: 64, limit: 57, unit: 'A', used: 3, hours: [9] } },
    ],
    [
      'of a rest day by its hours of the day',
      look((day, own) => (own === 20 || own === 8) && day >= 5, { isRestDay: true }),
      { evidence: { hours: [8, 20] } },
    ],
    ['of one day', look((day, own) => own === 9 && day === 4), null],
    ['at different hours', look((day, own) => own === day), null],
    ['of days longer ago', look((day, own) => own === 9 && day < 2), null],
    ['before a rest day workdays say nothing', look((day, own) => own === 9 && day < 5, { isRestDay: true }), null],
    [
      'before a rest day the last ones do',
      look((day, own) => own === 9 && day >= 5, { isRestDay: true }),
      { evidence: { value: 66, used: 2 } },
    ],
    ['in hours that do not count', look((day, own) => own === 9 && day < 5, {}, { counts: false }), null],
    ['without a limit', look(() => true, { limitA: null }), { notEvaluated: 'settingUnknown' }],
    ['a workday alone', look(() => true, { today: 0 }), { notEvaluated: 'tooFewDays', have: 1, need: 2 }],
    ['the limit itself', look((day, own) => own === 9 && day < 5, { limitA: 64 }), null],
  ])('%s', (_, outcome, expected) => (expected === null ? expect(outcome).toBeNull() : expect(outcome).toMatchObject(expected)))
})

describe('from which day on the load of the next is known', () => {
  const weekend = (day: number) => day % 7 >= 5
  test.each<[string, number, (day: number) => boolean, number]>([
    ['before a Thursday: the three workdays before it', 9, weekend, 7],
    ['before a Monday: those before the weekend', 13, weekend, 9],
    ['before a Saturday: the last weekend, and a day of the one before', 18, weekend, 6],
    ['behind nine days off', 20, (day) => day > 11 && day < 21, 9],
    ['where there were no days alike for a month', 40, (day) => day === 41, 10],
  ])('%s', (_, today, isRestDay, from) => expect(loadAgainFrom(today, isRestDay)).toBe(from))
})

describe('persistence', () => {
  const timing = { onMs: 60_000, offMs: 30_000, periodMs: 10_000 }
  const run = (
    samples: readonly (readonly [at: number, is: 'bad' | 'good' | 'between'])[],
    more: Partial<typeof timing> = {},
  ) => {
    const state = newPersistence()
    return samples.flatMap(
      ([at, is]) => persist(state, { bad: is === 'bad', good: is === 'good' }, at * 1_000, { ...timing, ...more }) ?? [],
    )
  }
  const each = (from: number, to: number, is: 'bad' | 'good' | 'between', step = 10) =>
    Array.from({ length: (to - from) / step + 1 }, (_, nth) => [from + nth * step, is] as const)
  test.each<[string, ReturnType<typeof run>, readonly string[]]>([
    ['a minute', run(each(0, 60, 'bad')), ['raised']],
    ['not quite', run([...each(0, 50, 'bad'), [59, 'bad']]), []],
    ['interrupted', run([...each(0, 50, 'bad'), [55, 'between'], ...each(60, 110, 'bad')]), []],
    [
      'a gap of a minute is bridged',
      run([
        [0, 'bad'],
        [60, 'bad'],
      ]),
      ['raised'],
    ],
    [
      'over a longer one the clock stands still',
      run([
        [0, 'bad'],
        [61, 'bad'],
      ]),
      [],
    ],
    [
      'and goes on',
      run([
        [0, 'bad'],
        [30, 'bad'],
        [300, 'bad'],
        [330, 'bad'],
      ]),
      ['raised'],
    ],
    [
      'after ten minutes it begins anew',
      run([
        [0, 'bad'],
        [30, 'bad'],
        [631, 'bad'],
        [661, 'bad'],
      ]),
      [],
    ],
    [
      'after ten minutes exactly it does not',
      run([
        [0, 'bad'],
        [30, 'bad'],
        [630, 'bad'],
        [660, 'bad'],
      ]),
      ['raised'],
    ],
    [
      'equipment that reports seldom is bridged for longer',
      run(
        [
          [0, 'bad'],
          [90, 'bad'],
        ],
        { periodMs: 30_000 },
      ),
      ['raised'],
    ],
    ['a sample twice says nothing', run([...each(0, 50, 'bad'), [50, 'good'], [49, 'good'], [60, 'bad']]), ['raised']],
    ['it returns', run([...each(0, 60, 'bad'), ...each(70, 100, 'good')]), ['raised', 'returned']],
    ['between nothing returns', run([...each(0, 60, 'bad'), ...each(70, 200, 'between')]), ['raised']],
    [
      'between interrupts a return',
      run([...each(0, 60, 'bad'), ...each(70, 90, 'good'), [95, 'between'], ...each(100, 120, 'good')]),
      ['raised'],
    ],
  ])('%s', (_, changes, expected) => expect(changes).toEqual(expected))
})

test.each([
  [89, 'notice'],
  [90, 'warning'],
  [149, 'warning'],
  [150, 'alarm'],
] as const)('%i mA of 300 mA: %s', (value, level) => expect(leakageLevel(value, 300)).toBe(level))

test.each([
  ['notice', 'high', 'medium'],
  ['warning', 'medium', 'medium'],
  ['alarm', 'medium', 'high'],
  ['alarm', 'high', 'high'],
  ['alarm', 'critical', 'critical'],
  ['notice', 'low', 'low'],
  ['notice', 'critical', 'high'],
] as const)('a %s of a rule of priority %s is %s', (level, usual, expected) => expect(levelPriority(level, usual)).toBe(expected))

describe('the figure of a day that is drawn', () => {
  const day = {
    ...{ floorMa: 12, i95A: [31.5, null, 10], excessK: [20, 30, null], excessErrorK: [1, 1, 1], unbalancePercent: 1.5 },
    ...{ voltageKnownMin: 1_000, voltageOutsideMin: 100, arcHours: 3, tripMs: [28, 31] },
  }
  const [, b, c] = three.terminalPoints
  test.each<[string, string | null, number | null]>([
    ['leakage.step', 'residual', 12],
    ['leakage.drift', 'residual', 12],
    ['contact', three.terminalPoints[0] ?? '', 5],
    ['contact', b ?? '', null],
    ['contact', c ?? '', null],
    ['contact', null, null],
    ['load.growth', three.currentPoints[2] ?? '', 10],
    ['load.growth', three.currentPoints[1] ?? '', null],
    ['unbalance', null, 1.5],
    ['voltage.range', null, 10],
    ['arc.precursor', null, 3],
    ['release.slow', null, 31],
  ])('%s of %s: %j', (key, point, expected) => expect(daySeries(key)?.of(day, three, point)).toBe(expected))
  test('what is not known is null, and detectors of samples have none', () => {
    expect(daySeries('voltage.range')?.of({ ...day, voltageKnownMin: 0 }, three, null)).toBeNull()
    expect(daySeries('release.slow')?.of({ ...day, tripMs: [] }, three, null)).toBeNull()
    expect(daySeries('overcurrent')).toBeNull()
    expect(loadOfDay(day, { ...three, ratedA: null }, 0)).toBeNull()
    expect(loadOfDay(day, three, 3)).toBeCloseTo((10 / 63) ** 2, 9)
  })
})
