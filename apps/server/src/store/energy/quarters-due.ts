import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

/** Whether quarters of any of these lines in `[from, to)`, Unix ms, are noted to be made (again). */
export async function areQuartersDue(
  { general }: Pick<Database, 'general'>,
  lineIds: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (
      select from energy_due where line_id = any (${[...lineIds]}::int[]) and ends > ${new Date(from)} and starts < ${new Date(to)}
    ) as due`.execute(general)
  return rows[0]?.due === true
}
