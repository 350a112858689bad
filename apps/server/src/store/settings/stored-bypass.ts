import { bypassedStates, openBypassStates } from '@linewarden/rules/settings'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

/** Written out, so that the planner finds the partial indexes made for it. */
const listed = (states: readonly string[]) => sql.join(states.map((state) => sql.lit(state)))
const bypassed = listed(bypassedStates)
export const notOver = listed(openBypassStates)

/** A protection that an order switched off: which order, which setting. */
export interface BypassKey {
  readonly commandId: string
  readonly key: string
}

/** A protection that is off, or hardly protects, until a time. */
export interface StoredBypass extends BypassKey {
  readonly lineId: number
  readonly former: number
  /** Unix ms. */
  readonly until: number
  readonly state: (typeof bypassedStates)[number]
  readonly restoreId: string | null
  readonly reason: string
  readonly actor: string
}

/** Protections that are off now: all, or those of some lines. One setting stands once, by its newest order. */
export async function offNow({ general }: Database, lineIds: readonly number[] | null): Promise<StoredBypass[]> {
  const { rows } = await sql<{
    command_id: string
    key: string
    line_id: number
    former: number
    until: Date
    state: StoredBypass['state']
    restore_id: string | null
    reason: string
    actor: string
  }>`select distinct on (o.line_id, o.key) o.*, c.reason, c.actor from setting_off o join setting_change c using (command_id)
    where o.state in (${bypassed}) and (${lineIds === null}::bool or o.line_id = any(${[...(lineIds ?? [])]}::int[]))
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

/**
 * Protections of these lines that are off, being restored, or about to be: of each setting the newest order's.
 * Read within the transaction that holds the lines' fences.
 */
export async function offsOf(
  trx: Kysely<Schema>,
  lineIds: readonly number[],
): Promise<ReadonlyMap<number, readonly BypassKey[]>> {
  const { rows } = await sql<{ line_id: number; commandId: string; key: string }>`
    select distinct on (o.line_id, o.key) o.line_id, o.command_id as "commandId", o.key
    from setting_off o join setting_change c using (command_id)
    where o.state in (${notOver}) and o.line_id = any(${[...lineIds]}::int[])
    order by o.line_id, o.key, c.issued_at desc`.execute(trx)
  return Map.groupBy(rows, ({ line_id }) => line_id)
}

/** Marks protections that could not be restored. */
export async function markFailed({ general }: Database, offs: readonly BypassKey[]): Promise<void> {
  await sql`update setting_off set state = 'failed' where state = 'standing' and (command_id, key) in (
    select * from unnest(${offs.map(({ commandId }) => commandId)}::uuid[], ${offs.map(({ key }) => key)}::text[]))`.execute(
    general,
  )
}
