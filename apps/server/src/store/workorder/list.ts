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

/** The ids of a page of orders. */
export async function listOrders(
  { general }: Database,
  filter: OrderFilter,
  asked: { readonly sort: OrderSort | undefined; readonly page: number; readonly size: number },
): Promise<readonly number[]> {
  const matching = general.selectFrom('work_order').where(({ and }) => and([...conditions(filter)]))
  const rows = await inOrder(matching.select('order_id'), asked.sort, order, (own) =>
    own.orderBy(sql`overdue_at is null, overdue_at`).orderBy(priorityRank).orderBy('order_id', 'desc'),
  )
    .limit(asked.size)
    .offset((asked.page - 1) * asked.size)
    .execute()
  return rows.map(({ order_id }) => order_id)
}

type StatusCounts = Readonly<Record<OrderStatus, number>>

export interface OrderCounts {
  /** Whichever status and view the filter names. */
  readonly statuses: StatusCounts
  readonly views: Readonly<Record<OrderView, number>>
  /** By all of the filter. */
  readonly columns: StatusCounts
  readonly total: number
}

/**
 * How many there are of each status and view, and by all of the filter. Each is counted by its own index: one walk over all orders that asks
 * everything of each takes as long as all that is asked.
 */
export async function countOrders({ general }: Database, filter: OrderFilter): Promise<OrderCounts> {
  const matching = (more: Pick<OrderFilter, 'status' | 'view'>) =>
    general.selectFrom('work_order').where(({ and }) => and([...conditions({ ...filter, ...more })]))
  const byStatus = async (more: Pick<OrderFilter, 'status' | 'view'>): Promise<StatusCounts> => {
    const counted = await matching(more)
      .select(['status', sql<number>`count(*)::int`.as('count')])
      .groupBy('status')
      .execute()
    const of = (status: OrderStatus) => counted.find((each) => each.status === status)?.count ?? 0
    return {
      ...{ undispatched: of('undispatched'), dispatched: of('dispatched'), processed: of('processed') },
      ...{ closed: of('closed'), accepted: of('accepted') },
    }
  }
  const inView = async (view: OrderView) => sumOf(await byStatus({ status: null, view }))
  const { status, view } = filter
  const statuses = await byStatus({ status: null, view: null })
  const views = {
    ...{ undispatched: statuses.undispatched, toAccept: statuses.processed },
    ...{ mine: await inView('mine'), overdue: await inView('overdue'), watching: await inView('watching') },
  }
  const columns = status === null && view === null ? statuses : await byStatus({ status, view })
  return { statuses, views, columns, total: sumOf(columns) }
}

const sumOf = (counts: StatusCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

function* conditions(filter: OrderFilter): Generator<Expression<SqlBool>> {
  const { seen, projectIds, gatewayId, deviceId, lineId, view, status, type, priority, personId, text } = filter
  yield sql<SqlBool>`true`
  if (seen)
    yield sql<SqlBool>`(project_id = any(${[...seen.projectIds]}::int[]) or gateway_id = any(${[...seen.gatewayIds]}::int[]))`
  if (projectIds !== null) yield sql<SqlBool>`project_id = any(${[...projectIds]}::int[])`
  if (deviceId !== null) yield sql<SqlBool>`device_id = ${deviceId}`
  if (gatewayId !== null) yield sql<SqlBool>`gateway_id = ${gatewayId}`
  if (lineId !== null) yield sql<SqlBool>`line_id = ${lineId}`
  // Written out, so that the planner finds the index of each status.
  if (status !== null) yield sql<SqlBool>`status = ${sql.lit(status)}`
  if (type !== null) yield sql<SqlBool>`type = ${type}`
  if (priority !== null) yield sql<SqlBool>`priority = ${priority}`
  if (personId !== null) yield sql<SqlBool>`person_id = ${personId}`
  if (view !== null) yield viewOf(view, filter)
  if (text.trim() !== '') yield sql<SqlBool>`strpos(searched, lower(${text.trim()})) > 0`
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
