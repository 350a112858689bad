import type { HistorySeries } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { before } from './nearest.ts'
import type { Drawn } from './panels.ts'
import { rowsOf } from './table-rows.ts'
import { series } from './test-series.ts'

const drawn = (now: HistorySeries, previous: HistorySeries | null) => ({ series: now, previous }) as Drawn

test('beside a bucket stands that of the period before, also when the two are not cut alike', () => {
  const each = drawn(series([1_000, 1_010], 10, [1, 2]), series([897, 907, 917], 10, [7, null, 9]))
  expect([1_000, 1_010, 1_020].map((at) => before(each, at, 100))).toEqual([7, null, 9])
})

test('beside a sample stands the nearest of the period before, and none that is far', () => {
  const each = drawn(series([], 0, []), series([10, 30], 0, [1, 3]))
  expect([1_211, 1_225, 1_231].map((at) => before(each, at, 1_200))).toEqual([1, 3, 3])
  expect(before(each, 1_250, 1_200)).toBeNull()
  expect(before(drawn(series([], 0, []), null), 1_210, 1_200)).toBeNull()
})

test('a row for each time, newest first', () => {
  const rows = rowsOf([drawn(series([10, 20], 10, [1, 2]), series([0], 10, [5]))], [], 10)
  expect(rows.map(({ at, places }) => [at, ...places])).toEqual([
    [20, 1],
    [10, 0],
  ])
})

test('a period that said nothing has the rows of the one before', () => {
  const rows = rowsOf([drawn(series([], 10, []), series([0, 10, 20], 10, [5, null, 6]))], [], 100)
  expect(rows.map(({ at, quality }) => [at, quality])).toEqual([
    [120, 'gap'],
    [100, 'gap'],
  ])
})
