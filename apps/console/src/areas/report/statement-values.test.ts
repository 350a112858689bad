import type { Statement, StatementRow } from '@linewarden/contract'
import { kwhText, moneyText, quantityText, shareText } from '@linewarden/contract'
import { parseDate } from '@linewarden/rules/automation'
import { expect, test } from 'vitest'
import type { ShownRow } from './statement-values.ts'
import { bandsIn, moneyLess, monthBeside, monthsOfPage, sumsOf } from './statement-values.ts'

const today = parseDate('2026-11-20') ?? 0

const issued = (Total: string, more: Partial<StatementRow> = {}): ShownRow => ({
  ...{ key: Total, draft: null, draftState: 'none' },
  row: {
    State: 'issued',
    Issued: { BilledWh: 1_000_000, Bands: [{ Key: 'flat', Wh: 1_000_000 }], Total, Currency: 'CNY' },
    ...more,
  } as StatementRow,
})
const draft = (Total: string | null, Key = 'peak'): ShownRow => ({
  ...{ key: `d${Total}`, draftState: 'here', row: { State: 'draft', Issued: null } as StatementRow },
  draft: {
    ...{ Total, Quarters: 2_976, LackingQuarters: 0, BilledWh: 500_000, Currency: 'CNY', Max: {} },
    Parts: [{ Bands: [{ Key, Wh: 500_000 }] }],
  } as unknown as Statement,
})

test('four months stand on a page, the last one by the address, and none that has not begun', () => {
  expect(monthsOfPage(null, today)).toEqual({ from: '2026-08', to: '2026-11' })
  expect(monthsOfPage('2026-02', today)).toEqual({ from: '2025-11', to: '2026-02' })
  for (const wrong of ['2026-12', '2026-13', 'x']) expect(monthsOfPage(wrong, today).to).toBe('2026-11')
  expect([monthBeside('2026-01', -1), monthBeside('2025-12', 1)]).toEqual(['2025-12', '2026-01'])
})

test('months add up to the fen; what was corrected counts no more, and what is not known leaves no sum', () => {
  const sums = sumsOf([issued('155266.51'), issued('0.05'), issued('9.99', { State: 'replaced' }), draft('12.5')])
  expect([sums.fee, sums.issuedFee, sums.isIssued, sums.wh]).toEqual(['155279.06', '155266.56', false, 2_500_000])
  expect(sumsOf([issued('1.00'), draft(null)]).fee).toBe(null)
  const loading: ShownRow = { ...draft('1'), draft: null, draftState: 'loading' }
  expect([sumsOf([issued('1.00'), loading]).fee, sumsOf([issued('1.00'), loading]).wh]).toEqual([null, null])
  expect(sumsOf([issued('1.00')]).isIssued).toBe(true)
})

test('bands stand in the order of a bill, those with other names after them', () => {
  expect(bandsIn([draft('1', 'night'), issued('1'), draft('1', 'sharp')])).toEqual(['sharp', 'flat', 'night'])
})

test('figures are as exact as they are, and never finer', () => {
  expect([moneyText('-680.89'), moneyText('155266.51'), moneyText('12000'), moneyText(null)]).toEqual([
    ...['−680.89', '155,266.51', '12,000', '–'],
  ])
  expect([quantityText('15853.000'), quantityText('450.00000'), quantityText('1200'), quantityText('0.120')]).toEqual([
    ...['15,853', '450', '1,200', '0.12'],
  ])
  expect([kwhText(1_000_000), kwhText(1_332_500), shareText(9_899), shareText(9_999)]).toEqual([
    ...['1,000', '1,332.500', '98.9', '99.9'],
  ])
  expect([moneyLess('10.00', '12.5'), moneyLess('10.00', '-2.50'), moneyLess(null, '1')]).toEqual(['-2.50', '12.50', null])
})
