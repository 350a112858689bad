import type {
  acknowledgeIncident,
  EventRecord,
  IncidentRecord,
  List,
  listIncidents as listIncidentsCall,
  Reply,
  Request,
} from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { alarmAfter, callsAgain } from '@linewarden/rules/alarm'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import { by } from '../../audit/audited.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import { announcedSinceMark, newestAnnouncement } from '../../store/alarm/announcement.ts'
import { changeEvents, eventsById } from '../../store/alarm/change.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import type { Seen } from '../../store/alarm/event-filter.ts'
import { isFoldedFor } from '../../store/alarm/event-filter.ts'
import { eventTopic, recordFor } from '../../store/alarm/event-record.ts'
import type { IncidentRow } from '../../store/alarm/incident-list.ts'
import { childCounts, gravest, incidentById, listIncidents, presentChildren, rootsOf } from '../../store/alarm/incident-list.ts'
import { conditionOf } from '../../store/alarm/step.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AlarmDeps } from './deps.ts'
import { requireKnownSince } from './filter.ts'
import type { SeenEvents } from './seen-events.ts'
import { numberOf } from './seen-events.ts'

interface Acknowledging {
  acknowledgeFound(
    actor: Actor,
    rows: readonly EventRow[],
    shown: ReadonlyMap<string, number>,
  ): Promise<Reply<typeof acknowledgeIncident>>
}

/** Events of one cause, counted for whoever asks: nobody counts what they do not see. */
export function createIncidents(deps: AlarmDeps, { eventToChange }: SeenEvents, { acknowledgeFound }: Acknowledging) {
  const { database, plant, hub, clock } = deps
  return {
    async incidents(
      actor: Actor,
      project: PlantProject | null,
      { DeviceID, Kinds, Open, From, To, Page = 1, Size = 10 }: Request<typeof listIncidentsCall>['body'],
    ): Promise<List<IncidentRecord>> {
      const seen = seenBy(actor, plant, project)
      const filter = {
        ...{ seen, gatewayId: DeviceID ?? null, kinds: Kinds ?? null },
        ...{ open: Open ?? null, from: From ?? null, to: To ?? null },
      }
      const mark = await newestAnnouncement(database)
      return withRowSecurity(database, actor.scope, async (db) => {
        const { rows, total } = await listIncidents(db, filter, { page: Page, size: Size })
        return { items: await incidentRecords(plant, db, rows, seen, mark), total }
      })
    },

    async incident(actor: Actor, incidentId: string): Promise<IncidentRecord> {
      const seen = seenBy(actor, plant)
      const mark = await newestAnnouncement(database)
      const [record] = await withRowSecurity(database, actor.scope, async (db) => {
        const row = await incidentById(db, incidentId, seen)
        return row ? incidentRecords(plant, db, [row], seen, mark) : []
      })
      if (!record) throw new Refusal('incident not exists')
      return record
    },

    /** The root and what it shows for, each by itself and named in the log. */
    async acknowledgeIncident(
      actor: Actor,
      incidentId: string,
      { Raises, Mark }: Request<typeof acknowledgeIncident>['query'],
    ): Promise<Reply<typeof acknowledgeIncident>> {
      const seen = seenBy(actor, plant)
      await requireKnownSince(database, Mark)
      const { root, children } = await withRowSecurity(database, actor.scope, async (db) => {
        const incident = await incidentById(db, incidentId, seen)
        if (!incident) throw new Refusal('incident not exists')
        const root = incident.root_event_id === null ? [] : await eventsById(db, [incident.root_event_id])
        return { root, children: await presentChildren(db, incidentId, seen) }
      })
      if (actor.shared) throw new Refusal('access denied')
      const isByMark = (row: EventRow) => Raises === undefined || row !== root[0]
      const rows = [...root, ...children]
      const since = Mark === undefined ? [] : await announcedSinceMark(database, rows.filter(isByMark), Mark)
      const shown = new Map(since.map((eventId) => [eventId, neverShown]))
      if (Raises !== undefined && root[0]) shown.set(root[0].event_id, Raises)
      return acknowledgeFound(actor, rows, shown)
    },

    /** A wrong fold is undone: it is shown again, and told to everybody. */
    async standAlone(actor: Actor, eventId: string): Promise<EventRecord> {
      const found = await eventToChange(actor, eventId)
      const seen = seenBy(actor, plant)
      if (found.suppressed !== 'incident' || !isFoldedFor(seen, found)) throw new Refusal('not folded')
      const at = clock()
      const done = await changeEvents(database, [found], {
        stepOf(row) {
          const { state } = row
          if (state === null || row.suppressed !== 'incident') return null
          const step = { row: { ...row, state }, act: 'alone', at, actor: actor.userName } as const
          const after = alarmAfter(conditionOf(step.row), row.priority, step)
          return {
            step: { ...step, isAnnounced: callsAgain('alone', after, at) },
            audit: {
              ...by(actor, at, 'event.alone', plant.projects.get(row.project_id)?.ownerId ?? null),
              subject: { kind: 'event', id: numberOf(row.event_id) },
            },
          }
        },
      })
      const changed = done.get(found.event_id)
      if (!changed) throw new Refusal('event not exists')
      if (changed.changed) hub.publish({ live: [eventTopic(plant, changed.row, true)] })
      return recordFor(changed.row, plant, seen, new Map())
    },
  }
}

/** As often a caller was shown an event that was announced after what they were shown. */
const neverShown = -1

/** With what each root shows for, and its children counted. */
async function incidentRecords(
  plant: Plant,
  db: Pick<Database, 'general'>,
  rows: readonly IncidentRow[],
  seen: Seen | null,
  mark: string,
): Promise<IncidentRecord[]> {
  const counts = Map.groupBy(
    await childCounts(
      db,
      rows.map(({ incident_id }) => incident_id),
      seen,
    ),
    ({ incident_id }) => incident_id,
  )
  const events = await eventsById(
    db,
    rows.flatMap(({ root_event_id }) => root_event_id ?? []),
  )
  const own = await rootsOf(db, events, seen, mark)
  const roots = new Map(events.map((row) => [row.event_id, row]))
  return rows.map((row) => {
    const children = counts.get(row.incident_id) ?? []
    const root = row.root_event_id === null ? undefined : roots.get(row.root_event_id)
    return {
      IncidentID: row.incident_id,
      Kind: row.kind,
      HouseID: row.project_id,
      Root: root ? recordFor(root, plant, seen, own) : null,
      OpenedAt: row.opened_at.getTime(),
      EndedAt: row.ended_at?.getTime() ?? null,
      ClosedAt: row.closed_at?.getTime() ?? null,
      Priority: gravest([root?.priority, ...children.flatMap(({ present, priority }) => (present > 0 ? [priority] : []))]),
      Present: children.reduce((sum, { present }) => sum + present, 0),
      Total: children.reduce((sum, { total }) => sum + total, 0),
      Children: children.map(({ key, label_zh, label_en, priority, present, total }) => ({
        Key: key,
        Label: { zh: label_zh, en: label_en },
        Priority: priority,
        Present: present,
        Total: total,
      })),
    }
  })
}
