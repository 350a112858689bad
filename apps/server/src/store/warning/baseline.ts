import type { Kysely } from 'kysely'
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
      ...{ reason: baseline.reason, actor: baseline.actor, at: new Date(baseline.at), undone_at: null, undone_by: null },
    })
    .execute()
  await trx
    .insertInto('line_day_due')
    .columns(['line_id', 'day'])
    .expression((from) => from.selectFrom('line_look').select(['line_id', 'day']).where('line_id', '=', baseline.lineId))
    .execute()
}
