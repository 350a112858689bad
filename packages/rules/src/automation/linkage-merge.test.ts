import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { LinkagePicture } from './linkage.ts'
import type { LinkageRule, LinkageState } from './linkage-fold.ts'
import { enabledLinkage, foldLinkage } from './linkage-fold.ts'
import { mergedLinkage, mergedRise, notAhead } from './linkage-merge.ts'

const condition = (line: string) => ({
  ...({ kind: 'point', line, key: 'current.a', op: '>', value: 50 } as const),
  ...{ release: 5, forS: 0, periodMs: 10_000 },
})
const rule: LinkageRule = { match: 'any', conditions: [condition('a'), condition('b')] }
const reading = (second: number, line: string, value: number): LinkagePicture => ({
  ...({ at: second * 1_000, mark: 'live' } as const),
  values: [{ line, key: 'current.a', value }],
})
const folded = (state: LinkageState, until: number, ...pictures: readonly LinkagePicture[]) =>
  foldLinkage(rule, state, pictures, until * 1_000).state
const enabled = enabledLinkage(rule, 0)
const rises = (state: LinkageState, second: number, line: string) =>
  foldLinkage(rule, state, [reading(second, line, 60)], second * 1_000).firings.length

test('of each condition counts what was observed last, whichever server did', () => {
  const [one, other] = [folded(enabled, 20, reading(10, 'a', 1)), folded(enabled, 20, reading(12, 'b', 2))]
  for (const merged of [mergedLinkage(one, other), mergedLinkage(other, one)])
    expect(merged.conditions.map(({ value, goodAt }) => [value, goodAt])).toEqual([
      [1, 10_000],
      [2, 12_000],
    ])
})

test('that another server has none by now takes away no value that was observed', () => {
  const own = folded(enabled, 30, reading(10, 'a', 1), {
    ...{ at: 25_000, mark: 'clockOff' },
    values: [{ line: 'a', key: 'current.a', value: 1 }],
  })
  const other = folded(enabled, 20, reading(20, 'a', 2))
  expect(mergedLinkage(own, other).conditions[0]).toMatchObject({ value: 2, goodAt: 20_000 })
})

test('what fell where its gateway was rises where it comes to, and what rose there does not rise again', () => {
  const left = folded(enabled, 40, reading(10, 'a', 1), reading(10, 'b', 1), reading(20, 'a', 60))
  const fell = folded(left, 100, reading(60, 'a', 1), reading(60, 'b', 1))
  expect([rises(left, 110, 'a'), rises(mergedLinkage(left, fell), 110, 'a')]).toEqual([0, 1])
  const before = folded(enabled, 40, reading(10, 'a', 1), reading(10, 'b', 1))
  const rose = folded(before, 100, reading(50, 'a', 60))
  expect([rises(before, 110, 'a'), rises(mergedLinkage(before, rose), 110, 'a')]).toEqual([1, 0])
})

test('what is not known any more counts as of when it was known, and what never was counts for nothing', () => {
  const stale = folded(enabled, 100, reading(10, 'a', 1), reading(10, 'b', 1))
  const newer = folded(enabled, 60, reading(50, 'a', 60), reading(50, 'b', 1))
  expect([stale.unknownSince, mergedLinkage(stale, newer).known]).toEqual([40_001, true])
  expect(mergedLinkage(newer, stale).known).toBe(true)
  expect(mergedLinkage(enabled, stale).known).toBe(false)
  expect(mergedLinkage(stale, enabled).known).toBe(false)
})

test('what one knew does not become newer by what the other observes of something else', () => {
  const own = folded(enabled, 20, reading(10, 'a', 60), reading(10, 'b', 1))
  const other = folded(enabledLinkage(rule, 0), 100, reading(90, 'b', 1))
  const merged = mergedLinkage(other, own)
  expect(merged).toMatchObject({ known: true, conditions: [{ goodAt: 10_000 }, { goodAt: 90_000 }] })
  const fell = folded(own, 40, reading(30, 'a', 1))
  expect(mergedLinkage(merged, fell).known).toBe(false)
  expect(mergedLinkage(fell, merged).known).toBe(false)
  // Once it is evaluated as it stands, it is known by all of it.
  const again = folded(merged, 100, reading(95, 'a', 60))
  expect(mergedLinkage(again, fell).known).toBe(true)
})

test('what has just risen is known to have risen, whatever another has observed since', () => {
  const rose = folded(enabled, 20, reading(10, 'a', 1), reading(10, 'b', 1), reading(20, 'a', 60))
  const other = folded(enabled, 30, reading(12, 'a', 1), reading(30, 'b', 2))
  expect(mergedLinkage(rose, other).known).toBe(false)
  const merged = mergedRise(rose, other)
  expect(merged).toMatchObject({ known: true, conditions: [{ value: 60 }, { value: 2 }] })
  expect(mergedLinkage(merged, folded(rose, 26, reading(25, 'a', 1))).known).toBe(false)
})

test('where both have observed the same the one counts that has evaluated it further', () => {
  const lasting: LinkageRule = { match: 'all', conditions: [{ ...condition('a'), forS: 15 }] }
  const began = foldLinkage(lasting, enabledLinkage(lasting, 0), [reading(1, 'a', 1), reading(10, 'a', 60)], 20_000).state
  const over = foldLinkage(lasting, began, [], 26_000).state
  expect([began.known, over.known]).toEqual([false, true])
  for (const merged of [mergedLinkage(began, over), mergedLinkage(over, began)])
    expect([merged.known, merged.conditions[0]?.known]).toEqual([true, true])
})

test('what another has observed by a clock that is ahead is no newer than the moment at which it was read', () => {
  const own = folded(enabled, 100, reading(90, 'b', 1))
  const ahead = folded(enabledLinkage(rule, 3_600_000), 3_700, reading(3_690, 'a', 60), reading(3_700, 'b', 2))
  const merged = mergedLinkage(own, notAhead(ahead, 80_000))
  expect(merged.conditions.map(({ lastAt }) => lastAt)).toEqual([70_000, 90_000])
  expect(mergedLinkage(own, notAhead(ahead, 3_700_000)).conditions[0]).toMatchObject({ lastAt: 3_690_000 })
})

test('put together in any order, and any number of times, it is the same', () => {
  const pictures = fc.array(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.constantFrom('a', 'b'), fc.constantFrom(1, 60)), {
    maxLength: 6,
  })
  const known = fc
    .tuple(pictures, fc.integer({ min: 200, max: 400 }))
    .map(([all, until]) => folded(enabled, until, ...all.map(([second, line, value]) => reading(second, line, value))))
  const shown = ({ conditions, known: whole }: LinkageState) => ({
    ...{ whole },
    conditions: conditions.map(({ goodAt, lastAt }) => [goodAt, lastAt]),
  })
  fc.assert(
    fc.property(known, known, (one, other) => {
      const merged = mergedLinkage(one, other)
      expect(mergedLinkage(merged, other)).toEqual(merged)
      expect(shown(mergedLinkage(one, one))).toEqual(shown(one))
      if (one.clock !== other.clock) expect(shown(mergedLinkage(other, one))).toEqual(shown(merged))
    }),
    { numRuns: lawRuns(300) },
  )
})
