import type { StopProgress } from '@linewarden/rules/inspection'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

type Db = Kysely<Schema>

/** How far each stop of a round had come when something came of it last; a stop that was never counted is not there. */
export async function stopProgress(db: Db, roundId: string): Promise<ReadonlyMap<number, StopProgress>> {
  const rows = await db
    .selectFrom('inspection_stop_progress')
    .select(['stop_id', 'progress'])
    .where('round_id', '=', roundId)
    .execute()
  return new Map(rows.map(({ stop_id, progress }) => [stop_id, progress]))
}

export async function saveStopProgress(trx: Db, roundId: string, stops: ReadonlyMap<number, StopProgress>): Promise<void> {
  if (stops.size === 0) return
  const rows = [...stops].map(([stop_id, progress]) => ({ stop_id, progress }))
  await sql`insert into inspection_stop_progress (round_id, stop_id, progress)
    select ${roundId}::uuid, stop_id, progress from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as counted (stop_id int, progress jsonb)
    on conflict (round_id, stop_id) do update set progress = excluded.progress`.execute(trx)
}
