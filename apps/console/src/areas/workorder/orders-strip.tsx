import type { OrderView, queryWorkOrders, Reply } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import type { ListState } from '../../ui/list-state.ts'
import { Mark } from '../../ui/mark.tsx'

/** How many wait for whom; what is late stands in the colour of duty, never of danger. */
export function OrdersStrip({ about, list }: { about: Reply<typeof queryWorkOrders>['about']; list: ListState }) {
  const { t } = useTranslation('workOrders')
  const { Statuses, Views } = about
  const view = (name: OrderView, count: number) => (
    <button
      type="button"
      className={name === 'overdue' && count > 0 ? 'late' : undefined}
      aria-pressed={list.filter('view') === name}
      onClick={() => list.setFilter('view', list.filter('view') === name ? '' : name)}
    >
      <span className="state">
        {name === 'overdue' && count > 0 && <Mark kind="order" size={12} />}
        {t(`views.${name}`)}
      </span>
      <b>{count}</b>
    </button>
  )
  return (
    <div className="strip orders-strip">
      <div>
        <span className="state">{t('open')}</span>
        <b>{Statuses.undispatched + Statuses.dispatched + Statuses.processed}</b>
      </div>
      {view('undispatched', Views.undispatched)}
      {view('overdue', Views.overdue)}
      {view('toAccept', Views.toAccept)}
      {view('watching', Views.watching)}
    </div>
  )
}
