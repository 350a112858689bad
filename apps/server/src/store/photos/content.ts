import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

export type NewContent = Insertable<Schema['photo_content']>

/** Notes that a content is about to be stored: for a week nothing clears it away. Waits for whoever is just clearing it. */
export async function wantContent({ general }: Database, content: NewContent): Promise<void> {
  const { hash, wanted_at, ...rest } = content
  await general
    .insertInto('photo_content')
    .values({ hash, wanted_at, ...rest })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ ...rest, wanted_at: sql`greatest(photo_content.wanted_at, excluded.wanted_at)` }),
    )
    .execute()
}

/** Photos that nobody kept, and pieces of what was never sent to its end, from before an instant. */
export async function dropLoose({ general }: Database, before: Date): Promise<void> {
  await general.deleteFrom('photo_piece').where('at', '<', before).execute()
  await general.deleteFrom('photo_use').where('kept', '=', false).where('sent_at', '<', before).execute()
}

/** What became of a content that was to be cleared away. */
export interface Cleared {
  readonly hash: string
  /** Null: it is gone. */
  readonly error: unknown
  /** It failed otherwise, or not at all, when it was tried last. */
  readonly isNew: boolean
}

/**
 * Clears away one content that nothing has and nobody wanted since an instant; null: there is none that was not tried since `now`. `remove` has it
 * removed where it lies while its row is locked, so that whoever sends the same at that moment stores it again afterwards. What cannot be removed
 * stays, says why, and goes behind all others.
 */
export function clearContent(
  { general }: Database,
  { before, now }: { readonly before: Date; readonly now: Date },
  remove: (hash: string) => Promise<void>,
): Promise<Cleared | null> {
  return general.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('photo_content')
      .select(['hash', 'removal_failed'])
      .where('wanted_at', '<', before)
      .where(sql<boolean>`coalesce(removal_tried_at, '-infinity') < ${now}`)
      .where(sql<boolean>`not exists (select from photo_use where photo_use.hash = photo_content.hash)`)
      .orderBy(sql`removal_tried_at nulls first`)
      .orderBy('wanted_at')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!row) return null
    const { hash } = row
    await sql`savepoint content`.execute(trx)
    try {
      // By its key: the database refuses it where somebody has begun to use it since it was looked for.
      await trx.deleteFrom('photo_content').where('hash', '=', hash).execute()
      await remove(hash)
      return { hash, error: null, isNew: false }
    } catch (error) {
      await sql`rollback to savepoint content`.execute(trx)
      const why = (error instanceof Error ? error.message : String(error)).slice(0, 500)
      await trx
        .updateTable('photo_content')
        .set({ removal_tried_at: now, removal_failed: why })
        .where('hash', '=', hash)
        .execute()
      return { hash, error, isNew: why !== row.removal_failed }
    }
  })
}

/** What was found lying there without a row gets one, and is cleared like everything that nobody wants: a week from now. */
export async function noteUnlisted({ general }: Database, hashes: readonly string[], now: Date): Promise<void> {
  // Whoever sends the same in the meantime says what it is.
  await sql`insert into photo_content (hash, type, size, width, height, wanted_at)
    select hash, 'image/jpeg', 1, 1, 1, ${now} from unnest(${[...hashes]}::text[]) as found (hash) on conflict do nothing`.execute(
    general,
  )
}
