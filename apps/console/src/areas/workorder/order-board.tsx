import { queryWorkOrders } from '@linewarden/contract'
import type { OrderStatus } from '@linewarden/rules/workorder'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import type { OrderFilter } from './filters.ts'
import { OrderCard } from './order-card.tsx'

/** As work goes from the left to the right. */
const columns = ['undispatched', 'dispatched', 'processed', 'accepted', 'closed'] as const satisfies readonly OrderStatus[]
const most = 50
const everyMs = 30_000

/** Five columns, one a status, those first whose clock runs out first. */
export function OrderBoard({
  filter,
  open,
  onOpen,
  onAll,
}: {
  filter: OrderFilter
  open: number | null
  onOpen: (orderId: number) => void
  /** More than a column has room for: the list shows them all. */
  onAll: (status: OrderStatus) => void
}) {
  const { t } = useTranslation('workOrders')
  return (
    <div className="order-board" role="group" aria-label={t('board')}>
      {columns.map((status) => (
        <Column key={status} {...{ status, filter, open, onOpen, onAll }} />
      ))}
    </div>
  )
}

function Column({ status, filter, open, onOpen, onAll }: Parameters<typeof OrderBoard>[0] & { status: OrderStatus }) {
  const { t } = useTranslation('workOrders')
  const query = useCall(
    queryWorkOrders,
    { body: { ...filter, Status: status, Size: most } },
    { placeholderData: keepPreviousData, refetchInterval: everyMs },
  )
  const { data } = query
  const late = data?.items.filter(({ Clock, Paused }) => Clock?.Resolve.Mark === 'over' && !Paused).length ?? 0
  return (
    <section className="order-column" aria-label={t(`statuses.${status}`)}>
      <header>
        <b>{t(`statuses.${status}`)}</b>
        <span className="count">{data?.total ?? '–'}</span>
        {status === 'dispatched' && late > 0 && <small>{t('lateCount', { count: late })}</small>}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul tabIndex={0} aria-busy={query.isPlaceholderData}>
        <Unloaded query={query} />
        {data?.items.map((order) => (
          <OrderCard key={order.OrderID} order={order} isOpen={order.OrderID === open} onOpen={() => onOpen(order.OrderID)} />
        ))}
      </ul>
      {data && data.total > data.items.length && (
        <button type="button" className="text-link order-more" onClick={() => onAll(status)}>
          {t('moreCount', { count: data.total - data.items.length })}
        </button>
      )}
    </section>
  )
}
