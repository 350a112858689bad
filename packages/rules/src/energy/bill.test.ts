import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { BillFacts } from './bill.ts'
import { billOf, wholeMonth } from './bill.ts'
import type { DemandFacts, DemandRule } from './demand.ts'
import { billedCentiwatts, maxDemandOf, meanOfMaxima, pricePercentOf } from './demand.ts'
import { minorText } from './money.ts'
import { cosHundredths } from './power-factor.ts'
import { How } from './quarters.ts'
import { quarterMs } from './slots.ts'
import { factoryTariff } from './test-tariff.ts'

const numRuns = lawRuns(300)

/** October of a factory: 158,300 kWh in five bands, 431 kW of 450 declared, cos 0.93. */
const october: BillFacts = {
  whByBand: [15_853_000, 60_026_000, 49_430_000, 30_246_000, 2_745_000],
  ...{ maxW: 431_000, declaredW: 450_000, capacityVa: 1_800_000, usedWh: 158_300_000 },
  cosHundredths: cosHundredths(158_300_000, 62_562_000),
  ...{ minorDigits: 2, seriesAmount: null, share: wholeMonth },
}
const printed = (facts: BillFacts) => {
  const { lines, totalMinor } = billOf(factoryTariff, facts)
  const text = (minor: bigint | null) => (minor === null ? null : minorText(minor, 2))
  return [...lines.map(({ minor }) => text(minor)), text(totalMinor)]
}

test('the bill of a factory, as it was reckoned by hand', () =>
  expect(printed(october)).toEqual([
    ...['19023.60', '54623.66', '24715.00', '4234.44', '164.70'],
    ...['2944.38', '21481.31', '5762.12', '4638.19', '18360.00', '-680.89'],
    '155266.51',
  ]))

test('what the power factor adjusts is without government funds', () =>
  expect(billOf(factoryTariff, october).powerFactorBaseMinor).toBe(15_130_921n))

test('demand above 105 % of the declared counts twice', () =>
  // 450 kW, and twice what 480 kW is above 472.5 kW.
  expect(printed({ ...october, maxW: 480_000 })[9]).toBe('18972.00'))

test('a row whose figure is not known is not known, nor is the total; the others are', () => {
  const rows = printed({ ...october, cosHundredths: null })
  expect(rows.slice(-3)).toEqual(['18360.00', null, null])
  expect(printed({ ...october, whByBand: null }).slice(0, 10)).toEqual([...Array(9).fill(null), '18360.00'])
})

test('charges by capacity, by the month and per cent of others', () => {
  const rows = { inPowerFactorBase: false, governmentFund: false } as const
  const { lines } = billOf(
    {
      ...factoryTariff,
      components: [
        { key: 'capacity', basis: 'kvaCapacity', price: '25.5', ...rows },
        { key: 'meter', basis: 'month', price: '12.345', ...rows },
        { key: 'tax', basis: 'percentOf', percent: '13', of: ['capacity', 'meter'], ...rows },
      ],
      powerFactorStandard: null,
    },
    october,
  )
  expect(lines.map(({ minor }) => minor)).toEqual([4_590_000n, 1_235n, 596_861n])
})

test('the total is the sum of the rows as they are printed', () => {
  const anyWh = fc.integer({ min: 0, max: 10 ** 11 })
  fc.assert(
    fc.property(fc.array(anyWh, { minLength: 5, maxLength: 5 }), fc.nat(900_000), fc.nat(100), (whByBand, maxW, cos) => {
      const { lines, totalMinor } = billOf(factoryTariff, { ...october, whByBand, maxW, cosHundredths: cos })
      expect(totalMinor).toBe(lines.reduce((sum, { minor }) => sum + (minor ?? 0n), 0n))
    }),
    { numRuns },
  )
})

const declared = factoryTariff.demandRule!
const actual: DemandRule = { base: 'actual', over: null, floorPercent: 40, discount: { fromKwhPerKva: 260, pricePercent: 90 } }
const facts = (more: Partial<DemandFacts> = {}): DemandFacts => ({
  ...{ maxW: 431_000, declaredW: 450_000, capacityVa: 1_800_000, usedWh: 158_300_000 },
  ...more,
})

test.each<[string, DemandRule, Partial<DemandFacts>, bigint | null]>([
  ['below what is declared, what is declared', declared, {}, 45_000_000n],
  ['at 105 %, what is declared', declared, { maxW: 472_500 }, 45_000_000n],
  ['actual demand under the floor, 40 % of the capacity', actual, {}, 72_000_000n],
  ['actual demand above the floor, that', actual, { maxW: 800_000 }, 80_000_000n],
  ['a demand that is not known, nothing', actual, { maxW: null }, null],
  ['what is declared without a limit, whatever was used', { ...declared, over: null }, { maxW: null }, 45_000_000n],
  ['a declared demand with a limit and none measured, nothing', declared, { maxW: null }, null],
  ['a capacity that is not known, nothing', actual, { capacityVa: null }, null],
])('billed is %s', (_name, rule, more, billed) => expect(billedCentiwatts(rule, facts(more))).toBe(billed))

test('from 260 kWh per kVA on demand costs nine tenths', () => {
  const percent = (usedWh: number | null) => pricePercentOf(actual, facts({ usedWh }))
  expect([467_999_999, 468_000_000, null].map(percent)).toEqual([100, 90, null])
})

test('the largest demand is that of a quarter that was measured, and how many were left out is known', () => {
  const { measured, spread, estimated, entered, missing, open } = How
  const quarters = {
    wh: [100, 900, 150, 800, null, null],
    how: Uint8Array.of(measured, spread, estimated, entered, missing, open),
  }
  const slots = quarters.wh.map((_, index) => index * quarterMs)
  expect(maxDemandOf(quarters, slots)).toEqual({ maxW: 600, at: 2 * quarterMs, leftOut: 3 })
  expect(maxDemandOf({ wh: [null], how: Uint8Array.of(missing) }, [0])).toEqual({ maxW: null, at: null, leftOut: 1 })
})

test('a month without a maximum leaves the mean of twelve unknown', () => {
  expect(meanOfMaxima([1_000, 2_000])).toBe(1_500)
  expect([meanOfMaxima([1_000, null]), meanOfMaxima([])]).toEqual([null, null])
})

test('per cents of a fen that come to just less than half of one are none, and are rounded once', () => {
  const plain = { inPowerFactorBase: false, governmentFund: false }
  const of = ['fixed', 'fixed']
  const components = [
    { ...plain, key: 'fixed', basis: 'month', price: '0.01' },
    { ...plain, key: 'tax', basis: 'percentOf', percent: '49.99999999', of },
  ] as const
  const { lines } = billOf({ ...factoryTariff, components }, october)
  expect(lines.slice(0, 2).map(({ minor }) => minor)).toEqual([1n, 0n])
})
