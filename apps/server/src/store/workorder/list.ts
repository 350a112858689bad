import type { OrderView } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import { dayMs } from '@linewarden/equipment'
import type { OrderStatus, OrderType } from '@linewarden/rules/workorder'
import { watchDays } from '@linewarden/rules/workorder'
import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Order, SortOf } from '../core/in-order.ts'
import { inOrder, missingLast } from '../core/in-order.ts'

export interface OrderFilter {
  /** Whole projects, and single gateways of others; null: everything. */
  readonly seen: { readonly projectIds: readonly number[]; readonly gatewayIds: readonly number[] } | null
  readonly projectIds: readonly number[] | null
  readonly deviceId: number | null
  readonly gatewayId: number | null
  readonly lineId: number | null
  readonly view: OrderView | null
  readonly status: OrderStatus | null
  readonly type: OrderType | null
  readonly priority: Priority | null
  readonly personId: string | null
  readonly text: string
  /** Who asks, and when. */
  readonly accountId: string
  readonly now: number
}

const priorityRank = sql`array_position(array['critical', 'high', 'medium', 'low'], work_order.priority)`
const statusRank = sql`array_position(array['undispatched', 'dispatched', 'processed', 'accepted', 'closed'], work_order.status)`

const order = {
  columns: {
    Clock: missingLast('overdue_at'),
    Number: 'number',
    Priority: priorityRank,
    CreatedAt: 'created_at',
    Status: statusRank,
  },
  ties: ['order_id'],
} satisfies Order<string>

export type OrderSort = SortOf<typeof order>

/** The ids of a page of orders, and how many match. */
export async function listOrders(
  { general }: Database,
  filter: OrderFilter,
  asked: { readonly sort: OrderSort | undefined; readonly page: number; readonly size: number },
): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
  const matching = general.selectFrom('work_order').where(({ and }) => and([...conditions(filter)]))
  const rows = await inOrder(matching.select('order_id'), asked.sort, order, (own) =>
    own.orderBy(sql`overdue_at is null, overdue_at`).orderBy(priorityRank).orderBy('order_id', 'desc'),
  )
    .limit(asked.size)
    .offset((asked.page - 1) * asked.size)
    .execute()
  const { total } = await matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return { ids: rows.map(({ order_id }) => order_id), total }
}

export interface OrderCounts {
  readonly statuses: Readonly<Record<OrderStatus, number>>
  readonly views: Readonly<Record<OrderView, number>>
}

/** How many there are of each status and view, whichever of them the filter names. */
export async function countOrders({ general }: Database, filter: OrderFilter): Promise<OrderCounts> {
  const counted = (condition: Expression<SqlBool>) => sql<number>`count(*) filter (where ${condition})::int`
  const status = (each: OrderStatus) => counted(sql<SqlBool>`status = ${each}`).as(each)
  const view = (each: OrderView) => counted(viewOf(each, filter)).as(`view_${each}`)
  const row = await general
    .selectFrom('work_order')
    .where(({ and }) => and([...conditions({ ...filter, status: null, view: null })]))
    .select([
      ...[status('undispatched'), status('dispatched'), status('processed'), status('closed'), status('accepted')],
      ...[view('mine'), view('undispatched'), view('overdue'), view('toAccept'), view('watching')],
    ])
    .executeTakeFirstOrThrow()
  return {
    statuses: {
      ...{ undispatched: row.undispatched, dispatched: row.dispatched, processed: row.processed },
      ...{ closed: row.closed, accepted: row.accepted },
    },
    views: {
      ...{ mine: row.view_mine, undispatched: row.view_undispatched, overdue: row.view_overdue },
      ...{ toAccept: row.view_toAccept, watching: row.view_watching },
    },
  }
}

function* conditions(filter: OrderFilter): Generator<Expression<SqlBool>> {
  const { seen, projectIds, gatewayId, deviceId, lineId, view, status, type, priority, personId, text } = filter
  yield sql<SqlBool>`true`
  if (seen)
    yield sql<SqlBool>`(project_id = any(${[...seen.projectIds]}::int[]) or gateway_id = any(${[...seen.gatewayIds]}::int[]))`
  if (projectIds !== null) yield sql<SqlBool>`project_id = any(${[...projectIds]}::int[])`
  if (deviceId !== null) yield sql<SqlBool>`device_id = ${deviceId}`
  if (gatewayId !== null) yield sql<SqlBool>`gateway_id = ${gatewayId}`
  if (lineId !== null) yield sql<SqlBool>`line_id = ${lineId}`
  if (status !== null) yield sql<SqlBool>`status = ${status}`
  if (type !== null) yield sql<SqlBool>`type = ${type}`
  if (priority !== null) yield sql<SqlBool>`priority = ${priority}`
  if (personId !== null) yield sql<SqlBool>`person_id = ${personId}`
  if (view !== null) yield viewOf(view, filter)
  if (text.trim() !== '')
    yield sql<SqlBool>`strpos(lower(number || ' ' || title || ' ' || description), lower(${text.trim()})) > 0`
}

function viewOf(view: OrderView, { accountId, now }: Pick<OrderFilter, 'accountId' | 'now'>): Expression<SqlBool> {
  switch (view) {
    case 'mine':
      return sql<SqlBool>`(status in ('dispatched', 'processed')
        and (person_id = ${accountId} or helpers @> ${JSON.stringify([{ id: accountId }])}::jsonb))`
    case 'undispatched':
      return sql<SqlBool>`status = 'undispatched'`
    case 'overdue':
      return sql<SqlBool>`(status = 'dispatched' and overdue_at <= ${new Date(now)})`
    case 'toAccept':
      return sql<SqlBool>`status = 'processed'`
    case 'watching':
      return sql<SqlBool>`(status = 'accepted' and accepted_at > ${new Date(now - watchDays * dayMs)})`
  }
}
