import type { EventRecord, isNewMessage, List, listEvents, Reply, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../http/context.ts'
import { eventRecord } from '../../live/event-record.ts'
import type { Hub } from '../../live/hub.ts'
import type { Plant, PlantProject } from '../../live/plant.ts'
import type { Database } from '../../store/database.ts'
import * as stored from '../../store/event.ts'
import { asSeenBy } from '../../store/seen-by.ts'
import { advanceEventMark, eventMark } from '../../store/session.ts'
import { by } from '../audited.ts'

export type Alarms = ReturnType<typeof createAlarms>

const mostNew = 50

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
    /** What was raised since this session last asked. */
    async isNew(actor: Actor): Promise<Reply<typeof isNewMessage>> {
      const mark = await eventMark(database.general, actor.sessionId)
      const rows = await asSeenBy(database, actor.sight, (db) =>
        stored.newEvents(db, mark.lastEventId, seenBy(actor, null), mostNew),
      )
      const newest = rows.at(-1)
      if (!newest) return { IsNewMessage: false, Type: '', Url: '', AddTime: null, Content: '', Events: [] }
      await advanceEventMark(database.general, actor.sessionId, newest.event_id)
      const record = eventRecord(newest, plant)
      return {
        IsNewMessage: true,
        Type: typeNames[newest.kind],
        Url: mark.alarmSound ? sounds[newest.kind] : '',
        AddTime: record.AddTime,
        Content: `${mark.language === 'EN' ? record.Label.en : record.Label.zh} ${record.Where}`,
        Events: rows.map((row) => eventRecord(row, plant)),
      }
    },

    async list(actor: Actor, project: PlantProject | null, body: Request<typeof listEvents>['body']): Promise<List<EventRecord>> {
      const filter = {
        seen: seenBy(actor, project),
        lineId: body.LineID ?? null,
        open: body.Open ?? false,
        page: body.Page ?? 1,
        size: body.Size ?? 10,
      }
      const { rows, total } = await asSeenBy(database, actor.sight, (db) => stored.listEvents(db, filter))
      return { items: rows.map((row) => eventRecord(row, plant)), total }
    },

    /** What one alarm of a line was, newest first; without a key, all of its events. */
    async ofLine(
      actor: Actor,
      lineId: number,
      key: string | null,
      range: { readonly page: number; readonly size: number; readonly from: number | null; readonly to: number | null },
    ): Promise<List<EventRecord>> {
      const { rows, total } = await stored.listEvents(database, {
        seen: seenBy(actor, null),
        lineId,
        ...(key !== null && { key }),
        open: false,
        ...range,
      })
      return { items: rows.map((row) => eventRecord(row, plant)), total }
    },

    /** Somebody has seen it; it is not thereby over. */
    async acknowledge(actor: Actor, eventId: string): Promise<EventRecord> {
      const found = await stored.eventById(database, eventId)
      if (!found || !sees(actor, found)) throw new Refusal('event not exists')
      if (actor.shared) throw new Refusal('access denied')
      const tree = plant.projects.get(found.project_id)?.ownerId ?? null
      const audit = { ...by(actor, clock(), 'event.acknowledge', tree), target: eventId }
      const done = await stored.acknowledge(database, eventId, audit)
      if (!done) throw new Refusal('event not exists')
      const event = eventRecord(done.row, plant)
      if (done.changed) hub.publish({ events: [{ event, isNew: false, projectId: done.row.project_id }] })
      return event
    },
  }

  /** Null: all, for whoever runs the installation. A project seen in part is given by its gateways. */
  function seenBy(actor: Actor, project: PlantProject | null): stored.Seen | null {
    if (actor.platform && !project) return null
    const projects = (project ? [project] : [...plant.projects.values()]).filter(({ id }) => actor.seesPart(id))
    const parts = new Set(projects.filter(({ id }) => !actor.sees(id)))
    return {
      projectIds: projects.filter((each) => !parts.has(each)).map(({ id }) => id),
      gatewayIds:
        parts.size === 0
          ? []
          : [...plant.gateways.values()].filter((each) => parts.has(each.project) && actor.seesGateway(each)).map(({ id }) => id),
    }
  }

  function sees(actor: Actor, row: stored.EventRow): boolean {
    const gateway = plant.gateways.get(row.gateway_id)
    return actor.sees(row.project_id) || (gateway !== undefined && actor.seesGateway(gateway))
  }
}

/** The specification's names; anything else is a work order. */
/** An early warning is an alarm to come; whatever is neither alarm nor error is a work order (specification section 3). */
const typeNames = { alarm: 'alarm', fault: 'error', warning: 'alarm', journal: '' } as const
const sounds = { alarm: '/sounds/alarm.wav', fault: '/sounds/error.wav', warning: '/sounds/error.wav', journal: '' } as const
