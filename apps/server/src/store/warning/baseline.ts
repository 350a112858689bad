import type { Kysely } from 'kysely'
import type { Announced } from '../alarm/event-write.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import { clientOf } from '../core/run.ts'
import type { Schema } from '../core/schema.ts'
import type { FindingStep } from './finding-write.ts'
import { writeFindings } from './finding-write.ts'

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

/** What was undone: when it had been explained, Unix ms, and whether a later explanation of the same detector is in force. */
export interface WasExplained {
  readonly at: number
  readonly isCovered: boolean
}

/**
 * Takes a normal change back, with its entry in the log, and raises again what `againOf` says of it, all in one transaction: of a finding that
 * is no longer explained and was not raised nobody would hear. Null: it is not explained any more.
 */
export const undoBaseline = (
  { general }: Pick<Database, 'general'>,
  { eventId, reason, actor, at }: UndoneBaseline,
  audit: AuditEntry,
  againOf: (was: WasExplained) => FindingStep | null,
): Promise<(Announced & { readonly isRaised: boolean }) | null> =>
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
    const again = againOf({ at: undone.at.getTime(), isCovered: later !== undefined })
    // The turn at the log comes after the rows of events: whoever removes a gateway has these, and waits for the turn.
    const announced = await writeFindings(clientOf(trx), again ? [again] : [], at, () => appendAudit(trx, audit))
    return { ...announced, isRaised: again !== null }
  })

/** The last finished day of a line is looked at once more. */
const noteLastDay = (trx: Kysely<Schema>, lineId: number) =>
  trx
    .insertInto('line_day_due')
    .columns(['line_id', 'day'])
    .expression((from) => from.selectFrom('line_look').select(['line_id', 'day']).where('line_id', '=', lineId))
    .execute()
