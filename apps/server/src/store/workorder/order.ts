import type { OrderDays, OrderState } from '@linewarden/rules/workorder'
import type { Kysely, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'
import type { NamedPerson } from './schema.ts'

export type OrderRow = Selectable<Schema['work_order']>
export type OrderColumns = Updateable<Schema['work_order']>

/** An order as the list and its drawer show it. */
export interface ShownOrder extends OrderRow {
  readonly event_ids: readonly string[]
  readonly hazard_state: Selectable<Schema['hazard']>['state'] | null
  readonly hazard_count: number | null
  readonly label_zh: string | null
  readonly label_en: string | null
  readonly duplicate_number: string | null
  readonly alarm_kind: Selectable<Schema['event']>['kind'] | null
}

/** What its transitions decide by. */
export const stateOf = (row: OrderRow): OrderState => ({
  status: row.status,
  priority: row.priority,
  founder: row.founder_id,
  personInCharge: row.person_id,
  helpers: row.helpers.map(({ id }) => id),
  processor: row.processor_id,
  closer: row.closer_id,
  closedFrom: row.closed_from,
  closedAt: row.closed_at?.getTime() ?? null,
  acceptedAt: row.accepted_at?.getTime() ?? null,
  clock: row.clock,
  returns: row.returns,
  reopened: row.reopened,
})

/** How long it may take, and how often whoever has it is reminded. */
export const daysOf = (row: Pick<OrderRow, 'valid_days' | 'reminder_days' | 'working_days_only'>): OrderDays => ({
  validDays: row.valid_days,
  reminderDays: row.reminder_days,
  workingDaysOnly: row.working_days_only,
})

/** As a transition left it. People who are new to the order are named; the others are called as they were. */
export function columnsOf(before: OrderRow, after: OrderState, named: readonly NamedPerson[]): OrderColumns {
  const known = new Map<string, string>([
    ...before.helpers.map(({ id, name }) => [id, name] as const),
    ...(before.person_id === null ? [] : [[before.person_id, before.person_name] as const]),
    ...named.map(({ id, name }) => [id, name] as const),
  ])
  const nameOf = (id: string | null) => (id === null ? '' : (known.get(id) ?? ''))
  return {
    status: after.status,
    priority: after.priority,
    person_id: after.personInCharge,
    person_name: nameOf(after.personInCharge),
    helpers: JSON.stringify(after.helpers.map((id) => ({ id, name: nameOf(id) }))),
    processor_id: after.processor,
    ...(after.processor !== before.processor_id && { processor_name: nameOf(after.processor) }),
    closer_id: after.closer,
    closed_from: after.closedFrom,
    closed_at: dateOf(after.closedAt),
    accepted_at: dateOf(after.acceptedAt),
    clock: JSON.stringify(after.clock),
    returns: after.returns,
    reopened: after.reopened,
  }
}

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at))

export const orderById = (db: Kysely<Schema>, orderId: number): Promise<OrderRow | undefined> =>
  db.selectFrom('work_order').selectAll().where('order_id', '=', orderId).executeTakeFirst()

/** Those of these that there are, by their numbers. */
export async function ordersById(db: Kysely<Schema>, orderIds: readonly number[]): Promise<ReadonlyMap<number, OrderRow>> {
  const rows = await db
    .selectFrom('work_order')
    .selectAll()
    .where(sql<boolean>`order_id = any(${[...orderIds]}::int[])`)
    .execute()
  return new Map(rows.map((row) => [row.order_id, row]))
}

/** Those of these that there are, with what is shown beside them. */
export async function shownOrders(db: Kysely<Schema>, orderIds: readonly number[]): Promise<ShownOrder[]> {
  if (orderIds.length === 0) return []
  const rows = await shown(db)
    .where(sql<boolean>`work_order.order_id = any(${[...orderIds]}::int[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.order_id, row]))
  return orderIds.flatMap((id) => byId.get(id) ?? [])
}

const shown = (db: Kysely<Schema>) =>
  db
    .selectFrom('work_order')
    .leftJoin('hazard', 'hazard.hazard_id', 'work_order.hazard_id')
    .leftJoin('work_order as former', 'former.order_id', 'work_order.duplicate_of')
    .selectAll('work_order')
    .select([
      'hazard.state as hazard_state',
      'hazard.count as hazard_count',
      'former.number as duplicate_number',
      sql<string[]>`array(select joined.event_id::text from work_order_event joined where joined.order_id = work_order.order_id
        order by joined.event_id)`.as('event_ids'),
      'hazard.label_zh',
      'hazard.label_en',
    ])
    .select(
      sql<ShownOrder['alarm_kind']>`(select kind from work_order_event joined join event using (event_id)
        where joined.order_id = work_order.order_id order by event_id limit 1)`.as('alarm_kind'),
    )

/** Names of orders, for the audit trail. */
export const orderNames = (db: Kysely<Schema>, orderIds: readonly number[]) =>
  db
    .selectFrom('work_order')
    .select(['order_id as orderId', 'number', 'project_id as projectId'])
    .where(sql<boolean>`order_id = any(${[...orderIds]}::int[])`)
    .execute()
