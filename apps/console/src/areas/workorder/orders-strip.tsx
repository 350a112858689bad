import type { OrderView, queryWorkOrders, Reply } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import type { ListState } from '../../ui/list-state.ts'
import { Mark } from '../../ui/mark.tsx'

/** Every view but the reader's own, which is a chip of the filter bar. */
const counted = ['undispatched', 'overdue', 'toAccept', 'watching'] as const satisfies readonly OrderView[]

/** How many wait for whom; what is late stands in the colour of duty, never of danger. */
export function OrdersStrip({
  open,
  views,
  list,
}: {
  /** How many are neither accepted nor closed. */
  open: number
  views: Reply<typeof queryWorkOrders>['about']['Views']
  list: ListState
}) {
  const { t } = useTranslation('workOrders')
  return (
    <div className="strip orders-strip">
      <div>
        <span className="state">{t('open')}</span>
        <b>{open}</b>
      </div>
      {counted.map((view) => {
        const isOn = list.filter('view') === view
        const isLate = view === 'overdue' && views[view] > 0
        return (
          <button
            type="button"
            key={view}
            className={isLate ? 'late' : undefined}
            aria-pressed={isOn}
            onClick={() => list.setFilter('view', isOn ? '' : view)}
          >
            <span className="state">
              {isLate && <Mark kind="order" size={12} />}
              {t(`views.${view}`)}
            </span>
            <b>{views[view]}</b>
          </button>
        )
      })}
    </div>
  )
}
