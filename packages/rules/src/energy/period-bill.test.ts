import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateText, parseDate } from '../automation/civil-time.ts'
import { lawRuns } from '../test-runs.ts'
import type { BillFacts } from './bill.ts'
import { billOf, wholeMonth } from './bill.ts'
import { amountChange, amountOf, amountText, minorText } from './money.ts'
import { billedWh, billingMonth, billingPeriod, periodBill } from './period-bill.ts'
import { factoryTariff } from './test-tariff.ts'

const facts = {
  maxW: 431_000,
  declaredW: 450_000,
  capacityVa: 1_800_000,
  cosHundredths: 93,
  minorDigits: 2,
  powerFactorStandard: 90 as const,
  isMaxCertain: true,
}
const whByBand = [15_853_000, 60_026_000, 49_430_000, 30_246_000, 2_745_000]
const october = { version: factoryTariff, whByBand, seriesAmount: 0n, days: 31 }
const wholeOctober = { days: 31, isWhole: true }

test('a period that one version prices is its bill, row by row', () => {
  const whole: BillFacts = { ...facts, whByBand, usedWh: 158_300_000, seriesAmount: 0n, share: wholeMonth }
  const { lines, totalMinor } = billOf(factoryTariff, whole)
  const bill = periodBill([october], wholeOctober, facts)
  expect(bill.parts).toEqual([lines.map((line) => ({ ...line, gap: null, share: null }))])
  expect([bill.knownMinor, bill.isWhole]).toEqual([totalMinor, true])
})

test('what is not known is said by its reason, and the sum is of the others', () => {
  const of = (more: Partial<Record<'maxW' | 'declaredW' | 'cosHundredths', null>>) => {
    const { parts, knownMinor, isWhole } = periodBill([october], wholeOctober, { ...facts, ...more })
    const gaps = (parts[0] ?? []).flatMap(({ key, gap }) => (gap === null ? [] : [[key, gap]]))
    return { gaps, known: minorText(knownMinor, 2), isWhole }
  }
  expect(of({ cosHundredths: null })).toEqual({ gaps: [['powerFactor', 'powerFactor']], known: '155947.40', isWhole: false })
  const noDemand = (gap: string) => [
    ['demand', gap],
    ['powerFactor', 'others'],
  ]
  expect(of({ maxW: null }).gaps).toEqual(noDemand('demand'))
  expect(of({ declaredW: null }).gaps).toEqual(noDemand('declared'))
})

test('where a larger demand may lie in what was left out, a bill that charges by it is not whole, and says what it is at least', () => {
  const least = { ...facts, isMaxCertain: false }
  const { parts, isWhole } = periodBill([october], wholeOctober, least)
  expect([isWhole, parts[0]?.every(({ minor }) => minor !== null)]).toEqual([false, true])
  const declared = { ...factoryTariff, demandRule: { base: 'declared', over: null } } as unknown as typeof factoryTariff
  expect(periodBill([{ ...october, version: declared }], wholeOctober, least).isWhole).toBe(true)
})

/** Demand at 40.80 and 48.00: 18,360.00 and 21,600.00 a month. */
const demandsOf = (bill: ReturnType<typeof periodBill>) =>
  bill.parts.map((rows) => {
    const row = rows.find(({ key }) => key === 'demand')
    return [row?.minor, row?.share]
  })
const dearer = {
  ...factoryTariff,
  components: factoryTariff.components.map((each) => (each.key === 'demand' ? { ...each, price: '48.0000' } : each)),
} as typeof factoryTariff

test('where two versions price it, each bears its days of what is charged by the month, and the month has one demand', () => {
  const half = whByBand.map((wh) => wh / 2)
  const parts = [
    { ...october, whByBand: half, days: 15 },
    { ...october, version: dearer, whByBand: half, days: 16 },
  ]
  const bill = periodBill(parts, wholeOctober, facts)
  expect(bill.isWhole).toBe(true)
  expect(demandsOf(bill)).toEqual([
    [888_387n, { days: 15, of: 31 }],
    [1_114_839n, { days: 16, of: 31 }],
  ])
  // Each part is adjusted by the power factor of the month, of what it comes to.
  expect(bill.parts.map((rows) => rows.at(-1))).toMatchObject([{ key: 'powerFactor', gap: null }, { key: 'powerFactor' }])
  const same = periodBill([parts[0], { ...parts[1], version: factoryTariff }] as typeof parts, wholeOctober, facts)
  expect(demandsOf(same).reduce((sum, [minor]) => sum + ((minor as bigint) ?? 0n), 0n)).toBe(1_836_000n)
})

test('a discount by hours of use is asked of the energy of the month, whatever part of it a version prices', () => {
  const rule = { base: 'actual', over: null, floorPercent: null, discount: { fromKwhPerKva: 80, pricePercent: 90 } } as const
  const version = { ...factoryTariff, demandRule: rule }
  const part = { ...october, version, whByBand: whByBand.map((wh) => wh / 2), days: 15 }
  const { parts } = periodBill([part, { ...part, days: 16 }], wholeOctober, facts)
  // 158,300 kWh are more than 80 a kVA of 1,800: nine tenths of 431 kW at 40.80.
  expect(parts.map((rows) => rows.find(({ key }) => key === 'demand')?.minor)).toEqual([765_790n, 816_842n])
})

test('of the month in which a supply begins or ends a thirtieth a day is charged, and no more than a month', () => {
  const of = (days: number) => demandsOf(periodBill([{ ...october, days }], { days, isWhole: false }, facts))[0]
  expect([of(10), of(30), of(31)]).toEqual([
    [612_000n, { days: 10, of: 30 }],
    [1_836_000n, null],
    [1_836_000n, null],
  ])
})

test('a series is a row of its own, rounded once', () => {
  const spot = { key: 'spot', basis: 'kwhBySeries', inPowerFactorBase: false, governmentFund: false } as const
  const version = { ...factoryTariff, components: [spot] }
  const { parts } = periodBill([{ ...october, version, seriesAmount: -1_234_567_890n }], wholeOctober, {
    ...{ ...facts, powerFactorStandard: null },
  })
  expect(parts).toEqual([[{ key: 'spot', band: null, minor: -1n, gap: null, share: null }]])
})

test('the standard of the supply decides alone: without one nothing is adjusted, whatever the version says', () => {
  const rowOf = (standard: 90 | 80 | null, ofVersion: 90 | null = 90) =>
    periodBill([{ ...october, version: { ...factoryTariff, powerFactorStandard: ofVersion } }], wholeOctober, {
      ...{ ...facts, powerFactorStandard: standard },
    }).parts[0]?.find(({ key }) => key === 'powerFactor')?.minor
  expect([rowOf(90), rowOf(90, null), rowOf(80)]).toEqual([-68_089n, -68_089n, -196_702n])
  expect([rowOf(null), rowOf(null, null)]).toEqual([undefined, undefined])
  const { parts } = periodBill([october, october], wholeOctober, { ...facts, powerFactorStandard: null })
  expect(parts.flat().some(({ key }) => key === 'powerFactor')).toBe(false)
})

test('a billing period is the month, or goes from a day of it to the same of the next', () => {
  const text = (day: string, billingDay: number) => {
    const { first, end } = billingPeriod(parseDate(day) ?? 0, billingDay)
    return [dateText(first), dateText(end)]
  }
  expect(text('2026-11-17', 0)).toEqual(['2026-11-01', '2026-12-01'])
  expect(text('2026-12-31', 20)).toEqual(['2026-12-20', '2027-01-20'])
  expect(dateText(billingMonth(parseDate('2026-11-19') ?? 0, 20))).toBe('2026-10-01')
  expect(dateText(billingMonth(parseDate('2026-11-20') ?? 0, 20))).toBe('2026-11-01')
})

test('bands in whole kWh add up to the whole in whole kWh', () =>
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: -50_000, max: 900_000 }), { minLength: 1, maxLength: 5 }), {
        minLength: 1,
        maxLength: 3,
      }),
      (parts) => {
        const sum = (whs: readonly (readonly number[])[]) => whs.flat().reduce((one, other) => one + other, 0)
        const billed = billedWh(parts, 1_000)
        expect(billed.flat().every((wh) => Number.isInteger(wh / 1_000))).toBe(true)
        expect(Math.abs(sum(billed) - sum(parts))).toBeLessThanOrEqual(500)
        expect(billedWh(parts, 1)).toEqual(parts)
      },
    ),
    { numRuns: lawRuns(100) },
  ))

test('an amount is written as it is', () =>
  expect([0n, 1n, -12_300_000_000n, 500_000_000_000n].map(amountText)).toEqual(['0', '0.00000000001', '-0.123', '5']))

test('a written amount is read as it was, and compared with another', () => {
  const all = [0n, 1n, -12_300_000_000n, 500_000_000_000n]
  expect(all.map((each) => amountOf(amountText(each)))).toEqual(all)
  expect([amountChange(110n, 100n), amountChange(90n, 100n), amountChange(1n, 0n)]).toEqual([0.1, -0.1, null])
})
