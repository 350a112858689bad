import type { TariffContent, TariffHead } from '@linewarden/contract'
import { knownBands, ruledTariff, tariffName, tariffProblemText } from '@linewarden/contract'
import type { DayType, VersionDates } from '@linewarden/rules/energy'
import { dayTypes, energyPrices, evenStrip, pricePlaces, tariffProblems, versionProblems } from '@linewarden/rules/energy'
import { localised } from '../../ui/i18n.ts'

export type Season = TariffContent['Seasons'][number]
export type Component = TariffContent['Components'][number]

/** A day of each type in one band. */
const evenDays = (band: number): Season['Days'] =>
  Object.fromEntries(dayTypes.map((each) => [each, evenStrip(band)])) as Record<DayType, string>

const component = (Key: string, Basis: Component['Basis'], prices: number, more: Partial<Component> = {}): Component => ({
  ...{ Key, Basis, Prices: Array.from({ length: prices }, () => ''), Of: [] },
  ...{ InPowerFactorBase: true, GovernmentFund: false, ...more },
})

/** What a first version begins with: the five bands and the rows of a Chinese bill, or one price for all hours. Prices are for somebody to type. */
export function newContent(currency: string, today: string): TariffContent {
  const isChinese = currency === 'CNY'
  const bands = isChinese ? [...knownBands] : ['flat']
  return {
    ...{ From: today, To: null, Source: '', Bands: bands, DemandRule: null, PowerFactorStandard: null },
    Seasons: [{ Name: '', From: '01-01', To: '12-31', Days: evenDays(bands.indexOf('flat')) }],
    Components: isChinese
      ? [
          component('purchase', 'kwhByBand', bands.length),
          ...['losses', 'network', 'system'].map((key) => component(key, 'kwh', 1)),
          component('funds', 'kwh', 1, { InPowerFactorBase: false, GovernmentFund: true }),
        ]
      : [component('purchase', 'kwh', 1, { InPowerFactorBase: false })],
  }
}

/** Another season beside the last one, with its strips. */
export const newSeason = (last: Season | undefined): Season =>
  last ? { ...last, Name: '', From: '01-01', To: '12-31' } : { Name: '', From: '01-01', To: '12-31', Days: evenDays(0) }

/** Of how many prices a component has: one, or one for each band. What was typed stays. */
export const withPrices = (each: Component, Basis: Component['Basis'], bands: number): Component => {
  if (Basis === 'kwhBySeries') return { ...each, Basis, Prices: [], Of: [] }
  const [first = ''] = each.Prices
  const isSame = each.Basis === 'kwhByBand' || Basis !== 'kwhByBand'
  const Prices =
    Basis === 'kwhByBand' ? Array.from({ length: bands }, (_, band) => (isSame ? (each.Prices[band] ?? '') : first)) : [first]
  return { ...each, Basis, Prices, Of: Basis === 'percentOf' ? each.Of : [] }
}

/** The version beside those that are published: of them the dates decide. */
const datesOf = ({ VersionID: id, From: validFrom, To: validTo, PublishedAt: publishedAt }: TariffHead): VersionDates => ({
  ...{ id, validFrom, validTo, publishedAt },
})

/** All that stands against publishing, in words. The server asks the same once more. */
export function problemsOf(content: TariffContent, versions: readonly TariffHead[], versionId: number): readonly string[] {
  const version = ruledTariff(content, { id: versionId, publishedAt: null })
  const beside = versions.map(datesOf)
  const problems = [...tariffProblems(version), ...versionProblems(beside, version)]
  return [...new Set(problems.map((problem) => localised(tariffProblemText(problem, content).Text)))]
}

/** What a kWh costs in each band by all that is charged for energy, as texts; null: a price is no number yet. */
export function delivered(content: TariffContent): readonly string[] | null {
  const prices = energyPrices(ruledTariff(content, { id: 0, publishedAt: null }))
  return prices?.map(priceText) ?? null
}

/** At least four places; the rest as far as there is any. */
function priceText(price: bigint): string {
  const sign = price < 0n ? '−' : ''
  const digits = String(price < 0n ? -price : price).padStart(pricePlaces + 1, '0')
  const places = digits.slice(-pricePlaces).replace(/0{1,4}$/, '')
  return `${sign}${digits.slice(0, -pricePlaces)}.${places.padEnd(4, '0')}`
}

/** Whether each quarter has a price of its own, too. */
export const isBySeries = ({ Components }: TariffContent): boolean => Components.some(({ Basis }) => Basis === 'kwhBySeries')

export const nameOf = (key: string): string => localised(tariffName(key))

/** The steps of the one hue in which bands are told apart: by their names, and by their places where they have others. */
export function stepOf(bands: readonly string[], band: number): number {
  const known = (knownBands as readonly string[]).indexOf(bands[band] ?? '')
  return ((known < 0 ? band : known) % knownBands.length) + 1
}

/** `CNY` as a Chinese reader writes it. */
export const unitOf = (currency: string, language: string): string =>
  currency === 'CNY' && language.startsWith('zh') ? '元' : currency
