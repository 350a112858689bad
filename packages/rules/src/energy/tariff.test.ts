import fc from 'fast-check'
import { expect, test } from 'vitest'
import { civilZone, parseDate } from '../automation/civil-time.ts'
import { lawRuns } from '../test-runs.ts'
import { bandsOfDay, dayTypeOf, isPricedByWeekday, seasonOf } from './band-calendar.ts'
import { clockQuarterOf, slotsOfDay } from './slots.ts'
import type { TariffVersion } from './tariff.ts'
import { energyByBand, energyFee, energyPrices, versionOn } from './tariff.ts'
import { tariffProblems, versionProblems } from './tariff-problems.ts'
import { anyDay, anyZone } from './test-energy.ts'
import { factoryTariff, publicDays } from './test-tariff.ts'

const numRuns = lawRuns(200)
const day = (date: string) => parseDate(date)!
const shanghai = civilZone('Asia/Shanghai')
const berlin = civilZone('Europe/Berlin')
const bandsOn = (date: string, zone = shanghai) => bandsOfDay(factoryTariff.calendar, publicDays, zone, day(date))

test.each([
  ['2026-10-08', 'workday'],
  ['2026-10-09', 'workday'],
  ['2026-10-10', 'makeUpWorkday'],
  ['2026-10-11', 'sunday'],
  ['2026-10-17', 'saturday'],
  ['2026-10-03', 'holiday'],
] as const)('%s is a %s', (date, type) => expect(dayTypeOf(publicDays, day(date))).toBe(type))

test('a year whose holidays nobody entered is priced by the day of the week, and that is known', () => {
  expect(dayTypeOf(publicDays, day('2027-10-01'))).toBe('workday')
  expect([isPricedByWeekday(publicDays, day('2027-10-01')), isPricedByWeekday(publicDays, day('2026-01-01'))]).toEqual([
    true,
    false,
  ])
})

test('bands change on the half hour, by season and on holidays', () => {
  expect([bandsOn('2026-10-09')[33], bandsOn('2026-10-09')[34]]).toEqual([2, 1])
  expect([bandsOn('2026-12-01')[33], bandsOn('2026-12-01')[34]]).toEqual([2, 2])
  expect(bandsOn('2026-10-01')[12 * 4]).toBe(4)
  expect(['12-31', '02-29', '03-01', '11-30'].map((date) => seasonOf(factoryTariff.calendar.seasons, date))).toEqual([0, 0, 1, 1])
})

test('both passes of a repeated hour have the band of their clock time, and a skipped hour none', () => {
  expect(bandsOn('2026-10-25', berlin)).toHaveLength(100)
  // Sunday: the valley ends at 08:00 by the clock, thirty-six quarters after midnight.
  expect(bandsOn('2026-10-25', berlin).findIndex((band) => band !== 3)).toBe(36)
  expect(bandsOn('2026-03-29', berlin).findIndex((band) => band !== 3)).toBe(28)
})

test('each quarter of each date has exactly one band, that of its clock time', () => {
  fc.assert(
    fc.property(anyZone, anyDay, (zone, date) => {
      const slots = slotsOfDay(zone, date)
      const bands = bandsOfDay(factoryTariff.calendar, publicDays, zone, date)
      expect(bands).toHaveLength(slots.length)
      const byClock = new Map<number, number | null>()
      const wrong = slots.filter((slot, index) => {
        const [clock, band] = [clockQuarterOf(zone, slot), bands[index] ?? null]
        const isSame = !byClock.has(clock) || byClock.get(clock) === band
        byClock.set(clock, band)
        return band === null || !isSame
      })
      expect(wrong).toEqual([])
    }),
    { numRuns },
  )
})

const prices = energyPrices(factoryTariff)!
const anyWh = fc.array(fc.option(fc.integer({ min: 0, max: 5_000_000 })), { minLength: 1, maxLength: 96 })
const anyBand = fc.integer({ min: 0, max: 4 })

test('the fee of the bands is the fee of their quarters, however they are cut', () => {
  fc.assert(
    fc.property(anyWh, fc.array(anyBand, { minLength: 96, maxLength: 96 }), fc.nat(96), (wh, bands, cut) => {
      const feeOf = (from: number, to: number) => {
        const { whByBand } = energyByBand(wh.slice(from, to), bands.slice(from, to), 5)
        return energyFee(whByBand, prices)
      }
      const each = wh.reduce((sum, one, index) => sum + BigInt(one ?? 0) * prices[bands[index]!]!, 0n)
      expect(feeOf(0, 96)).toBe(each)
      expect(feeOf(0, cut) + feeOf(cut, 96)).toBe(each)
    }),
    { numRuns },
  )
})

test('a constant price makes the fee price times energy, and energy without a band has no price', () => {
  const constant = energyPrices({
    bands: ['all'],
    components: [{ key: 'energy', basis: 'kwh', price: '0.72', inPowerFactorBase: true, governmentFund: false }],
  })!
  const { whByBand, unpricedWh, unpricedQuarters } = energyByBand([1_000, null, 250, 500], [0, 0, 0, null], 1)
  expect(energyFee(whByBand, constant)).toBe(1_250n * 72_000_000n)
  expect([unpricedWh, unpricedQuarters]).toEqual([500, 1])
})

test('what a kWh costs is the sum of the components for energy', () =>
  expect(prices).toEqual([142_000_000n, 113_000_000n, 72_000_000n, 36_000_000n, 28_000_000n]))

const version = (id: number, validFrom: string, validTo: string | null, publishedAt: number | null = id): TariffVersion => ({
  ...factoryTariff,
  ...{ id, validFrom, validTo, publishedAt },
})

test('a date has the version that is in force on it, and of two with the same dates the one that was published last', () => {
  const versions = [
    version(1, '2026-01-01', '2026-06-30'),
    version(2, '2026-07-01', null),
    version(3, '2026-01-01', '2026-06-30'),
  ]
  const on = (date: string) => versionOn([...versions, version(4, '2026-01-01', null, null)], day(date))?.id ?? null
  expect(['2025-12-31', '2026-01-01', '2026-06-30', '2026-07-01', '2030-01-01'].map(on)).toEqual([null, 3, 3, 2, 2])
})

test('an open end ends where another version begins, even where the older one is published again', () => {
  const versions = [version(1, '2026-01-01', null), version(2, '2026-07-01', null), version(3, '2026-01-01', null)]
  expect(['2026-06-30', '2026-07-01'].map((date) => versionOn(versions, day(date))?.id)).toEqual([3, 2])
  // And it does not come back where that one ends: better no price than an old one.
  expect(versionOn([version(1, '2026-01-01', null), version(2, '2026-07-01', '2026-12-31')], day('2027-01-01'))).toBeNull()
})

test('versions that overlap or leave dates without a price are named with the dates', () => {
  const published = [version(1, '2026-01-01', '2026-06-30')]
  expect(versionProblems(published, version(2, '2026-06-01', '2026-12-31'))).toEqual([
    { problem: 'overlaps', from: '2026-06-01', to: '2026-06-30' },
  ])
  expect(versionProblems(published, version(2, '2026-07-02', null))).toEqual([
    { problem: 'leavesGap', from: '2026-07-01', to: '2026-07-01' },
  ])
  expect(versionProblems(published, version(2, '2026-07-01', null))).toEqual([])
  expect(versionProblems(published, version(2, '2026-01-01', '2026-06-30'))).toEqual([])
  expect(versionProblems([version(1, '2026-01-01', null)], version(2, '2026-07-01', null))).toEqual([])
})

test('a whole version has nothing against it', () => expect(tariffProblems(factoryTariff)).toEqual([]))

test.each<[string, Partial<TariffVersion>, unknown]>([
  ['a version without what it follows', { source: ' ' }, { problem: 'sourceMissing' }],
  ['an end before the beginning', { validTo: '2026-06-30' }, { problem: 'datesWrong' }],
  [
    'a date in no season',
    {
      calendar: {
        ...factoryTariff.calendar,
        seasons: [
          { from: '12-01', to: '02-28' },
          { from: '03-01', to: '11-30' },
        ],
      },
    },
    { problem: 'seasonMissing', date: '02-29' },
  ],
  [
    'a date in two seasons',
    {
      calendar: {
        ...factoryTariff.calendar,
        seasons: [
          { from: '12-01', to: '03-01' },
          { from: '03-01', to: '11-30' },
        ],
      },
    },
    { problem: 'seasonTwice', date: '03-01' },
  ],
  [
    'a quarter in no band',
    {
      calendar: {
        ...factoryTariff.calendar,
        map: factoryTariff.calendar.map.map((each, season) => ({
          ...each,
          sunday: season === 0 ? each.sunday : each.sunday.slice(0, 95),
        })),
      },
    },
    { problem: 'bandMissing', season: 1, dayType: 'sunday', time: '23:45' },
  ],
  [
    'a price that is no number',
    { components: [{ key: 'funds', basis: 'kwh', price: '0,0293', inPowerFactorBase: false, governmentFund: true }] },
    { problem: 'priceWrong', component: 'funds', band: null },
  ],
  [
    'a per cent of a component that is not there',
    {
      components: [
        { key: 'tax', basis: 'percentOf', percent: '13', of: ['energy'], inPowerFactorBase: false, governmentFund: false },
      ],
    },
    { problem: 'percentOfUnknown', component: 'tax' },
  ],
  [
    'a share of demand that is not whole',
    { demandRule: { base: 'declared', over: { abovePercent: 105.5, factor: 2 }, floorPercent: null, discount: null } },
    { problem: 'demandRuleWrong' },
  ],
])('%s cannot be published', (_name, wrong, problem) => expect(tariffProblems({ ...factoryTariff, ...wrong })).toEqual([problem]))
