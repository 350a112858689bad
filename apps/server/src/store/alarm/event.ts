import type { Selectable } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Seen } from './event-filter.ts'
import { forEverybody, seesNothing, within } from './event-filter.ts'

export type EventRow = Selectable<Schema['event']>

/** Each time something was raised on a line, newest first, and how many times there are. Only those of `key` and of a range, where given. */
export async function occurrencesOnLine(
  { general }: Database,
  asked: {
    readonly seen: Seen | null
    readonly lineId: number
    readonly key: string | null
    /** Unix ms; the end is excluded. */
    readonly from: number | null
    readonly to: number | null
    readonly page: number
    readonly size: number
  },
): Promise<{ rows: EventRow[]; total: number }> {
  if (seesNothing(asked.seen)) return { rows: [], total: 0 }
  let query = general.selectFrom('event_occurrence').where('line_id', '=', asked.lineId)
  if (asked.seen) query = query.where(within(asked.seen))
  if (asked.key !== null) query = query.where('key', '=', asked.key)
  if (asked.from !== null) query = query.where('raised_at', '>=', new Date(asked.from))
  if (asked.to !== null) query = query.where('raised_at', '<', new Date(asked.to))
  const rows = await query
    .selectAll()
    .orderBy('raised_at', 'desc')
    .orderBy('event_id', 'desc')
    .limit(asked.size)
    .offset((asked.page - 1) * asked.size)
    .execute()
  const { total } = await query.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

export const eventById = ({ general }: Database, eventId: string): Promise<EventRow | undefined> =>
  general.selectFrom('event').selectAll().where('event_id', '=', eventId).executeTakeFirst()

/** Events of lines, and of their gateways as a whole, raised in a range: the newest of them, oldest first, and how many there are. */
export async function eventsInRange(
  { general }: Database,
  asked: {
    readonly lineIds: readonly number[]
    readonly gatewayIds: readonly number[]
    readonly from: number
    readonly to: number
    readonly most: number
  },
): Promise<{ rows: EventRow[]; total: number }> {
  const inRange = general
    .selectFrom('event_occurrence')
    .where('raised_at', '>=', new Date(asked.from))
    .where('raised_at', '<', new Date(asked.to))
    .where('kind', '<>', 'journal')
    .where(forEverybody)
    .where((is) =>
      is.or([
        is('line_id', 'in', [...asked.lineIds]),
        is.and([is('line_id', 'is', null), is('gateway_id', 'in', [...asked.gatewayIds])]),
      ]),
    )
  const rows = await inRange.selectAll().orderBy('raised_at', 'desc').orderBy('event_id', 'desc').limit(asked.most).execute()
  if (rows.length < asked.most) return { rows: rows.reverse(), total: rows.length }
  const { total } = await inRange.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { rows: rows.reverse(), total: Number(total) }
}
