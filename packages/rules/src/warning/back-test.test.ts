import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { LineBackTest } from './back-test.ts'
import { stricterValues, summariseBackTest } from './back-test.ts'
import type { NotEvaluatedReason } from './finding.ts'
import { ruleCatalogue } from './rule.ts'
import { stricterWay } from './stricter.ts'

const line = (lineId: number, findings: readonly (readonly [day: number, hours: number])[], days = [1, 2, 3]): LineBackTest => ({
  lineId,
  findings: findings.map(([day, hours]) => ({ point: null, day, hours })),
  evaluated: new Set(days),
  reasons: new Map<NotEvaluatedReason, number>(days.length < 3 ? [['coverage', 3 - days.length]] : []),
})
const stretch = { from: 1, to: 3 }

test('a finding that a milder rule raises a day before is the same one', () => {
  const summary = summariseBackTest([line(1, [[1, 48]])], [line(1, [[2, 24]])], stretch)
  expect([summary.more, summary.fewer]).toEqual([0, 0])
  expect(summary.perDay.map(({ changed, present, both }) => [changed, present, both])).toEqual([
    [1, 0, 1],
    [0, 1, 0],
    [0, 0, 0],
  ])
})

test('what only one of the rules raises is counted as more and as fewer', () => {
  const summary = summariseBackTest(
    [
      line(1, [
        [1, 2],
        [3, 24],
      ]),
      line(2, []),
    ],
    [line(1, [[1, 2]]), line(3, [[2, 5]])],
    stretch,
  )
  expect([summary.more, summary.fewer, summary.changed.findings, summary.present.findings]).toEqual([1, 1, 2, 2])
  expect(summary.changed).toMatchObject({ lines: 1, maxHours: 24 })
  expect(summary.noisiest).toEqual([
    { lineId: 1, changed: 2, present: 1 },
    { lineId: 3, changed: 0, present: 1 },
  ])
})

test('lines of which nothing could be said are told by the reason that held longest, and days by how many could', () => {
  const summary = summariseBackTest([line(1, []), line(2, [], [2]), line(3, [], [])], [], stretch)
  expect([summary.evaluated, summary.notEvaluated]).toEqual([2, [['coverage', 1]]])
  expect(summary.perDay.map(({ evaluated }) => evaluated)).toEqual([1, 2, 1])
  expect(summary.coveragePercent).toBeCloseTo((100 * 4) / 9)
  expect(summariseBackTest([], [], { from: 0, to: -1 })).toMatchObject({ coveragePercent: null, perDay: [], evaluated: 0 })
})

test('the longest of what lasted less than an hour is less than an hour', () => {
  const short = summariseBackTest([line(1, [[1, 0.25]])], [], stretch)
  expect([short.changed.maxHours, short.present.maxHours]).toEqual([0.25, null])
})

test('at most ten lines are named, those with most findings', () => {
  const lines = Array.from({ length: 12 }, (_, id) =>
    line(
      id + 1,
      Array.from({ length: id + 1 }, () => [1, 1] as const),
    ),
  )
  const { noisiest } = summariseBackTest(lines, [], stretch)
  expect(noisiest.map(({ lineId }) => lineId)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
})

const anyLines = fc
  .array(fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 72 })), { maxLength: 4 }), { maxLength: 6 })
  .map((all) => all.map((findings, id) => line(id, findings)))

test('whatever two rules raise, the figures add up', () => {
  fc.assert(
    fc.property(anyLines, anyLines, (changed, present) => {
      const summary = summariseBackTest(changed, present, stretch)
      const both = summary.changed.findings - summary.more
      expect(both).toBe(summary.present.findings - summary.fewer)
      expect(both).toBe(summary.perDay.reduce((sum, day) => sum + day.both, 0))
      expect(summary.perDay.reduce((sum, day) => sum + day.changed, 0)).toBe(summary.changed.findings)
      expect(Math.min(summary.more, summary.fewer)).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: lawRuns(1_000) },
  )
})

test('a rule beside itself differs in nothing', () => {
  fc.assert(
    fc.property(anyLines, (lines) => {
      expect(summariseBackTest(lines, lines, stretch)).toMatchObject({ more: 0, fewer: 0 })
    }),
    { numRuns: lawRuns(1_000) },
  )
})

test('a figure is tried a tenth, a quarter and half of the way, and at its strictest; what it has already is not', () => {
  const of = (min: number, value: number, max: number, way: 'up' | 'down') =>
    stricterValues({ label: { zh: '', en: '' }, unit: '', source: '', default: value, min, max }, value, way)
  expect(of(0, 0, 100, 'up')).toEqual([10, 25, 50, 100])
  expect(of(0, 100, 100, 'down')).toEqual([90, 75, 50, 0])
  expect(of(1, 119, 120, 'up')).toEqual([120])
  expect(of(0.1, 0.2, 0.5, 'up')).toEqual([0.23, 0.28, 0.35, 0.5])
  expect(of(0, 100, 100, 'up')).toEqual([])
})

const figures = ruleCatalogue.flatMap(({ key, parameters }) =>
  Object.entries(parameters).flatMap(([name, parameter]) => {
    const way = stricterWay(key, name)
    return way === null ? [] : [[`${key} ${name}`, parameter, way] as const]
  }),
)

test.each(figures)('%s is tried only stricter than it is, within its range', (_, parameter, way) => {
  fc.assert(
    fc.property(fc.double({ min: parameter.min, max: parameter.max, noNaN: true }), (value) => {
      const values = stricterValues(parameter, value, way)
      for (const each of values) {
        expect(each >= parameter.min && each <= parameter.max).toBe(true)
        expect(way === 'up' ? each > value : each < value).toBe(true)
      }
      const end = way === 'up' ? parameter.max : parameter.min
      expect(value === end || values.includes(end)).toBe(true)
    }),
  )
})
