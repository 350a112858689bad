import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexAt } from './nearest.ts'
import { common } from './stretches.ts'
import { series } from './test-series.ts'

test('the cursor reads the bucket it is in, and nothing where there is none', () => {
  const bucketed = series([0, 10, 30], 10)
  expect([0, 9, 10, 25, 35, 40].map((at) => indexAt(bucketed, at, 100))).toEqual([0, 0, 1, null, 2, null])
})

test('the cursor reads the nearest sample, and none that is far or missing', () => {
  const samples = series([0, 10, 30, 40], 0, [1, 2, null, 4])
  expect([4, 6, 19, 31, 200].map((at) => indexAt(samples, at, 8))).toEqual([0, 1, null, null, null])
})

test('what is missing in all is missing in each', () => {
  const stretches = fc
    .uniqueArray(fc.nat(100), { maxLength: 12 })
    .map((cuts) => cuts.sort((a, b) => a - b))
    .map((cuts) =>
      Array.from({ length: Math.floor(cuts.length / 2) }, (_, i) => [cuts[2 * i] ?? 0, cuts[2 * i + 1] ?? 0] as const),
    )
  const covers = (all: readonly (readonly [number, number])[], at: number) => all.some(([from, to]) => at > from && at < to)
  fc.assert(
    fc.property(stretches, stretches, (a, b) => {
      const both = common(a, b)
      for (let at = 0.5; at < 101; at++) expect(covers(both, at)).toBe(covers(a, at) && covers(b, at))
    }),
  )
})
