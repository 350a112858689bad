import type { acknowledgeEvents, EventRecord, Reply } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant } from '../../plant/plant.ts'
import * as stored from '../../store/alarm/event.ts'
import { eventRecord, eventTopic } from '../../store/alarm/event-record.ts'
import type { Database } from '../../store/core/database.ts'

export interface AcknowledgingDeps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly clock: () => number
}

/** Who has seen an event; whoever watches reads of it at once. */
export function createAcknowledging({ database, plant, hub, clock }: AcknowledgingDeps) {
  return {
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
    hub.publish({ live: rows.map((row) => eventTopic(plant, row, false)) })
  }

  function sees(actor: Actor, row: stored.EventRow): boolean {
    const gateway = plant.gateways.get(row.gateway_id)
    return actor.sees(row.project_id) || (gateway !== undefined && actor.seesGateway(gateway))
  }
}
