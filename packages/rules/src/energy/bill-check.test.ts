import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BillCheckFacts, CheckedBillRow } from './bill-check.ts'
import { checkBill, checkTotal } from './bill-check.ts'

const row = (
  key: string,
  quantity: string | null,
  price: string | null,
  amount: string | null,
  more: Partial<CheckedBillRow> = {},
) => ({
  ...{ key, band: null, unit: 'kWh' as const, quantity, price, amount },
  ...more,
})
const network = row('network', '158300', '0.1357', '21481.31')
const healthy: BillCheckFacts = { isSamePeriod: true, isSameCos: true, toleranceHundredths: 50 }
const one = (theirs: CheckedBillRow | null, ours: CheckedBillRow | null = network, facts: Partial<BillCheckFacts> = {}) =>
  checkBill(ours ? [ours] : [], theirs ? [theirs] : [], { ...healthy, ...facts })[0]

test('the same row differs in nothing', () => {
  expect(one(network)).toMatchObject({ quantityMore: '0', amountMore: '0', isWithin: true, reasons: [] })
})

test.each([
  ['a cent is rounding', { ...network, amount: '21481.32' }, {}, true, ['rounding']],
  ['less than a kWh is rounding', { ...network, quantity: '158300.4', amount: '21481.36' }, {}, true, ['rounding']],
  ['other energy of the same dates is a register', { ...network, quantity: '160000', amount: '21712' }, {}, false, ['register']],
  [
    'of other dates it is the period',
    { ...network, quantity: '160000', amount: '21712' },
    { isSamePeriod: false },
    false,
    ['period'],
  ],
  ['another price', { ...network, price: '0.1400', amount: '22162.00' }, {}, false, ['price']],
  ['both', { ...network, quantity: '160000', price: '0.14', amount: '22400' }, {}, false, ['register', 'price']],
  ['a price of other digits is the same', { ...network, price: '0.13570' }, {}, true, []],
  ['money that neither energy nor price explains', { ...network, amount: '21500' }, {}, true, ['base']],
] as const)('%s', (_, theirs, facts, isWithin, reasons) => {
  expect(one(theirs, network, facts)).toMatchObject({ isWithin, reasons })
})

test.each([
  ['demand', row('demand', '450', '40.8', '18360', { unit: 'kW' }), '470'],
  ['capacity', row('capacity', '1800', '25.5', '45900', { unit: 'kVA' }), '1600'],
  ['months', row('fixed', '1', '30', '30', { unit: 'month' }), '2'],
] as const)('what is charged by %s differs by it', (reason, ours, quantity) => {
  expect(one({ ...ours, quantity, amount: '1' }, ours)?.reasons).toEqual([reason])
})

test('the adjustment differs by the power factor, by what it is of, or by both', () => {
  const ours = row('powerFactor', '151309.21', '-0.45', '-680.89', { unit: 'money' })
  expect(one({ ...ours, price: '-0.30', amount: '-453.93' }, ours)?.reasons).toEqual(['powerFactor'])
  expect(one({ ...ours, quantity: '160000', amount: '-720' }, ours)?.reasons).toEqual(['base'])
  const theirs = { ...ours, price: null, quantity: '160000', amount: '-500' }
  expect(one(theirs, ours, { isSameCos: false })?.reasons).toEqual(['powerFactor', 'base'])
})

test('what stands on one alone is within nothing', () => {
  expect(one(null)).toMatchObject({ isWithin: null, amountMore: null, reasons: ['oursOnly'] })
  expect(one(network, null)).toMatchObject({ isWithin: null, amountMore: null, reasons: ['theirsOnly'] })
})

test('what the bill has in one row is compared with our bands together, and rows of two versions with their sum', () => {
  const ours = [row('purchase', '10', '1.2', '12', { band: 'peak' }), row('purchase', '20', '0.5', '10', { band: 'flat' })]
  const theirs = [row('purchase', '30', null, '22.00')]
  expect(checkBill([...ours, ...ours], theirs, healthy)).toMatchObject([
    { band: null, ours: { quantity: '60', price: null, amount: '44' }, quantityMore: '-30', amountMore: '-22' },
  ])
  expect(checkBill(ours, theirs, healthy)).toMatchObject([{ quantityMore: '0', amountMore: '0', reasons: [] }])
})

test('an amount that our statement does not know is not compared', () => {
  expect(one(network, { ...network, amount: null })).toMatchObject({ amountMore: null, isWithin: null, reasons: ['base'] })
})

test('the total is within its tolerance or not; half a per cent exactly is within', () => {
  expect(checkTotal('99.50', '100.00', 50)).toEqual({ more: '0.5', isWithin: true })
  expect(checkTotal('99.49', '100.00', 50)).toEqual({ more: '0.51', isWithin: false })
  expect(checkTotal(null, '100', 50)).toEqual({ more: null, isWithin: null })
})

test('differences of all rows add up to that of the sums, to the last minor unit', () => {
  const cents = fc.integer({ min: -1_000_000, max: 1_000_000 })
  fc.assert(
    fc.property(fc.array(fc.tuple(cents, cents), { minLength: 1, maxLength: 8 }), (pairs) => {
      const text = (value: number) => (value / 100).toFixed(2)
      const rows = (side: 0 | 1) => pairs.map((pair, place) => row(`k${place}`, null, null, text(pair[side])))
      const found = checkBill(rows(0), rows(1), healthy)
      const sum = found.reduce((all, { amountMore }) => all + Math.round(Number(amountMore) * 100), 0)
      expect(sum).toBe(pairs.reduce((all, [ours, theirs]) => all + theirs - ours, 0))
    }),
  )
})
