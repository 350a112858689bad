import { dayMs, hourMs } from '@linewarden/equipment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { ArcDay } from './arc-precursor.ts'
import { arcPrecursor, evaluateArcPrecursor, isArcHour } from './arc-precursor.ts'
import { defaultParams } from './detector.ts'
import type { HourRow } from './hours.ts'
import { lineHours } from './hours.ts'
import { evaluateLoadGrowth, loadGrowth } from './load-growth.ts'
import { evaluateLink, evaluateTrips, linkUnstable, tripsOften } from './often.ts'
import { evaluateRelease, releaseSlow } from './release-slow.ts'
import type { Opening } from './wear.ts'
import { enduranceOf, evaluateWear, openingWear, wear } from './wear.ts'

const expectOutcome = (outcome: unknown, expected: object | null) =>
  expected === null ? expect(outcome).toBeNull() : expect(outcome).toMatchObject(expected)

describe('load.growth', () => {
  const params = defaultParams(loadGrowth)
  /** Eleven weeks, of which the first day is a Monday; a week carries what is said, in shares of 63 A. */
  const rows = (share: (week: number) => number, counts: (hour: number) => boolean = () => true): HourRow[] =>
    Array.from(
      { length: 77 * 24 },
      (_, hour): HourRow => ({
        hour,
        day: 4 + Math.floor(hour / 24),
        slot: hour % 24,
        counts: counts(hour),
        squareA2: [],
        maxA: [63 * share(Math.floor(hour / 168)) * (1 - 0.3 * Math.abs(Math.sin(hour / 7)))],
        terminalC: [],
        residualMa: 0,
      }),
    )
  const sunday = 4 + 76
  const look = (given: HourRow[], today = sunday) =>
    evaluateLoadGrowth(params, lineHours(given), { today, ratedA: 63, points: ['current.a'] })[0] ?? null
  const growing = (week: number) => 0.5 + 0.03 * week

  test.each<[string, HourRow[], object | null]>([
    ['0.03 In a week, to 0.8 In', rows(growing), { key: 'load.growth', point: 'current.a', level: 'notice' }],
    ['above 0.9 In already', rows((week) => 0.65 + 0.03 * week), { level: 'warning' }],
    ['always the same', rows(() => 0.7), null],
    ['to 0.5 In only', rows((week) => 0.2 + 0.03 * week), null],
    ['so slow that it takes half a year', rows((week) => 0.6 + 0.007 * week), null],
    ['a fifth more at random', rows((week) => 0.7 + 0.1 * Math.sin(week * 2.4)), null],
    ['less from week to week', rows((week) => 0.9 - 0.03 * week), null],
    [
      'a week of which two days are missing',
      rows(growing, (hour) => hour < 400 || hour > 448),
      { notEvaluated: 'coverage', have: 9, need: 10 },
    ],
    ['a week of which one day is missing', rows(growing, (hour) => hour < 400 || hour > 424), { key: 'load.growth' }],
  ])('%s', (_, given, expected) => expectOutcome(look(given), expected))

  test('days of a week that has not ended change nothing', () => {
    const given = rows((week) => (week === 10 ? 5 : growing(week)))
    const lastWeek = look(given, sunday - 7)
    for (let ago = 1; ago < 7; ago++) expect(look(given, sunday - ago)).toEqual(lastWeek)
    expect(look(given)).not.toEqual(lastWeek)
  })
})

describe('arc.precursor', () => {
  const params = defaultParams(arcPrecursor)
  const today = 100
  const days = (hours: (ago: number) => number | null): ArcDay[] =>
    Array.from({ length: 50 }, (_, i) => ({ day: today - 49 + i, hours: hours(49 - i) }))

  test.each<[string, (ago: number) => number | null, object | null]>([
    ['it never arced', () => 0, null],
    [
      'two hours a day for four days',
      (ago) => (ago < 4 ? 2 : 0),
      { key: 'arc.precursor', point: 'arc.halfCycles', level: 'warning' },
    ],
    ['two hours on one day', (ago) => (ago === 0 ? 2 : 0), null],
    ['a line with a brush motor, as often as ever', () => 2, null],
    ['such a line, six hours a day for a week', (ago) => (ago < 7 ? 6 : 2), { key: 'arc.precursor' }],
    ['it stopped three days ago', (ago) => (ago >= 3 && ago < 8 ? 3 : 0), null],
    [
      'an hour too few of late, and one of these days is not known',
      (ago) => (ago === 1 ? null : ago === 0 ? 2 : ago >= 3 && ago < 8 ? 3 : 0),
      null,
    ],
    [
      'days that are not known are none without arcs',
      (ago) => (ago % 2 === 1 && ago < 8 ? null : ago < 6 ? 3 : 0),
      { key: 'arc.precursor' },
    ],
    ['six days to compare with', (ago) => (ago > 13 ? null : 0), { notEvaluated: 'tooFewDays', have: 6, need: 7 }],
  ])('%s', (_, hours, expected) => expectOutcome(evaluateArcPrecursor(params, days(hours), { today }), expected))

  test.each([
    [4, false],
    [5, true],
    [13, true],
    [14, false],
  ])('an hour with %i half-cycles at most counts: %j', (most, expected) => expect(isArcHour(params, most, 14)).toBe(expected))
})

describe('wear', () => {
  const params = defaultParams(wear)
  const opening: Opening = { ratedA: 63, brokenA: 0, shortCircuit: false }

  test.each<[string, Partial<Opening>, number]>([
    ['without current', {}, 1 / 10_000],
    ['at rated current', { brokenA: 63 }, 1 / 4_000],
    ['at twice the rated current', { brokenA: 126 }, 4 / 4_000],
    ['a current that nobody knows is taken as the rated one', { brokenA: null }, 1 / 4_000],
    ['a short circuit', { shortCircuit: true }, 0.1],
    ['a short circuit of fifty times the rated current', { shortCircuit: true, brokenA: 50 * 63 }, 2_500 / 4_000],
  ])('an opening %s', (_, more, expected) =>
    expect(openingWear({ ...opening, ...more }, enduranceOf(63))).toBeCloseTo(expected, 12),
  )

  test.each<[number, 'miniature' | 'mouldedCase' | undefined, number, number]>([
    [63, undefined, 4_000, 10_000],
    [125, undefined, 4_000, 10_000],
    [160, undefined, 1_000, 8_000],
    [100, 'mouldedCase', 1_500, 10_000],
    [315, 'mouldedCase', 1_000, 8_000],
    [400, 'mouldedCase', 1_000, 5_000],
    [1_600, 'mouldedCase', 500, 3_000],
    [6_300, 'mouldedCase', 500, 2_000],
  ])('%i A, %s: %i operations at rated current, %i without', (ratedA, construction, electrical, mechanical) =>
    expect(enduranceOf(ratedA, construction)).toEqual({ electrical, mechanical }),
  )

  test.each([
    [0.599, null],
    [0.6, { level: 'notice' }],
    [0.8, { level: 'warning' }],
    [1, { level: 'alarm' }],
    [1.4, { level: 'alarm' }],
  ])('%f of its life: %j', (share, level) =>
    expectOutcome(
      evaluateWear(params, { share, openings: 9 }),
      level && { ...level, evidence: { value: 100 * share, unit: '%', used: 9 } },
    ),
  )

  test('it never falls', () => {
    fc.assert(
      fc.property(
        fc.option(fc.double({ min: 0, max: 1e5, noNaN: true })),
        fc.boolean(),
        fc.integer({ min: 1, max: 6_300 }),
        (brokenA, shortCircuit, ratedA) => {
          expect(openingWear({ ratedA, brokenA, shortCircuit }, enduranceOf(ratedA))).toBeGreaterThan(0)
        },
      ),
      { numRuns: lawRuns(10_000) },
    )
  })
})

describe('release.slow', () => {
  const params = defaultParams(releaseSlow)
  const tests = (...times: number[]) => times.map((tripMs, i) => ({ at: i * 30 * dayMs, tripMs }))
  const sound = [28, 31, 30, 29, 32] as const

  test.each<[string, readonly number[], object | null]>([
    ['as always', [...sound, 30, 31, 29], null],
    ['half as long again, but 20 ms only', [...sound, 50, 51, 49], null],
    [
      '75 ms instead of 30',
      [...sound, 75, 74, 76],
      { key: 'release.slow', level: 'notice', evidence: { value: 75, baseline: 30, limit: 300 } },
    ],
    ['one slow test', [...sound, 30, 120, 31], null],
    ['210 ms', [...sound, 208, 210, 212], { level: 'warning' }],
    ['always 210 ms', [210, 210, 210, 210, 210, 210, 210, 210], { level: 'warning' }],
    ['25 ms more from test to test', [30, 55, 80, 105, 130, 155, 180, 199], { level: 'notice' }],
    [
      '40 ms more: 300 ms within 90 days',
      [30, 40, 50, 60, 70, 80, 190, 198].map((each, i) => (i < 6 ? 30 + 30 * i : each)),
      { level: 'warning' },
    ],
    ['falling from 190 ms', [190, 180, 170, 160, 150, 140, 130, 120], null],
    ['seven tests', [...sound, 210, 210], { notEvaluated: 'tooFewTests', have: 7, need: 8 }],
  ])('%s', (_, times, expected) => expectOutcome(evaluateRelease(params, tests(...times)), expected))
})

describe('trips.often and link.unstable', () => {
  const now = 30 * dayMs
  const ago = (...hours: number[]) => hours.map((each) => now - each * hourMs)

  test.each<[string, number[], object | null]>([
    ['three trips in a day', ago(1, 5, 23.9), { key: 'trips.often', evidence: { value: 3, limit: 3 } }],
    ['two in a day', ago(1, 5, 24), null],
    ['five in a week', ago(1, 30, 60, 90, 160), { evidence: { value: 5, limit: 5 } }],
    ['four in a week', ago(1, 30, 60, 90, 168), null],
    ['one that was reported three times', ago(1, 1, 1), null],
    ['what lies ahead has not happened', ago(-1, -2, -3), null],
  ])('%s', (_, at, expected) => expectOutcome(evaluateTrips(defaultParams(tripsOften), at, now), expected))

  test.each<[string, number[], object | null]>([
    ['six losses in an hour', ago(0, 0.2, 0.4, 0.6, 0.8, 0.99), { key: 'link.unstable' }],
    ['five in an hour', ago(0, 0.2, 0.4, 0.6, 0.8, 1), null],
  ])('%s', (_, at, expected) => expectOutcome(evaluateLink(defaultParams(linkUnstable), at, now), expected))
})
