import type { Engine1Member } from './engine-1-types.ts'
import type { Engine2Inputs, Engine2Version } from './engine-2-types.ts'
import type { TariffVersion } from './tariff.ts'

/** A version as it is sealed. */
export const sealedOf = ({ bands, calendar, components, demandRule, powerFactorStandard }: TariffVersion): Engine2Version => ({
  Bands: bands,
  Seasons: calendar.seasons.map(({ from, to }, place) => ({
    ...{ From: from, To: to },
    Days: Object.fromEntries(Object.entries(calendar.map[place] ?? {}).map(([type, own]) => [type, own.join('')])),
  })),
  Components: components.map((component) => ({
    ...{ Key: component.key, Basis: component.basis, Of: component.basis === 'percentOf' ? component.of : [] },
    Prices: pricesOf(component),
    ...{ InPowerFactorBase: component.inPowerFactorBase, GovernmentFund: component.governmentFund },
  })),
  DemandRule: demandRule && {
    ...{ Base: demandRule.base, FloorPercent: demandRule.floorPercent },
    Over: demandRule.over && { AbovePercent: demandRule.over.abovePercent, Factor: demandRule.over.factor },
    Discount: demandRule.discount && {
      ...{ FromKwhPerKva: demandRule.discount.fromKwhPerKva, PricePercent: demandRule.discount.pricePercent },
    },
  },
  PowerFactorStandard: powerFactorStandard,
})

function pricesOf(component: TariffVersion['components'][number]): readonly string[] {
  if (component.basis === 'kwhByBand') return component.prices
  if (component.basis === 'kwhBySeries') return []
  return [component.basis === 'percentOf' ? component.percent : component.price]
}

/** All measured, and nothing of its registers known. */
export const memberOf = (wh: readonly (number | null)[], more: Partial<Engine1Member> = {}): Engine1Member => ({
  ...{ lineId: 1, sign: 1, multiplier: 1, opening: null, closing: null, wh },
  ...{ how: wh.map((each) => (each === null ? '4' : '0')).join(''), howBefore: '0', howAfter: '0', ...more },
})

/** Workdays one after the other from 12 October 2026 on, in Shanghai, whole periods of one version. */
export const inputsOf = (
  sealed: Engine2Version,
  members: readonly Engine1Member[],
  more: Partial<Engine2Inputs> = {},
): Engine2Inputs => ({
  ...{ minorDigits: 2, estimate: false, stepWh: 1_000, capacityVa: 1_800_000, declaredW: 450_000 },
  ...{ powerFactorStandard: 90, cosHundredths: 93, isWholePeriod: true, start: Date.UTC(2026, 9, 11, 16) },
  days: Array.from({ length: (members[0]?.wh.length ?? 0) / 96 }, (_, day) => ({
    ...{ date: `2026-10-${12 + day}`, type: 'workday', clock: null, version: 0, prices: null },
  })),
  ...{ versions: [{ sealed }], members, ...more },
})
