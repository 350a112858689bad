import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { Plant } from '../../plant/plant.ts'
import { eventsById } from '../../store/alarm/change.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import type { Database } from '../../store/core/database.ts'

/** As the database writes a number that a caller may write with zeros before it. */
export const numberOf = (eventId: string): `${bigint}` => `${BigInt(eventId)}`

/** Finds events by their numbers for somebody, as if there were no others than those they see. */
export function createSeenEvents({ database, plant }: { readonly database: Database; readonly plant: Plant }) {
  return { seenEvents, seenEvent, eventsToChange, eventToChange }

  async function seenEvents(actor: Actor, eventIds: readonly string[]): Promise<ReadonlyMap<string, EventRow>> {
    const rows = (await eventsById(database, eventIds)).filter((row) => sees(actor, row))
    return new Map(rows.map((row) => [row.event_id, row]))
  }

  async function seenEvent(actor: Actor, eventId: string): Promise<EventRow> {
    const row = (await seenEvents(actor, [eventId])).get(numberOf(eventId))
    if (!row) throw new Refusal('event not exists')
    return row
  }

  /** The same for somebody who does something to them, which a shared account does not. */
  async function eventsToChange(actor: Actor, eventIds: readonly string[]): Promise<ReadonlyMap<string, EventRow>> {
    const rows = await seenEvents(actor, eventIds)
    if (actor.shared && rows.size > 0) throw new Refusal('access denied')
    return rows
  }

  async function eventToChange(actor: Actor, eventId: string): Promise<EventRow> {
    const row = await seenEvent(actor, eventId)
    if (actor.shared) throw new Refusal('access denied')
    return row
  }

  function sees(actor: Actor, row: EventRow): boolean {
    if (row.for_account !== null && row.for_account !== actor.accountId) return false
    if (actor.sees(row.project_id)) return true
    const gateway = row.gateway_id === null ? undefined : plant.gateways.get(row.gateway_id)
    return gateway !== undefined && actor.seesGateway(gateway)
  }
}

export type SeenEvents = ReturnType<typeof createSeenEvents>
