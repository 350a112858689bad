import { loadAgain } from '@linewarden/rules/warning'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { LookOutcome } from './look.ts'

/** What the last look at a line found for the day after it. */
export interface LoadAgainRow {
  readonly lineId: number
  /** The day that was looked at. */
  readonly day: number
  readonly outcome: Extract<LookOutcome, { readonly is: 'finding' }>
}

/** Those of these lines of which the last look found that their load may come again. */
export async function loadAgainOf(
  { general }: Pick<Database, 'general'>,
  lineIds: readonly number[],
): Promise<readonly LoadAgainRow[]> {
  const { rows } = await sql<LoadAgainRow>`
    select line_id as "lineId", day, outcomes -> ${loadAgain.key} as outcome from line_look
    where load_again and line_id = any(${[...lineIds]}::int[])`.execute(general)
  return rows
}
