import type { OriginPart, OriginVersion } from '@linewarden/contract'
import { maxOriginParts } from '@linewarden/contract'
import { dateText } from '@linewarden/rules/automation'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { both, joinedPeriods, quarterMs, quarterOf, tariffOn } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import { readSums } from '../../store/energy/read-sums.ts'
import { settledAt } from './amount.ts'
import type { DatesAsked, ProjectFeeds } from './feeds.ts'
import { projectFeeds } from './feeds.ts'
import type { LineDates } from './line-sums.ts'
import { sumsOf } from './line-sums.ts'
import type { OriginStretch } from './origin-stretch.ts'
import type { Scope } from './scope.ts'
import type { Energy } from './service.ts'
import type { SupplySource } from './supply-source.ts'
import { billedPart } from './supply-source.ts'
import type { VirtualSource } from './virtual-energy.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
}

/** The lines that a project or a gateway is added up of: on each date those that nothing within it feeds. */
export async function partsOfFeeds(database: Database, actor: Actor, scope: Scope, stretch: OriginStretch) {
  const until = Math.min(stretch.to, quarterOf(stretch.now))
  const { own, wanted, feeds } = await linesAdded(database, actor, scope, { ...stretch, until })
  const parts = await summed(database, actor, wanted, stretch, (lineId) => feeds.lines.get(lineId))
  return { ...largest(parts), Fed: own.length - wanted.length }
}

/** Those of its lines that are added up, each on its dates. */
export async function linesAdded(database: Database, actor: Actor, { kind, id, project }: Scope, dates: DatesAsked) {
  const feeds = await projectFeeds(database, actor, project, dates)
  const own = [...feeds.lines.values()].filter((line) => kind === 'p' || line.gatewayId === id)
  const wanted = own.flatMap(({ lineId }) => {
    const periods = rootDates(lineId, feeds, kind === 'g' ? id : null)
    return periods.length === 0 ? [] : { lineId, periods, factor: 1 }
  })
  return { feeds, own, wanted }
}

/** Dates on which no line feeds it, or none of its gateway. */
function rootDates(lineId: number, { fed, roots, lines }: ProjectFeeds, gatewayId: number | null): readonly CivilPeriod[] {
  const periods = [...(roots.get(lineId) ?? [])]
  if (gatewayId !== null)
    for (const [feeder, children] of fed)
      if (lines.get(feeder)?.gatewayId !== gatewayId)
        for (const child of children) if (child.lineId === lineId) periods.push(...child.periods)
  return joinedPeriods(periods)
}

/** The lines that a supply is added up of, and the versions that price its dates. */
export async function partsOfSupply({ database, plant }: Deps, actor: Actor, source: SupplySource, stretch: OriginStretch) {
  const { supply, isHere } = source
  const billed = billedPart(supply, stretch)
  const nameOf = (lineId: number) => (isHere(lineId) ? placeOf(plant, lineId) : undefined)
  const wanted = supply.members.map(({ lineId, sign }) => ({
    ...{ lineId, factor: sign },
    periods: isHere(lineId) && billed.first < billed.end ? [billed] : [],
  }))
  return { ...largest(await summed(database, actor, wanted, stretch, nameOf)), Versions: versionsOf(source, billed) }
}

function versionsOf({ supply, idOn, heads, tariffs }: SupplySource, { first, end }: CivilPeriod): OriginVersion[] {
  const versions: OriginVersion[] = []
  for (let day = first; day < end; day++) {
    const head = heads.find(({ version_id }) => version_id === idOn(supply, day))
    const last = versions.at(-1)
    if (head && last?.VersionID === head.version_id && last.To === dateText(day)) last.To = dateText(day + 1)
    else if (head)
      versions.push({
        ...{ TariffID: head.tariff_id, VersionID: head.version_id, Number: head.number },
        Tariff: tariffs.find(({ tariff_id }) => tariff_id === tariffOn(supply.tariffs, day))?.name ?? '',
        ...{ From: dateText(day), To: dateText(day + 1), Source: head.source, Sha256: head.sha256 },
      })
  }
  return versions
}

/** The lines and other virtual meters that a virtual meter is made of. */
export async function partsOfVirtual(
  { database, plant }: Deps,
  actor: Actor,
  { meter, all, lineIds }: VirtualSource,
  stretch: OriginStretch,
  energy: Energy,
) {
  const inForce = both(stretch, {
    first: meter.from_day,
    end: meter.to_day === null ? Number.POSITIVE_INFINITY : meter.to_day + 1,
  })
  const wanted = meter.terms.flatMap(({ lineId, factor }) =>
    lineId === null ? [] : { lineId, factor, periods: inForce && lineIds.includes(lineId) ? [inForce] : [] },
  )
  const nameOf = (lineId: number) => (lineIds.includes(lineId) ? placeOf(plant, lineId) : undefined)
  const parts = [...(await summed(database, actor, wanted, stretch, nameOf))]
  for (const { meterId, factor } of meter.terms) {
    if (meterId === null) continue
    const { Bars, Total } = await energy.read(actor, {
      ...{ MeterID: meterId, Unit: stretch.isHour ? 'hour' : 'year' },
      ...{ From: dateText(stretch.first), To: dateText(stretch.end) },
    })
    const amount = stretch.isHour ? Bars.find(({ Start, End }) => Start === stretch.from && End === stretch.to) : Total
    parts.push({
      ...{ LineID: null, MeterID: meterId, Name: all.get(meterId)?.name ?? '', GatewayName: '', Factor: factor, Dates: null },
      ...{ Wh: amount?.Wh ?? null, UnknownS: amount?.UnknownS ?? null },
    })
  }
  return largest(parts)
}

interface Wanted extends LineDates {
  readonly factor: number
}

interface Place {
  readonly name: string
  readonly gatewayName: string
}

function placeOf(plant: Plant, lineId: number): Place | undefined {
  const line = plant.lines.get(lineId)
  return line && { name: line.name, gatewayName: line.device.gateway.name }
}

/** What each of these lines used on its dates in the stretch. */
async function summed(
  database: Database,
  actor: Actor,
  wanted: readonly Wanted[],
  stretch: OriginStretch,
  nameOf: (lineId: number) => Place | undefined,
): Promise<readonly OriginPart[]> {
  const { zone, from, to, now, isHour, first, end } = stretch
  const until = Math.min(to, quarterOf(now))
  const ids = wanted.map(({ lineId }) => lineId)
  const sums = await linesSeenBy(
    database,
    actor.scope,
    ids,
  )(async (db) => {
    if (!isHour) return sumsOf(db, zone, wanted, until)
    const own = await readSums(
      db,
      wanted.map(({ lineId, periods }) => ({ lineId, from, to: periods.length > 0 ? to : from })),
    )
    return own.map((sum) => ({ ...sum, quarters: (until - from) / quarterMs }))
  })
  return wanted.map(({ lineId, periods, factor }, place): OriginPart => {
    const sum = sums[place]
    const days = periods.reduce((count, period) => count + period.end - period.first, 0)
    const isSettled = to <= settledAt(now) && sum !== undefined && periods.length > 0
    return {
      ...{ LineID: lineId, MeterID: null, Name: nameOf(lineId)?.name ?? '', GatewayName: nameOf(lineId)?.gatewayName ?? '' },
      ...{ Factor: factor, Dates: days === end - first ? null : days, Wh: sum && sum.known > 0 ? sum.used : null },
      UnknownS: isSettled ? ((sum.quarters - sum.known) * quarterMs) / 1_000 : null,
    }
  })
}

const largest = (parts: readonly OriginPart[]) => ({
  Parts: parts.toSorted((one, other) => sizeOf(other) - sizeOf(one)).slice(0, maxOriginParts),
  More: Math.max(0, parts.length - maxOriginParts),
})

const sizeOf = ({ Wh, Factor }: OriginPart): number => (Wh === null ? -1 : Math.abs(Wh * Factor))
