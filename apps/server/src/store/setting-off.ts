import { sql } from 'kysely'
import type { Database } from './database.ts'

/** A protection that is off, or hardly protects, until a time. */
export interface StoredOff {
  readonly commandId: string
  readonly key: string
  readonly lineId: number
  readonly former: number
  /** Unix ms. */
  readonly until: number
  readonly state: 'standing' | 'restoring' | 'failed'
  readonly restoreId: string | null
  readonly reason: string
  readonly actor: string
}

/** Protections that are off now: all, or those of some lines. One setting stands once, by its newest order. */
export async function offNow({ general }: Database, lineIds: readonly number[] | null): Promise<StoredOff[]> {
  const { rows } = await sql<{
    command_id: string
    key: string
    line_id: number
    former: number
    until: Date
    state: StoredOff['state']
    restore_id: string | null
    reason: string
    actor: string
  }>`select distinct on (o.line_id, o.key) o.*, c.reason, c.actor from setting_off o join setting_change c using (command_id)
    where o.state in ('standing', 'restoring', 'failed') and (${lineIds === null}::bool or o.line_id = any(${[...(lineIds ?? [])]}::int[]))
    order by o.line_id, o.key, c.issued_at desc`.execute(general)
  return rows.map((row) => ({
    commandId: row.command_id,
    key: row.key,
    lineId: row.line_id,
    former: row.former,
    until: row.until.getTime(),
    state: row.state,
    restoreId: row.restore_id,
    reason: row.reason,
    actor: row.actor,
  }))
}

/** Marks protections that could not be restored. */
export async function markFailed({ general }: Database, offs: readonly Pick<StoredOff, 'commandId' | 'key'>[]): Promise<void> {
  await sql`update setting_off set state = 'failed' where state = 'standing' and (command_id, key) in (
    select * from unnest(${offs.map(({ commandId }) => commandId)}::uuid[], ${offs.map(({ key }) => key)}::text[]))`.execute(
    general,
  )
}
