import type { Text } from '@linewarden/equipment'
import type { DayType, TariffComponent, TariffProblem, TariffVersion } from '@linewarden/rules/energy'
import { bandsOfStrip, dayTypes } from '@linewarden/rules/energy'
import type { Problem } from '../../core/envelope.ts'
import { textOf } from '../../core/messages.ts'
import type { TariffContent } from './tariff.ts'

/** A version as the rules take it: both ends check and price by it. */
export function ruledTariff(
  content: TariffContent,
  { id, publishedAt }: { readonly id: number; readonly publishedAt: number | null },
): TariffVersion {
  const { From, To, Source, Bands, Seasons, Components, DemandRule } = content
  const over = DemandRule?.Over ?? null
  const discount = DemandRule?.Discount ?? null
  return {
    ...{ id, validFrom: From, validTo: To, publishedAt, source: Source, bands: Bands },
    calendar: {
      seasons: Seasons.map((season) => ({ from: season.From, to: season.To })),
      map: Seasons.map(({ Days }) => ruledDays(Days)),
    },
    components: Components.map(ruledComponent),
    demandRule: DemandRule && {
      ...{ base: DemandRule.Base, floorPercent: DemandRule.FloorPercent },
      over: over && { abovePercent: over.AbovePercent, factor: over.Factor },
      discount: discount && { fromKwhPerKva: discount.FromKwhPerKva, pricePercent: discount.PricePercent },
    },
    powerFactorStandard: content.PowerFactorStandard as TariffVersion['powerFactorStandard'],
  }
}

type Days = TariffContent['Seasons'][number]['Days']

const ruledDays = (days: Days) =>
  Object.fromEntries(dayTypes.map((each) => [each, bandsOfStrip(days[each])])) as Readonly<Record<DayType, readonly number[]>>

function ruledComponent(component: TariffContent['Components'][number]): TariffComponent {
  const { Key: key, Basis, Prices, Of, InPowerFactorBase: inPowerFactorBase, GovernmentFund: governmentFund } = component
  const [price = ''] = Prices
  const own = { key, inPowerFactorBase, governmentFund }
  if (Basis === 'kwhByBand') return { ...own, basis: Basis, prices: Prices }
  if (Basis === 'kwhBySeries') return { ...own, basis: Basis }
  if (Basis === 'percentOf') return { ...own, basis: Basis, percent: price, of: Of }
  return { ...own, basis: Basis, price }
}

export const dayTypeTexts: Readonly<Record<DayType, Text>> = {
  workday: { zh: '工作日', en: 'workday' },
  saturday: { zh: '周六', en: 'Saturday' },
  sunday: { zh: '周日', en: 'Sunday' },
  holiday: { zh: '节假日', en: 'holiday' },
  makeUpWorkday: { zh: '调休上班日', en: 'make-up workday' },
}

/** Names of bands and prices that a version can name by a key; whatever else it says is its own name. */
const nameTexts: Readonly<Record<string, Text>> = {
  sharp: { zh: '尖', en: 'Sharp' },
  peak: { zh: '峰', en: 'Peak' },
  flat: { zh: '平', en: 'Flat' },
  valley: { zh: '谷', en: 'Valley' },
  deepValley: { zh: '深谷', en: 'Deep valley' },
  purchase: { zh: '代理购电', en: 'Energy purchase' },
  spot: { zh: '现货电价', en: 'Spot price' },
  market: { zh: '市场化购电', en: 'Market purchase' },
  losses: { zh: '上网环节线损', en: 'Grid losses' },
  network: { zh: '输配电', en: 'Transmission and distribution' },
  system: { zh: '系统运行费', en: 'System operation' },
  funds: { zh: '政府性基金及附加', en: 'Government funds' },
  demand: { zh: '需量电费', en: 'Demand charge' },
  capacity: { zh: '容量电费', en: 'Capacity charge' },
  fixed: { zh: '固定费用', en: 'Standing charge' },
  tax: { zh: '税', en: 'Tax' },
}

export const knownBands = ['sharp', 'peak', 'flat', 'valley', 'deepValley'] as const
export const knownComponents = [
  ...['purchase', 'spot', 'market', 'losses', 'network', 'system', 'funds', 'demand', 'capacity', 'fixed', 'tax'],
] as readonly string[]

/** What a band or a price of a version is called. */
export const tariffName = (key: string): Text =>
  (Object.hasOwn(nameTexts, key) ? nameTexts[key] : undefined) ?? { zh: key, en: key }

/** The key of a name in either language; what has none is its own. */
export function tariffKeyOf(name: string): string {
  const plain = name.trim()
  const known = Object.keys(nameTexts).find(
    (key) => nameTexts[key]?.zh === plain || nameTexts[key]?.en.toLowerCase() === plain.toLowerCase(),
  )
  return known ?? plain
}

/** What is wrong with a version, and with which part of it. */
export function tariffProblemText(problem: TariffProblem, { Bands, Seasons }: TariffContent): Problem {
  switch (problem.problem) {
    case 'sourceMissing':
      return { Path: 'Content.Source', Text: textOf('tariff source missing') }
    case 'datesWrong':
      return { Path: 'Content.To', Text: textOf('tariff dates wrong') }
    case 'bandCount':
      return { Path: 'Content.Bands', Text: textOf('tariff band count') }
    case 'bandTwice':
      return { Path: 'Content.Bands', Text: textOf('tariff band twice') }
    case 'bandsOfSeasons':
      return { Path: 'Content.Seasons', Text: textOf('tariff season missing', { date: '01-01' }) }
    case 'componentTwice':
      return { Path: 'Content.Components', Text: textOf('tariff component twice') }
    case 'seriesTwice':
      return { Path: 'Content.Components', Text: textOf('tariff series twice') }
    case 'demandRuleWrong':
      return { Path: 'Content.DemandRule', Text: textOf('tariff demand rule wrong') }
    case 'seasonMissing':
      return { Path: 'Content.Seasons', Text: textOf('tariff season missing', { date: problem.date }) }
    case 'seasonTwice':
      return { Path: 'Content.Seasons', Text: textOf('tariff season twice', { date: problem.date }) }
    case 'bandMissing': {
      const { season, dayType, time } = problem
      const named = Seasons[season]?.Name.trim() ?? ''
      const name = named === '' ? { zh: `第 ${season + 1} 季`, en: `season ${season + 1}` } : named
      return { Path: 'Content.Seasons', Text: textOf('tariff band missing', { season: name, day: dayTypeTexts[dayType], time }) }
    }
    case 'priceWrong': {
      const component = tariffName(problem.component)
      const band = problem.band === null ? null : Bands[problem.band]
      if (band === undefined || band === null)
        return { Path: 'Content.Components', Text: textOf('tariff price wrong', { component }) }
      return { Path: 'Content.Components', Text: textOf('tariff band price wrong', { component, band: tariffName(band) }) }
    }
    case 'percentOfUnknown':
      return { Path: 'Content.Components', Text: textOf('tariff per cent wrong', { component: tariffName(problem.component) }) }
    case 'overlaps':
      return { Path: 'Content.From', Text: textOf('tariff overlaps', { from: problem.from, to: problem.to }) }
    case 'leavesGap':
      return { Path: 'Content.From', Text: textOf('tariff leaves gap', { from: problem.from, to: problem.to }) }
  }
}
