import type { SettingSource } from '@linewarden/contract'
import { openStates, underWayStates } from '@linewarden/rules/control'
import type { SettingLife } from '@linewarden/rules/settings'
import type { Selectable, SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Seen } from '../alarm/event-filter.ts'
import type { Database } from '../core/database.ts'
import type { Order, SortOf } from '../core/in-order.ts'
import { coded, inOrder } from '../core/in-order.ts'
import type { Schema } from '../core/schema.ts'

/** An order to set something, as stored: who, why, what it was before, and its life so far. */
export interface StoredChange extends SettingLife {
  readonly commandId: string
  readonly batchId: string
  readonly gatewayId: number
  /** Null: of the gateway itself. */
  readonly lineId: number | null
  readonly former: Readonly<Record<string, number | null>>
  readonly accountId: string | null
  readonly actor: string
  readonly source: SettingSource
  readonly reason: string
  readonly template: string | null
  readonly undoes: string | null
  readonly offUntil: number | null
  readonly fence: number
}

/** Orders that some later fact may still move. */
export async function openChanges({ general }: Database): Promise<StoredChange[]> {
  const rows = await general.selectFrom('setting_change').selectAll().where('state', 'in', openStates).execute()
  return rows.map(changeOf)
}

/** Orders that should have ended, or be called unknown, and are not. */
export async function overdueChanges({ general }: Database, before: number): Promise<StoredChange[]> {
  const rows = await general
    .selectFrom('setting_change')
    .selectAll()
    .where('state', 'in', underWayStates)
    .where('deadline', '<', new Date(before))
    .execute()
  return rows.map(changeOf)
}

export async function changesById({ general }: Database, commandIds: readonly string[]): Promise<StoredChange[]> {
  if (commandIds.length === 0) return []
  const rows = await general
    .selectFrom('setting_change')
    .selectAll()
    .where('command_id', 'in', [...commandIds])
    .execute()
  return rows.map(changeOf)
}

/** An order may get its fence a little after another that was given later. */
const overtakenByMs = 60_000

export type NewerValues = ReadonlyMap<string, { readonly value: number; readonly isVerified: boolean }>

/** What was set last since a change, of each of its settings, as far as the equipment may have taken it. */
export async function newerValues({ general }: Database, change: StoredChange): Promise<NewerValues> {
  const { rows } = await sql<{ key: string; value: number; is_verified: boolean }>`
    select distinct on (w.key) w.key, w.value::double precision as value, c.state = 'verified' as is_verified
    from setting_change c, jsonb_each_text(c.wanted) w
    where c.gateway_id = ${change.gatewayId} and c.line_id is not distinct from ${change.lineId}::int and c.fence > ${change.fence}
      and c.issued_at >= ${new Date(change.issuedAt - overtakenByMs)} and c.state in ('verified', 'unknown')
      and w.key = any(${Object.keys(change.wanted)}::text[])
    order by w.key, c.fence desc`.execute(general)
  return new Map(rows.map(({ key, value, is_verified: isVerified }) => [key, { value, isVerified }]))
}

export interface ChangeFilter {
  /** Null: everything. */
  readonly seen: Seen | null
  readonly lineId: number | null
  readonly batchId: string | null
  readonly off: boolean
  readonly page: number
  readonly size: number
  readonly sort?: SortOf<typeof order> | undefined
}

const order = {
  columns: { RequestedAt: 'issued_at', Actor: coded('actor'), State: coded('state') },
  ties: ['issued_at', 'command_id'],
} satisfies Order<string>

/** A page of the history, newest first, and how many there are. */
export async function listChanges(
  { general }: Database,
  { seen, lineId, batchId, off, page, size, sort }: ChangeFilter,
): Promise<{ changes: StoredChange[]; total: number }> {
  const filtered = <O>(query: SelectQueryBuilder<Schema, 'setting_change', O>) => {
    let narrow = query
    if (seen)
      narrow = narrow.where(
        sql<boolean>`gateway_id in (select gateway_id from gateway where removed_at is null
          and (project_id = any(${[...seen.projectIds]}::int[]) or gateway_id = any(${[...seen.gatewayIds]}::int[])))`,
      )
    if (lineId !== null) narrow = narrow.where('line_id', '=', lineId)
    if (batchId !== null) narrow = narrow.where('batch_id', '=', batchId)
    if (off) narrow = narrow.where('off_until', 'is not', null)
    return narrow
  }
  const found = filtered(general.selectFrom('setting_change').selectAll())
  const rows = await inOrder(found, sort, order, (own) => own.orderBy('issued_at', 'desc').orderBy('command_id'))
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await filtered(
    general.selectFrom('setting_change').select(({ fn }) => fn.countAll<string>().as('total')),
  ).executeTakeFirstOrThrow()
  return { changes: rows.map(changeOf), total: Number(total) }
}

const ms = (at: Date | null): number | null => at?.getTime() ?? null

export const changeOf = (row: Selectable<Schema['setting_change']>): StoredChange => ({
  commandId: row.command_id,
  batchId: row.batch_id,
  gatewayId: row.gateway_id,
  lineId: row.line_id,
  wanted: row.wanted,
  former: row.former,
  proven: [],
  // What is sent whatever the clock is proven whatever the clock; everything else the permit lets through only with a near one.
  clockChecked: row.line_id !== null && row.source !== 'expiry',
  state: row.state,
  outcome: row.outcome,
  accountId: row.account_id,
  actor: row.actor,
  source: row.source,
  reason: row.reason,
  template: row.template,
  undoes: row.undoes,
  offUntil: ms(row.off_until),
  fence: Number(row.fence),
  issuedAt: row.issued_at.getTime(),
  deadline: row.deadline.getTime(),
  sentAt: ms(row.sent_at),
  acknowledgedAt: ms(row.acknowledged_at),
  verifiedAt: ms(row.verified_at),
  endedAt: ms(row.ended_at),
})
