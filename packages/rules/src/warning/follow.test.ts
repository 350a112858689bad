import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectors } from './catalogue.ts'
import { defaultParams, parameterRefusals } from './detector.ts'
import type { Outcome, WarningLevel } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'
import { followFinding, nothingFollowed } from './follow.ts'
import { evaluationGate } from './gate.ts'
import { theilSen } from './statistics.ts'
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
    return answer.change ? [answer.change.kind === 'returned' ? 'returned' : `${answer.change.kind} ${answer.change.level}`] : []
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
  ['after its return it may be raised again', [N, N, null, null, N, N], ['raised notice', 'returned', 'raised notice']],
])('%s', (_, outcomes, expected) => expect(follow(outcomes)).toEqual(expected))

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
    { numRuns: 10_000 },
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
  const trend = (noise: number) => {
    const own = theilSen(
      days,
      days.map((day) => 2 * day + noise * Math.sin(day * 2.3)),
    )
    if (!own) throw new Error('no trend')
    return own
  }

  test('a clean rise says it well', () =>
    expect(timeToLimit(trend(0.5), 78, 20)).toMatchObject({ mid: expect.closeTo(20, 0), confidence: 'high' }))

  test('a rough one says it less well, a rougher one not at all', () => {
    expect(timeToLimit(trend(9), 98, 20)).toMatchObject({ confidence: 'medium' })
    expect(timeToLimit(trend(30), 98, 20)).toBeNull()
  })

  test('beyond the limit nothing is left, and what falls does not go there', () => {
    expect(timeToLimit(trend(0.5), 10, 20)).toMatchObject({ lo: 0, mid: 0, hi: 0 })
    const falling = theilSen(
      days,
      days.map((day) => -day),
    )
    expect(falling && daysToLimit(falling, 10, 20)).toBeNull()
  })

  test('a rise that may be none has no end', () => {
    const flat = { ...trend(0.5), slopeFrom: -0.1 }
    expect(daysToLimit(flat, 78, 20)?.hi).toBe(Number.POSITIVE_INFINITY)
    expect(timeToLimit(flat, 78, 20)).toBeNull()
  })
})

describe('every detector', () => {
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
