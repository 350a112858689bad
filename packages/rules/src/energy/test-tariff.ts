import type { CalendarDay } from '../automation/calendar.ts'
import { createCalendar } from '../automation/calendar.ts'
import type { BandsOfDayTypes } from './band-calendar.ts'
import type { TariffVersion } from './tariff.ts'

/** One band for all dates of a type, or by ranges of hours. */
const hours = (...ranges: readonly (readonly [from: number, to: number, band: number])[]): readonly number[] =>
  Array.from({ length: 96 }, (_, quarter) => ranges.find(([from, to]) => quarter >= from * 4 && quarter < to * 4)?.[2] ?? 2)

const workdays = hours([0, 7, 3], [8.5, 11.5, 1], [11.5, 13, 2], [14, 16, 1], [16, 18, 0])
/** Winter and summer, half-hour edges, a deep valley on holidays. */
const ofSeason: BandsOfDayTypes = {
  workday: workdays,
  makeUpWorkday: workdays,
  saturday: hours([0, 7, 3]),
  sunday: hours([0, 8, 3]),
  holiday: hours([0, 8, 3], [11, 14, 4]),
}

/** The two-part tariff of a factory: five bands, energy by components, demand as declared, adjusted by power factor. */
export const factoryTariff: TariffVersion = {
  ...{ id: 3, validFrom: '2026-07-01', validTo: '2026-12-31', publishedAt: 1_000, source: '苏发改价格发〔2026〕602 号' },
  bands: ['sharp', 'peak', 'flat', 'valley', 'deepValley'],
  calendar: {
    seasons: [
      { from: '12-01', to: '02-29' },
      { from: '03-01', to: '11-30' },
    ],
    map: [{ ...ofSeason, workday: hours([0, 6, 3], [17, 19, 0]) }, ofSeason],
  },
  components: [
    {
      key: 'purchase',
      basis: 'kwhByBand',
      prices: ['1.2000', '0.9100', '0.5000', '0.1400', '0.0600'],
      ...{ inPowerFactorBase: true, governmentFund: false },
    },
    { key: 'losses', basis: 'kwh', price: '0.0186', inPowerFactorBase: true, governmentFund: false },
    { key: 'network', basis: 'kwh', price: '0.1357', inPowerFactorBase: true, governmentFund: false },
    { key: 'system', basis: 'kwh', price: '0.0364', inPowerFactorBase: true, governmentFund: false },
    { key: 'funds', basis: 'kwh', price: '0.0293', inPowerFactorBase: true, governmentFund: true },
    { key: 'demand', basis: 'kwDemand', price: '40.8000', inPowerFactorBase: true, governmentFund: false },
  ],
  demandRule: { base: 'declared', over: { abovePercent: 105, factor: 2 }, floorPercent: null, discount: null },
  powerFactorStandard: 90,
}

const publicDay = (date: string, dayClass: CalendarDay['class']): CalendarDay => ({
  date,
  class: dayClass,
  name: '',
  origin: 'bundle',
})

/** National Day 2026 and a Saturday worked for it. */
export const publicDays = createCalendar({
  bundle: [publicDay('2026-10-01', 'holiday'), publicDay('2026-10-10', 'workday'), publicDay('2026-10-03', 'holiday')],
})
