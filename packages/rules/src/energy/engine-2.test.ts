import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { engine2 } from './engine-2.ts'
import { minorText } from './money.ts'
import { billedWh, periodBill } from './period-bill.ts'
import { bandsWithPrices, seriesByBand } from './price-series.ts'
import type { TariffComponent } from './tariff.ts'
import { energyByBand, isBySeries } from './tariff.ts'
import { inputsOf, memberOf, sealedOf } from './test-statement.ts'
import { factoryTariff } from './test-tariff.ts'

const sealed = sealedOf(factoryTariff)
/** The band of each quarter of a workday in October. */
const strip = sealed.Seasons[1]?.Days.workday ?? ''
const even = (wh: number, days = 1) => new Array<number | null>(96 * days).fill(wh)

/** A day whose bands add up to these, Wh. */
function quartersWith(byBand: readonly number[]): number[] {
  const wh = new Array<number>(96).fill(0)
  for (const [band, sum] of byBand.entries()) wh[strip.indexOf(String(band))] = sum
  return wh
}

// An engine is never edited after its first statement: whoever is led here by a change writes engine 3 beside it.
test('engine 2 is what it was', () => {
  const files = ['engine-2.ts', 'engine-2-rows.ts', 'engine-2-types.ts']
  const texts = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  const outside = texts.flatMap((text) => [...text.matchAll(/from '([^']+)'/g)].map(([, path]) => path))
  expect(outside.filter((path) => !/^\.\/engine-[12](-\w+)?\.ts$/.test(path ?? ''))).toEqual([])
  expect(createHash('sha256').update(texts.join('\n')).digest('hex')).toBe(
    '0983d5181ec7e92487bdbb90121438e8073c7fbea329a9d4c92d20691599297e',
  )
})

test('the statement of a factory is the one that a person reckoned by hand, to the fen', () => {
  // No deep valley on a workday: its energy is on a date of another type.
  const deep = quartersWith([0, 0, 0, 0, 0])
  const holiday = sealed.Seasons[1]?.Days.holiday ?? ''
  deep[holiday.indexOf('4')] = 2_745_000
  const first = [...quartersWith([9_448_000, 35_660_000, 29_360_000, 17_712_000]), ...new Array(96).fill(0)]
  const second = [...quartersWith([6_405_000, 24_366_000, 20_070_000, 12_534_000]), ...deep]
  const inputs = inputsOf(sealed, [memberOf(first), memberOf(second, { lineId: 2 })])
  const days = inputs.days.map((day, place) => (place === 1 ? { ...day, type: 'holiday' } : day))
  const { parts, total, billedWh: billed } = engine2({ ...inputs, days, declaredW: 100_000_000 })
  const [part] = parts
  expect(part?.bands.map(({ wh }) => wh)).toEqual([15_853_000, 60_026_000, 49_430_000, 30_246_000, 2_745_000])
  const rows = part?.rows.map(({ key, band, quantity, amount }) => [band ?? key, quantity, amount])
  expect(rows?.filter(([key]) => key !== 'demand' && key !== 'powerFactor')).toEqual([
    ['sharp', '15853.000', '19023.60'],
    ['peak', '60026.000', '54623.66'],
    ['flat', '49430.000', '24715.00'],
    ['valley', '30246.000', '4234.44'],
    ['deepValley', '2745.000', '164.70'],
    ['losses', '158300.000', '2944.38'],
    ['network', '158300.000', '21481.31'],
    ['system', '158300.000', '5762.12'],
    ['funds', '158300.000', '4638.19'],
  ])
  // 450 kW declared and nothing above it, at cos 0.93.
  const plain = { ...sealed, DemandRule: { Base: 'declared', Over: null, FloorPercent: null, Discount: null } } as const
  const own = engine2({ ...inputs, days, versions: [{ sealed: plain }] })
  expect(own.parts[0]?.rows.slice(-2)).toMatchObject([
    { key: 'demand', quantity: '450.00000', amount: '18360.00' },
    { key: 'powerFactor', quantity: '151309.21', price: '-0.45', amount: '-680.89' },
  ])
  expect(own.total).toBe('155266.51')
  expect([billed, total === null]).toEqual([158_300_000, false])
})

/** The same row at another price. */
const raised = (component: TariffComponent): TariffComponent =>
  'price' in component ? { ...component, price: '7.7777' } : component

test('it answers what the bill of the page does, whatever is known, owed and declared', () => {
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
  const known = fc.record({
    wh: fc.array(fc.option(fc.integer({ min: -50, max: 90_000 }), { freq: 9, nil: null }), { minLength: 192, maxLength: 192 }),
    cos: maybe(fc.integer({ min: 40, max: 100 })),
    declaredW: maybe(fc.integer({ min: 1, max: 400_000 })),
    capacityVa: maybe(fc.integer({ min: 1, max: 400_000 })),
    isWhole: fc.boolean(),
    isTwo: fc.boolean(),
    prices: fc.array(maybe(fc.integer({ min: -50_000_000, max: 300_000_000 })), { minLength: 96, maxLength: 96 }),
    standard: fc.constantFrom(90, 85, null),
    stepWh: fc.constantFrom(1, 1_000),
    rule: fc.constantFrom(factoryTariff.demandRule, null, {
      base: 'actual',
      over: null,
      floorPercent: 40,
      discount: { fromKwhPerKva: 3, pricePercent: 90 },
    } as const),
  })
  fc.assert(
    fc.property(known, ({ wh, cos, declaredW, capacityVa, isWhole, isTwo, prices, standard, stepWh, rule }) => {
      const components = [
        ...factoryTariff.components,
        ...([
          { key: 'capacity', basis: 'kvaCapacity', price: '25.5', inPowerFactorBase: true, governmentFund: false },
          { key: 'spot', basis: 'kwhBySeries', inPowerFactorBase: true, governmentFund: false },
          { key: 'fixed', basis: 'month', price: '12.345', inPowerFactorBase: false, governmentFund: false },
          {
            key: 'tax',
            basis: 'percentOf',
            percent: '13',
            of: ['purchase', 'fixed', 'purchase'],
            inPowerFactorBase: false,
            governmentFund: false,
          },
        ] as const),
      ]
      const version = { ...factoryTariff, demandRule: rule, components }
      const later = { ...version, components: components.filter(({ key }) => key !== 'spot').map((each) => raised(each)) }
      const more = { stepWh, powerFactorStandard: standard, declaredW, capacityVa, cosHundredths: cos, isWholePeriod: isWhole }
      const inputs = inputsOf(sealedOf(version), [memberOf(wh)], more)
      const days = inputs.days.map((day, place) => ({
        ...{ ...day, version: isTwo ? place : 0, prices: prices.map((each) => (each === null ? null : String(each))) },
      }))
      const versions = [{ sealed: sealedOf(version) }, { sealed: sealedOf(later) }]
      const { parts, max, total } = engine2({ ...inputs, days, versions })
      const own = (isTwo ? [[version, wh.slice(0, 96)] as const, [later, wh.slice(96)] as const] : [[version, wh] as const]).map(
        ([of, ownWh]) => {
          const plain = [...`${strip}${strip}`].map(Number).slice(0, ownWh.length)
          const ownPrices = [...prices, ...prices].map((each) => (each === null ? null : BigInt(each)))
          const bands = isBySeries(of) ? bandsWithPrices(plain, ownPrices) : plain
          const seriesAmount = seriesByBand(ownWh, bands, ownPrices, 5).reduce((sum, each) => sum + each, 0n)
          const amount = isBySeries(of) ? seriesAmount : 0n
          return { version: of, ...energyByBand(ownWh, bands, 5), seriesAmount: amount, days: ownWh.length / 96 }
        },
      )
      const facts = { maxW: max.w, declaredW, capacityVa, cosHundredths: cos, minorDigits: 2, isMaxCertain: true }
      const rounded = billedWh(
        own.map(({ whByBand }) => whByBand),
        stepWh,
      )
      const bill = periodBill(
        own.map((part, place) => ({ ...part, whByBand: rounded[place] ?? [] })),
        { days: 2, isWhole },
        { ...facts, powerFactorStandard: standard },
      )
      const rows = bill.parts.map((lines) =>
        lines.map(({ key, band, minor, gap, share }) => [key, band, minor === null ? null : minorText(minor, 2), gap, share]),
      )
      expect(parts.map((part) => part.rows.map(({ key, band, amount, gap, share }) => [key, band, amount, gap, share]))).toEqual(
        rows,
      )
      expect(total).toBe(bill.isWhole ? minorText(bill.knownMinor, 2) : null)
    }),
    { numRuns: lawRuns(200) },
  )
})

test('registers times their multiplier are the energy, or they are said not to be', () => {
  const agrees = (opening: number | null, closing: number | null, multiplier = 1) =>
    engine2(inputsOf(sealed, [memberOf(even(400), { opening, closing, multiplier })])).members[0]?.agrees
  expect(agrees(1_000, 39_400)).toBe(true)
  expect(agrees(1_000, 39_401)).toBe(false)
  expect(agrees(1_000, 1_384, 100)).toBe(true)
  expect(agrees(null, 39_400)).toBe(null)
})

test('what was spread is known inside one band, and not over two of them or an end of the period', () => {
  const first = strip.indexOf('1')
  const spreadAt = (from: number, to: number, more = {}) => {
    const how = [...'0'.repeat(96)].map((each, index) => (index >= from && index < to ? '1' : each)).join('')
    const { members } = engine2(inputsOf(sealed, [memberOf(even(400), { how, ...more })]))
    return [members[0]?.spread, members[0]?.across, members[0]?.known]
  }
  expect(spreadAt(first, first + 4)).toEqual([4, 0, 96])
  expect(spreadAt(first - 1, first + 4)).toEqual([0, 5, 91])
  expect(spreadAt(0, 4)).toEqual([4, 0, 96])
  expect(spreadAt(0, 4, { howBefore: '1' })).toEqual([0, 4, 92])
  expect(spreadAt(94, 96, { howAfter: '1' })).toEqual([0, 2, 94])
})

test('what is missing stays missing, and with estimates is the mean of its time and marked', () => {
  const wh = [...even(400), ...even(800)]
  wh[0] = null
  const plain = engine2(inputsOf(sealed, [memberOf(wh)]))
  expect([plain.lackingQuarters, plain.wh, plain.max.leftOut]).toEqual([1, 95 * 400 + 96 * 800, 1])
  expect(plain.parts[0]?.bands.some(({ estimated }) => estimated)).toBe(false)
  const filled = engine2(inputsOf(sealed, [memberOf(wh)], { estimate: true }))
  expect([filled.lackingQuarters, filled.wh, filled.members[0]?.filled, filled.members[0]?.known]).toEqual([
    ...[0, 800 + 95 * 400 + 96 * 800, 1, 191],
  ])
  // It makes no demand, and only the band that it is in is marked.
  expect(filled.max.leftOut).toBe(1)
  expect(filled.parts[0]?.bands.filter(({ estimated }) => estimated).map(({ band }) => band)).toEqual(['valley'])
  expect(filled.parts[0]?.rows.filter(({ estimated }) => !estimated).map(({ band, key }) => band ?? key)).toEqual([
    ...['sharp', 'peak', 'flat', 'deepValley', 'demand'],
  ])
})

test('a date on which an hour repeats has its bands by the clock', () => {
  const clock = [...Array.from({ length: 12 }, (_, at) => at), ...Array.from({ length: 88 }, (_, at) => at + 8)]
  const inputs = inputsOf(sealed, [memberOf(new Array(100).fill(1_000))])
  const days = [{ date: '2026-10-25', type: 'sunday', clock, version: 0, prices: null }]
  const [part] = engine2({ ...inputs, days }).parts
  // Sundays are valley until eight: 32 quarters of the clock, and four of them twice.
  expect(part?.bands.map(({ wh }) => wh)).toEqual([0, 0, 64_000, 36_000, 0])
})

test('a line that is taken off is taken off each quarter, and the rest is of where both are known', () => {
  const less = even(100)
  less[3] = null
  const { wh, lackingQuarters, members } = engine2(
    inputsOf(sealed, [memberOf(even(400)), memberOf(less, { lineId: 2, sign: -1 })]),
  )
  expect([wh, lackingQuarters, members.map((each) => each.wh)]).toEqual([95 * 300, 1, [38_400, 9_500]])
})
