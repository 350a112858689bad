import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { EnergyFix } from './fixes.ts'
import { fixProblem, withFixes } from './fixes.ts'
import type { Quarters } from './quarters.ts'
import { How } from './quarters.ts'
import { quarterMs } from './slots.ts'
import { sumOfQuarters } from './sums.ts'
import { circleOfMeters, virtualProblem, virtualQuarters } from './virtual-meter.ts'

const numRuns = lawRuns(300)
const { measured, spread, estimated, entered, missing, open } = How
const quarters = (
  wh: readonly (number | null)[],
  how: readonly number[] = wh.map((each) => (each === null ? missing : measured)),
): Quarters => ({
  wh,
  how: Uint8Array.from(how),
})
const slotsOf = (count: number) => Array.from({ length: count }, (_, index) => index * quarterMs)

test('a virtual meter is its terms quarter by quarter, and known as well as the one that is known least', () => {
  const terms = [
    { quarters: quarters([100, 200, 300, null]), factor: 1 },
    { quarters: quarters([50, null, 400, 10], [spread, open, measured, measured]), factor: -1 },
  ]
  const made = virtualQuarters(terms, 4, false)
  expect(made).toEqual(quarters([50, null, -100, null], [spread, open, measured, missing]))
  expect(virtualQuarters(terms, 4, true).wh).toEqual([50, null, 0, null])
})

test('a term that counts nothing leaves nothing unknown, and none is measured nought of nothing', () => {
  const terms = [
    { quarters: quarters([100]), factor: 0.5 },
    { quarters: quarters([null]), factor: 0 },
  ]
  expect(virtualQuarters(terms, 1, false)).toEqual(quarters([50]))
})

test('a virtual meter of a sum is the sum of what it measures', () => {
  const anyWh = fc.array(fc.integer({ min: 0, max: 10 ** 9 }), { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(fc.array(fc.tuple(anyWh, fc.constantFrom(1, -1)), { minLength: 1, maxLength: 6 }), (each) => {
      const terms = each.map(([wh, factor]) => ({ quarters: quarters(wh), factor }))
      const { usedWh } = sumOfQuarters(virtualQuarters(terms, 8, false))
      expect(usedWh).toBe(terms.reduce((sum, term) => sum + term.factor * sumOfQuarters(term.quarters).usedWh, 0))
    }),
    { numRuns },
  )
})

test('virtual meters in a circle are named, and more than eight on top of each other', () => {
  const chain = (length: number) => new Map(Array.from({ length }, (_, index) => [index, [index + 1]] as const))
  expect(virtualProblem(chain(7), 0)).toBeNull()
  expect(virtualProblem(chain(8), 0)).toBe('tooDeep')
  expect(
    virtualProblem(
      new Map([
        [1, [2, 3]],
        [2, []],
        [3, [1]],
      ]),
      1,
    ),
  ).toBe('circle')
  expect(virtualProblem(new Map([[1, [1]]]), 1)).toBe('circle')
  const long = new Map([...chain(12), [12, [0]] as const])
  expect(virtualProblem(long, 0)).toBe('circle')
  expect(
    virtualProblem(
      new Map([
        [1, [2]],
        [2, [3]],
        [3, [2]],
      ]),
      1,
    ),
  ).toBe('tooDeep')
})

test('what was entered lies over what was reported, and what was reported stays', () => {
  const reported = quarters([100, null, null, 100])
  const fix: EnergyFix = { method: 'kwh', from: quarterMs, to: 3 * quarterMs, wh: 301 }
  expect(withFixes(reported, slotsOf(4), [fix])).toEqual(quarters([100, 151, 150, 100], [measured, entered, entered, measured]))
  expect(reported.wh[1]).toBeNull()
})

test('nothing used is entered as nought, the usual course is an estimate, and where none is usual it stays missing', () => {
  const reported = quarters([null, null])
  const over = { from: 0, to: 2 * quarterMs }
  expect(withFixes(reported, slotsOf(2), [{ method: 'zero', from: 0, to: quarterMs }])).toEqual(
    quarters([0, null], [entered, missing]),
  )
  expect(withFixes(reported, slotsOf(2), [{ method: 'profile', ...over, course: [50, null] }])).toEqual(
    quarters([50, null], [estimated, missing]),
  )
})

test('what was entered sums to itself, whichever pieces are made', () => {
  fc.assert(
    fc.property(fc.nat(10 ** 9), fc.integer({ min: 1, max: 300 }), fc.nat(300), (wh, count, cut) => {
      const fix: EnergyFix = { method: 'kwh', from: 0, to: count * quarterMs, wh }
      const slots = slotsOf(count)
      const sums = [slots.slice(0, cut), slots.slice(cut)].map((some) =>
        sumOfQuarters(withFixes(quarters(some.map(() => null)), some, [fix])),
      )
      expect(sums.reduce((sum, { usedWh }) => sum + usedWh, 0)).toBe(wh)
    }),
    { numRuns },
  )
})

test.each<[string, number, number, number | null, string | null]>([
  ['a healthy one', 4, 8, 1_000, null],
  ['between quarters', 4.5, 8, 1_000, 'notQuarters'],
  ['backwards', 8, 4, 1_000, 'endsBeforeStart'],
  ['nothing', 4, 4, 1_000, 'endsBeforeStart'],
  ['of the future', 4, 10_001, 1_000, 'future'],
  ['before anything is known', 1, 8, 1_000, 'beforeData'],
  ['longer than a quarter of a year', 4, 9_000, 1_000, 'tooLong'],
  ['a register that falls', 4, 8, -1, 'registerFalls'],
  ['more than any line uses', 4, 8, 2 ** 34, 'tooMuch'],
])('a fix is checked: %s', (_name, from, to, wh, problem) => {
  const at = { since: 2 * quarterMs, now: 10_000 * quarterMs, wh }
  expect(fixProblem({ from: from * quarterMs, to: to * quarterMs }, at)).toBe(problem)
})

test('a circle of virtual meters is named in order', () => {
  const terms = new Map([
    [1, [2, 3]],
    [2, []],
    [3, [4]],
    [4, [1]],
  ])
  expect(circleOfMeters(terms, 1)).toEqual([1, 3, 4, 1])
  expect(circleOfMeters(terms, 2)).toBeNull()
  expect(circleOfMeters(new Map([[1, [1]]]), 1)).toEqual([1, 1])
})
