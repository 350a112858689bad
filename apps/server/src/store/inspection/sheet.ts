import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

type Db = Kysely<Schema>

export type SheetRow = Selectable<Schema['inspection_sheet']>

/** The newest sheet of a round. */
export const sheetOf = (db: Db, roundId: string): Promise<SheetRow | undefined> =>
  db
    .selectFrom('inspection_sheet')
    .selectAll()
    .where('round_id', '=', roundId)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Keeps a sheet as it was signed; those of before stay. */
export async function addSheet(
  trx: Db,
  {
    roundId,
    projectId,
    number,
    sheet,
    hash,
    at,
  }: {
    readonly roundId: string
    readonly projectId: number
    readonly number: string
    readonly sheet: string
    readonly hash: string
    readonly at: number
  },
): Promise<void> {
  await sql`insert into inspection_sheet (round_id, revision, project_id, number, sheet, hash, signed_at)
    select ${roundId}, coalesce(max(revision), 0) + 1, ${projectId}, ${number}, ${sheet}, ${hash}, ${new Date(at)}
    from inspection_sheet where round_id = ${roundId}`.execute(trx)
}

/** Who approved it, and how it was signed. */
export const approveSheet = (
  trx: Db,
  { round_id, revision }: Pick<SheetRow, 'round_id' | 'revision'>,
  approved: { readonly name: string; readonly at: number; readonly signature: string | null; readonly hash: string },
) =>
  trx
    .updateTable('inspection_sheet')
    .set({
      ...{ approver_name: approved.name, approved_at: new Date(approved.at) },
      ...{ approver_signature: approved.signature, approval_hash: approved.hash },
    })
    .where('round_id', '=', round_id)
    .where('revision', '=', revision)
    .execute()
