import type { EventRecord, List, listEvents as listEventsCall, listUnacknowledged, Reply, Request } from '@linewarden/contract'
import { maxEventTotal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import type { Ingest } from '../../field/ingest.ts'
import type { Downloads } from '../../http/downloads.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { newestAnnouncement } from '../../store/alarm/announcement.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import * as stored from '../../store/alarm/event.ts'
import type { Seen } from '../../store/alarm/event-filter.ts'
import { listEvents, newestOf } from '../../store/alarm/event-list.ts'
import { eventRecord, recordFor } from '../../store/alarm/event-record.ts'
import { listUnacknowledgedEvents } from '../../store/alarm/event-unacknowledged.ts'
import { rootsOf } from '../../store/alarm/incident-list.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { createAcknowledging } from './acknowledging.ts'
import { createComments } from './comments.ts'
import type { AlarmDeps } from './deps.ts'
import { DueAlarms } from './due.ts'
import { createEvidence } from './evidence.ts'
import { EvidenceCopies } from './evidence-copies.ts'
import { createExport } from './export.ts'
import { eventFilterOf } from './filter.ts'
import { createFlood } from './flood.ts'
import { createGroups } from './groups.ts'
import { createIncidents } from './incidents.ts'
import { createNewEvents } from './new-events.ts'
import { createRationales } from './rationale.ts'
import { createSeenEvents } from './seen-events.ts'
import { createSheetExport } from './sheet-export.ts'
import { createShelving } from './shelving.ts'
import { createTunedLines } from './tuned-lines.ts'
import { createTuning } from './tuning.ts'
import { createViews } from './views.ts'

export type Alarms = ReturnType<typeof createAlarms>

/** Events: what is new, what there is, and who has seen it. */
export function createAlarms(
  deps: AlarmDeps & { readonly downloads: Downloads; readonly ingest: Pick<Ingest, 'retune' | 'hasValidPosition'> },
) {
  const { database, plant, clock } = deps
  const seen = createSeenEvents(deps)
  const due = new DueAlarms(deps)
  due.start()
  const copies = new EvidenceCopies(deps)
  copies.start()
  const rationales = createRationales(deps, seen)
  const acknowledging = createAcknowledging(deps, seen)
  const tunedLines = createTunedLines(deps)
  return {
    ...createNewEvents(deps),
    ...acknowledging,
    ...createIncidents(deps, seen, acknowledging),
    ...createComments(deps, seen),
    ...createShelving(deps, seen),
    ...createTuning(deps, seen, tunedLines),
    tunedLines,
    ...createGroups(deps),
    ...rationales,
    ...createSheetExport(deps, rationales.rationaleRows),
    ...createExport(deps),
    ...createViews(deps),
    ...createFlood(deps),
    ...createEvidence(deps, seen, copies),
    due,
    async close() {
      await Promise.all([due.close(), copies.close(), tunedLines.close()])
    },

    async details(actor: Actor, eventId: string): Promise<EventRecord> {
      const mark = await newestAnnouncement(database)
      const row = await seen.seenEvent(actor, eventId)
      const [record] = await withRowSecurity(database, actor.scope, (db) => recordsFor(db, [row], seenBy(actor, plant), mark))
      return record ?? eventRecord(row, plant)
    },

    /** A page of the events that somebody asks for. */
    async list(
      actor: Actor,
      project: PlantProject | null,
      body: Request<typeof listEventsCall>['body'],
    ): Promise<Reply<typeof listEventsCall>> {
      const { Sort = '-EventID', Before = null, Page = 1, Size = 10, ...filter } = body
      const wanted = await eventFilterOf(deps, actor, project, filter)
      const asked = { sort: Sort, before: Before, page: Page, size: Size, maxTotal: maxEventTotal }
      // Before the list is read: what is newer than these nobody has been shown.
      const newest = await newestOf(database)
      const { listed, items } = await withRowSecurity(database, actor.scope, async (db) => {
        const listed = await listEvents(db, wanted, asked)
        return { listed, items: await recordsFor(db, listed.rows, wanted.seen, newest.Mark) }
      })
      return {
        items,
        total: listed.total,
        about: { Next: listed.next, Times: listed.times, IsTotalExact: listed.isTotalExact, ...newest },
      }
    },

    /** Each time one alarm of a line was raised, newest first; without a key, whatever was. */
    async ofLine(
      actor: Actor,
      lineId: number,
      key: string | null,
      range: { readonly page: number; readonly size: number; readonly from: number | null; readonly to: number | null },
    ): Promise<List<EventRecord>> {
      const { rows, total } = await stored.occurrencesOnLine(database, { seen: seenBy(actor, plant), lineId, key, ...range })
      return { items: rows.map((row) => eventRecord(row, plant)), total }
    },

    /** What nobody has acknowledged yet, a page of it, and how many there are. */
    async unacknowledged(
      actor: Actor,
      project: PlantProject | null,
      { Acknowledged = false, Sort = 'severest', After, Size = 50 }: Request<typeof listUnacknowledged>['body'],
    ): Promise<Reply<typeof listUnacknowledged>> {
      const asked = {
        seen: seenBy(actor, plant, project),
        acknowledged: Acknowledged,
        bySeverity: Sort === 'severest',
        after: After ?? null,
        size: Size,
        now: clock(),
      }
      const mark = await newestAnnouncement(database)
      return withRowSecurity(database, actor.scope, async (db) => {
        const { rows, total, next } = await listUnacknowledgedEvents(db, asked)
        return { items: await recordsFor(db, rows, asked.seen, mark), total, about: { Next: next } }
      })
    },
  }

  /** With what roots among them show for, and the newest announcement before they were read. */
  async function recordsFor(db: Database, rows: readonly EventRow[], seen: Seen | null, mark: string): Promise<EventRecord[]> {
    const roots = await rootsOf(db, rows, seen, mark)
    return rows.map((row) => recordFor(row, plant, seen, roots))
  }
}
