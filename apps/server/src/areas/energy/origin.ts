import type { EnergyOrigin, getOrigin, Request } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { originOfLine } from './origin-line.ts'
import { partsOfFeeds, partsOfSupply, partsOfVirtual } from './origin-parts.ts'
import type { OriginStretch } from './origin-stretch.ts'
import { stretchOf } from './origin-stretch.ts'
import { scopeOf } from './scope.ts'
import type { Energy } from './service.ts'
import { readSupply } from './supply-source.ts'
import { virtualSource } from './virtual-energy.ts'

export type Origins = ReturnType<typeof createOrigins>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

type Query = Request<typeof getOrigin>['query']

/** Where a figure of energy comes from (来历). */
export function createOrigins(deps: Deps, energy: Energy) {
  const { database, plant, clock } = deps

  return {
    async read(actor: Actor, query: Query): Promise<EnergyOrigin> {
      const { From, To, ...named } = query
      const now = clock()
      const { project, name, made } = await sourceOf(actor, named)
      const stretch = stretchOf(civilZone(project.timeZone), From, To, now)
      // The same figure as the page has, by the same way.
      const picture = await energy.read(actor, {
        ...{ ...named, Unit: stretch.isHour ? 'hour' : 'year' },
        ...{ From: dateText(stretch.first), To: dateText(stretch.end) },
      })
      const amount = stretch.isHour ? picture.Bars.find(({ Start, End }) => Start === From && End === To) : picture.Total
      const { Wh = null, Spread = 0, Estimated = 0, Entered = 0, LengthS = 0 } = amount ?? {}
      const { UnknownS = 0, LackingS = 0, OpenS = 0 } = amount ?? {}
      return {
        ...{ Zone: project.timeZone, Name: name, At: now, From, To, Boundary: picture.Boundary },
        ...{ Wh, Spread, Estimated, Entered, LengthS, UnknownS, LackingS, OpenS },
        ...{ Line: null, Parts: [], More: 0, Fed: 0, Versions: [] },
        ...(await made(stretch)),
      }
    },
  }

  type Made = Partial<Pick<EnergyOrigin, 'Line' | 'Parts' | 'More' | 'Fed' | 'Versions'>>
  type Source = {
    readonly project: { readonly timeZone: string }
    readonly name: string
    readonly made: (stretch: OriginStretch) => Promise<Made>
  }

  /** What is named, and what it is made of; whatever is named must be seen, whatever else is wrong. */
  async function sourceOf(actor: Actor, { SupplyID, MeterID, ...places }: Omit<Query, 'From' | 'To'>): Promise<Source> {
    if (SupplyID !== undefined) {
      const { project, supply } = await readSupply(deps, actor, SupplyID, () => ({ first: 0, end: 0 }))
      const made = async (stretch: OriginStretch) =>
        partsOfSupply(deps, actor, await readSupply(deps, actor, SupplyID, () => stretch), stretch)
      return { project, name: supply.name, made }
    }
    if (MeterID !== undefined) {
      const source = await virtualSource(deps, actor, MeterID)
      return {
        project: source.project,
        name: source.meter.name,
        made: (stretch) => partsOfVirtual(deps, actor, source, stretch, energy),
      }
    }
    const scope = scopeOf(plant, actor, places)
    const { project, kind, id } = scope
    const name = { p: project.name, g: plant.gateways.get(id)?.name ?? '', l: plant.lines.get(id)?.name ?? '' }[kind]
    if (kind !== 'l') return { project, name, made: (stretch) => partsOfFeeds(database, actor, scope, stretch) }
    const line = plant.lines.get(id)
    return { project, name, made: async (stretch) => (line ? { Line: await originOfLine(database, actor, line, stretch) } : {}) }
  }
}
