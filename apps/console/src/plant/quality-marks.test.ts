import { expect, test } from 'vitest'
import { barPath, barSpan, qualityMarksOf } from './quality-marks.ts'

const row = (at: number, quality: number) => [at, [], quality] as const

test('what was back-filled and what came under an uncertain clock are told apart, also where both are so', () => {
  const rows = [row(0, 0), row(10, 2), row(20, 3), row(30, 1), row(40, 0), row(50, 2)]
  expect(qualityMarksOf(rows)).toEqual({
    late: [
      [10, 20],
      [50, 50],
    ],
    clock: [[20, 30]],
  })
})

test('an averaged bucket is marked over its whole width, and nothing is marked where nothing is uncertain', () => {
  expect(qualityMarksOf([row(0, 2), row(60, 0)], 60)).toEqual({ late: [[0, 60]], clock: [] })
  expect(qualityMarksOf([row(0, 0)])).toEqual({ late: [], clock: [] })
})

test('the mark of a single reading can be seen', () => {
  expect(barPath([[50, 50]], (at) => at, 2)).toBe('M48.5 2H51.5')
  expect(barPath([[10, 50]], (at) => at, 2)).toBe('M10.0 2H50.0')
})

test('a bar in a chart is long enough to be seen, stands over its reading, and stays within the chart', () => {
  const range = { from: 1_000, to: 5_000 }
  expect(barSpan([3_000, 3_000], range)).toEqual([2_950, 3_050])
  expect(barSpan([1_000, 1_000], range)).toEqual([1_000, 1_100])
  expect(barSpan([5_000, 5_000], range)).toEqual([4_900, 5_000])
  expect(barSpan([2_000, 4_000], range)).toEqual([2_000, 4_000])
  expect(barSpan([0, 9_000], range)).toEqual([1_000, 5_000])
})
