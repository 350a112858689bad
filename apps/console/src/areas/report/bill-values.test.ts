import type { Statement, StatementBill } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { billOf, billStart, checkOf, figureIn, toleranceIn, withPasted, wrongRows } from './bill-values.ts'

const charge = (Key: string, Band: string | null, Quantity: string, Price: string, Amount: string) => ({
  ...{ Key, Band, Unit: 'kWh' as const, Quantity, Price, Share: null, PricePercent: null, Amount, Gap: null },
  ...{ InPowerFactorBase: true, Estimated: false },
})
const statement = {
  ...{ From: '2026-10-01', To: '2026-11-01', CosHundredths: 93, Total: '34.0' },
  Parts: [
    {
      Rows: [
        charge('purchase', 'peak', '10', '1.2', '12'),
        charge('purchase', 'flat', '20', '0.5', '10'),
        charge('network', null, '30', '0.4', '12'),
      ],
    },
  ],
} as unknown as Statement

const start = billStart(statement, null)
const typed = { ...start, Number: 'B1', Total: '34', Rows: start.Rows.map((row) => ({ ...row, amount: '1' })) }

test('a bill begins with our own rows, of our own dates, the last one included', () => {
  expect(start.Rows.map(({ key, band, amount }) => [key, band, amount])).toEqual([
    ['purchase', 'peak', ''],
    ['purchase', 'flat', ''],
    ['network', null, ''],
  ])
  expect([start.From, start.To, start.Tolerance]).toEqual(['2026-10-01', '2026-10-31', '0.5'])
})

test('what was entered comes back, with our rows that the bill has not', () => {
  const Bill = billOf(typed)
  const entered = {
    Bill: { ...Bill, Rows: [{ ...charge('purchase', null, '30', '', '22'), Quantity: null }] },
  } as unknown as StatementBill
  expect(billStart(statement, entered).Rows.map(({ key, band }) => [key, band])).toEqual([
    ['purchase', null],
    ['network', null],
  ])
})

test.each([
  ['12,345.60', '12345.60'],
  ['−680.89', '-680.89'],
  [' ¥ 5 元', '5'],
  ['', null],
  ['1e3', null],
  ['abc', null],
])('the figure %j is %j', (text, value) => {
  expect(figureIn(text)).toBe(value)
})

test('half a per cent is fifty hundredths, and more than ten per cent is no tolerance', () => {
  expect(['0.5', '0', '10', '10.01', '-1', 'x'].map(toleranceIn)).toEqual([50, 0, 1_000, null, null, null])
})

test('a row whose figures are none is named, and one of which only the amount is missing', () => {
  const rows = [{ quantity: 'x' }, { quantity: '5', amount: '' }, { amount: '' }]
  const values = { ...typed, Rows: rows.map((more, place) => ({ ...typed.Rows[place], ...more })) } as typeof typed
  expect([...wrongRows(values)]).toEqual([0, 1])
  expect(billOf(values)).toBe(null)
})

test.each([
  ['without a number', { Number: ' ' }],
  ['that ends before it begins', { To: '2026-09-30' }],
  ['without a total', { Total: '' }],
  ['with a power factor that is none', { Cos: '1.5' }],
])('a bill %s is none yet', (_, more) => {
  expect(checkOf(statement, { ...typed, ...more })).toBe(null)
})

test('the end of a bill is excluded where it is sent', () => {
  expect(billOf(typed)).toMatchObject({ From: '2026-10-01', To: '2026-11-01', ToleranceHundredths: 50 })
})

test('pasted rows find their charges and bands by either name; heads are told, and what is new is added', () => {
  const pasted =
    '项目\t电量\t单价\t金额\n代理购电·峰\t11\t1.2\t13.20\nEnergy purchase (Flat)\t20\t0.5\t10\n输配电  30  0.4  12\n滞纳金\t5.00'
  const { values, unread } = withPasted(typed, pasted)
  expect(unread).toEqual(['项目\t电量\t单价\t金额'])
  expect(values.Rows.map(({ key, band, quantity, amount }) => [key, band, quantity, amount])).toEqual([
    ['purchase', 'peak', '11', '13.20'],
    ['purchase', 'flat', '20', '10'],
    ['network', null, '30', '12'],
    ['滞纳金', null, '', '5.00'],
  ])
})
