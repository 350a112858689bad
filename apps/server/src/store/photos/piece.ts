import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

/** A photo on its way: who sends it, into which project, and what they call it. */
export interface PhotoOnItsWay {
  readonly accountId: string
  readonly projectId: number
  readonly sentHash: string
  readonly size: number
}

const of = ({ accountId, projectId, sentHash, size }: PhotoOnItsWay) =>
  sql`account_id = ${accountId} and project_id = ${projectId} and sent_hash = ${sentHash} and size = ${size}`

/**
 * Keeps a piece. The same one again changes nothing, and neither does another of its place: what is wrong shows by the hash of the whole.
 * False: this account has begun so many others already.
 */
export async function keepPiece(
  { general }: Database,
  photo: PhotoOnItsWay,
  { piece, bytes, at, most }: { readonly piece: number; readonly bytes: Buffer; readonly at: Date; readonly most: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into photo_piece (account_id, project_id, sent_hash, size, piece, bytes, at)
    select ${photo.accountId}::uuid, ${photo.projectId}::int, ${photo.sentHash}::text, ${photo.size}::int, ${piece}::int, ${bytes}::bytea, ${at}::timestamptz
    where (select count(*) from (select distinct project_id, sent_hash, size from photo_piece
      where account_id = ${photo.accountId} and not (${of(photo)})) begun) < ${most}
    on conflict (account_id, project_id, sent_hash, size, piece) do update set at = excluded.at
    returning piece`.execute(general)
  return rows.length > 0
}

/** The pieces that are here, in order. */
export const piecesOf = async ({ general }: Database, photo: PhotoOnItsWay): Promise<{ piece: number; bytes: Buffer }[]> =>
  (
    await sql<{ piece: number; bytes: Buffer }>`select piece, bytes from photo_piece where ${of(photo)} order by piece`.execute(
      general,
    )
  ).rows

/** Forgets what came of a photo: it is not what it is called. */
export async function forgetPieces(db: Kysely<Schema>, photo: PhotoOnItsWay): Promise<void> {
  await sql`delete from photo_piece where ${of(photo)}`.execute(db)
}
