import { createHash } from 'node:crypto'
import type { EnergyPicture, Group, LoadQuarterRow, Reply, ScreenView, screenView } from '@linewarden/contract'
import { maxWallProjects, Refusal } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import type { Actor } from '../../../access/actor.ts'
import type { Plant, PlantProject } from '../../../plant/plant.ts'
import type { Database } from '../../../store/core/database.ts'
import { seatById } from '../../../store/screen/seat.ts'
import type { Loads } from '../../energy/load.ts'
import type { Energy } from '../../energy/service.ts'
import type { Monitor } from '../../monitor/service.ts'
import type { Site } from '../../site/service.ts'
import type { Topologies } from '../topology.ts'

export type WallViews = ReturnType<typeof createWallViews>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
  readonly site: Pick<Site, 'tree'>
  readonly monitor: Pick<Monitor, 'tagged'>
  readonly topologies: Pick<Topologies, 'readAll'>
  readonly energy: Energy
  readonly loads: Loads
}

interface Day {
  readonly picture: EnergyPicture
  readonly rows: readonly LoadQuarterRow[]
}

/** Quarters are made every few minutes: so long all walls of a project are told the same. */
const dayKeptMs = 60_000
const maxDaysKept = 500

/** All that a wall shows beside live values and events, in one answer. */
export function createWallViews({ database, plant, clock, site, monitor, topologies, energy, loads }: Deps) {
  const days = new Map<PlantProject, { readonly at: number; readonly day: Promise<Day> }>()
  return { read }

  async function read(actor: Actor, known: string | undefined): Promise<Reply<typeof screenView>> {
    const found = await seatById(database.general, actor.accountId)
    if (!found) throw new Refusal('session expired')
    const { Groups } = site.tree(actor, null, {})
    const shown = Groups.flatMap(({ Houses }) => Houses)
      .slice(0, maxWallProjects)
      .flatMap(({ HouseID }) => plant.projects.get(HouseID) ?? [])
    const [Topologies, tagged, daysOf] = await Promise.all([
      topologies.readAll(actor, shown),
      monitor.tagged(actor),
      Promise.all(shown.map(async (project) => ({ HouseID: project.id, ...(await dayOf(actor, project)) }))),
    ])
    const View: ScreenView = {
      Link: { Name: found.link.name, ...found.link.shown },
      Groups: withoutBeyond(Groups, shown),
      Topologies,
      Tagged: [...tagged.items],
      Energy: daysOf.map(({ HouseID, picture }) => ({ HouseID, Picture: picture })),
      Load: daysOf.map(({ HouseID, rows }) => ({ HouseID, Rows: [...rows] })),
    }
    const Tag = createHash('sha256').update(JSON.stringify(View)).digest('base64url').slice(0, 22)
    return { Tag, View: Tag === known ? null : View }
  }

  /** Whoever sees a project whole is told the same of its day: it is asked for once a minute, however many walls there are. */
  function dayOf(actor: Actor, project: PlantProject): Promise<Day> {
    const now = clock()
    const kept = days.get(project)
    if (kept && now - kept.at < dayKeptMs) return kept.day
    if (days.size >= maxDaysKept) days.clear()
    const day = readDay(actor, project, now)
    days.set(project, { at: now, day })
    day.catch(() => days.delete(project))
    return day
  }

  async function readDay(actor: Actor, { id, timeZone }: PlantProject, now: number): Promise<Day> {
    const today = civilZone(timeZone).dayAt(now)
    const [From, To] = [dateText(today), dateText(today + 1)]
    const [picture, load] = await Promise.all([
      energy.read(actor, { HouseID: id, Unit: 'day', From, To, Compare: 'previous' }),
      loads.list(actor, { HouseID: id, From: dateText(today - 1), To, Kind: 'quarters' }),
    ])
    return { picture, rows: load.items as readonly LoadQuarterRow[] }
  }
}

/** A wall draws so many: of the others it counts what is wrong. */
const withoutBeyond = (groups: readonly Group[], shown: readonly PlantProject[]): Group[] => {
  const ids = new Set(shown.map(({ id }) => id))
  return groups.map((group) => ({
    ...group,
    Houses: group.Houses.map((house) => (ids.has(house.HouseID) ? house : { ...house, Devices: [] })),
  }))
}
