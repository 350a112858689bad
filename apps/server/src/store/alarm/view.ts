import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

export type ViewRow = Selectable<Schema['alarm_view']>

/** The views that an account keeps, by their names. */
export const viewsOf = ({ general }: Database, accountId: string): Promise<ViewRow[]> =>
  general.selectFrom('alarm_view').selectAll().where('account_id', '=', accountId).orderBy('name').orderBy('view_id').execute()

/** Keeps a view, or what has become of it; false: so many are kept already that there is no room for another. */
export async function keepView({ general }: Database, view: ViewRow, most: number): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    // Of two that are kept at once each counts the other.
    await sql`select from account where account_id = ${view.account_id} for update`.execute(trx)
    const kept = await trx.selectFrom('alarm_view').select('view_id').where('account_id', '=', view.account_id).execute()
    if (kept.length >= most && !kept.some(({ view_id }) => view_id === view.view_id)) return false
    const { name, address, kept_at } = view
    await trx
      .insertInto('alarm_view')
      .values(view)
      .onConflict((conflict) => conflict.columns(['account_id', 'view_id']).doUpdateSet({ name, address, kept_at }))
      .execute()
    return true
  })
}

export async function removeView({ general }: Database, accountId: string, viewId: string): Promise<void> {
  await general.deleteFrom('alarm_view').where('account_id', '=', accountId).where('view_id', '=', viewId).execute()
}
