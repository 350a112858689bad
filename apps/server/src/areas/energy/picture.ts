import type { EnergyCost, EnergyPicture } from '@linewarden/contract'
import type { CivilDay, CivilZone } from '@linewarden/rules/automation'
import { dateText, parseDate } from '@linewarden/rules/automation'
import type { ComparedPeriod, EnergyBar, EnergyUnit } from '@linewarden/rules/energy'
import { amountChange, amountOf, barsOf, changeOf, sameMoment } from '@linewarden/rules/energy'
import type { Amount } from './amount.ts'
import { add, amountReply, emptySum } from './amount.ts'
import type { AmountBetween } from './source.ts'

/** A period as it is asked for. */
export interface Asked {
  readonly zone: CivilZone
  readonly unit: EnergyUnit
  readonly first: CivilDay
  readonly end: CivilDay
  readonly compared: ComparedPeriod | null
  readonly now: number
}

/** What a bar costs, and all of them; null where it is not asked for. */
export interface Costs {
  readonly between: (from: number, to: number) => EnergyCost
  readonly total: EnergyCost
}

/** A picture before its carbon. */
export type WithoutCarbon = Omit<EnergyPicture, 'Carbon' | 'Bars' | 'Total'> & {
  readonly Bars: Omit<EnergyPicture['Bars'][number], 'CarbonG'>[]
  readonly Total: Omit<EnergyPicture['Total'], 'CarbonG'>
}

/** Bars, their sum and what they are compared with. */
export function pictureOf(
  asked: Asked,
  amounts: AmountBetween,
  costs: Costs | null = null,
): Pick<WithoutCarbon, 'Bars' | 'Total' | 'Compared'> {
  const { zone, unit, first, end, compared } = asked
  const bars = barsOf(zone, unit, first, end)
  const partnerOf = compared ? partnersOf(zone, unit, bars, compared) : () => null
  const total = emptySum()
  const Bars = bars.map((bar, index) => {
    const amount = amounts(bar.start, bar.end)
    add(total, amount)
    const partner = partnerOf(bar, index)
    const Compared = partner ? comparedBar(partner, amounts, costs) : null
    const Cost = costs?.between(bar.start, bar.end) ?? null
    return { Civil: bar.civil, Clock: bar.clock, Start: bar.start, End: bar.end, ...amountReply(amount), Cost, Compared }
  })
  const Total = { ...amountReply(total), Cost: costs?.total ?? null }
  return { Bars, Total, Compared: compared ? withCost(asked, compared, comparedTotal(asked, compared, amounts), costs) : null }
}

const comparedBar = ({ civil, start, end }: EnergyBar, amounts: AmountBetween, costs: Costs | null) => {
  const { Wh, LackingS } = amountReply(amounts(start, end))
  return { Civil: civil, Wh, LackingS, Fee: costs?.between(start, end).Fee ?? null }
}

/** And what both sides cost up to the same civil moment; how much more is said where both are known as well as for energy. */
function withCost<Total extends { readonly Change: number | null }>(
  { zone, first, end, now }: Asked,
  compared: ComparedPeriod,
  total: Total,
  costs: Costs | null,
) {
  if (!costs) return { ...total, Cost: null, FeeChange: null }
  const { until, comparedUntil } = sameMoment(zone, { first, end }, compared, now)
  const [own, other] = [costs.between(startOf(zone, first), until), costs.between(startOf(zone, compared.first), comparedUntil)]
  if (total.Change === null || own.Fee === null || other.Fee === null) return { ...total, Cost: other, FeeChange: null }
  return { ...total, Cost: other, FeeChange: amountChange(amountOf(own.Fee), amountOf(other.Fee)) }
}

/** Both sides up to the same civil moment where the period still runs. */
export function comparedTotal({ zone, first, end, now }: Asked, compared: ComparedPeriod, amounts: AmountBetween) {
  const { until, comparedUntil } = sameMoment(zone, { first, end }, compared, now)
  const [from, comparedFrom] = [startOf(zone, first), startOf(zone, compared.first)]
  const [own, other] = [amounts(from, until), amounts(comparedFrom, comparedUntil)]
  const isWhole = comparedUntil === startOf(zone, compared.end)
  return {
    ...{ From: dateText(compared.first), To: dateText(compared.end), Until: isWhole ? null : comparedUntil },
    ...amountReply(other),
    Change: changeOf(knownOf(own), knownOf(other)),
  }
}

const startOf = (zone: CivilZone, day: CivilDay): number => barsOf(zone, 'day', day, day + 1)[0]?.start ?? 0

/** What lacks a line is not known. */
const knownOf = ({ used, quarters, lacking, open }: Amount) => ({
  wh: used,
  knownQuarters: quarters - lacking - open,
  quarters: quarters - open,
})

/** The bar that stands beside another: by its date, or by its place among months and years. */
function partnersOf(zone: CivilZone, unit: EnergyUnit, bars: readonly EnergyBar[], compared: ComparedPeriod) {
  const others = compared.first < compared.end ? barsOf(zone, unit, compared.first, compared.end) : []
  if (unit === 'month' || unit === 'year')
    return (_bar: EnergyBar, index: number): EnergyBar | null => (others.length === bars.length ? (others[index] ?? null) : null)
  const byName = new Map<string, EnergyBar>()
  for (const other of others) {
    byName.set(`${other.civil} ${other.clock}`, other)
    if (other.clock !== 'second') byName.set(other.civil, other)
  }
  return ({ civil, clock }: EnergyBar): EnergyBar | null => {
    const partner = compared.partnerOf(parseDate(civil.slice(0, 10)) ?? 0)
    if (partner === null) return null
    const name = dateText(partner) + civil.slice(10)
    // The second pass of a repeated hour stands alone beside a day without one.
    return byName.get(`${name} ${clock}`) ?? (clock === 'second' ? null : (byName.get(name) ?? null))
  }
}
