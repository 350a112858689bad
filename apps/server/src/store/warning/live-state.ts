import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

/** What live detectors counted, by line. */
export async function storedLive<State>({ general }: Database): Promise<readonly (readonly [lineId: number, state: State])[]> {
  const rows = await general.selectFrom('line_live').select(['line_id', 'state']).execute()
  return rows.map(({ line_id, state }) => [line_id, state as State])
}

/** Keeps what live detectors count of these lines. */
export async function writeLive(
  { general }: Database,
  lines: readonly { readonly lineId: number; readonly state: object }[],
  now: number,
): Promise<void> {
  if (lines.length === 0) return
  await sql`insert into line_live (line_id, state, at)
    select line_id, state, ${new Date(now)} from unnest(${lines.map(({ lineId }) => lineId)}::int[],
      ${lines.map(({ state }) => JSON.stringify(state))}::jsonb[]) as given (line_id, state) join line using (line_id)
    on conflict (line_id) do update set state = excluded.state, at = excluded.at`.execute(general)
}
