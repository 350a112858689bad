import { activeAlarmStates, openAlarmStates } from '@linewarden/rules/alarm'
import type { Evidence, WarningLevel } from '@linewarden/rules/warning'
import type { SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { EventRow } from '../alarm/event.ts'
import type { EventFilter, Events } from '../alarm/event-filter.ts'
import { matchingOf, seesNothing } from '../alarm/event-filter.ts'
import type { Database } from '../core/database.ts'

type Reads = Pick<Database, 'general'>

const proofColumns = ['level', 'evidence', 'coverage', 'day', 'evidence_day', 'rule_version'] as const

/** An event that a detector raised, with its proof. */
export type FindingRow = EventRow & {
  readonly level: WarningLevel
  readonly evidence: Evidence
  readonly coverage: number | null
  /** The local day by which it was raised; null: it was found at once. */
  readonly day: number | null
  /** The local day that the proof is of; null: of when it was found. */
  readonly evidence_day: number | null
  readonly rule_version: number
}

/** Which findings: as events are filtered, and by what they ask for; null: whatever they do. */
export interface FindingFilter {
  readonly events: EventFilter
  readonly levels: readonly WarningLevel[] | null
}

const isShelved = (now: number) => sql<boolean>`coalesce(shelved_until > ${new Date(now)}, false)`

/**
 * Findings without their events: what lists filter, order and count by stands beside the proof, which is a few columns where an event is many.
 * Only whoever is shown on a page is looked up.
 */
function matchingFindings({ general }: Reads, { events, levels }: FindingFilter) {
  const listed = general
    .selectFrom('warning_evidence')
    .select(['event_id', 'level', 'severity', 'share', 'seen_project_id as project_id', 'seen_gateway_id as gateway_id'])
    .select(['seen_device_id as device_id', 'seen_line_id as line_id', 'seen_key as key', 'seen_state as state'])
    .select('seen_shelved_until as shelved_until')
    .as('event')
  const all = matchingOf(general.selectFrom(listed) as unknown as Events, events) as unknown as Listed
  return levels ? all.where('level', 'in', [...levels]) : all
}

type Listed = SelectQueryBuilder<
  {
    event: Pick<FindingRow, 'event_id' | 'level' | 'key' | 'state'> & { readonly severity: number; readonly share: number | null }
  },
  'event',
  object
>

/** The numbers of some findings, in the order of the list: the worst first, and what is on the shelf last. */
export async function findingIds(
  database: Reads,
  filter: FindingFilter,
  { now, from = 0, most }: { readonly now: number; readonly from?: number; readonly most: number },
): Promise<readonly string[]> {
  if (seesNothing(filter.events.seen)) return []
  const rows = await matchingFindings(database, filter)
    .select('event_id')
    .orderBy(isShelved(now))
    .orderBy('severity', 'desc')
    .orderBy('share', (order) => order.desc().nullsLast())
    .orderBy('event_id', 'desc')
    .offset(from)
    .limit(most)
    .execute()
  return rows.map(({ event_id }) => event_id)
}

/** The numbers of findings that stand on a line. */
export async function openFindingIds({ general }: Reads): Promise<readonly string[]> {
  const rows = await general
    .selectFrom('event')
    .innerJoin('warning_evidence', 'warning_evidence.event_id', 'event.event_id')
    .select('event.event_id')
    .where('kind', '=', 'warning')
    .where('state', 'in', activeAlarmStates)
    .where('line_id', 'is not', null)
    .where('historical', '=', false)
    .execute()
  return rows.map(({ event_id }) => event_id)
}

/** Findings by their numbers, in that order; one that is gone is left out. */
export const findingsByIds = ({ general }: Reads, ids: readonly string[]): Promise<readonly FindingRow[]> =>
  general
    .selectFrom('event')
    .innerJoin('warning_evidence', 'warning_evidence.event_id', 'event.event_id')
    .selectAll('event')
    .select(proofColumns)
    .where(sql<boolean>`event.event_id = any(${[...ids]}::bigint[])`)
    .orderBy(sql`array_position(${[...ids]}::bigint[], event.event_id)`)
    .execute()

/** A page of findings, and how many there are. */
export async function listFindings(
  database: Reads,
  filter: FindingFilter,
  { now, page, size }: { readonly now: number; readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly FindingRow[]; readonly total: number }> {
  if (seesNothing(filter.events.seen)) return { rows: [], total: 0 }
  const ids = await findingIds(database, filter, { now, from: (page - 1) * size, most: size })
  const { total } = await matchingFindings(database, filter)
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return { rows: await findingsByIds(database, ids), total }
}

/** How many open findings there are, by what they ask for and how they stand. */
export async function countFindings(database: Reads, filter: FindingFilter, now: number) {
  if (seesNothing(filter.events.seen)) return []
  return matchingFindings(database, filter)
    .where('state', 'in', openAlarmStates)
    .select(['level', 'state', isShelved(now).as('shelved'), sql<number>`count(*)::int`.as('findings')])
    .groupBy(['level', 'state', sql`3`])
    .execute()
}

/** The newest findings that are open. */
export async function newestFindings(database: Reads, filter: FindingFilter, most: number): Promise<readonly FindingRow[]> {
  if (seesNothing(filter.events.seen)) return []
  const newest = matchingFindings(database, filter).where('state', 'in', openAlarmStates).select('event_id')
  const rows = await newest.orderBy('event_id', 'desc').limit(most).execute()
  return await findingsByIds(
    database,
    rows.map(({ event_id }) => event_id),
  )
}

export const findingById = ({ general }: Reads, eventId: string): Promise<FindingRow | undefined> =>
  general
    .selectFrom('event')
    .innerJoin('warning_evidence', 'warning_evidence.event_id', 'event.event_id')
    .selectAll('event')
    .select(proofColumns)
    .where('event.event_id', '=', eventId)
    .executeTakeFirst()

/** How many findings of each rule were raised since then, in these projects. */
export async function findingsByKey(
  { general }: Reads,
  projectIds: readonly number[],
  since: Date,
): Promise<ReadonlyMap<string, number>> {
  const rows = await general
    .selectFrom('event')
    .innerJoin('warning_evidence', 'warning_evidence.event_id', 'event.event_id')
    .select(['key', sql<number>`count(*)::int`.as('findings')])
    .where('raised_at', '>=', since)
    .where(sql<boolean>`project_id = any(${[...projectIds]}::int[])`)
    .groupBy('key')
    .execute()
  return new Map(rows.map(({ key, findings }) => [key, findings]))
}
