import type {
  acknowledgeEvents,
  EventRecord,
  isNewMessage,
  List,
  listEvents,
  listUnacknowledged,
  Reply,
  Request,
} from '@linewarden/contract'
import { announcements, placeNames, Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import { by } from '../../audit/audited.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import { advanceEventMark, eventMark } from '../../store/account/session.ts'
import * as stored from '../../store/alarm/event.ts'
import { eventRecord, eventTold } from '../../store/alarm/event-record.ts'
import { listUnacknowledgedEvents } from '../../store/alarm/event-unacknowledged.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'

export type Alarms = ReturnType<typeof createAlarms>

const maxNew = 50

/** Events: what is new, what there is, and who has seen it. */
export function createAlarms({
  database,
  plant,
  hub,
  clock,
}: {
  database: Database
  plant: Plant
  hub: Hub
  clock: () => number
}) {
  return {
    /**
     * What was raised since the caller was last told. One that says what it has gets all that came after, and the session's mark follows
     * what arrived; of one that does not, the mark takes every answer for read.
     */
    async isNew(actor: Actor, { Since }: Request<typeof isNewMessage>['query']): Promise<Reply<typeof isNewMessage>> {
      const mark = await eventMark(database.general, actor.sessionId)
      const after = Since ? await noLater(Since, mark.lastEventId) : mark.lastEventId
      if (BigInt(after) > BigInt(mark.lastEventId)) await advanceEventMark(database.general, actor.sessionId, after)
      const rows = await withRowSecurity(database, actor.scope, (db) =>
        stored.newEvents(db, after, seenBy(actor, plant), maxNew, Since === undefined ? 'newest' : 'oldest'),
      )
      const newest = rows.at(-1)
      if (!newest) return { IsNewMessage: false, Type: '', Url: '', AddTime: null, Content: '', Events: [], Last: after }
      if (Since === undefined) await advanceEventMark(database.general, actor.sessionId, newest.event_id)
      const record = eventRecord(newest, plant)
      const { type, sound } = announcements[record.Kind]
      return {
        IsNewMessage: true,
        Type: type,
        Url: mark.alarmSound ? sound : '',
        AddTime: record.AddTime,
        Content: `${mark.language === 'EN' ? record.Label.en : record.Label.zh} ${placeNames(record.Where).join(' / ')}`,
        Events: rows.map((row) => eventRecord(row, plant)),
        Last: newest.event_id,
      }
    },

    async list(actor: Actor, project: PlantProject | null, body: Request<typeof listEvents>['body']): Promise<List<EventRecord>> {
      const filter = {
        seen: seenBy(actor, plant, project),
        line: body.LineID === undefined ? null : placeOf(body.LineID, body.Around ?? false),
        open: body.Open ?? false,
        page: body.Page ?? 1,
        size: body.Size ?? 10,
      }
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) => stored.listEvents(db, filter))
      return { items: rows.map((row) => eventRecord(row, plant)), total }
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
      }
      const { rows, total, next } = await withRowSecurity(database, actor.scope, (db) => listUnacknowledgedEvents(db, asked))
      return { items: rows.map((row) => eventRecord(row, plant)), total, about: { Next: next } }
    },

    /** Somebody has seen it; it is not thereby over. */
    async acknowledge(actor: Actor, eventId: string): Promise<EventRecord> {
      const done = await acknowledgeOne(actor, eventId)
      if (!done) throw new Refusal('event not exists')
      if (done.changed) publish([done.row])
      return eventRecord(done.row, plant)
    },

    /** The same for several, each by itself: that one is gone keeps no other from being acknowledged. */
    async acknowledgeAll(actor: Actor, eventIds: readonly string[]): Promise<Reply<typeof acknowledgeEvents>> {
      const changed: stored.EventRow[] = []
      const counts = { Acknowledged: 0, Already: 0, Gone: 0 }
      for (const eventId of eventIds) {
        const done = await acknowledgeOne(actor, eventId)
        counts[!done ? 'Gone' : done.changed ? 'Acknowledged' : 'Already'] += 1
        if (done?.changed) changed.push(done.row)
      }
      if (changed.length > 0) publish(changed)
      return counts
    },
  }

  /** A line, and where it is asked for, the device and the gateway it depends on. */
  function placeOf(id: number, around: boolean): stored.EventFilter['line'] {
    const line = around ? plant.lines.get(id) : undefined
    return { id, around: line ? { deviceId: line.device.id, gatewayId: line.device.gateway.id } : null }
  }

  /** Null: there is no such event that the actor sees, or it is none to acknowledge. */
  async function acknowledgeOne(actor: Actor, eventId: string) {
    const found = await stored.eventById(database, eventId)
    if (!found || !sees(actor, found)) return null
    if (actor.shared) throw new Refusal('access denied')
    const tenant = plant.projects.get(found.project_id)?.ownerId ?? null
    return stored.acknowledge(database, eventId, {
      ...by(actor, clock(), 'event.acknowledge', tenant),
      subject: { kind: 'event', id: `${BigInt(eventId)}` },
    })
  }

  function publish(rows: readonly stored.EventRow[]): void {
    hub.publish({ live: rows.map((row) => eventTold(plant, row, false)) })
  }

  /** A caller may name an event that is not there yet, as after a restored backup: it would be told nothing until that came. */
  async function noLater(since: string, mark: string): Promise<string> {
    if (BigInt(since) <= BigInt(mark)) return since
    const newest = await stored.newestEventId(database)
    return BigInt(since) > BigInt(newest) ? newest : since
  }

  function sees(actor: Actor, row: stored.EventRow): boolean {
    const gateway = plant.gateways.get(row.gateway_id)
    return actor.sees(row.project_id) || (gateway !== undefined && actor.seesGateway(gateway))
  }
}
