import type { Kysely } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

/** What a person explained as a normal change. Days are counted since 1970 in the calendar of the project. */
export interface NewBaseline {
  readonly eventId: string
  readonly lineId: number
  readonly detector: string
  readonly fromDay: number
  readonly reason: string
  readonly actor: string
  /** Unix ms. */
  readonly at: number
}

/** From when on detectors compare a line with itself. Its last finished day is looked at once more, so that it begins at once. */
export async function storeBaseline(trx: Kysely<Schema>, baseline: NewBaseline): Promise<void> {
  await trx
    .insertInto('warning_baseline')
    .values({
      ...{ event_id: baseline.eventId, line_id: baseline.lineId, detector: baseline.detector, from_day: baseline.fromDay },
      ...{
        reason: baseline.reason,
        actor: baseline.actor,
        at: new Date(baseline.at),
        undone_at: null,
        undone_by: null,
        undone_reason: null,
      },
    })
    .execute()
  await noteLastDay(trx, baseline.lineId)
}

/** What somebody takes back. */
export interface UndoneBaseline {
  readonly eventId: string
  readonly reason: string
  readonly actor: string
  /** Unix ms. */
  readonly at: number
}

/**
 * Takes a normal change back, with its entry in the log: the line is compared with what it was before. Answers when it was explained, Unix
 * ms, and whether a later explanation of the same detector still holds; null: it is not explained any more.
 */
export const undoBaseline = (
  { general }: Pick<Database, 'general'>,
  { eventId, reason, actor, at }: UndoneBaseline,
  audit: AuditEntry,
): Promise<{ readonly at: number; readonly isCovered: boolean } | null> =>
  general.transaction().execute(async (trx) => {
    const undone = await trx
      .updateTable('warning_baseline')
      .set({ undone_at: new Date(at), undone_by: actor, undone_reason: reason })
      .where('event_id', '=', eventId)
      .where('undone_at', 'is', null)
      .returning(['line_id', 'detector', 'at'])
      .executeTakeFirst()
    if (!undone) return null
    await noteLastDay(trx, undone.line_id)
    const later = await trx
      .selectFrom('warning_baseline')
      .select('event_id')
      .where('line_id', '=', undone.line_id)
      .where('detector', '=', undone.detector)
      .where('undone_at', 'is', null)
      .where('at', '>=', undone.at)
      .executeTakeFirst()
    await appendAudit(trx, audit)
    return { at: undone.at.getTime(), isCovered: later !== undefined }
  })

/** The last finished day of a line is looked at once more. */
const noteLastDay = (trx: Kysely<Schema>, lineId: number) =>
  trx
    .insertInto('line_day_due')
    .columns(['line_id', 'day'])
    .expression((from) => from.selectFrom('line_look').select(['line_id', 'day']).where('line_id', '=', lineId))
    .execute()
