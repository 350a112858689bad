import { hourMs } from '@linewarden/equipment'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

/** Of what it can have reported in an hour, at least: then the register was read within minutes of both its ends. */
const wholeShare = 0.9

/**
 * Where two hours of a line meet that were both counted whole, from `from` to `to`, both included, Unix ms: its register is known there, though single
 * readings are gone. Whole is what has nearly as many reports as the fullest of them, and as the line sends now; one that sends nothing of itself
 * (`periodMs` 0) has none.
 */
export async function countedHours(
  { general }: Database,
  { lineId, periodMs }: { readonly lineId: number; readonly periodMs: number },
  from: number,
  to: number,
): Promise<ReadonlySet<number>> {
  if (periodMs <= 0) return new Set()
  const { rows } = await sql<{ at: number }>`
    with counted as (
      select hour, counter_used is not null and count >= ${wholeShare}::float8 * greatest(max(count) over (), ${hourMs / periodMs}::float8) as is_whole
      from reading_hour where line_id = ${lineId} and hour >= ${new Date(from - hourMs)} and hour <= ${new Date(to)}
    )
    select (extract(epoch from own.hour) * 1000)::float8 as at from counted as own
      join counted as before on before.hour = own.hour - interval '1 hour'
    where own.is_whole and before.is_whole`.execute(general)
  return new Set(rows.map(({ at }) => at))
}
