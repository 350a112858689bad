import type { CivilDay, CivilZone } from '@linewarden/rules/automation'
import { civilZone, createCalendar } from '@linewarden/rules/automation'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { dayOfSlot, isBySeries, monthStart, nextMonthStart, quarterOf, slotsOfDay, startOfDay } from '@linewarden/rules/energy'
import type pg from 'pg'
import type { Database } from '../../store/core/database.ts'
import { inTurn } from '../../store/energy/due.ts'
import { summedUntil } from '../../store/energy/forget-supply-days.ts'
import type { PriceStamps } from '../../store/energy/prices.ts'
import { priceStamps } from '../../store/energy/prices.ts'
import type { LinePlace, SupplyRow, ZonedSupply } from '../../store/energy/supply.ts'
import { everySupply, placesOf, zonedSupply } from '../../store/energy/supply.ts'
import type { SupplySum } from '../../store/energy/supply-sums.ts'
import {
  noteSupply,
  readLooks,
  readMadeOf,
  takeSupplyNotes,
  writeSupplyDays,
  writeSupplyMonth,
} from '../../store/energy/supply-sums.ts'
import { readHeads, readPricing, readStamps, seriesOf, stampsOn, tariffIdsOf, versionIdsOf } from './pricing.ts'
import type { PublicDays } from './public-days.ts'
import { publicDaysOf } from './public-days.ts'
import { lineAmounts } from './source.ts'
import type { SupplyTerms } from './supply-made-of.ts'
import { digest, madeOf } from './supply-made-of.ts'
import { supplyQuarters } from './supply-quarters.ts'
import type { PricedSupply } from './supply-source.ts'
import { billedPart, pricedBetween } from './supply-source.ts'

type Make = (client: pg.ClientBase, now: number, until?: () => boolean) => Promise<number>

/** Days and months of supplies, made of the same quarters and by the same rules as what is asked for before they are there. */
export function supplyDays(database: Database): { readonly look: Make; readonly make: Make } {
  return {
    /** Notes the days of supplies that go by something else than when they were last looked through. Answers how many supplies. */
    async look(client, now, until = () => false) {
      const supplies = await everySupply(database.general)
      const [heads, looks] = [await readHeads(database, supplies), await readLooks(database)]
      const places = await placesOf(database.general, membersOf(supplies))
      const idOn = versionIdsOf(supplies, heads)
      const publicDays = await publicDaysOf(database, supplies.map(projectOf), database)
      const stamps = await priceStamps(database, tariffIdsOf(supplies))
      let count = 0
      for (const supply of supplies) {
        if (until()) break
        const own = heads.filter(({ tariff_id }) => supply.tariffs.some(({ tariffId }) => tariffId === tariff_id))
        const ofProject = publicDays.get(supply.project_id)
        const terms = termsOf(supply, idOn, places, stampsOn(stamps, civilZone(supply.time_zone)), ofProject)
        const end = endOfSummed(terms.zone, now)
        const made = madeOf(terms)
        const { from_day: from, to_day: to, tariffs } = supply
        const versions = own.map(({ version_id, published_at: at }) => [version_id, at?.getTime() ?? null])
        const goneBy = [made.day(0), from, to, end, tariffs, versions, ofProject?.days, ...newestOf(supply, stamps)]
        const wentBy = digest(JSON.stringify(goneBy))
        if (looks.get(supply.supply_id) === wentBy) continue
        const period = billedPart(supply, { first: firstDay(terms.zone, supply, places) ?? end, end })
        await inTurn(client, async () => {
          const known = await readMadeOf(client, supply.supply_id, period)
          const days = datesOf(period).filter((day) => isDay(terms.zone, day) && known.get(day) !== made.day(day))
          await noteSupply(client, supply.supply_id, { days, wentBy })
          return true
        })
        count += 1
      }
      return count
    },

    /** Makes the days that are noted, the latest first and a month of a supply at a time. Answers how many days. */
    async make(client, now, until = () => false) {
      let count = 0
      const next = async () => {
        const noted = await takeSupplyNotes(client, summedUntil(now))
        if (!noted) return false
        count += noted.days.length
        const supply = await zonedSupply(database.general, noted.supplyId)
        if (supply) await makeDays(client, supply, noted.days, now)
        return true
      }
      while (!until() && (await inTurn(client, next)));
      return count
    },
  }

  async function makeDays(client: pg.ClientBase, supply: ZonedSupply, noted: readonly CivilDay[], now: number): Promise<void> {
    const month = monthStart(noted[0] ?? 0)
    const source = await pricedSupply(supply, { first: month, end: nextMonthStart(month) })
    const period = billedPart(supply, { first: month, end: Math.min(nextMonthStart(month), endOfSummed(source.zone, now)) })
    const days = noted.filter((day) => day >= period.first && day < period.end && isDay(source.zone, day))
    const made: SupplySum[] = []
    for (const run of runsOf(days)) made.push(...(await sumsOfDays(source, run, now)))
    const { supply_id: supplyId, project_id: projectId } = supply
    await writeSupplyDays(client, { supplyId, projectId }, made)
    const whole = { first: month, end: nextMonthStart(month) }
    if (period.first > whole.first || period.end < whole.end) return
    const { day, month: ofMonth } = madeOf(source)
    const dates = datesOf(whole).filter((each) => isDay(source.zone, each))
    const known = await readMadeOf(client, supplyId, whole)
    const isOne = new Set(dates.map((each) => source.idOn(supply, each))).size === 1
    if (isOne && dates.every((each) => known.get(each) === day(each)))
      await writeSupplyMonth(client, supplyId, whole, ofMonth(whole))
  }

  async function pricedSupply(supply: ZonedSupply, period: CivilPeriod): Promise<PricedSupply> {
    const idOn = versionIdsOf([supply], await readHeads(database, [supply]))
    // Before the prices themselves: what is imported meanwhile is found to be something else, and made again.
    const stampOn = await readStamps(database, supply, civilZone(supply.time_zone), [period])
    const publicDays = await publicDaysOf(database, [projectOf(supply)], database)
    const places = await placesOf(database.general, membersOf([supply]))
    const terms = termsOf(supply, idOn, places, stampOn, publicDays.get(supply.project_id))
    return { ...terms, versionOn: await readPricing(database, [supply], [billedPart(supply, period)], idOn) }
  }

  /** Whoever changes a quarter waits for `energyLock`, which is held: what is read here stays as it is until its sum is stored. */
  async function sumsOfDays(source: PricedSupply, { first, end }: CivilPeriod, now: number): Promise<readonly SupplySum[]> {
    const { supply, zone, isHere, versionOn, idOn } = source
    const stretch = { from: startOfDay(zone, first), to: startOfDay(zone, end) }
    const series = await seriesOf(database, supply, stretch)
    const quarters = { ...(await supplyQuarters((read) => read(database), { members: supply.members, isHere }, stretch)), series }
    const [amounts, priced, made] = [lineAmounts([quarters], now), pricedBetween(source, quarters), madeOf(source)]
    return datesOf({ first, end }).map((day) => {
      const [from, to] = [startOfDay(zone, day), startOfDay(zone, day + 1)]
      const [amount, sum, version] = [amounts(from, to), priced(from, to), versionOn(supply, day)]
      return {
        ...{ start: day, madeOf: made.day(day), versionId: idOn(supply, day), used: amount.used, spread: amount.spread },
        ...{ estimated: amount.estimated, entered: amount.entered, quarters: amount.quarters, known: amount.known },
        ...{ whByBand: version?.bands.map((key) => sum.whOf(key)) ?? [], priced: sum.pricedQuarters },
        ...{ unpriced: sum.unpricedQuarters, unpricedWh: sum.unpricedWh },
        seriesByBand: version && isBySeries(version) ? sum.seriesOf(version) : null,
      }
    })
  }
}

/** The newest import of each of its tariffs that has a series. */
const newestOf = ({ tariffs }: SupplyRow, stamps: PriceStamps) =>
  tariffs.flatMap(({ tariffId }) => {
    const own = stamps.get(tariffId)
    return own ? [[tariffId, Math.max(...own.values())]] : []
  })

const projectOf = ({ project_id: id, time_zone: timeZone, owner_id: ownerId }: ZonedSupply) => ({ id, timeZone, ownerId })

const membersOf = (supplies: readonly SupplyRow[]): readonly number[] =>
  supplies.flatMap(({ members }) => members.map(({ lineId }) => lineId))

const termsOf = (
  supply: ZonedSupply,
  idOn: SupplyTerms['idOn'],
  places: ReadonlyMap<number, LinePlace>,
  stampOn: SupplyTerms['stampOn'],
  publicDays: PublicDays | undefined,
): SupplyTerms => ({
  ...{ supply, idOn, stampOn, zone: civilZone(supply.time_zone), holidays: publicDays?.calendar ?? createCalendar({}) },
  isHere: (lineId) => places.get(lineId)?.projectId === supply.project_id,
})

/** The date before which days are over for so long that they are summed. */
const endOfSummed = (zone: CivilZone, now: number): CivilDay => dayOfSlot(zone, quarterOf(summedUntil(now)))

/** Before any of its lines has energy there is nothing to sum. */
function firstDay(zone: CivilZone, { members }: SupplyRow, places: ReadonlyMap<number, LinePlace>): CivilDay | null {
  const since = members.flatMap(({ lineId }) => places.get(lineId)?.since ?? [])
  return since.length === 0 ? null : dayOfSlot(zone, quarterOf(Math.min(...since)))
}

const datesOf = ({ first, end }: CivilPeriod): readonly CivilDay[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index)

/** Whether the zone ever had a date. */
const isDay = (zone: CivilZone, day: CivilDay): boolean => slotsOfDay(zone, day).length > 0

function runsOf(days: readonly CivilDay[]): readonly CivilPeriod[] {
  const runs: CivilPeriod[] = []
  for (const day of days) {
    const last = runs.at(-1)
    if (last?.end === day) runs[runs.length - 1] = { first: last.first, end: day + 1 }
    else runs.push({ first: day, end: day + 1 })
  }
  return runs
}
