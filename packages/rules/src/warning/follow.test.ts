import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { detectors } from './catalogue.ts'
import { defaultParams, parameterRefusals } from './detector.ts'
import type { Outcome, WarningLevel } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'
import { followFinding, nothingFollowed } from './follow.ts'
import { evaluationGate } from './gate.ts'
import { daysToLimit, timeToLimit } from './time-to-limit.ts'

const at = (level: WarningLevel): Outcome => ({
  key: 'contact',
  point: null,
  level,
  evidence: evidence({ value: 1, limit: 1, unit: 'K', used: 1 }),
})
const [N, W, A] = [at('notice'), at('warning'), at('alarm')]
const blind = notEvaluated('coverage')

const follow = (outcomes: readonly Outcome[], looks: 1 | 2 = 2): string[] => {
  let followed = nothingFollowed
  return outcomes.flatMap((outcome) => {
    const answer = followFinding(followed, outcome, looks)
    followed = answer.followed
    return answer.change && answer.change.kind !== 'again'
      ? [answer.change.kind === 'returned' ? 'returned' : `${answer.change.kind} ${answer.change.level}`]
      : []
  })
}

test.each<[string, readonly Outcome[], readonly string[]]>([
  ['one look is weather', [null, N, null, N, null], []],
  ['two in a row are a finding', [N, N], ['raised notice']],
  ['what both agree on', [A, N], ['raised notice']],
  ['a day that could not be evaluated neither confirms nor returns', [N, blind, N, blind, blind, null, blind], ['raised notice']],
  ['it stays one finding', [N, N, N, N, N], ['raised notice']],
  ['two graver looks make it graver, one does not', [N, N, W, N, W, W], ['raised notice', 'graver warning']],
  ['a milder look leaves it as grave', [W, W, N, N], ['raised warning']],
  ['a step over a level is one step', [N, N, A, A], ['raised notice', 'graver alarm']],
  ['the graver of two looks is the first of the next level', [N, W, W], ['raised notice', 'graver warning']],
  ['one quiet look is weather, two return it', [N, N, null, N, null, null], ['raised notice', 'returned']],
  ['a graver look and a quiet one leave it as it is', [N, N, W, null, N, W, null, null], ['raised notice', 'returned']],
  ['after its return it may be raised again', [N, N, null, null, N, N], ['raised notice', 'returned', 'raised notice']],
])('%s', (_, outcomes, expected) => expect(follow(outcomes)).toEqual(expected))

test('while it is open each look that finds it brings its figures, also a milder one and a graver one that nobody agrees with yet', () => {
  let followed = { ...nothingFollowed, open: 'warning' as WarningLevel | null }
  const changes = [W, N, A, null, blind].map((outcome) => {
    const answer = followFinding(followed, outcome, 2)
    followed = answer.followed
    return answer.change
  })
  expect(changes).toEqual([...[W, N, A].map((finding) => ({ kind: 'again', finding })), null, null])
  expect(followed.open).toBe('warning')
  expect(followFinding(nothingFollowed, W, 2).change).toBeNull()
})

test('a detector that has itself looked for days is raised at one look, and returns at two', () =>
  expect(follow([W, null, W, null, null], 1)).toEqual(['raised warning', 'returned']))

test('what is raised is returned before it is raised again, and levels only rise', () => {
  const outcome = fc.constantFrom<Outcome>(null, blind, N, W, A)
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 40 }), fc.constantFrom<1 | 2>(1, 2), (outcomes, looks) => {
      const order = ['notice', 'warning', 'alarm']
      let open = -1
      for (const change of follow(outcomes, looks)) {
        const [kind = '', level = ''] = change.split(' ')
        if (kind === 'raised') expect(open).toBe(-1)
        else expect(open).toBeGreaterThanOrEqual(0)
        if (kind === 'graver') expect(order.indexOf(level)).toBeGreaterThan(open)
        open = kind === 'returned' ? -1 : order.indexOf(level)
      }
    }),
    { numRuns: lawRuns(10_000) },
  )
})

describe('what is not evaluated', () => {
  const sound = { daysLearnt: 14, open: false, tagged: false, inspected: false, coverage: 0.5 }
  test.each<[string, Partial<typeof sound>, object | null]>([
    ['a line that is known for two weeks', {}, null],
    ['thirteen days', { daysLearnt: 13 }, { notEvaluated: 'learning', have: 13, need: 14 }],
    ['open', { open: true }, { notEvaluated: 'open' }],
    ['with a tag on it', { tagged: true }, { notEvaluated: 'tagged' }],
    ['inspected', { inspected: true }, { notEvaluated: 'inspected' }],
    ['less than half of its samples', { coverage: 0.49 }, { notEvaluated: 'coverage', have: 0.49, need: 0.5 }],
    [
      'all of it: the tag first',
      { open: true, tagged: true, inspected: true, daysLearnt: 0, coverage: 0 },
      { notEvaluated: 'tagged' },
    ],
  ])('%s', (_, more, expected) => {
    const gate = evaluationGate({ ...sound, ...more })
    if (expected === null) expect(gate).toBeNull()
    else expect(gate).toMatchObject(expected)
  })
})

describe('time to limit', () => {
  const days = Array.from({ length: 20 }, (_, i) => i)
  const rising = (noise: number, perDay = 2) => days.map((day) => perDay * day + noise * Math.sin(day * 2.3))

  test('a clean rise says it well', () =>
    expect(timeToLimit(days, rising(0.5), 78)).toMatchObject({ mid: expect.closeTo(20, 0), confidence: 'high' }))

  test('a rough one says it less well, a rougher one not at all', () => {
    expect(timeToLimit(days, rising(9), 98)).toMatchObject({ confidence: 'medium' })
    expect(timeToLimit(days, rising(30), 98)).toBeNull()
  })

  test('a rise that began after a level stretch is asked of its own days', () => {
    const since = [...days.map(() => 5), ...rising(0.2).map((each) => 5 + each)].map((each, i) => each + 0.2 * Math.sin(i * 5))
    expect(
      timeToLimit(
        since.map((_, i) => i),
        since,
        83,
      ),
    ).toMatchObject({ mid: expect.closeTo(20, 0), confidence: 'high' })
  })

  test('days that are missing make it no sooner', () => {
    const some = days.filter((day) => day % 3 !== 1)
    const known = timeToLimit(
      some,
      some.map((day) => rising(0.5)[day] ?? 0),
      78,
    )
    // The last of them is a day earlier.
    expect(known).toMatchObject({ mid: expect.closeTo(21, 0) })
  })

  test('beyond the limit nothing is left, and what falls or is level does not go there', () => {
    expect(timeToLimit(days, rising(0.5), 10)).toMatchObject({ lo: 0, mid: 0, hi: 0 })
    expect(daysToLimit(days, rising(0.5, -2), 10)).toBeNull()
    expect(daysToLimit(days, rising(0.5, 0), 10)).toBeNull()
  })

  test('nine values say nothing', () => expect(daysToLimit(days.slice(0, 9), rising(0.5).slice(0, 9), 78)).toBeNull())

  test('a rise that may be none has no end', () => {
    const maybe = rising(3, 0.2)
    expect(daysToLimit(days, maybe, 30)?.hi ?? Number.POSITIVE_INFINITY).toBe(Number.POSITIVE_INFINITY)
    expect(timeToLimit(days, maybe, 30)).toBeNull()
  })

  test('in other units, and from another day on, it is the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 0, max: 20_000 }), (thousandths, day) => {
        const scale = thousandths / 1_000
        const known = daysToLimit(days, rising(2), 78)
        const other = daysToLimit(
          days.map((each) => each + day),
          rising(2).map((each) => each * scale),
          78 * scale,
        )
        expect(other?.mid).toBeCloseTo(known?.mid ?? Number.NaN, 3)
        expect(other?.hi).toBeCloseTo(known?.hi ?? Number.NaN, 2)
      }),
      { numRuns: lawRuns(200) },
    )
  })
})

describe('every detector', () => {
  test('only what a single odd day could feign asks for a second look', () =>
    expect(detectors.filter(({ looks }) => looks === 2).map(({ key }) => key)).toEqual([
      'contact',
      'leakage.drift',
      'voltage.range',
    ]))

  test('has a key of its own', () => expect(new Set(detectors.map(({ key }) => key)).size).toBe(detectors.length))

  test.each(detectors.map((each) => [each.key, each] as const))(
    '%s: words in both languages, figures in their range, each with its source',
    (_, each) => {
      for (const { label, source, min, max, default: usual } of [
        ...Object.values(each.parameters),
        { label: each.label, source: 'x', min: 0, max: 0, default: 0 },
      ]) {
        expect(label.zh).toMatch(/\p{Script=Han}/u)
        expect(label.en).toMatch(/^[A-Z]/)
        expect(source).not.toBe('')
        expect(usual).toBeGreaterThanOrEqual(min)
        expect(usual).toBeLessThanOrEqual(max)
      }
      expect(parameterRefusals(each, defaultParams(each))).toEqual([])
    },
  )

  test('a figure out of its range is refused with the range, one that nobody knows without, all at once', () => {
    const [first] = detectors
    if (!first) throw new Error('no detectors')
    expect(parameterRefusals(first, { noticeK: 1, warningK: 15, minExcessK: Number.NaN, toString: 1 })).toEqual([
      { field: 'noticeK', from: 2, to: 15 },
      { field: 'minExcessK', from: 4, to: 40 },
      { field: 'toString', from: null, to: null },
    ])
  })
})
