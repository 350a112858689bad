import { expect, test } from 'vitest'
import { maxLineDays } from './line-sums.ts'
import { inBatches } from './statement-late.ts'

test('however many statements a list has, no question about their lines is larger than one may be, and all are asked in their order', () => {
  const wanted = Array.from({ length: 12_000 }, (_, lineId) => ({ lineId, periods: [{ first: 20_000, end: 20_031 }] }))
  const batches = inBatches(wanted)
  expect(batches.flat()).toEqual(wanted)
  expect(batches.map((each) => each.length * 31 <= maxLineDays)).toEqual([true, true, true])
  expect(inBatches([])).toEqual([])
})
