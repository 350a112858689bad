import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { LinkageCondition, LinkagePicture } from './linkage.ts'
import { comparisons, meets } from './linkage.ts'
import type { Firing, LinkageRule, LinkageState } from './linkage-fold.ts'
import { enabledLinkage, foldLinkage } from './linkage-fold.ts'
import { SteadyLinkage, steadyBand } from './linkage-steady.ts'

const second = 1_000
const period = 10 * second
const hot: LinkageCondition = {
  ...({ kind: 'point', line: 'a', key: 'temperature.a', op: '>', value: 80 } as const),
  ...{ release: 4, forS: 0, periodMs: period },
}
const ruleOf = (...conditions: readonly Partial<LinkageCondition>[]): LinkageRule => ({
  match: 'all',
  conditions: conditions.map((each) => ({ ...hot, ...each })),
})
const picture = (at: number, value: number | null): LinkagePicture => ({
  ...{ at: at * second, mark: 'live' },
  values: [{ line: 'a', key: 'temperature.a', value }],
})

/** As it stands after these seconds, at each of which it reported this. */
function after(rule: LinkageRule, ...reports: readonly (readonly [second: number, value: number | null])[]): SteadyLinkage {
  const steady = new SteadyLinkage(rule, enabledLinkage(rule, 0))
  for (const [at, value] of reports) steady.fold([picture(at, value)], at * second)
  return steady
}

const isTaken = (steady: SteadyLinkage, at: number, value: number, now = at) =>
  steady.isStill(now * second) && steady.isSame(0, at * second, value, now * second)

test.each<[string, SteadyLinkage, at: number, value: number, boolean]>([
  ['below the value, as before', after(ruleOf({}), [1, 70]), 11, 80, true],
  ['over the value', after(ruleOf({}), [1, 70]), 11, 81, false],
  ['within the release of what is met', after(ruleOf({}), [1, 70], [2, 90]), 12, 77, true],
  ['back by the release', after(ruleOf({}), [1, 70], [2, 90]), 12, 76, false],
  ['missing, after a value', after(ruleOf({}), [1, 70]), 11, Number.NaN, false],
  ['missing, as before', after(ruleOf({}), [1, null]), 11, Number.NaN, true],
  ['a value, after it was missing', after(ruleOf({}), [1, null]), 11, 70, false],
  ['the first of all', after(ruleOf({})), 1, 70, false],
  ['of the instant of the one before', after(ruleOf({}), [1, 70]), 1, 70, false],
  ['after three periods', after(ruleOf({}), [1, 70]), 31, 70, true],
  ['after longer than that', after(ruleOf({}), [1, 70]), 31.001, 70, false],
  ['before a duration is over', after(ruleOf({ forS: 20 }), [1, 70], [2, 90]), 21, 90, true],
  ['when it is', after(ruleOf({ forS: 20 }), [1, 70], [2, 90]), 22, 90, false],
])('a report %s', (_, steady, at, value, taken) => {
  expect(isTaken(steady, at, value)).toBe(taken)
})

test('a value is relied on for three periods from when it came, however late that is looked at', () => {
  const steady = after(ruleOf({}), [1, 70])
  expect(isTaken(steady, 25, 70, 30)).toBe(true)
  steady.take(0, 25 * second, 70)
  steady.reach(30 * second)
  expect([55, 55.001].map((now) => steady.isStill(now * second))).toEqual([true, false])
})

test('nothing is known beforehand of a clock that was set back, nor of what came after what is known', () => {
  const steady = after(ruleOf({}), [10, 70])
  expect(steady.isStill(9 * second)).toBe(false)
  expect(steady.isStill(11 * second)).toBe(true)
  expect(steady.isSame(0, 12 * second, 70, 11 * second)).toBe(false)
})

test('a value that was old when it came is followed by one that is folded, whatever it is', () => {
  const steady = after(ruleOf({}), [1, 70])
  steady.fold([{ ...picture(2, 70), mark: 'old' }], 2 * second)
  expect(isTaken(steady, 3, 70)).toBe(false)
  steady.fold([picture(3, 70)], 3 * second)
  expect(isTaken(steady, 4, 70)).toBe(true)
})

test('one that begins anew has nothing of what was taken before', () => {
  const steady = after(ruleOf({}), [1, 70])
  expect(isTaken(steady, 11, 71)).toBe(true)
  steady.take(0, 11 * second, 71)
  steady.reach(11 * second)
  const anew = enabledLinkage(steady.rule, 12 * second)
  steady.state = anew
  expect(steady.state).toEqual(anew)
})

test('what is known by what others know as well is folded until it is known by the conditions alone', () => {
  const steady = after(ruleOf({}), [1, 70])
  steady.state = { ...steady.state, knownBy: second }
  expect(isTaken(steady, 11, 70)).toBe(false)
  steady.fold([picture(11, 70)], 11 * second)
  expect(isTaken(steady, 12, 70)).toBe(true)
})

test('with the periods of its equipment its instants change', () => {
  const steady = after(ruleOf({}), [1, 70])
  expect(steady.isStill(40 * second)).toBe(false)
  steady.rule = ruleOf({ periodMs: 60 * second })
  expect(steady.isStill(40 * second)).toBe(true)
  steady.fold([], 100 * second)
  expect(steady.isStill(101 * second)).toBe(true)
  // It is known by the period of now what was too old by the one before: that is folded.
  const silent = after(ruleOf({}), [1, 70])
  silent.fold([], 60 * second)
  silent.rule = ruleOf({ periodMs: 60 * second })
  expect(silent.isStill(61 * second)).toBe(false)
})

const numRuns = lawRuns(400)

test('within its band a value stands to a condition as before, and the next number beyond an edge does not', () => {
  const near = fc.constantFrom(0, 1, 80, 80.1, -80, 1e-300, 76, 84, Number.MAX_VALUE, -Number.MAX_VALUE)
  const anyValue = fc.oneof(near, fc.double({ noNaN: true, noDefaultInfinity: true }))
  const condition = fc.record({ op: fc.constantFrom(...comparisons), value: near, release: fc.constantFrom(0, 4, 0.1) })
  fc.assert(
    fc.property(condition, fc.boolean(), anyValue, anyValue, (made, met, value, other) => {
      fc.pre(meets(made, met, value) === met)
      const [low, high] = steadyBand(made, met, value)
      const isWithin = (reading: number) => reading > low && reading <= high
      expect(isWithin(value)).toBe(true)
      for (const reading of [other, low, high, made.value, made.value - made.release, made.value + made.release])
        if (Number.isFinite(reading)) {
          if (isWithin(reading)) expect(meets(made, met, reading)).toBe(met)
          // Of those that only differ from a value there are some on its other side.
          else if (made.op !== '=' && made.op !== '!=') expect(meets(made, met, reading)).toBe(!met)
        }
    }),
    { numRuns: lawRuns(1_000) },
  )
})

const anyCondition = fc.record({
  op: fc.constantFrom(...comparisons),
  value: fc.constantFrom(10, 12),
  release: fc.constantFrom(0, 2),
  forS: fc.constantFrom(0, 0, 3, 20),
  periodMs: fc.constantFrom(second, 5 * second),
  isDanger: fc.boolean(),
})
const anyStep = fc.record({
  waitMs: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 3_000 }) }, fc.integer({ min: 0, max: 40_000 })),
  /** So long before now it came. */
  lagMs: fc.constantFrom(0, 0, 0, 1, 500, 6_000),
  /** Which conditions it reports. */
  reports: fc.integer({ min: 0, max: 7 }),
  values: fc.array(fc.constantFrom(8, 9, 10, 10, 11, 12, 14, null), { minLength: 3, maxLength: 3 }),
  mark: fc.oneof(
    { weight: 8, arbitrary: fc.constant('live' as const) },
    fc.constantFrom('old' as const, 'historical' as const, 'clockOff' as const),
  ),
  isLookedAt: fc.boolean(),
  newPeriodMs: fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, fc.constantFrom(2 * second, 8 * second)),
})
const anyRule = fc.record({
  match: fc.constantFrom('all' as const, 'any' as const),
  conditions: fc
    .array(anyCondition, { minLength: 1, maxLength: 3 })
    .map((all) => all.map((each, index): LinkageCondition => ({ ...hot, ...each, line: String(index) }))),
})

test('over any series of reports, looks and changed periods a linkage stands and fires as if each had been folded', () => {
  let [taken, folded] = [0, 0]
  fc.assert(
    fc.property(anyRule, fc.array(anyStep, { maxLength: 60 }), (made, steps) => {
      let rule: LinkageRule = made
      let plain: LinkageState = enabledLinkage(rule, 0)
      const steady = new SteadyLinkage(rule, plain)
      let now = 0
      for (const { waitMs, lagMs, reports, values, mark, isLookedAt, newPeriodMs } of steps) {
        now += waitMs
        if (newPeriodMs !== null) {
          rule = { ...rule, conditions: rule.conditions.map((each) => ({ ...each, periodMs: newPeriodMs })) }
          steady.rule = rule
        }
        const at = Math.max(0, now - lagMs)
        const which = rule.conditions.flatMap((_, index) => ((reports & (1 << index)) !== 0 ? index : []))
        const pictures: LinkagePicture[] =
          which.length === 0
            ? []
            : [{ at, mark, values: which.map((index) => ({ line: String(index), key: hot.key, value: values[index] ?? null })) }]
        const whole = foldLinkage(rule, plain, [...pictures], now)
        plain = whole.state
        const same = which.map((index) => [index, values[index] ?? Number.NaN] as const)
        let firings: readonly Firing[] = []
        if (
          steady.isStill(now) &&
          (which.length === 0 || mark === 'live') &&
          same.every(([index, value]) => steady.isSame(index, at, value, now))
        ) {
          for (const [index, value] of same) steady.take(index, at, value)
          steady.reach(now)
          taken++
        } else {
          firings = steady.fold(pictures, now)
          folded++
        }
        expect(firings).toEqual(whole.firings)
        if (isLookedAt) expect(steady.state).toEqual(plain)
      }
      expect(steady.state).toEqual(plain)
    }),
    { numRuns },
  )
  // A law of nothing else than folds would be none.
  expect(taken).toBeGreaterThan(folded / 10)
})
