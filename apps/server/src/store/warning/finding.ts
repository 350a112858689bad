import { activeAlarmStates, openAlarmStates } from '@linewarden/rules/alarm'
import type { Evidence, WarningLevel } from '@linewarden/rules/warning'
import { sql } from 'kysely'
import type { EventRow } from '../alarm/event.ts'
import type { EventFilter } from '../alarm/event-filter.ts'
import { matchingEvents, seesNothing } from '../alarm/event-filter.ts'
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

function matchingFindings(database: Reads, { events, levels }: FindingFilter) {
  const all = matchingEvents(database, events)
    .where('kind', '=', 'warning')
    .innerJoin('warning_evidence', 'warning_evidence.event_id', 'event.event_id')
  return levels ? all.where('level', 'in', [...levels]) : all
}

const findings = (database: Reads, filter: FindingFilter) =>
  matchingFindings(database, filter).selectAll('event').select(proofColumns)

const inOrder = (database: Reads, filter: FindingFilter, now: number) =>
  findings(database, filter)
    .orderBy(isShelved(now))
    .orderBy('severity', 'desc')
    .orderBy('share', (order) => order.desc().nullsLast())
    .orderBy('event.event_id', 'desc')

/** The numbers of so many findings, in the order of the list. */
export async function findingIds(database: Reads, filter: FindingFilter, now: number, most: number): Promise<readonly string[]> {
  if (seesNothing(filter.events.seen)) return []
  const rows = await inOrder(database, filter, now).clearSelect().select('event.event_id').limit(most).execute()
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

/** A page of findings, the worst first, and how many there are. What is on the shelf stands last. */
export async function listFindings(
  database: Reads,
  filter: FindingFilter,
  { now, page, size }: { readonly now: number; readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly FindingRow[]; readonly total: number }> {
  if (seesNothing(filter.events.seen)) return { rows: [], total: 0 }
  const rows = await inOrder(database, filter, now)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await matchingFindings(database, filter)
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
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
  return findings(database, filter).where('state', 'in', openAlarmStates).orderBy('event.event_id', 'desc').limit(most).execute()
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
