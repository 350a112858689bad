import type { EventRecord, List, listEvents, listUnacknowledged, Reply, Request } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import type { PlantProject } from '../../plant/plant.ts'
import * as stored from '../../store/alarm/event.ts'
import { eventRecord } from '../../store/alarm/event-record.ts'
import { listUnacknowledgedEvents } from '../../store/alarm/event-unacknowledged.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AcknowledgingDeps } from './acknowledging.ts'
import { createAcknowledging } from './acknowledging.ts'
import { createNewEvents } from './new-events.ts'

export type Alarms = ReturnType<typeof createAlarms>

/** Events: what is new, what there is, and who has seen it. */
export function createAlarms(deps: AcknowledgingDeps) {
  const { database, plant } = deps
  return {
    ...createNewEvents(deps),
    ...createAcknowledging(deps),

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
  }

  /** A line, and where it is asked for, the device and the gateway it depends on. */
  function placeOf(id: number, around: boolean): stored.EventFilter['line'] {
    const line = around ? plant.lines.get(id) : undefined
    return { id, around: line ? { deviceId: line.device.id, gatewayId: line.device.gateway.id } : null }
  }
}
