import type { AuditEntry } from './audit.ts'
import { appendAudit } from './audit.ts'
import { commandOf, type StoredCommand } from './command.ts'
import type { Database } from './database.ts'
import type { EventRow } from './event.ts'

/** When a line opened, newest first. */
export async function openingsOf({ general }: Database, lineId: number, size: number): Promise<readonly EventRow[]> {
  return general
    .selectFrom('event')
    .selectAll()
    .where('line_id', '=', lineId)
    .where('key', '=', 'position.open')
    .orderBy('event_id', 'desc')
    .limit(size)
    .execute()
}

export async function openingOf({ general }: Database, lineId: number, eventId: string): Promise<EventRow | null> {
  const row = await general
    .selectFrom('event')
    .selectAll()
    .where('event_id', '=', eventId)
    .where('line_id', '=', lineId)
    .where('key', '=', 'position.open')
    .executeTakeFirst()
  return row ?? null
}

/** Events of these lines between two times. */
export async function eventsAround(
  { general }: Database,
  lineIds: readonly number[],
  from: number,
  to: number,
): Promise<readonly EventRow[]> {
  if (lineIds.length === 0) return []
  return general
    .selectFrom('event')
    .selectAll()
    .where('line_id', 'in', [...lineIds])
    .where('raised_at', '>=', new Date(from))
    .where('raised_at', '<=', new Date(to))
    .orderBy('raised_at')
    .limit(200)
    .execute()
}

/** The command that opened the line then: sent in the half minute before, and done. */
export async function commandThatOpened({ general }: Database, lineId: number, at: number): Promise<StoredCommand | null> {
  const row = await general
    .selectFrom('command')
    .selectAll()
    .where('line_id', '=', lineId)
    .where('action', 'in', ['trip', 'selfTest'])
    .where('state', '=', 'verified')
    .where('sent_at', '<=', new Date(at + 5_000))
    .where('sent_at', '>=', new Date(at - 30_000))
    .orderBy('issued_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? commandOf(row) : null
}

export async function explanationOf(
  { general }: Database,
  lineId: number,
): Promise<{ readonly text: string | null; readonly at: number | null }> {
  const row = await general
    .selectFrom('line')
    .select(['trip_explained', 'trip_explained_at'])
    .where('line_id', '=', lineId)
    .executeTakeFirst()
  return { text: row?.trip_explained ?? null, at: row?.trip_explained_at?.getTime() ?? null }
}

/** Which line feeds which, of these. */
export async function feeds({ general }: Database, lineIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (lineIds.length === 0) return new Map()
  const rows = await general
    .selectFrom('line')
    .select(['line_id', 'fed_by'])
    .where('line_id', 'in', [...lineIds])
    .where('fed_by', 'is not', null)
    .execute()
  return new Map(rows.flatMap(({ line_id, fed_by }) => (fed_by === null ? [] : [[line_id, fed_by] as const])))
}

export async function saveFeed({ general }: Database, lineId: number, fedBy: number | null, audit: AuditEntry): Promise<void> {
  await general.transaction().execute(async (trx) => {
    await trx.updateTable('line').set({ fed_by: fedBy }).where('line_id', '=', lineId).execute()
    await appendAudit(trx, audit)
  })
}
