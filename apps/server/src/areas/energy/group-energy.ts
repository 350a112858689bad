import type { EnergyPicture } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { EnergyQuery } from './asked.ts'
import { askedOf, byTexts, invalid } from './asked.ts'
import { pictureOf } from './picture.ts'
import { measuredOf } from './report.ts'
import type { Reader } from './scope.ts'
import { notOne } from './scope.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

/** Energy of all projects of a group that somebody sees: each counts by the dates of its own clock. */
export async function energyOfGroup(
  { database, plant, clock }: Deps,
  actor: Reader,
  query: EnergyQuery & { readonly CityID: number },
): Promise<EnergyPicture> {
  const seen = [...plant.projects.values()].filter(({ cityId, id }) => cityId === query.CityID && actor.seesPart(id))
  const whole = seen.filter(({ id }) => actor.sees(id))
  const [first] = whole
  if (!first) throw new Refusal('group not exists')
  if ([query.HouseID, query.DeviceID, query.LineID, query.SupplyID, query.MeterID].some((each) => each !== undefined))
    throw notOne()
  if (query.By !== undefined) throw invalid('query.By', byTexts)
  const zones = Map.groupBy(whole, ({ timeZone }) => timeZone)
  if (zones.size > 1 && query.Unit === 'hour') throw invalid('query.Unit', hourTexts)
  const now = clock()
  const parts: Part[] = []
  for (const [, projects] of zones) parts.push(...(await partsOf(database, actor, projects, query, now)))
  const [one, ...others] = parts
  if (!one) throw new Refusal('group not exists')
  const { Bars, Total, Compared } = others.reduce(joined, one)
  return {
    ...{ Zone: first.timeZone, At: now, Since: null, Boundary: 'sum', Pricing: null },
    Group: { Projects: whole.length, Part: seen.length - whole.length, Zones: [...zones.keys()] },
    Carbon: { Region: null, Basis: 'average', Years: [] },
    ...{ Bars: Bars.map((bar) => ({ ...bar, CarbonG: null })), Total: { ...Total, CarbonG: null }, Compared },
  }
}

type Part = ReturnType<typeof pictureOf>

async function partsOf(
  database: Database,
  actor: Reader,
  projects: readonly PlantProject[],
  query: EnergyQuery,
  now: number,
): Promise<readonly Part[]> {
  const [project] = projects
  if (!project) return []
  const asked = askedOf(project, query, now)
  const measured = await measuredOf(
    database,
    actor,
    projects.map(({ id }) => ({ kind: 'p', id })),
    asked,
  )
  return projects.flatMap(({ id }) => {
    const own = measured.get(id)
    return own ? [pictureOf(asked, own.amounts)] : []
  })
}

type Known = Pick<Part['Total'], 'Wh' | 'Spread' | 'Estimated' | 'Entered' | 'LengthS' | 'UnknownS' | 'LackingS' | 'OpenS'>

/** Bars of the same dates in the same places. */
const joined = (one: Part, other: Part): Part => ({
  Bars: one.Bars.map((bar, index) => {
    const beside = other.Bars[index]
    if (!beside) return bar
    const Compared = bar.Compared && { ...bar.Compared, Wh: sum(bar.Compared.Wh, beside.Compared?.Wh ?? null) }
    return { ...bar, ...added(bar, beside), Compared }
  }),
  Total: { ...one.Total, ...added(one.Total, other.Total) },
  // How much more is given where each is known, and never of a sum of which a part is not.
  Compared: one.Compared &&
    other.Compared && { ...one.Compared, ...added(one.Compared, other.Compared), ...changeOf(one, other) },
})

function changeOf(one: Part, other: Part) {
  const [before, now] = [sum(one.Compared?.Wh ?? null, other.Compared?.Wh ?? null), sum(one.Total.Wh, other.Total.Wh)]
  const isKnown = one.Compared?.Change != null && other.Compared?.Change != null && one.Compared.Until === null
  return { Change: isKnown && before !== null && now !== null && before > 0 ? (now - before) / before : null }
}

const sum = (one: number | null, other: number | null): number | null =>
  one === null && other === null ? null : (one ?? 0) + (other ?? 0)

/** Of the time at most so much lacks one of the two: of which it is at the same time, nobody asks. */
function added(one: Known, other: Known): Known {
  const OpenS = Math.max(one.OpenS, other.OpenS)
  return {
    ...{ Wh: sum(one.Wh, other.Wh), Spread: one.Spread + other.Spread, Estimated: one.Estimated + other.Estimated },
    ...{ Entered: one.Entered + other.Entered, LengthS: one.LengthS, OpenS, UnknownS: Math.min(one.UnknownS, other.UnknownS) },
    LackingS: Math.min(one.LengthS - OpenS, one.LackingS + other.LackingS),
  }
}

const hourTexts = {
  zh: '分组内项目的时区不同，不能按小时统计，请按日、月或年',
  en: 'The projects of the group have different clocks: ask by day, month or year',
}
