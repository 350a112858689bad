import type { EnergyCost, getEnergy, Reply } from '@linewarden/contract'
import { knownBands } from '@linewarden/contract'
import { amountText, barsOf, isPricedByWeekday, quarterMs, startOfDay } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import type { LineQuarters } from '../../store/energy/read.ts'
import { linesSince } from '../../store/energy/read.ts'
import type { SupplyRow } from '../../store/energy/supply.ts'
import { add, emptySum } from './amount.ts'
import type { EnergyQuery } from './asked.ts'
import { askedOf, invalid, periodsOf } from './asked.ts'
import type { Asked, Costs } from './picture.ts'
import { pictureOf } from './picture.ts'
import { PricedSum, publicDaysOf } from './pricing.ts'
import type { AmountBetween } from './source.ts'
import { lineAmounts } from './source.ts'
import type { SupplySource } from './supply-source.ts'
import { billedPart, pricedBetween, quartersOn, readSupply } from './supply-source.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

/** Days of lines that one question may read: fifty lines over a year, or five over ten. */
const maxLineDays = 20_000

/** Energy of what the utility bills, and what it costs. */
export function createSupplyEnergy(deps: Deps) {
  const { database, plant, clock } = deps
  return {
    async read(actor: Actor, query: EnergyQuery & { readonly SupplyID: number }): Promise<Reply<typeof getEnergy>> {
      const now = clock()
      const source = await readSupply(deps, actor, query.SupplyID, (supply, project) => {
        const asked = askedOf(project, query, now)
        refuseLarge(supply, asked)
        return asked
      })
      const { supply, project, period: asked } = source
      const parts: LineQuarters[] = []
      for (const period of periodsOf(asked)) parts.push(await quartersOn(deps, actor, source, billedPart(supply, period)))
      const [own] = parts
      const costs = own && query.By === 'band' ? costsOf(source, own) : null
      return {
        ...{ Zone: project.timeZone, At: now, Since: await since(actor, source), Boundary: 'supply' },
        Pricing: costs && pricingOf(source, costs.bands),
        ...pictureOf(asked, within(parts, lineAmounts(parts, now)), costs),
      }
    },
  }

  /** Since when all of its lines have energy, and it is billed. */
  async function since(actor: Actor, { supply, project, zone }: SupplySource): Promise<number | null> {
    const ids = supply.members.map(({ lineId }) => lineId)
    if (ids.some((id) => plant.lines.get(id)?.device.gateway.project !== project)) return null
    const first = await linesSeenBy(database, actor.scope, ids)((db) => linesSince(db, ids))
    return first === null ? null : Math.max(first, startOfDay(zone, supply.from_day))
  }
}

function refuseLarge(supply: SupplyRow, asked: Asked): void {
  let days = 0
  for (const period of periodsOf(asked)) {
    const { first, end } = billedPart(supply, period)
    days += (end - first) * supply.members.length
  }
  if (days > maxLineDays)
    throw invalid('query.To', {
      zh: '该供电点线路较多，请缩短时段或不作对比',
      en: 'is too far from From for a supply of so many lines: shorten the range, or compare with nothing',
    })
}

/** Dates on which the supply is not billed are none of it: they are neither known nor lacking. */
const within =
  (parts: readonly LineQuarters[], amounts: AmountBetween): AmountBetween =>
  (from, to) => {
    const sum = emptySum()
    for (let at = from; at < to; ) {
      const part = parts.find((each) => each.from <= at && endOf(each) > at)
      const ends = part ? Math.min(to, endOf(part)) : Math.min(to, ...parts.map((each) => each.from).filter((each) => each > at))
      if (part) add(sum, amounts(at, ends))
      at = ends
    }
    return sum
  }

const endOf = ({ from, wh }: LineQuarters): number => from + wh.length * quarterMs

interface BandCosts extends Costs {
  readonly bands: readonly string[]
}

function costsOf(source: SupplySource<Asked>, own: LineQuarters): BandCosts {
  const { zone, unit, first, end } = source.period
  const between = pricedBetween(source, own)
  const total = new PricedSum()
  const byBar = new Map<string, PricedSum>()
  for (const bar of barsOf(zone, unit, first, end)) {
    const sum = between(bar.start, bar.end)
    total.join(sum)
    byBar.set(`${bar.start} ${bar.end}`, sum)
  }
  const bands = total.bands.map(({ Key }) => Key).toSorted((one, other) => placeOf(one) - placeOf(other))
  const isOne = source.currencies.length === 1
  const record = (sum: PricedSum): EnergyCost => ({
    ByBand: bands.map((key) => sum.whOf(key)),
    ...{ UnpricedWh: sum.unpricedWh, UnpricedS: sum.unpricedS },
    Fee: isOne && sum.unpricedQuarters === 0 && sum.pricedQuarters > 0 ? amountText(sum.fee) : null,
  })
  return {
    ...{ bands, total: record(total) },
    between: (from, to) => record(byBar.get(`${from} ${to}`) ?? new PricedSum()),
  }
}

/** Bands in the order of a bill; those with other names after them. */
function placeOf(key: string): number {
  const place = (knownBands as readonly string[]).indexOf(key)
  return place < 0 ? knownBands.length : place
}

function pricingOf({ supply, project, currencies, period }: SupplySource, bands: readonly string[]) {
  const { first, end } = billedPart(supply, period)
  const holidays = publicDaysOf(project.timeZone)
  const days = Array.from({ length: end - first }, (_, index) => first + index)
  return {
    ...{ Currency: currencies.length === 1 ? (currencies[0] ?? null) : null, CurrenciesDiffer: currencies.length > 1 },
    ...{ Bands: [...bands], ByWeekday: days.some((day) => isPricedByWeekday(holidays, day)) },
  }
}
