import { useTranslation } from 'react-i18next'
import { clockMinute } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { useOrderNotices } from './use-order-notices.ts'
import './order-news.css'

/** So many at once; the count says how many there are. */
const shown = 3

/** What is new about orders for the reader: each goes once its order is opened. Nothing where there is none. */
export function OrderNews({ onOpen }: { onOpen: (orderId: number) => void }) {
  const { t } = useTranslation('workOrders')
  const { data } = useOrderNotices()
  if (!data || data.total === 0) return null
  return (
    <section className="order-news" aria-label={t('news')}>
      <ul>
        {data.items.slice(0, shown).map(({ EventID, OrderID, Label, LastRaisedAt }) => (
          <li key={EventID}>
            <Mark kind="order" size={12} />
            <button type="button" className="text-link" onClick={() => OrderID !== undefined && onOpen(OrderID)}>
              {localised(Label)}
            </button>
            <time dateTime={new Date(LastRaisedAt).toISOString()}>{clockMinute(LastRaisedAt)}</time>
          </li>
        ))}
        {data.total > shown && <li className="mute">{t('moreNews', { count: data.total - shown })}</li>}
      </ul>
    </section>
  )
}
