import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { LinkageCondition, LinkagePicture } from './linkage.ts'
import type { LinkageRule } from './linkage-fold.ts'
import { enabledLinkage, foldLinkage } from './linkage-fold.ts'
import { ConditionCourse, knownSpans, replayLinkage, spansBetween, valueBand } from './linkage-replay.ts'

const hot: LinkageCondition = {
  ...{ kind: 'point', line: 'a', key: 'temperature.a', op: '>', value: 80, release: 4, forS: 0, periodMs: 10_000 },
}
const range = { from: 0, to: 1_000_000 }

interface Report {
  readonly at: number
  readonly value: number | null
}

const courseOf = (condition: LinkageCondition, reports: readonly Report[]) => {
  const course = new ConditionCourse(condition)
  for (const { at, value } of reports) course.add(at, value)
  return course.stretches
}

function replayed(rule: LinkageRule, reports: readonly (readonly Report[])[]) {
  const courses = rule.conditions.map((condition, index) => courseOf(condition, reports[index] ?? []))
  const replay = replayLinkage(rule, courses, range)
  for (;;) {
    const { done, value } = replay.next()
    if (done) return value
  }
}

test.each([
  ['>', 81, 'met'],
  ['>', 77, 'release'],
  ['>', 76, 'unmet'],
  ['<', 79, 'met'],
  ['<', 83, 'release'],
  ['=', 80, 'met'],
  ['=', 79, 'unmet'],
  ['>', null, null],
] as const)('%s 80, release 4: %s is %s', (op, value, band) => {
  expect(valueBand({ ...hot, op }, value)).toBe(band)
})

test('reports that are alike are one stretch; another value, a silence or none begins the next', () => {
  const reports = [
    ...[10, 20, 30].map((at) => ({ at: at * 1_000, value: 50 + at })),
    { at: 40_000, value: 78 },
    { at: 50_000, value: null },
    { at: 60_000, value: 60 },
    { at: 100_000, value: 60 },
  ]
  expect(courseOf(hot, reports).map(({ from, to, value }) => [from / 1_000, to / 1_000, value])).toEqual([
    [10, 20, 60],
    [30, 40, 80],
    [50, 50, null],
    [60, 60, 60],
    [100, 100, 60],
  ])
})

test('what the database leaves out of a stretch is known by its end', () => {
  const course = new ConditionCourse(hot)
  course.add(10_000, 20)
  course.add(500_000, 90, 490_000)
  expect(course.stretches).toEqual([
    { from: 10_000, to: 490_000, value: 20 },
    { from: 500_000, to: 500_000, value: 90 },
  ])
})

test('what is met at the beginning does not fire, what rises later does, and a silence is unknown', () => {
  const reports = [...[10, 20, 30].map((at) => ({ at: at * 1_000, value: 90 })), { at: 40_000, value: 70 }]
  const { firings, unknown } = replayed({ match: 'all', conditions: [hot] }, [[...reports, { at: 50_000, value: 95 }]])
  expect(firings.map(({ at }) => at)).toEqual([50_000])
  expect(unknown).toEqual([
    { from: 0, to: 10_000 },
    { from: 80_001, to: 1_000_000 },
  ])
})

test('a condition is known for three periods after its last report', () => {
  const stretches = courseOf(hot, [
    { at: 10_000, value: 1 },
    { at: 20_000, value: 1 },
    { at: 30_000, value: null },
    { at: 40_000, value: 1 },
  ])
  const known = knownSpans(stretches, 10_000, range)
  expect(known).toEqual([
    { from: 10_000, to: 30_000 },
    { from: 40_000, to: 70_001 },
  ])
  expect(spansBetween(known, range)).toEqual([
    { from: 0, to: 10_000 },
    { from: 30_000, to: 40_000 },
    { from: 70_001, to: 1_000_000 },
  ])
})

const anyCondition = fc.record({
  line: fc.constantFrom('a', 'b'),
  key: fc.constantFrom('temperature.a', 'temperature.b'),
  op: fc.constantFrom('>', '>=', '<', '<=', '=', '!=' as const),
  value: fc.constantFrom(10, 20),
  release: fc.constantFrom(0, 3),
  forS: fc.constantFrom(0, 15, 60),
  isDanger: fc.boolean(),
})
/** Seconds to the next report, and what each of two points of two lines says in it. */
const anyReports = fc.array(
  fc.record({
    after: fc.constantFrom(1, 5, 10, 10, 10, 29, 30, 31, 80),
    line: fc.constantFrom('a', 'b'),
    values: fc.tuple(
      fc.option(fc.constantFrom(5, 9, 10, 12, 18, 20, 25), { freq: 6 }),
      fc.option(fc.constantFrom(5, 9, 10, 12, 18, 20, 25), { freq: 6 }),
    ),
  }),
  { maxLength: 40 },
)

test('the replay of stretches fires as the fold of every report does', () => {
  fc.assert(
    fc.property(
      fc.array(anyCondition, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('all', 'any' as const),
      anyReports,
      (conditions, match, reports) => {
        const rule: LinkageRule = { match, conditions: conditions.map((each) => ({ ...hot, ...each })) }
        let at = 0
        const pictures = reports.map(({ after, line, values: [first, second] }): LinkagePicture => {
          at += after * 1_000
          const values = [
            { line, key: 'temperature.a', value: first },
            { line, key: 'temperature.b', value: second },
          ]
          return { at, mark: 'live', values }
        })
        const own = rule.conditions.map(({ line, key }) =>
          pictures.flatMap((picture) =>
            picture.values
              .filter((each) => each.line === line && each.key === key)
              .map(({ value }) => ({ at: picture.at, value })),
          ),
        )
        const folded = foldLinkage(rule, enabledLinkage(rule, 0), pictures, range.to - 1)
        expect(replayed(rule, own).firings.map((firing) => firing.at)).toEqual(folded.firings.map((firing) => firing.at))
      },
    ),
    { numRuns: lawRuns(300) },
  )
})
