import type { EnergyBar, EnergyPicture } from '@linewarden/contract'
import { amountOf, amountPlaces, divideHalfAway, minorText } from '@linewarden/rules/energy'
import type { BarPart } from './energy-chart.tsx'
import { stepOf } from './tariff-values.ts'

/** So many places, the thousands apart. */
function rounded(amount: bigint, places: number): string {
  const [whole = '', rest] = minorText(divideHalfAway(amount, 10n ** BigInt(amountPlaces - places)), places).split('.')
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, ',').replace('-', '−')
  return rest === undefined ? apart : `${apart}.${rest}`
}

/** What is shown of a cost; null: not known. */
export const feeText = (fee: string | null): string => (fee === null ? '–' : `≈ ${rounded(amountOf(fee), 2)}`)

/** What a kWh cost on average, four places; null: it is not known, or nothing was used. */
export const meanPrice = (fee: string | null, wh: number | null): string | null =>
  fee === null || wh === null || wh <= 0 ? null : rounded(divideHalfAway(amountOf(fee) * 1_000n, BigInt(wh)), 4)

type Cost = NonNullable<EnergyBar['Cost']>

/** The share of the energy with a price that fell into valleys; null: its tariff has none, or nothing was used. */
export function valleyShare(bands: readonly string[], { ByBand }: Pick<Cost, 'ByBand'>): number | null {
  const valleys = bands.flatMap((key, band) => (key === 'valley' || key === 'deepValley' ? [ByBand[band] ?? 0] : []))
  const whole = ByBand.reduce((sum, wh) => sum + wh, 0)
  return valleys.length === 0 || whole <= 0 ? null : valleys.reduce((sum, wh) => sum + wh, 0) / whole
}

/** A bar from its faintest band up, and what has no price on top. */
export function partsIn(bands: readonly string[], { Cost }: EnergyPicture['Bars'][number]): readonly BarPart[] {
  if (!Cost) return []
  const steps = bands.map((_, band) => ({
    wh: Cost.ByBand[band] ?? 0,
    className: `tariff-step-${stepOf(bands, band)} cost-part`,
  }))
  return [...steps.toReversed(), { wh: Cost.UnpricedWh, className: 'tariff-none cost-part' }]
}
