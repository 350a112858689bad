import { expect, test } from 'vitest'
import { maxTrend, TrendRing, type TrendSample, trendPath } from './trend-ring.ts'

const ringOf = (samples: readonly TrendSample[]) => {
  const ring = new TrendRing()
  for (const sample of samples) ring.add(sample)
  return ring
}

test('a ring keeps the newest of its samples, oldest first, and no more than it holds', () => {
  const ring = ringOf(Array.from({ length: maxTrend + 5 }, (_, at): TrendSample => [at, at % 7 === 0 ? null : at]))
  const kept = ring.since(0)
  expect(kept).toHaveLength(maxTrend)
  expect([kept[0], kept.at(-1)]).toEqual([
    [5, 5],
    [maxTrend + 4, maxTrend + 4],
  ])
  expect(ring.since(6)[1]).toEqual([7, null])
})

test('what was there already, or is older, is not taken again', () => {
  expect(
    ringOf([
      [2, 1],
      [2, 9],
      [1, 9],
      [3, 2],
    ]).since(0),
  ).toEqual([
    [2, 1],
    [3, 2],
  ])
})

test('what is stored stands before what came since; what a clock that was ahead said is given up', () => {
  const ring = ringOf([
    [10, 1],
    [20, 2],
    [9_000, 3],
  ])
  ring.begin(
    [
      [5, 7],
      [10, 8],
    ],
    100,
  )
  expect(ring.since(0)).toEqual([
    [5, 7],
    [10, 8],
    [20, 2],
  ])
  ring.begin([], 100)
  expect(ring.since(0)).toHaveLength(3)
})

test('a line is broken where a value is not known, and where nothing came for long', () => {
  const place = (at: number, value: number) => [at, value] as const
  expect(
    trendPath(
      [
        [0, 1],
        [1, 2],
        [2, null],
        [3, 4],
        [9, 5],
      ],
      place,
      5,
    ),
  ).toBe('M0.0 1.0L1.0 2.0M3.0 4.0M9.0 5.0')
  expect(trendPath([], place, 5)).toBe('')
})
