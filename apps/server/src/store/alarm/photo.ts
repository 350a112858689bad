import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

/** Stores the photo of a comment, in the transaction that stores the comment. */
export async function writePhoto(
  trx: Kysely<Schema>,
  eventId: string,
  commentId: string,
  { type, bytes }: { readonly type: Schema['event_photo']['photo_type']; readonly bytes: Buffer },
): Promise<void> {
  await trx
    .insertInto('event_photo')
    .values({ comment_id: commentId, event_id: eventId, photo: bytes, photo_type: type })
    .execute()
}

/** How many photos there are of an event; nobody adds one meanwhile where its row is locked. */
export async function countPhotos(trx: Kysely<Schema>, eventId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('event_photo')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()
  return count
}

/** Whether a step is a comment with a photo. */
export const hasPhoto = sql<boolean>`exists (select from event_photo where event_photo.comment_id = event_transition.comment_id)`

/** The photo of a comment on this event; undefined: it has none, or is of another. */
export const photoOf = ({ general }: Pick<Database, 'general'>, eventId: string, commentId: string) =>
  general
    .selectFrom('event_photo')
    .select(['photo', 'photo_type'])
    .where('event_id', '=', eventId)
    .where('comment_id', '=', commentId)
    .executeTakeFirst()
