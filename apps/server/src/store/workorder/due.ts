import type { Priority } from '@linewarden/equipment'
import type { DuePlan } from '@linewarden/rules/workorder'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import { announceIn } from '../alarm/announcement.ts'
import type { EventRow } from '../alarm/event.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { OrderRow } from './order.ts'
import type { NewStep } from './step.ts'

type Trx = Kysely<Schema>

export type DueRow = Selectable<Schema['work_order_due']>

/** An order with what its alarm is called. */
export interface DueOrder extends OrderRow {
  readonly label_zh: string | null
  readonly label_en: string | null
}

/**
 * Plans what is due of orders, as part of the transaction that changes them. What is due already stays for whoever claims it: there it is asked
 * whether it is still so.
 */
export async function planDues(
  trx: Trx,
  plans: readonly { readonly orderId: number; readonly due: DuePlan }[],
  now: number,
): Promise<void> {
  const ownDue = plans.flatMap(({ orderId: order_id, due: { reminderAt, overdueAt } }) => [
    { order_id, why: 'reminder', at: reminderAt },
    { order_id, why: 'overdue', at: overdueAt },
  ])
  const planned = [
    ...ownDue.flatMap(({ at, ...due }) => (typeof at === 'number' ? [{ ...due, account_id: null, due_at: new Date(at) }] : [])),
    ...plans.flatMap(({ orderId: order_id, due: { notices } }) =>
      notices.map(({ why, to, at }) => ({ order_id, why, account_id: to, due_at: new Date(at) })),
    ),
  ]
  const over = ownDue.flatMap(({ at, ...due }) => (at === null ? [due] : []))
  await sql`
    with over as (
      delete from work_order_due using jsonb_to_recordset(${storableJson(over)}::jsonb) as over (order_id int, why text)
      where work_order_due.order_id = over.order_id and work_order_due.why = over.why and due_at > ${new Date(now)}
    )
    insert into work_order_due (order_id, why, account_id, due_at)
    select order_id, why, account_id, due_at
    from jsonb_to_recordset(${storableJson(planned)}::jsonb) as planned (order_id int, why text, account_id uuid, due_at timestamptz)
    on conflict (order_id, why, account_id) do update set due_at = excluded.due_at where work_order_due.due_at > ${new Date(now)}`.execute(
    trx,
  )
}

/** What one account is notified of. */
interface NewNotice {
  readonly key: string
  readonly forAccount: string
  readonly label: { readonly zh: string; readonly en: string }
}

/** What becomes of a due row: whom it notifies, what the order's history says of it, and when it is due again; null: no more. */
export interface DueOutcome {
  readonly notices: readonly NewNotice[]
  readonly step: NewStep | null
  readonly nextAt: number | null
}

interface Options {
  readonly now: number
  readonly limit: number
  /** Orders that are left alone. */
  readonly except: readonly number[]
  /** Null: it cannot be decided yet, and stays as it is. */
  readonly decide: (due: DueRow, order: DueOrder) => DueOutcome | null
}

interface Claimed {
  /** How many rows were looked at. */
  readonly taken: number
  readonly sent: readonly EventRow[]
}

/**
 * Claims what is due of orders, the oldest first, and stores in the same transaction whom it notifies: whoever is cut off in the midst of
 * it has claimed nothing. What another server is claiming is left alone.
 */
export function claimDue({ general }: Database, { now, limit, except, decide }: Options): Promise<Claimed> {
  return general.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('work_order_due')
      .selectAll()
      .where('due_at', '<=', new Date(now))
      .where(sql<boolean>`order_id <> all(${[...except]}::int[])`)
      .orderBy('due_at')
      .orderBy('due_id')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute()
    if (rows.length === 0) return { taken: 0, sent: [] }
    // Read after the rows are locked: whoever acts on an order from here on waits with what becomes due by it.
    const orders = await ordersOf(trx, [...new Set(rows.map(({ order_id }) => order_id))])
    const decided = rows.flatMap((due) => {
      const order = orders.get(due.order_id)
      const outcome = order && decide(due, order)
      return order && outcome ? [{ due, order, outcome }] : []
    })
    await moveOn(trx, decided)
    const steps = decided.flatMap(({ due, outcome: { step } }) => (step ? [{ ...step, order_id: due.order_id }] : []))
    if (steps.length > 0) await trx.insertInto('work_order_step').values(steps).execute()
    const sent = await insertNotices(trx, decided, now)
    await announceIn(
      trx,
      sent.map(({ event_id }) => ({ eventId: event_id, why: 'raise' })),
      now,
    )
    return { taken: rows.length, sent }
  })
}

interface Decided {
  readonly due: DueRow
  readonly order: DueOrder
  readonly outcome: DueOutcome
}

async function ordersOf(trx: Trx, orderIds: readonly number[]): Promise<ReadonlyMap<number, DueOrder>> {
  const rows = await trx
    .selectFrom('work_order')
    .leftJoin('hazard', 'hazard.hazard_id', 'work_order.hazard_id')
    .selectAll('work_order')
    .select(['hazard.label_zh', 'hazard.label_en'])
    .where(sql<boolean>`work_order.order_id = any(${[...orderIds]}::int[])`)
    .execute()
  return new Map(rows.map((row) => [row.order_id, row]))
}

async function moveOn(trx: Trx, decided: readonly Decided[]): Promise<void> {
  const over = decided.filter(({ outcome: { nextAt } }) => nextAt === null).map(({ due }) => due.due_id)
  const again = decided.flatMap(({ due, outcome: { nextAt } }) =>
    nextAt === null ? [] : [{ due_id: due.due_id, due_at: new Date(nextAt) }],
  )
  await sql`delete from work_order_due where due_id = any(${over}::bigint[])`.execute(trx)
  await sql`update work_order_due set due_at = again.due_at
    from jsonb_to_recordset(${storableJson(again)}::jsonb) as again (due_id bigint, due_at timestamptz)
    where work_order_due.due_id = again.due_id`.execute(trx)
}

/** As events of the instant that was due. One that is there already was sent before. */
async function insertNotices(trx: Trx, decided: readonly Decided[], now: number): Promise<readonly EventRow[]> {
  const notices = decided.flatMap(({ due, order, outcome }) =>
    outcome.notices.map(({ key, forAccount, label }) => ({
      ...{ key, label_zh: label.zh, label_en: label.en, priority: order.priority satisfies Priority },
      ...{ project_id: order.project_id, gateway_id: order.gateway_id, raised_at: due.due_at },
      ...{ for_account: forAccount, order_id: order.order_id },
    })),
  )
  if (notices.length === 0) return []
  const { rows } = await sql<EventRow>`
    insert into event (kind, priority, key, label_zh, label_en, project_id, gateway_id, raised_at, stored_at, announced, for_account, order_id)
    select 'order', priority, key, label_zh, label_en, project_id, gateway_id, raised_at, ${new Date(now)}, 1, for_account, order_id
    from jsonb_to_recordset(${storableJson(notices)}::jsonb) as notice (priority text, key text, label_zh text, label_en text, project_id int,
      gateway_id int, raised_at timestamptz, for_account uuid, order_id int)
    on conflict do nothing returning *`.execute(trx)
  return rows
}
