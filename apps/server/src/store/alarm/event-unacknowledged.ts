import { priorities } from '@linewarden/equipment'
import { openAlarmStates, unacknowledgedStates } from '@linewarden/rules/alarm'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { notSilent } from './announcement.ts'
import type { EventRow } from './event.ts'
import type { Seen } from './event-filter.ts'
import { foldedFor, seesNothing, within } from './event-filter.ts'

interface Page {
  readonly rows: EventRow[]
  readonly total: number
  /** Where the next page begins; null: there is none. */
  readonly next: string | null
}

/**
 * Events that nobody has acknowledged, or all that still need somebody, from a place in their order on, which no event that comes or goes meanwhile moves; and how many there
 * are in all.
 */
export async function listUnacknowledgedEvents(
  { general }: Database,
  asked: {
    readonly seen: Seen | null
    /** Also those that are acknowledged, and whose condition is still there. */
    readonly acknowledged: boolean
    readonly bySeverity: boolean
    readonly after: string | null
    readonly size: number
    /** Unix ms: what is on the shelf then is not among them. */
    readonly now: number
  },
): Promise<Page> {
  if (seesNothing(asked.seen)) return { rows: [], total: 0, next: null }
  const rank = asked.bySeverity ? sql<number>`array_position(${[...priorities]}::text[], priority) - 1` : sql<number>`0::int`
  let all = general.selectFrom('event').where('state', 'in', asked.acknowledged ? openAlarmStates : unacknowledgedStates)
  all = all.where(asked.acknowledged ? sql<boolean>`not ${foldedFor(asked.seen)}` : notSilent(asked.now, asked.seen))
  if (asked.seen) all = all.where(within(asked.seen))
  const [afterRank = '0', afterId = ''] = (asked.after ?? '').split('.')
  const from =
    asked.after === null ? all : all.where(sql<boolean>`(${rank}, -event_id) > (${Number(afterRank)}::int, -${afterId}::bigint)`)
  const rows = await from
    .selectAll()
    .select(rank.as('rank'))
    .orderBy(rank)
    .orderBy('event_id', 'desc')
    .limit(asked.size + 1)
    .execute()
  const { total } = await all.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const last = rows.length > asked.size ? rows[asked.size - 1] : undefined
  return { rows: rows.slice(0, asked.size), total: Number(total), next: last ? `${last.rank}.${last.event_id}` : null }
}
