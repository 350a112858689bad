import type { analyseAlarms, exportAnalysis, Reply, Request } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import type { DownloadFile, Downloads } from '../../http/downloads.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { eventsById } from '../../store/alarm/change.ts'
import { eventLabels } from '../../store/alarm/event-list.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { placesOf } from '../../store/hazard/analysis.ts'
import { alarmCatalogue } from '../alarm/alarm-catalogue.ts'
import { analysisOf } from './analysis.ts'
import type { HazardDeps } from './deps.ts'
import { exportOf } from './export.ts'
import { createHazardAccess } from './hazard-access.ts'
import { createHazardExport } from './hazard-export.ts'
import { createHazardList } from './hazard-list.ts'
import { createHazardKeeper } from './keeper.ts'
import { askedDays } from './range.ts'
import { readCounts } from './read.ts'
import type { Asked } from './scope.ts'
import { scopeOf } from './scope.ts'

export type Hazards = ReturnType<typeof createHazards>

interface Deps extends HazardDeps {
  readonly downloads: Downloads
}

/** Hazards, and whether the alarm system that shows them is any good. */
export function createHazards(deps: Deps) {
  const { database, plant, downloads, clock } = deps
  const access = createHazardAccess(deps)
  const keeper = createHazardKeeper(deps, access)
  keeper.start()
  return {
    ...createHazardList(deps, access),
    ...createHazardExport(deps, access),
    /** One look at what is found, shows itself again or is gone by itself. */
    look: keeper.look,
    close: keeper.close,

    /** `project`: the one that was named. */
    analyse: (
      actor: Actor,
      project: PlantProject | null,
      { Compare = true, ...asked }: Request<typeof analyseAlarms>['body'],
    ): Promise<Reply<typeof analyseAlarms>> => analyse(actor, project, asked, Compare),

    /** Prepares a file; the ticket starts it. */
    async export(
      actor: Actor,
      project: PlantProject | null,
      wanted: Request<typeof exportAnalysis>['body'],
    ): Promise<Reply<typeof exportAnalysis>> {
      return downloads.issue(actor, await analysisFile(actor, project, wanted))
    },
    analysisFile,
  }

  /** The statistics as a file. */
  async function analysisFile(
    actor: Actor,
    project: PlantProject | null,
    { Content, Format, Language, ...asked }: Request<typeof exportAnalysis>['body'],
  ): Promise<DownloadFile> {
    const { days, scope } = rangeOf(actor, project, asked)
    const counts = await readCounts({ database, now: clock() }, actor, scope, days, false)
    const places =
      Content === 'places' ? await withRowSecurity(database, actor.scope, (db) => placesOf(db, scope.filter, days.days)) : []
    const labelOf = await labels()
    const analysis = analysisOf({ plant, labelOf, now: clock(), shelvedEvents: new Map() }, scope, days, counts)
    return exportOf({
      ...{ analysis, counts, places, clock: days.clock, plant, labelOf },
      ...{ content: Content, format: Format, language: Language },
    })
  }

  function rangeOf(actor: Actor, project: PlantProject | null, asked: Asked) {
    const scope = scopeOf(plant, actor, project, asked)
    return { scope, days: askedDays(asked, scope.projects, clock()) }
  }

  async function analyse(actor: Actor, project: PlantProject | null, asked: Asked, compare: boolean) {
    const { days, scope } = rangeOf(actor, project, asked)
    const counts = await readCounts({ database, now: clock() }, actor, scope, days, compare)
    const ids = counts.around.shelved.map(({ event_id }) => event_id)
    const [labelOf, events] = await Promise.all([
      labels(),
      ids.length === 0 ? [] : withRowSecurity(database, actor.scope, (db) => eventsById(db, ids)),
    ])
    const shelvedEvents = new Map(events.map((row) => [row.event_id, row]))
    return analysisOf({ plant, labelOf, now: clock(), shelvedEvents }, scope, days, counts)
  }

  async function labels(): Promise<(key: string) => Text> {
    const known = new Map((await eventLabels(database)).map(({ key, zh, en }) => [key, { zh, en }]))
    return (key) => known.get(key) ?? alarmCatalogue().get(key)?.label ?? { zh: key, en: key }
  }
}
