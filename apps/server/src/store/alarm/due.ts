import type { AlarmStep } from '@linewarden/rules/alarm'
import { alarmAfter, callsAgain, chatterAnnounceMs, openAlarmStates } from '@linewarden/rules/alarm'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { inTransaction } from '../core/run.ts'
import { announcedAs, announceIn } from './announcement.ts'
import type { EventRow } from './event.ts'
import type { EventStep } from './step.ts'
import { conditionOf, writeSteps } from './step.ts'

/** So many in one transaction. */
const maxAtOnce = 500

/** An event that something was done to, and whether it calls for somebody again. */
export interface SteppedEvent {
  readonly row: EventRow
  readonly isNew: boolean
}

/** Open events to be looked for, and what an index has them in order of. */
export interface OpenEvents {
  readonly are: RawBuilder<boolean>
  readonly order: RawBuilder<unknown>
}

// Written out, so that the planner finds the indexes of open events.
const isOpen = sql<boolean>`state in (${sql.join(openAlarmStates.map((state) => sql.lit(state)))})`

const dueAt = sql<Date | null>`(case when ${isOpen} then least(shelved_until, acknowledged_until) end)`

/**
 * Events whose shelf or acknowledgement is over by then. Only the index of what is due has this order: for the first of them in any order the
 * planner would walk over the past, or over all that is open.
 */
export const isDue = (now: number): OpenEvents => ({ are: sql<boolean>`${dueAt} <= ${new Date(now)}`, order: dueAt })

/** Lines, devices as a whole, and gateways as a whole. */
export interface Places {
  readonly lineIds: readonly number[]
  readonly deviceIds: readonly number[]
  readonly gatewayIds: readonly number[]
}

/** Events in service on one of these places, other than those of these keys. */
export const isInServiceOn = ({ lineIds, deviceIds, gatewayIds }: Places, except: Iterable<string>): OpenEvents => ({
  are: sql<boolean>`(${isOpen} and suppressed is null and not historical and key <> all(${[...except]}::text[]) and (line_id = any(${[...lineIds]}::int[])
    or (line_id is null and device_id = any(${[...deviceIds]}::int[]))
    or (line_id is null and device_id is null and gateway_id = any(${[...gatewayIds]}::int[]))))`,
  order: sql`event_id`,
})

/** Events that are out of service. */
export const isSuppressed: OpenEvents = { are: sql<boolean>`(suppressed = 'tag' and ${isOpen})`, order: sql`event_id` }

/** Events that were raised silently because they chattered, and are there ever since, by then. Only their own index has this order. */
export const isChattered = (now: number): OpenEvents => ({
  are: sql<boolean>`(state = 'active' and announced = 0 and chatter_at is not null and not historical and suppressed is null
    and stored_at <= ${new Date(now - chatterAnnounceMs)} and (shelved_until is null or shelved_until <= ${new Date(now)}))`,
  order: sql`stored_at`,
})

/** One of these events, or none. */
export const anyOf = ({ are, order }: OpenEvents): RawBuilder<unknown> =>
  sql`select from event where ${are} order by ${order} limit 1`

/**
 * Does by itself what is to be done to open events, each once on whichever server comes first: what another has at this moment is left to it.
 * `stepOf` says what; null: nothing.
 */
export async function stepOpenEvents(
  { general }: Database,
  which: OpenEvents,
  stepOf: (row: EventStep['row']) => AlarmStep | null,
  now: number,
): Promise<SteppedEvent[]> {
  const { rows: found } = await anyOf(which).execute(general)
  if (found.length === 0) return []
  return general.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('event')
      .selectAll()
      .where(which.are)
      .orderBy(which.order)
      .limit(maxAtOnce)
      .forUpdate()
      .skipLocked()
      .execute()
    const steps = rows.flatMap((row): EventStep[] => {
      const { state } = row
      if (state === null) return []
      const stepped = { ...row, state }
      const step = stepOf(stepped)
      if (!step) return []
      const after = alarmAfter(conditionOf(stepped), row.priority, step)
      return [{ ...step, row: stepped, actor: null, isAnnounced: callsAgain(step.act, after, now) }]
    })
    const acts = new Map(steps.map((step) => [step.row.event_id, step]))
    const updated = await writeSteps(inTransaction(trx), steps)
    const announced = steps.filter(({ isAnnounced }) => isAnnounced)
    await announceIn(
      trx,
      announced.map(({ row, act }) => ({ eventId: row.event_id, why: announcedAs(act) })),
      now,
    )
    return updated.map((row) => ({ row, isNew: acts.get(row.event_id)?.isAnnounced === true }))
  })
}

/**
 * Announces what was raised silently because it chattered, and is there ever since: nobody was called for it, and it chatters no more. Each
 * once, on whichever server comes first.
 */
export async function announceChattered({ general }: Database, now: number): Promise<readonly SteppedEvent[]> {
  const { are, order } = isChattered(now)
  const { rows: found } = await anyOf({ are, order }).execute(general)
  if (found.length === 0) return []
  return general.transaction().execute(async (trx) => {
    const { rows } = await sql<EventRow>`
      with unannounced as materialized (
        select event_id from event where ${are} order by ${order} limit ${maxAtOnce} for update skip locked
      )
      update event set announced = 1 from unannounced where event.event_id = unannounced.event_id returning event.*`.execute(trx)
    await announceIn(
      trx,
      rows.map(({ event_id }) => ({ eventId: event_id, why: 'raise' })),
      now,
    )
    return rows.map((row) => ({ row, isNew: true }))
  })
}
