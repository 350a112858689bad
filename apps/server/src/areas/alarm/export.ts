import type { EventRecord, exportEvents, Reply, Request, ZoneClock } from '@linewarden/contract'
import { maxExportedRows, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import { withoutPeople } from '../../access/without-people.ts'
import type { Downloads } from '../../http/downloads.ts'
import { listFile, timeCell, zoneOfFile } from '../../http/table-file.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import { listEvents, newestOf } from '../../store/alarm/event-list.ts'
import { eventRecord } from '../../store/alarm/event-record.ts'
import { rationalesInForce } from '../../store/alarm/rationale.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { TableRow } from '../../tables/table.ts'
import type { AlarmDeps } from './deps.ts'
import { columns, fileName, wordsOf } from './export-words.ts'
import { eventFilterOf } from './filter.ts'
import { inForce } from './rationale.ts'

type Wanted = Request<typeof exportEvents>['body']
type Words = ReturnType<typeof wordsOf>

const rowsPerPage = 500

/** Events as a file, in the order of the list; what comes while it is made is not in it. */
export function createExport(deps: AlarmDeps & { readonly downloads: Downloads }) {
  return {
    async export(actor: Actor, project: PlantProject | null, wanted: Wanted): Promise<Reply<typeof exportEvents>> {
      const { file } = await eventsFile(deps, actor, project, wanted)
      return deps.downloads.issue(actor, file)
    },
  }
}

/** The file of events, how many there are, and the first of them. */
export async function eventsFile(
  deps: Pick<AlarmDeps, 'database' | 'plant' | 'clock'>,
  actor: Actor,
  project: PlantProject | null,
  { Format, Language, Sort = '-EventID', UpTo, ...asked }: Wanted,
) {
  const { database, plant, clock } = deps
  const upTo = UpTo ?? (await newestOf(database)).UpTo
  const filter = await eventFilterOf(deps, actor, project, { ...asked, UpTo: upTo })
  const page = (before: string | null, size: number, maxTotal: number) =>
    withRowSecurity(database, actor.scope, (db) => listEvents(db, filter, { sort: Sort, before, page: 1, size, maxTotal }))
  const { total, isTotalExact } = await page(null, 1, maxExportedRows)
  if (!isTotalExact) throw new Refusal('too many events', { most: maxExportedRows })

  const words = wordsOf(Language)
  const written = await rationalesInForce(database)
  const timeZone = zoneOfFile(actor, plant, project)
  const file = listFile({ Format, Language }, { called: fileName, columns, timeZone, now: clock(), pages: rows })
  return { file, total, first: async (most: number) => (await page(null, most, 0)).rows.map(recordOf) }

  /** Whom equipment is shared with reads of nobody, in a file either. */
  function recordOf(row: EventRow): EventRecord {
    const record = eventRecord(row, plant)
    return actor.shared ? withoutPeople(record) : record
  }

  function actionOf(projectId: number, key: string): Text | null {
    const place = { projectId, ownerId: plant.projects.get(projectId)?.ownerId ?? null }
    return inForce(key, place, written).texts?.action ?? null
  }

  async function* rows(
    zone: ZoneClock,
    onProgress: (progress: { rows: number; share: number }) => void,
  ): AsyncGenerator<readonly TableRow[]> {
    let before: string | null = null
    let done = 0
    do {
      const found: Awaited<ReturnType<typeof page>> = await page(before, rowsPerPage, 0)
      yield found.rows.map((row) => rowOf(recordOf(row), actionOf(row.project_id, row.key), words, zone))
      done += found.rows.length
      onProgress({ rows: done, share: total === 0 ? 1 : Math.min(1, done / total) })
      before = found.next
    } while (before !== null && done < maxExportedRows)
  }
}

function rowOf(event: EventRecord, action: Text | null, { localised, kind, priority, state }: Words, zone: ZoneClock): TableRow {
  const { Where, Shelved, ReturnedAt, RaisedAt } = event
  const time = (at: number | null) => timeCell(zone, at)
  return {
    at: RaisedAt,
    values: [
      kind(event.Kind),
      priority(event.Priority),
      state(event.State),
      localised(event.Label),
      event.Value,
      event.Limit,
      event.Unit,
      Where.HouseName,
      Where.GatewayName,
      Where.LineName,
      event.Raises,
      time(event.LastRaisedAt),
      time(ReturnedAt),
      ReturnedAt === null ? null : Math.round((ReturnedAt - RaisedAt) / 1_000),
      time(event.AcknowledgedAt),
      event.AcknowledgedBy,
      time(Shelved?.Until ?? null),
      event.EventID,
      action && localised(action),
    ],
    note: Shelved?.Reason ?? '',
  }
}
