import { expect, test } from 'vitest'
import { groupDurationMs, staggerMsOf } from './group-operation-duration.ts'

test('the first line has its turn at once, each further one of the project after the stagger', () => {
  expect(groupDurationMs([], 4_000)).toBe(0)
  expect(groupDurationMs([1], 4_000)).toBe(0)
  expect(groupDurationMs([1, 1, 1, 1], 4_000)).toBe(12_000)
})

test('lines of another project do not wait for this one', () => {
  expect(groupDurationMs([1, 1, 2, 2], 4_000)).toBe(8_000)
  expect(groupDurationMs([1, 2, 1, 2], 4_000)).toBe(4_000)
})

test('a stagger is one to sixty seconds', () => {
  expect(['1', '2.5', '60', ' 3 '].map(staggerMsOf)).toEqual([1_000, 2_500, 60_000, 3_000])
  expect(['', '0', '0.9', '60.1', '61', '-1', '1e1', 'x', '1.25'].map(staggerMsOf)).toEqual(Array(9).fill(null))
})
