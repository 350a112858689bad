import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { LinkageCondition, LinkagePicture, Truth } from './linkage.ts'
import { combine, defaultRelease, meets } from './linkage.ts'
import type { LinkageRule, LinkageState } from './linkage-fold.ts'
import { blindConditions, enabledLinkage, foldLinkage, resumedLinkage, setBackLinkage } from './linkage-fold.ts'

const period = 10_000
const hot: LinkageCondition = {
  kind: 'point',
  line: 'a',
  key: 'temperature.a',
  op: '>',
  value: 80,
  release: 4,
  forS: 0,
  periodMs: period,
}
const ruleOf = (...conditions: readonly Partial<LinkageCondition>[]): LinkageRule => ({
  match: 'all',
  conditions: conditions.map((each) => ({ ...hot, ...each })),
})
const reading = (at: number, value: number | null, more: Partial<LinkagePicture> & { line?: string } = {}): LinkagePicture => ({
  at: at * 1_000,
  mark: 'live',
  values: [{ line: more.line ?? 'a', key: 'temperature.a', value }],
  ...more,
})
const firedAt = (rule: LinkageRule, pictures: readonly LinkagePicture[], until = 10_000, state = enabledLinkage(rule, 0)) =>
  foldLinkage(rule, state, pictures, until * 1_000).firings.map(({ at }) => at / 1_000)
const every10 = (from: number, values: readonly number[]) => values.map((value, index) => reading(from + index * 10, value))

test.each<['all' | 'any', readonly Truth[], Truth]>([
  ['all', [true, true], true],
  ['all', [true, 'unknown'], 'unknown'],
  ['all', [false, 'unknown'], false],
  ['any', [false, false], false],
  ['any', [false, 'unknown'], 'unknown'],
  ['any', [true, 'unknown'], true],
])('%s of %o is %s', (match, truths, whole) => {
  expect(combine(match, truths)).toBe(whole)
})

test.each([
  ['>', false, 80, false],
  ['>', false, 81, true],
  ['>', true, 77, true],
  ['>', true, 76, false],
  ['>=', false, 80, true],
  ['>=', true, 76, false],
  ['<', false, 80, false],
  ['<', true, 83, true],
  ['<', true, 84, false],
  ['<=', false, 80, true],
  ['=', true, 81, false],
  ['!=', false, 81, true],
] as const)('%s 80, met before: %s, at %d is %s', (op, was, value, met) => {
  expect(meets({ ...hot, op }, was, value)).toBe(met)
})

test('the release that is proposed is a twentieth, and two steps at least', () => {
  expect([defaultRelease(80, 1), defaultRelease(1, 1), defaultRelease(-10, 0)]).toEqual([4, 0.2, 2])
})

test('a linkage fires when its condition rises, once, and again only after it came back by the release', () => {
  expect(firedAt(ruleOf({}), every10(0, [70, 81, 90, 79, 81, 76, 81]))).toEqual([10, 60])
})

test('what is met when a linkage is enabled does not fire, not after its duration either', () => {
  expect(firedAt(ruleOf({}), every10(0, [90, 90, 70, 90]))).toEqual([30])
  expect(firedAt(ruleOf({ forS: 15 }), every10(0, [90, 90, 90, 90]))).toEqual([])
})

test('a duration is over at its instant, though no message comes then', () => {
  expect(firedAt(ruleOf({ forS: 15 }), every10(0, [70, 90, 90, 90]))).toEqual([25])
  expect(firedAt(ruleOf({ forS: 15 }), every10(0, [70, 90, 70, 90]), 40)).toEqual([])
})

test('a message at the very instant at which the duration would be over ends it', () => {
  expect(firedAt(ruleOf({ forS: 10 }), every10(0, [70, 90, 70]))).toEqual([])
})

test('a duration goes on over a gap of three periods, over a longer one it begins again', () => {
  const gap = (seconds: number) => [
    reading(0, 70),
    reading(10, 90),
    reading(10 + seconds, 90),
    reading(30 + seconds, 90),
    reading(60 + seconds, 90),
  ]
  expect(firedAt(ruleOf({ forS: 35 }), gap(30))).toEqual([45])
  expect(firedAt(ruleOf({ forS: 35 }), gap(31))).toEqual([76])
})

test('what was true before a loss of the link is no rise after it', () => {
  expect(firedAt(ruleOf({ forS: 5 }), [reading(0, 70), reading(10, 90), reading(500, 90), reading(510, 90)])).toEqual([15])
})

test('an unknown value never fires: stale, by a clock that is off, or missing', () => {
  const both = ruleOf({}, { line: 'b' })
  expect(firedAt(both, [reading(0, 70), reading(0, 90, { line: 'b' }), reading(100, 90)])).toEqual([])
  expect(firedAt(ruleOf({}), [reading(0, 70), reading(10, 90, { mark: 'clockOff' })])).toEqual([])
  expect(firedAt(ruleOf({}), [reading(0, 70), reading(10, null), reading(20, 90)])).toEqual([20])
})

test('a back-filled value says nothing of now', () => {
  expect(firedAt(ruleOf({}), [reading(0, 70), reading(10, 90, { mark: 'historical' })])).toEqual([])
})

test('the values of one message are one picture', () => {
  const rule = ruleOf({}, { line: 'b' })
  const picture = (at: number, a: number, b: number): LinkagePicture => ({
    at: at * 1_000,
    mark: 'live',
    values: [
      { line: 'a', key: 'temperature.a', value: a },
      { line: 'b', key: 'temperature.a', value: b },
    ],
  })
  expect(firedAt(rule, [picture(0, 70, 90), picture(10, 90, 70), picture(20, 90, 90)])).toEqual([20])
})

const restarted = (
  rule: LinkageRule,
  before: readonly LinkagePicture[],
  [from, to]: readonly [number, number],
  after: readonly LinkagePicture[],
) => {
  const stored = foldLinkage(rule, enabledLinkage(rule, 0), before, from * 1_000).state
  return foldLinkage(rule, resumedLinkage(stored, to * 1_000), after, 10_000_000).firings
}

test('what was true before a start stays true and does not fire', () => {
  expect(restarted(ruleOf({}), every10(0, [70, 90]), [15, 300], every10(301, [90, 90]))).toEqual([])
})

test('what rose while the server was away trips up to a minute late and never closes', () => {
  const rise = (to: number) => restarted(ruleOf({}), every10(0, [70, 70]), [12, to], [reading(to + 1, 90)])
  expect(rise(40)).toMatchObject([{ at: 41_000, mayClose: false, late: false }])
  expect(rise(69)).toMatchObject([{ at: 70_000, mayClose: false, late: false }])
  expect(rise(70)).toMatchObject([{ at: 71_000, mayClose: false, late: true }])
})

test('a duration that was over while the server was away fires by its own instant, and never closes', () => {
  const rule = ruleOf({ forS: 20 })
  expect(restarted(rule, every10(0, [70, 90]), [12, 35], [reading(36, 90)])).toMatchObject([
    { at: 30_000, mayClose: false, late: false },
  ])
  expect(restarted(rule, every10(0, [70, 90]), [12, 95], [reading(96, 90)])).toMatchObject([
    { at: 30_000, mayClose: false, late: true },
  ])
})

test('what rises after a start is as before it', () => {
  expect(restarted(ruleOf({}), every10(0, [70]), [5, 40], every10(41, [70, 90]))).toMatchObject([
    { at: 51_000, mayClose: true, late: false },
  ])
})

const closes = (rule: LinkageRule, pictures: readonly LinkagePicture[], until = 10_000) =>
  foldLinkage(rule, enabledLinkage(rule, 0), pictures, until * 1_000).firings.map(({ at, mayClose }) => [at / 1_000, mayClose])

test('the first value after an outage trips and closes nothing; a single value that is missing is none', () => {
  expect(closes(ruleOf({}), [reading(0, 70), reading(31, 90)])).toEqual([[31, false]])
  expect(closes(ruleOf({}), [reading(0, 70), reading(30, 90)])).toEqual([[30, true]])
  expect(closes(ruleOf({}), [reading(0, 70), reading(10, null), reading(20, 90)])).toEqual([[20, true]])
  expect(closes(ruleOf({}), [reading(0, 70), reading(10, null), reading(20, null), reading(31, null), reading(41, 90)])).toEqual([
    [41, false],
  ])
  // After it a rise is as before it, and a duration is observed from its beginning.
  expect(closes(ruleOf({}), [reading(0, 70), reading(100, 70), reading(110, 90)])).toEqual([[110, true]])
  expect(closes(ruleOf({ forS: 5 }), [reading(0, 70), reading(100, 90)])).toEqual([[105, true]])
})

test('of several conditions it counts whether the last to rise was observed to', () => {
  const both = ruleOf({}, { line: 'b' })
  const others = (at: number, value: number) => reading(at, value, { line: 'b' })
  const steady = [0, 10, 20, 30, 40].map((at) => reading(at, 70))
  expect(closes(both, [...steady, others(0, 70), others(45, 90), reading(50, 90)])).toEqual([[50, true]])
  expect(closes(both, [...steady, others(0, 70), reading(50, 90), others(55, 90)])).toEqual([[55, false]])
  expect(closes({ ...both, match: 'any' }, [...steady, others(0, 70), reading(50, 90)])).toEqual([[50, true]])
  expect(closes({ ...both, match: 'any' }, [...steady, others(0, 70), others(45, 90)])).toEqual([[45, false]])
})

test('a value that was old when it came trips and closes nothing, nor does a duration that nothing newer confirms', () => {
  const old = reading(10, 90, { mark: 'old' })
  expect(closes(ruleOf({}), [reading(0, 70), old])).toEqual([[10, false]])
  expect(closes(ruleOf({ forS: 15 }), [reading(0, 70), old])).toEqual([[25, false]])
  expect(closes(ruleOf({ forS: 15 }), [reading(0, 70), old, reading(20, 90)])).toEqual([[25, true]])
})

test('a linkage that cannot know for longer than three periods is blind, and names the condition', () => {
  const rule = ruleOf({}, { line: 'b' })
  const { state } = foldLinkage(rule, enabledLinkage(rule, 0), [reading(0, 90)], 10_000)
  expect(blindConditions(rule, state, 30_000)).toEqual([])
  expect(blindConditions(rule, foldLinkage(rule, state, [reading(31, 90)], 31_001).state, 31_001)).toEqual([1])
})

const either = (own: Partial<LinkageCondition> = {}): LinkageRule => ({
  ...ruleOf({ isDanger: true, ...own }, { line: 'b' }),
  match: 'any',
})
const other = (at: number, value: number | null) => reading(at, value, { line: 'b' })

test('a danger, of which one is enough, fires by itself: while another condition is true, and while another has never been known', () => {
  const readings = [reading(0, 70), other(0, 70), other(10, 90), reading(20, 90), other(20, 90), reading(30, 90), other(30, 90)]
  expect(firedAt(either(), readings)).toEqual([10, 20])
  expect(firedAt(either({ isDanger: false }), readings)).toEqual([10])
  expect(firedAt({ ...either(), match: 'all' }, readings)).toEqual([20])
  const alone = [reading(0, 70), reading(10, 90)]
  expect(firedAt(either(), alone)).toEqual([10])
  expect(firedAt(either({ isDanger: false }), alone)).toEqual([])
})

test('a danger that stands on is no second one, not after it could not be known either; one that was there from the beginning is none', () => {
  const others = [0, 10, 20, 30, 40].map((at) => other(at, 90))
  expect(firedAt(either(), [...others, ...[70, 90, null, 90, 70].map((value, index) => reading(index * 10, value))])).toEqual([
    10,
  ])
  expect(firedAt(either(), [...others, ...every10(0, [90, 90, 70, 90])])).toEqual([30])
})

test('a danger that comes to be known only as its equipment reports less often fires by itself at once', () => {
  const others = [0, 10, 20, 30, 40, 50, 60, 70, 80].map((at) => other(at, 90))
  const { state } = foldLinkage(either({ forS: 60 }), enabledLinkage(either(), 0), [...others, ...every10(0, [70, 90])], 80_500)
  const seldom = either({ forS: 60, periodMs: 60_000 })
  expect(foldLinkage(seldom, state, [other(81, 90)], 81_000).firings).toHaveLength(1)
})

/** Seconds after and by which each condition came to be met, and whether the linkage fires by it. */
const changesOf = (rule: LinkageRule, state: LinkageState, pictures: readonly LinkagePicture[]) =>
  foldLinkage(rule, state, pictures, 10_000_000).firings.map(({ changes }) =>
    changes.map((each) => each && [each.after / 1_000, each.by / 1_000, each.isNew]),
  )

test('a firing says when its conditions came to be met, not when their durations were over', () => {
  const rule = ruleOf({ forS: 60 }, { line: 'b' })
  const steady = [0, 10, 20, 30, 40, 50, 60, 70, 80].map((at) => other(at, at < 20 ? 70 : 90))
  const rises = every10(0, [70, 90, 90, 90, 90, 90, 90, 90, 90])
  expect(changesOf(rule, enabledLinkage(rule, 0), [...steady, ...rises])).toEqual([
    [
      [0, 10, true],
      [10, 20, false],
    ],
  ])
  // A gap begins the duration again, and not the moment from which on it was so.
  const gap = [reading(0, 70), reading(10, 90), reading(50, 90), reading(80, 90), reading(110, 90)]
  const single = ruleOf({ forS: 60 })
  expect(changesOf(single, enabledLinkage(single, 0), gap)).toEqual([[[0, 10, true]]])
})

test('what came to be true while another condition could not be known is what it fires by', () => {
  const rule = ruleOf({}, { line: 'b' })
  const readings = [reading(0, 70), other(0, 70), other(10, 90), other(20, null), reading(20, 90), other(30, 90)]
  expect(changesOf(rule, enabledLinkage(rule, 0), readings)).toEqual([
    [
      [0, 20, true],
      [0, 10, false],
    ],
  ])
})

test('over a restart it rose at some time since it was known not to be so', () => {
  const rule = ruleOf({})
  const { state } = foldLinkage(rule, enabledLinkage(rule, 0), [reading(0, 70)], 5_000)
  const stored: LinkageState = JSON.parse(JSON.stringify(state))
  expect(changesOf(rule, resumedLinkage(stored, 30_000), [reading(31, 90)])).toEqual([[[0, 31, true]]])
  const longer = ruleOf({ forS: 60 })
  const before = foldLinkage(longer, enabledLinkage(longer, 0), [reading(0, 70), reading(10, 90)], 20_000).state
  const resumed = resumedLinkage(JSON.parse(JSON.stringify(before)), 25_000)
  expect(changesOf(longer, resumed, [reading(35, 90), reading(60, 90), reading(80, 90)])).toEqual([[[0, 10, true]]])
})

const anyPictures = fc
  .array(
    fc.record({
      wait: fc.integer({ min: 1, max: 45 }),
      line: fc.constantFrom('a', 'b'),
      value: fc.constantFrom(70, 78, 82, 90),
      mark: fc.constantFrom('live' as const, 'live' as const, 'live' as const, 'historical' as const, 'clockOff' as const),
    }),
    { maxLength: 40 },
  )
  .map((steps) => {
    let at = 0
    return steps.map(({ wait, line, value, mark }) => {
      at += wait
      return reading(at, value, { line, mark, values: [{ line, key: 'temperature.a', value }] })
    })
  })
const anyRule = fc
  .record({ match: fc.constantFrom('all' as const, 'any' as const), forS: fc.constantFrom(0, 5, 30, 60), isDanger: fc.boolean() })
  .map(({ match, forS, isDanger }) => ({
    ...ruleOf({ forS, isDanger }, { line: 'b' }),
    match,
  }))
const numRuns = lawRuns(200)
const end = 4_000_000

test('any cut into commits, with ticks between, duplicates and reordering within each, gives the same firings', () => {
  fc.assert(
    fc.property(anyRule, anyPictures, fc.array(fc.integer({ min: 0, max: 40 })), (rule, pictures, cuts) => {
      const whole = foldLinkage(rule, enabledLinkage(rule, 0), pictures, end)
      const edges = [...new Set([0, ...cuts.map((cut) => Math.min(cut, pictures.length)), pictures.length])].sort(
        (one, other) => one - other,
      )
      let state: LinkageState = enabledLinkage(rule, 0)
      const firings = edges.slice(1).flatMap((edge, index) => {
        const commit = pictures.slice(edges[index], edge)
        const folded = foldLinkage(rule, state, [...commit, ...commit].reverse(), commit.at(-1)?.at ?? 0)
        state = folded.state
        return folded.firings
      })
      const last = foldLinkage(rule, state, pictures.slice(-3), end)
      expect([...firings, ...last.firings]).toEqual(whole.firings)
      expect(last.state).toEqual(whole.state)
    }),
    { numRuns },
  )
})

test('a start at any point adds no firing, and closes nothing that was not observed to rise', () => {
  fc.assert(
    fc.property(anyRule, anyPictures, fc.nat(40), (rule, pictures, cut) => {
      const whole = foldLinkage(rule, enabledLinkage(rule, 0), pictures, end).firings
      const stored = foldLinkage(rule, enabledLinkage(rule, 0), pictures.slice(0, cut), pictures[cut - 1]?.at ?? 0)
      const after = foldLinkage(rule, resumedLinkage(stored.state, stored.state.clock + 1), pictures.slice(cut), end).firings
      expect([...stored.firings, ...after].map(({ at }) => at)).toEqual(whole.map(({ at }) => at))
    }),
    { numRuns },
  )
})

test('between two firings the linkage was false', () => {
  fc.assert(
    fc.property(anyPictures, (pictures) => {
      const rule = ruleOf({ line: 'a' })
      const live = pictures.filter(({ mark, values }) => mark === 'live' && values[0]?.line === 'a')
      const firings = foldLinkage(rule, enabledLinkage(rule, 0), live, end).firings
      for (const [index, { at }] of firings.slice(1).entries()) {
        const before = firings[index]!.at
        expect(live.some((each) => each.at > before && each.at < at && (each.values[0]?.value ?? 99) <= 76)).toBe(true)
      }
    }),
    { numRuns },
  )
})

test('by a clock that is set back in between, what fires is the same, by that clock', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 45 }), fc.integer({ min: 60, max: 100 })), {
    minLength: 1,
    maxLength: 30,
  })
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 29 }), fc.integer({ min: 1, max: 5_000_000 }), (readings, nth, byMs) => {
      const rule = ruleOf({ forS: 25 })
      const run = (setBack: boolean) => {
        let state = enabledLinkage(rule, 0)
        let now = 0
        const fired: number[] = []
        let behind = 0
        for (const [index, [seconds, value]] of readings.entries()) {
          if (setBack && index === nth) {
            state = setBackLinkage(state, byMs)
            behind = byMs
          }
          now += seconds * 1_000
          const picture = { ...reading(0, value), at: now - behind }
          const folded = foldLinkage(rule, state, [picture], now - behind)
          state = folded.state
          fired.push(...folded.firings.map(({ at }) => at + behind))
        }
        return fired
      }
      expect(run(true)).toEqual(run(false))
    }),
    { numRuns },
  )
})
