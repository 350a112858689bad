import type { CivilZone } from '@linewarden/rules/automation'
import type { CivilPeriod, Feeds } from '@linewarden/rules/energy'
import { dayOfSlot, feedPeriods, feedsIn, quarterMs, startOfDay } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { MeteredLine } from '../../store/energy/feeds.ts'
import { readFeeds } from '../../store/energy/feeds.ts'
import { askedOf } from './asked.ts'

/** Dates of a project up to an instant. */
export interface DatesAsked extends CivilPeriod {
  readonly zone: CivilZone
  readonly until: number
}

/** What fed what in a project, and who of it is seen. */
export interface ProjectFeeds extends Feeds {
  readonly lines: ReadonlyMap<number, MeteredLine>
  isSeen(lineId: number): boolean
}

/** Of the dates asked for what is settled by then. */
export function datesAsked(
  project: PlantProject,
  { From, To }: { readonly From: string; readonly To: string },
  settled: number,
): DatesAsked {
  const { zone, first, end } = askedOf(project, { Unit: 'year', From, To }, settled)
  return { zone, first, end, until: Math.max(startOfDay(zone, first), Math.min(startOfDay(zone, end), settled)) }
}

/** As sums of a project have it: a line counts from the date on which it is first known until its gateway is taken out. */
export async function projectFeeds(
  database: Database,
  actor: Actor,
  project: PlantProject,
  { zone, first, until }: DatesAsked,
): Promise<ProjectFeeds> {
  const from = startOfDay(zone, first)
  if (until <= from) return { lines: new Map(), fed: new Map(), roots: new Map(), isSeen: () => false }
  // Dates that have begun by then.
  const end = dayOfSlot(zone, until - quarterMs) + 1
  const { lines, spans } = await readFeeds(database, project.id, from, startOfDay(zone, end))
  const byId = new Map(lines.map((line) => [line.lineId, line]))
  const metered = new Map(
    lines.map(({ lineId, since, removedAt }) => [
      lineId,
      {
        first: dayOfSlot(zone, since),
        end: removedAt === null ? Number.POSITIVE_INFINITY : dayOfSlot(zone, removedAt - 1) + 1,
      },
    ]),
  )
  const isSeen = (lineId: number) => {
    const line = byId.get(lineId)
    return line !== undefined && actor.seesGateway({ id: line.gatewayId, project })
  }
  return { lines: byId, isSeen, ...feedsIn({ first, end }, metered, feedPeriods(zone, spans)) }
}
