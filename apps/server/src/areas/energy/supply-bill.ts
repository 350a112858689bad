import type { getSupplyBill, Request, SupplyBill } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { CivilDay } from '@linewarden/rules/automation'
import { dateText } from '@linewarden/rules/automation'
import type { Amount, CivilPeriod, MaxDemand, TariffVersion } from '@linewarden/rules/energy'
import {
  billedWh,
  billingPeriod,
  isPricedByWeekday,
  maxDemandOf,
  minorText,
  periodBill,
  quarterMs,
  startOfDay,
} from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { findPowerFactor } from '../../store/energy/power-factor.ts'
import type { LineQuarters } from '../../store/energy/read.ts'
import { amountReply, isOpenAt } from './amount.ts'
import { monthOf, powerFactorRecord } from './power-factors.ts'
import { minorDigitsOf } from './pricing.ts'
import { lineAmounts } from './source.ts'
import type { PricedQuarters, SupplySource } from './supply-source.ts'
import { billedPart, pricedBetween, quartersOn, readSupply } from './supply-source.ts'

export type SupplyBills = ReturnType<typeof createSupplyBills>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

type Query = Request<typeof getSupplyBill>['query']

/** What a billing period of a supply comes to. */
export function createSupplyBills(deps: Deps) {
  return {
    async read(actor: Actor, project: PlantProject, { SupplyID, Month }: Query): Promise<SupplyBill> {
      const month = monthOf(Month, 'query')
      const now = deps.clock()
      const source = await readSupply(deps, actor, SupplyID, (supply, of) => {
        if (of !== project) throw new Refusal('supply not exists')
        return billingPeriod(month, supply.billing_day)
      })
      const { supply, zone, period } = source
      const typed = await withRowSecurity(deps.database, actor.scope, ({ general }) => findPowerFactor(general, SupplyID, month))
      const powerFactor = typed ? powerFactorRecord(typed, !actor.shared) : null
      const billed = billedPart(supply, period)
      const quarters = await quartersOn(deps, actor, source, billed)
      const amounts = lineAmounts([quarters], now)(startOfDay(zone, billed.first), startOfDay(zone, billed.end))
      const amount = amountReply(amounts)
      const max = demandUntil(quarters, now)
      const { parts, unpricedWh, unpricedS } = partsOf(source, quarters, billed)
      const isWhole = billed.first === period.first && billed.end === period.end
      const dates = { days: billed.end - billed.first, isWhole }
      const bill = amount.Wh === null ? null : billOfParts(source, parts, { max, dates, cos: powerFactor?.Cos ?? null })
      const isKnown =
        coversAll(parts, billed) && amount.LackingS === 0 && amount.OpenS === 0 && unpricedS === 0 && amount.Wh !== null
      return {
        ...{ SupplyID, Name: supply.name, Currency: currencyOf(source), Zone: project.timeZone },
        ...{ From: dateText(period.first), To: dateText(period.end) },
        ...{ Wh: amount.Wh, LackingS: amount.LackingS, OpenS: amount.OpenS, UnpricedWh: unpricedWh, UnpricedS: unpricedS },
        ...{ MaxW: max.maxW, MaxAt: max.at, MaxLeftOutS: (max.leftOut * quarterMs) / 1_000 },
        ...{ PowerFactorStandard: supply.pf_standard, PowerFactor: powerFactor },
        ...{ Parts: bill?.Parts ?? [], Known: bill?.Known ?? null, IsWhole: isKnown && bill?.isWhole === true },
        ByWeekday: [period.first, period.end - 1].some((day) => isPricedByWeekday(source.holidays, day)),
      }
    },
  }
}

const currencyOf = ({ currencies: [currency, other] }: SupplySource): string | null =>
  other === undefined ? (currency ?? null) : null

/** The largest demand of what is over; what is still to be reported is not left out of it. */
function demandUntil({ from, wh, how }: LineQuarters, now: number): MaxDemand {
  const slots = wh.map((_, index) => from + index * quarterMs)
  const over = slots.filter((slot) => !isOpenAt(slot, now)).length
  return maxDemandOf({ wh, how }, slots.slice(0, over))
}

/** Dates one after the other that one version prices, with their energy by band. */
interface PricedPart extends CivilPeriod {
  readonly version: TariffVersion
  readonly whByBand: readonly number[]
  readonly seriesAmount: Amount
}

function partsOf(source: SupplySource, quarters: PricedQuarters, { first, end }: CivilPeriod) {
  const { supply, zone, versionOn } = source
  const between = pricedBetween(source, quarters)
  const parts: PricedPart[] = []
  let [unpricedWh, unpricedS] = [0, 0]
  for (let day = first; day < end; ) {
    const version = versionOn(supply, day)
    const next = endOfRun(day, end, (each) => versionOn(supply, each) === version)
    const sum = between(startOfDay(zone, day), startOfDay(zone, next))
    unpricedWh += sum.unpricedWh
    unpricedS += sum.unpricedS
    if (version) {
      const whByBand = version.bands.map((key) => sum.whOf(key))
      const seriesAmount = sum.seriesOf(version).reduce((all, each) => all + each, 0n)
      parts.push({ version, first: day, end: next, whByBand, seriesAmount })
    }
    day = next
  }
  return { parts, unpricedWh, unpricedS }
}

function endOfRun(day: CivilDay, end: CivilDay, isSame: (day: CivilDay) => boolean): CivilDay {
  let next = day + 1
  while (next < end && isSame(next)) next += 1
  return next
}

const coversAll = (parts: readonly PricedPart[], { first, end }: CivilPeriod): boolean =>
  parts.reduce((days, part) => days + part.end - part.first, 0) === end - first

interface BillFacts {
  readonly max: MaxDemand
  readonly dates: { readonly days: number; readonly isWhole: boolean }
  readonly cos: number | null
}

function billOfParts(
  source: SupplySource,
  parts: readonly PricedPart[],
  { max, dates, cos }: BillFacts,
): (Pick<SupplyBill, 'Parts' | 'Known'> & { readonly isWhole: boolean }) | null {
  const currency = currencyOf(source)
  if (currency === null || parts.length === 0) return null
  const { supply, tariffs, heads } = source
  const minorDigits = minorDigitsOf(currency)
  const rounded = billedWh(
    parts.map(({ whByBand }) => whByBand),
    supply.energy_step_wh,
  )
  const facts = {
    ...{
      maxW: max.maxW,
      isMaxCertain: max.leftOut === 0,
      declaredW: supply.declared_w,
      capacityVa: supply.capacity_va,
      minorDigits,
    },
    ...{ cosHundredths: cos, powerFactorStandard: supply.pf_standard },
  }
  const bill = periodBill(
    parts.map(({ version, first, end, seriesAmount }, index) => ({
      ...{ version, seriesAmount, whByBand: rounded[index] ?? [], days: end - first },
    })),
    dates,
    facts,
  )
  const Parts = parts.map(({ version, first, end }, index) => {
    const head = heads.find(({ version_id }) => version_id === version.id)
    return {
      ...{ VersionID: version.id, Number: head?.number ?? 0, From: dateText(first), To: dateText(end) },
      Tariff: tariffs.find(({ tariff_id }) => tariff_id === head?.tariff_id)?.name ?? '',
      Bands: version.bands.map((Key, band) => ({ Key, Wh: rounded[index]?.[band] ?? 0 })),
      Rows: (bill.parts[index] ?? []).map(({ key, band, minor, gap, share }) => ({
        ...{ Key: key, Band: band, Fee: minor === null ? null : minorText(minor, minorDigits), Gap: gap },
        Share: share && { Days: share.days, Of: share.of },
      })),
    }
  })
  return { Parts, Known: minorText(bill.knownMinor, minorDigits), isWhole: bill.isWhole }
}
