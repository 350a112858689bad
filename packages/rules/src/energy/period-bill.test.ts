import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateText, parseDate } from '../automation/civil-time.ts'
import { lawRuns } from '../test-runs.ts'
import type { BillFacts } from './bill.ts'
import { billOf } from './bill.ts'
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

test('a period that one version prices is its bill, row by row', () => {
  const whole: BillFacts = { ...facts, whByBand, usedWh: 158_300_000 }
  const { lines, totalMinor } = billOf(factoryTariff, whole)
  const bill = periodBill([{ version: factoryTariff, whByBand }], true, facts)
  expect(bill.parts).toEqual([lines.map((line) => ({ ...line, gap: null }))])
  expect([bill.knownMinor, bill.isWhole]).toEqual([totalMinor, true])
})

test('what is not known is said by its reason, and the sum is of the others', () => {
  const of = (more: Partial<Record<'maxW' | 'declaredW' | 'cosHundredths', null>>) => {
    const { parts, knownMinor, isWhole } = periodBill([{ version: factoryTariff, whByBand }], true, { ...facts, ...more })
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
  const { parts, isWhole } = periodBill([{ version: factoryTariff, whByBand }], true, least)
  expect([isWhole, parts[0]?.every(({ minor }) => minor !== null)]).toEqual([false, true])
  const declared = { ...factoryTariff, demandRule: { base: 'declared', over: null } } as unknown as typeof factoryTariff
  expect(periodBill([{ version: declared, whByBand }], true, least).isWhole).toBe(true)
})

test('where two versions price it, or one a part of it, what is charged by the month is not known', () => {
  const half = whByBand.map((wh) => wh / 2)
  const part = { version: factoryTariff, whByBand: half }
  for (const bill of [periodBill([part, part], true, facts), periodBill([part], false, facts)]) {
    expect(bill.isWhole).toBe(false)
    for (const rows of bill.parts) {
      expect(rows.filter(({ gap }) => gap !== null).map(({ key, gap }) => [key, gap])).toEqual([
        ['demand', 'period'],
        ['powerFactor', 'period'],
      ])
      // In the order of the tariff, each row of energy as it would be alone.
      expect(rows.map(({ key }) => key)).toEqual([
        ...Array(5).fill('purchase'),
        'losses',
        'network',
        'system',
        'funds',
        'demand',
        'powerFactor',
      ])
    }
  }
})

test('the standard of the supply decides alone: without one nothing is adjusted, whatever the version says', () => {
  const rowOf = (standard: 90 | 80 | null, ofVersion: 90 | null = 90) =>
    periodBill([{ version: { ...factoryTariff, powerFactorStandard: ofVersion }, whByBand }], true, {
      ...{ ...facts, powerFactorStandard: standard },
    }).parts[0]?.find(({ key }) => key === 'powerFactor')?.minor
  expect([rowOf(90), rowOf(90, null), rowOf(80)]).toEqual([-68_089n, -68_089n, -196_702n])
  expect([rowOf(null), rowOf(null, null)]).toEqual([undefined, undefined])
  const half = { version: factoryTariff, whByBand }
  const { parts } = periodBill([half, half], true, { ...facts, powerFactorStandard: null })
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
