import { acknowledgeable, foldAlarm } from '@linewarden/rules/alarm'
import type { AuditEntry } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Changed } from './change.ts'
import { changeEvents } from './change.ts'
import type { EventRow } from './event.ts'
import { eventById } from './event.ts'

/** Acknowledges an event; the row after it, or null when there is nothing to acknowledge. Acknowledging twice changes nothing. */
export async function acknowledge(database: Database, eventId: string, audit: AuditEntry): Promise<Changed | null> {
  const row = await eventById(database, eventId)
  if (!row || acknowledgeable(row.state) === 'never') return null
  return (await acknowledgeEach(database, [row], () => audit)).get(row.event_id) ?? null
}

/**
 * Acknowledges events, each with its entry in the log: what became of each, by its number. One that was raised more often than `raises` has
 * for it nobody has seen so: it is left as it is.
 */
export const acknowledgeEach = (
  database: Database,
  found: readonly EventRow[],
  auditOf: (row: EventRow) => AuditEntry,
  raises: ReadonlyMap<string, number> = new Map(),
): Promise<ReadonlyMap<string, Changed>> =>
  changeEvents(database, found, {
    stepOf(row) {
      const { state } = row
      if (state === null || acknowledgeable(state) !== 'waits') return null
      if (row.raises > (raises.get(row.event_id) ?? Number.POSITIVE_INFINITY)) return null
      const audit = { ...auditOf(row), before: state, after: foldAlarm(state, 'acknowledge') }
      return { step: { row: { ...row, state }, act: 'acknowledge', at: audit.at, actor: audit.actor }, audit }
    },
  })
