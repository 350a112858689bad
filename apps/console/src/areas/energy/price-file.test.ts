import { expect, test } from 'vitest'
import { textOfSheet } from './price-file.ts'

test('a row of a sheet stands in the line of its number, also below rows that are empty', () => {
  const sheet = {
    head: ['时间', '价格'],
    rows: [
      { at: 2, cells: ['2026-01-01 00:00', '0.3'], formulas: [] },
      { at: 5, cells: ['2026-01-01 01:00', ''], formulas: [] },
    ],
  }
  expect(textOfSheet(sheet).split('\n')).toEqual(['时间\t价格', '2026-01-01 00:00\t0.3', '', '', '2026-01-01 01:00\t'])
})

test('a cell of several lines, with tabs or quotes, stays one cell', () => {
  const sheet = { head: ['Time', 'Price\r\n(EUR/MWh)'], rows: [{ at: 2, cells: ['2026-01-01\t00:00', '"1"'], formulas: [] }] }
  expect(textOfSheet(sheet)).toBe('Time\tPrice (EUR/MWh)\n2026-01-01 00:00\t 1 ')
})
