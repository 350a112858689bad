import type { AlarmState } from '@linewarden/rules/alarm'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { countedSteps, timesCounted } from '../hazard/counted.ts'
import { newestAnnouncement } from './announcement.ts'
import type { EventRow } from './event.ts'
import type { EventFilter } from './event-filter.ts'
import { matchingEvents, narrows, seesNothing } from './event-filter.ts'
import type { CountedFilter, PageAsked } from './event-page.ts'
import { byStepsOf, orderOf, orders, pageOfEvents, sortedAtMost } from './event-page.ts'

interface Asked extends PageAsked {
  readonly maxTotal: number
}

interface Page {
  readonly rows: EventRow[]
  readonly total: number
  /** False: there are more, and nobody counted them. */
  readonly isTotalExact: boolean
  readonly next: string | null
  /** How often they were counted, where what was counted is asked for. */
  readonly times: number | null
}

/** A page of events. */
export async function listEvents(database: Pick<Database, 'general'>, filter: EventFilter, asked: Asked): Promise<Page> {
  if (seesNothing(filter.seen)) return { rows: [], total: 0, isTotalExact: true, next: null, times: filter.counted && 0 }
  const page = await pageOfEvents(database, filter, asked)
  const total = page.total ?? (await counted(database, filter, asked.maxTotal))
  const found = await database.general
    .selectFrom('event')
    .selectAll()
    .select(orders[orderOf(asked.sort)].written.as('place'))
    .where(sql<boolean>`event_id = any(${[...page.ids]}::bigint[])`)
    .execute()
  const byId = new Map(found.map((row) => [row.event_id, row]))
  const rows = page.ids.flatMap((id) => byId.get(id) ?? [])
  const times = page.times ?? (await timesOf(database, filter))
  const last = rows.length > asked.size ? rows[asked.size - 1] : undefined
  return {
    rows: rows.slice(0, asked.size),
    total: Math.min(total, asked.maxTotal),
    isTotalExact: total <= asked.maxTotal,
    next: last ? `${last.place}.${last.event_id}` : null,
    times,
  }
}

/** How often they were counted, where what was counted is asked for; of what is active for long, how many there are. */
async function timesOf(database: Pick<Database, 'general'>, filter: EventFilter): Promise<number | null> {
  const { counted } = filter
  if (!counted) return null
  if (counted.as === 'longActive') return countAll(matchingEvents(database, filter))
  const { ofSteps, ofEvents } = byStepsOf({ ...filter, counted })
  const events = narrows(ofEvents) ? matchingEvents(database, ofEvents).select('event_id') : null
  return timesCounted(database, ofSteps, events)
}

async function countAll(events: ReturnType<typeof matchingEvents>): Promise<number> {
  const { total } = await events.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return total
}

/** How many match, up to one more than these. */
async function counted(database: Pick<Database, 'general'>, filter: EventFilter, most: number): Promise<number> {
  const { counted: asCounted } = filter
  if (asCounted && asCounted.as !== 'longActive') return countedBySteps(database, { ...filter, counted: asCounted }, most)
  if (most <= sortedAtMost) return most + 1
  const { total } = await database.general
    .selectFrom(
      matchingEvents(database, filter)
        .select(sql`1`.as('one'))
        .limit(most + 1)
        .as('counted'),
    )
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** The same of what was counted: mostly the first of very many steps are of enough events, else all of them are looked at. */
async function countedBySteps(database: Pick<Database, 'general'>, filter: CountedFilter, most: number): Promise<number> {
  const { ofSteps, ofEvents } = byStepsOf(filter)
  const event = matchingEvents(database, ofEvents)
    .where(sql<boolean>`event.event_id = step.event_id`)
    .select(sql`1`.as('one'))
    .limit(1)
  const among = async (steps: RawBuilder<unknown>) => {
    const { rows } = await sql<{ total: number }>`
      select count(*)::int as total from (
        select from (select distinct event_id from (select event_id from ${countedSteps(ofSteps)} ${steps}) as found) as step
        ${narrows(ofEvents) ? sql`cross join lateral (${event}) as of_event` : sql``} limit ${most + 1}
      ) as counted`.execute(database.general)
    return rows[0]?.total ?? 0
  }
  const first = await among(sql`limit ${2 * (most + 1)}`)
  return first > most ? first : among(sql``)
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
  return countAll(matchingUpTo(database, matching))
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

/**
 * What alarms of each key are called, by the newest event of it: as many rows as there are keys and priorities, however many events. By the
 * order of the index alone, so that the planner looks for none where there is none.
 */
export async function eventLabels({ general }: Pick<Database, 'general'>) {
  const { rows } = await sql<{ key: string; zh: string; en: string }>`
    with recursive known as (
      (select key, priority, event_id, label_zh, label_en from event order by key desc, priority desc, event_id desc limit 1)
      union all
      select next.* from known cross join lateral (
        select key, priority, event_id, label_zh, label_en from event
        where (event.key, event.priority) < (known.key, known.priority) order by key desc, priority desc, event_id desc limit 1) next
    )
    select distinct on (key) key, label_zh as zh, label_en as en from known order by key, event_id desc`.execute(general)
  return rows
}
