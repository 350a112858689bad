import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

/** Every line downstream of these, at any depth, and these themselves where they have one, with their direct upstream lines. */
export async function fedBelow(db: Kysely<Schema>, lineIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ line_id: number; fed_by: number }>`
    with recursive below as (
      select line_id, fed_by from line where fed_by = any(${[...lineIds]}::int[])
      union
      select line.line_id, line.fed_by from line join below on line.fed_by = below.line_id)
    select line_id, fed_by from below
    union
    select line_id, fed_by from line where line_id = any(${[...lineIds]}::int[]) and fed_by is not null`.execute(db)
  return new Map(rows.map(({ line_id, fed_by }) => [line_id, fed_by]))
}
