import type { WorkOrder } from '@linewarden/contract'
import type { OrderStatus } from '@linewarden/rules/workorder'
import { useTranslation } from 'react-i18next'
import { OrderCard } from './order-card.tsx'

/** As work goes from the left to the right. */
const columns = ['undispatched', 'dispatched', 'processed', 'accepted', 'closed'] as const satisfies readonly OrderStatus[]

interface BoardProps {
  readonly orders: readonly WorkOrder[]
  readonly counts: Readonly<Record<OrderStatus, number>>
  /** What is shown are the orders of a filter that was left a moment ago. */
  readonly isWaiting: boolean
  readonly open: number | null
  readonly onOpen: (orderId: number) => void
  /** More than a column has room for: the list shows them all. */
  readonly onAll: (status: OrderStatus) => void
}

/** Five columns, one a status, those first whose clock runs out first. */
export function OrderBoard(props: BoardProps) {
  const { t } = useTranslation('workOrders')
  return (
    <div className="order-board" role="group" aria-label={t('as.board')}>
      {columns.map((status) => (
        <Column key={status} status={status} {...props} />
      ))}
    </div>
  )
}

function Column({ status, orders, counts, isWaiting, open, onOpen, onAll }: BoardProps & { status: OrderStatus }) {
  const { t } = useTranslation('workOrders')
  const own = orders.filter(({ Status }) => Status === status)
  const late = own.filter(({ Clock, Paused }) => Clock?.Resolve.Mark === 'over' && !Paused).length
  return (
    <section className="order-column" aria-label={t(`statuses.${status}`)}>
      <header>
        <b>{t(`statuses.${status}`)}</b>
        <span className="count">{counts[status]}</span>
        {status === 'dispatched' && late > 0 && <small>{t('lateCount', { count: late })}</small>}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul tabIndex={0} aria-busy={isWaiting}>
        {own.map((order) => (
          <OrderCard key={order.OrderID} order={order} isOpen={order.OrderID === open} onOpen={() => onOpen(order.OrderID)} />
        ))}
      </ul>
      {own.length > 0 && counts[status] > own.length && (
        <button type="button" className="text-link order-more" onClick={() => onAll(status)}>
          {t('moreCount', { count: counts[status] - own.length })}
        </button>
      )}
    </section>
  )
}
