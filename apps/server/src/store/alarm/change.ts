import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendEntries, turnAtLog } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import { inTransaction } from '../core/run.ts'
import type { Schema } from '../core/schema.ts'
import { announcedAs, announceIn } from './announcement.ts'
import type { EventRow } from './event.ts'
import type { EventStep } from './step.ts'
import { writeSteps } from './step.ts'

/** So many at once: as long as they take, nobody else has a turn at the log, and ingest ends none of them. */
export const changedAtOnce = 250

/** What a person does to an event, with its entry in the log. */
export interface PersonStep {
  readonly step: EventStep
  readonly audit: AuditEntry
}

interface Change {
  /** What is to be done to an event as it is at this moment; null: nothing, or nothing any more. */
  stepOf(row: EventRow): PersonStep | null
  /** What is stored with it. */
  alsoStore?(trx: Kysely<Schema>, steps: readonly PersonStep[]): Promise<void>
}

/** Whatever became of an event: as it is now, and whether this change did that. */
export interface Changed {
  readonly row: EventRow
  readonly changed: boolean
}

export const eventsById = ({ general }: Pick<Database, 'general'>, ids: readonly string[]): Promise<EventRow[]> =>
  general
    .selectFrom('event')
    .selectAll()
    .where(sql<boolean>`event_id = any(${[...ids]}::bigint[])`)
    .orderBy('event_id')
    .execute()

/** The event that shows for an incident. */
export const rootsOfIncident = ({ general }: Pick<Database, 'general'>, incidentId: string): Promise<EventRow[]> =>
  general.selectFrom('event').selectAll().where('root_of', '=', incidentId).execute()

/** Does to each of these events what a person wants, in as few transactions as that takes without waiting for a row in one. */
export async function changeEvents(
  database: Database,
  found: readonly EventRow[],
  change: Change,
): Promise<ReadonlyMap<string, Changed>> {
  const done = new Map<string, Changed>()
  const waiting = waitingOf(found)
  for (let from = 0; from < waiting.length; from += changedAtOnce) {
    let left = waiting.slice(from, from + changedAtOnce)
    while (left.length > 0) {
      for (const each of await changeFree(database, left, change)) done.set(each.row.event_id, each)
      left = left.filter((id) => !done.has(id))
      const [locked] = left
      if (locked === undefined) break
      // Waits for whoever has the row, with nothing in hand; for one of them, because holding several would keep others waiting.
      await database.general.selectFrom('event').select('event_id').where('event_id', '=', locked).forUpdate().execute()
      left = waitingOf(await eventsById(database, left))
    }
  }
  return done

  /** Notes of what the change does nothing to that it is so, and answers the others. */
  function waitingOf(rows: readonly EventRow[]): string[] {
    return rows.flatMap((row) => {
      if (change.stepOf(row)) return [row.event_id]
      done.set(row.event_id, { row, changed: false })
      return []
    })
  }
}

/**
 * Those that nobody has at this moment. The turn at the log comes first: whoever waited for it with the rows would keep ingest waiting, which
 * ends alarms. And with the turn nothing is waited for: what removes or moves a gateway has its events' rows before its turn, and would wait
 * for these in a circle.
 */
function changeFree({ general }: Database, ids: readonly string[], change: Change): Promise<Changed[]> {
  return general.transaction().execute(async (trx) => {
    await turnAtLog(trx)
    const rows = await trx
      .selectFrom('event')
      .selectAll()
      .where(sql<boolean>`event_id = any(${[...ids]}::bigint[])`)
      .orderBy('event_id')
      .forUpdate()
      .skipLocked()
      .execute()
    const wanted = rows.map((row) => ({ row, made: change.stepOf(row) }))
    const steps = wanted.flatMap(({ made }) => made ?? [])
    const updated = await writeSteps(
      inTransaction(trx),
      steps.map(({ step }) => step),
    )
    await change.alsoStore?.(trx, steps)
    await appendEntries(
      trx,
      steps.map(({ audit }) => audit),
    )
    for (const { step } of steps)
      if (step.isAnnounced) await announceIn(trx, [{ eventId: step.row.event_id, why: announcedAs(step.act) }], step.at)
    const untouched = wanted.flatMap(({ row, made }) => (made ? [] : [{ row, changed: false }]))
    return [...untouched, ...updated.map((row) => ({ row, changed: true }))]
  })
}
