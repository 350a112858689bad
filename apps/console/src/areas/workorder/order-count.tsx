import { useTranslation } from 'react-i18next'
import { Mark } from '../../ui/mark.tsx'
import { useOrderNotices } from './use-order-notices.ts'

/** Of how many orders there is something new for the reader, beside the name of their page; nothing where there is none, or it is not known. */
export function OrderCount() {
  const { t } = useTranslation('monitor')
  const { data } = useOrderNotices()
  if (!data || data.total === 0) return null
  return (
    <b className="page-count order">
      <Mark kind="order" />
      <span className="hidden-visually">{t('ordersWithNews', { count: data.total })}</span>
      <span aria-hidden="true">{data.total}</span>
    </b>
  )
}
