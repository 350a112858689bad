import type { Sort } from '@linewarden/contract'
import { priorities } from '@linewarden/equipment'
import type { AlarmState } from '@linewarden/rules/alarm'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { newestAnnouncement } from './announcement.ts'
import type { EventRow } from './event.ts'
import type { EventFilter } from './event-filter.ts'
import { matchingEvents, seesNothing } from './event-filter.ts'

export type EventOrder = 'EventID' | 'Priority' | 'RaisedAt' | 'Raises'

interface OrderedBy {
  readonly value: RawBuilder<unknown>
  /** The value as the cursor carries it, and the cursor's number as that value again. */
  readonly written: RawBuilder<string>
  readonly read: (written: string) => RawBuilder<unknown>
}

/** As the indexes of migration 0086 have it, word for word. */
const severity = sql<number>`array_position(array[${sql.join(priorities.toReversed().map((each) => sql.lit(each)))}], priority)`

const orders: Readonly<Record<Exclude<EventOrder, 'EventID'>, OrderedBy>> = {
  Priority: { value: severity, written: sql`${severity}::text`, read: (written) => sql`${written}::int` },
  RaisedAt: {
    value: sql.ref('raised_at'),
    written: sql`(extract(epoch from raised_at) * 1000000)::bigint::text`,
    read: (written) => sql`timestamptz 'epoch' + ${written}::bigint * interval '1 microsecond'`,
  },
  Raises: { value: sql.ref('raises'), written: sql`raises::text`, read: (written) => sql`${written}::int` },
}

interface Asked {
  readonly sort: Sort<EventOrder>
  /** After which place in this order, as `next` of the page before says; null: from the beginning. */
  readonly before: string | null
  readonly page: number
  readonly size: number
  readonly maxTotal: number
}

interface Page {
  readonly rows: EventRow[]
  readonly total: number
  /** False: there are more, and nobody counted them. */
  readonly isTotalExact: boolean
  readonly next: string | null
}

/** A page of events. Downwards is upwards read from the end, so that one index serves both. */
export async function listEvents(database: Pick<Database, 'general'>, filter: EventFilter, asked: Asked): Promise<Page> {
  if (seesNothing(filter.seen)) return { rows: [], total: 0, isTotalExact: true, next: null }
  const down = asked.sort.startsWith('-')
  const name = (down ? asked.sort.slice(1) : asked.sort) as EventOrder
  const order = name === 'EventID' ? null : orders[name]
  const all = matchingEvents(database, filter)
  let query = all
  if (asked.before !== null) {
    const [value = '', id = ''] = asked.before.split('.')
    const place = order ? sql`(${order.value}, event_id)` : sql.ref('event_id')
    const at = order ? sql`(${order.read(value)}, ${id}::bigint)` : sql`${id}::bigint`
    query = query.where(sql<boolean>`${place} ${sql.raw(down ? '<' : '>')} ${at}`)
  }
  const direction = down ? 'desc' : 'asc'
  if (order) query = query.orderBy(order.value, direction)
  const rows = await query
    .orderBy('event_id', direction)
    .selectAll()
    .select((order?.written ?? sql<string>`'0'`).as('place'))
    .limit(asked.size + 1)
    .offset((asked.page - 1) * asked.size)
    .execute()
  const { total } = await database.general
    .selectFrom(
      all
        .select(sql`1`.as('one'))
        .limit(asked.maxTotal + 1)
        .as('counted'),
    )
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  const last = rows.length > asked.size ? rows[asked.size - 1] : undefined
  return {
    rows: rows.slice(0, asked.size),
    total: Math.min(total, asked.maxTotal),
    isTotalExact: total <= asked.maxTotal,
    next: last ? `${last.place}.${last.event_id}` : null,
  }
}

/** Events of a filter in some states, none newer than `upTo`. */
interface Matching {
  readonly filter: EventFilter
  readonly states: readonly AlarmState[]
  readonly upTo: string
}

const matchingUpTo = (database: Pick<Database, 'general'>, { filter, states, upTo }: Matching) =>
  matchingEvents(database, filter)
    .where('state', 'in', [...states])
    .where('event_id', '<=', upTo)

/** How many there are, all of them counted. */
export async function countMatching(database: Pick<Database, 'general'>, matching: Matching): Promise<number> {
  if (seesNothing(matching.filter.seen)) return 0
  const { total } = await matchingUpTo(database, matching)
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** The oldest of them that are newer than `after`. */
export const matchingAfter = (
  database: Pick<Database, 'general'>,
  matching: Matching,
  after: string,
  most: number,
): Promise<EventRow[]> =>
  matchingUpTo(database, matching).where('event_id', '>', after).selectAll().orderBy('event_id').limit(most).execute()

/** The newest event and the newest announcement that there are. */
export async function newestOf(database: Pick<Database, 'general'>): Promise<{ readonly UpTo: string; readonly Mark: string }> {
  // In this order: of an event that is newer than the mark none of its announcements is older.
  const Mark = await newestAnnouncement(database)
  const row = await database.general
    .selectFrom('event')
    .select(({ fn }) => fn.max('event_id').as('newest'))
    .executeTakeFirst()
  return { UpTo: row?.newest ?? '0', Mark }
}

/** What alarms of each key are called, by the newest event of it: as many rows as there are keys, however many events. */
export async function eventLabels({ general }: Pick<Database, 'general'>) {
  const { rows } = await sql<{ key: string; zh: string; en: string }>`
    with recursive known (key) as (
      (select key from event order by key limit 1)
      union all
      select (select event.key from event where event.key > known.key order by event.key limit 1) from known where known.key is not null
    )
    select known.key, newest.label_zh as zh, newest.label_en as en from known
    cross join lateral (select label_zh, label_en from event where event.key = known.key order by event_id desc limit 1) newest`.execute(
    general,
  )
  return rows
}
