import type { exportHazards, Hazard, Reply, Request, ZoneClock } from '@linewarden/contract'
import { about, aboutNothing, maxExportedRows, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { DownloadFile, Downloads } from '../../http/downloads.ts'
import { filterInLog, inLanguage, issueLogged, listFile, pagesOf, timeCell, zoneOfFile } from '../../http/table-file.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { listHazards, shownHazards } from '../../store/hazard/list.ts'
import type { TableRow } from '../../tables/table.ts'
import { proofWords, statuses } from '../workorder/export-words.ts'
import type { HazardDeps } from './deps.ts'
import type { HazardAccess } from './hazard-access.ts'
import { columns, fileName, levels, sources, states } from './hazard-export-words.ts'
import { hazardFilterOf } from './hazard-filter.ts'

type Wanted = Request<typeof exportHazards>['body']

interface Deps extends Pick<HazardDeps, 'database' | 'plant' | 'clock'> {
  readonly downloads: Downloads
}

/** Hazards as a file, in the order of the list: those that match now, each as it is when its row is made. */
export function createHazardExport(deps: Deps, access: Pick<HazardAccess, 'sees' | 'record'>, most = maxExportedRows) {
  const { database, plant, clock } = deps
  return {
    async exportHazards(
      actor: Actor,
      project: PlantProject | null,
      { Format, Language, ...asked }: Wanted,
    ): Promise<Reply<typeof exportHazards>> {
      const { ids, file } = await hazardsFile(actor, project, { Format, Language, ...asked })
      return issueLogged(deps, actor, file, {
        ...by(actor, clock(), 'hazard.export', project?.ownerId ?? actor.tenant),
        subject: project ? about('project', project.id) : aboutNothing,
        after: { rows: ids.length, format: Format, filter: filterInLog(asked) },
      })
    },
    hazardsFile,
    hazardRows: rowsOf,
  }

  /** Those that match now as a file, and their numbers in the order of the list. */
  async function hazardsFile(
    actor: Actor,
    project: PlantProject | null,
    { Format, Language, ...asked }: Wanted,
  ): Promise<{ readonly ids: readonly number[]; readonly file: DownloadFile }> {
    const filter = hazardFilterOf(plant, actor, project, asked)
    // One more comes where there are more.
    const ids = await withRowSecurity(database, actor.scope, (db) => listHazards(db, filter, { before: null, size: most }))
    if (ids.length > most) throw new Refusal('too many hazards', { most })
    const file = listFile(
      { Format, Language },
      {
        ...{ called: fileName, columns, timeZone: zoneOfFile(actor, plant, project), now: clock() },
        pages: (zone, onProgress) => pagesOf(ids, (some) => rowsOf(actor, some, Language, zone), onProgress),
      },
    )
    return { ids, file }
  }

  async function rowsOf(
    actor: Actor,
    ids: readonly number[],
    language: Wanted['Language'],
    zone: ZoneClock,
  ): Promise<readonly TableRow[]> {
    const rows = await shownHazards(database.general, ids)
    return rows.filter((row) => access.sees(actor, row)).map((row) => rowOf(access.record(row, actor), language, zone))
  }
}

function rowOf(hazard: Hazard, language: Wanted['Language'], zone: ZoneClock): TableRow {
  const { Where, Order, Verification } = hazard
  const localised = (text: Text) => inLanguage(text, language)
  return {
    at: hazard.FirstSeen,
    values: [
      localised(levels[hazard.Level]),
      localised(hazard.Label),
      localised(states[hazard.State]),
      localised(sources[hazard.Source]),
      Where.HouseName,
      Where.GatewayName,
      Where.LineName,
      hazard.Count,
      timeCell(zone, hazard.LastSeen),
      timeCell(zone, hazard.RiskUntil),
      Order?.Number ?? null,
      Order && localised(statuses[Order.Status]),
      Verification && localised(proofWords(Verification)),
      hazard.HazardID,
    ],
    note: hazard.Key,
  }
}
