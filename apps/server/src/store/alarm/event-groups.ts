import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'
import type { EventKind } from '@linewarden/rules/alarm'
import { eventKinds, unacknowledgedStates } from '@linewarden/rules/alarm'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { EventFilter } from './event-filter.ts'
import { matchingEvents, seesNothing } from './event-filter.ts'

export interface GroupRow {
  readonly project_id: number | null
  readonly gateway_id: number | null
  readonly key: string | null
  readonly label_zh: string | null
  readonly label_en: string | null
  readonly kind: EventKind
  readonly priority: Priority
  readonly total: number
  readonly unacknowledged: number
  readonly last_raised_at: Date
}

const wordsOf = (values: readonly string[]) => sql.join(values.map((each) => sql.lit(each)))

/** A page of the groups of a filter's events, and how many groups there are. The label of an alarm is that of its newest event. */
export async function groupedEvents(
  database: Pick<Database, 'general'>,
  filter: EventFilter,
  { by, page, size }: { readonly by: 'place' | 'key'; readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly GroupRow[]; readonly total: number }> {
  if (seesNothing(filter.seen)) return { rows: [], total: 0 }
  const columns = by === 'key' ? sql`key` : sql`project_id, gateway_id`
  const grouped = matchingEvents(database, filter)
    .select([
      sql<number | null>`${by === 'key' ? sql`null::int` : sql.ref('project_id')}`.as('project_id'),
      sql<number | null>`${by === 'key' ? sql`null::int` : sql.ref('gateway_id')}`.as('gateway_id'),
      sql<string | null>`${by === 'key' ? sql.ref('key') : sql`null::text`}`.as('key'),
      sql<EventKind>`(array[${wordsOf(eventKinds)}])[min(array_position(array[${wordsOf(eventKinds)}], kind))]`.as('kind'),
      sql<Priority>`(array[${wordsOf(priorities)}])[min(array_position(array[${wordsOf(priorities)}], priority))]`.as('priority'),
      sql<number>`count(*)::int`.as('total'),
      sql<number>`count(*) filter (where state in (${wordsOf(unacknowledgedStates)}))::int`.as('unacknowledged'),
      sql<Date>`max(coalesce(raised_again_at, raised_at))`.as('last_raised_at'),
      sql<string>`max(event_id)`.as('newest'),
      sql<number>`count(*) over ()::int`.as('groups'),
    ])
    .groupBy(columns)
    .orderBy(sql`min(array_position(array[${wordsOf(priorities)}], priority))`)
    .orderBy(sql`count(*)`, 'desc')
    .orderBy(sql`max(event_id)`, 'desc')
    .limit(size)
    .offset((page - 1) * size)
  const rows = await database.general
    .selectFrom(grouped.as('grouped'))
    .innerJoin('event', 'event.event_id', 'grouped.newest')
    .select(['grouped.project_id', 'grouped.gateway_id', 'grouped.key', 'grouped.kind', 'grouped.priority', 'grouped.total'])
    .select(['grouped.unacknowledged', 'grouped.last_raised_at', 'grouped.groups'])
    .select(['event.label_zh', 'event.label_en'])
    .orderBy(sql`array_position(array[${wordsOf(priorities)}], grouped.priority)`)
    .orderBy('grouped.total', 'desc')
    .orderBy('grouped.newest', 'desc')
    .execute()
  return {
    rows: rows.map(({ groups: _, ...row }) => (by === 'key' ? row : { ...row, label_zh: null, label_en: null })),
    total: rows[0]?.groups ?? 0,
  }
}
