import type { OrderOutcome, WorkOrder } from '@linewarden/contract'
import { maxOrdersAtOnce } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { toast } from '../../app/notify/toasts.tsx'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { localised } from '../../ui/i18n.ts'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import type { SeveralAct } from './several-dialog.tsx'
import { SeveralDialog } from './several-dialog.tsx'

type Orders = readonly WorkOrder[]

/** What can be done with the chosen orders together; of each that is refused it says why. */
export function SeveralBar({ orders, onClear }: { orders: Orders; onClear: () => void }) {
  const { t } = useTranslation('workOrders')
  const [asking, setAsking] = useState<{ readonly act: SeveralAct; readonly orders: Orders } | null>(null)
  const [refused, setRefused] = useState<readonly OrderOutcome[]>([])
  const those = (act: SeveralAct) => orders.filter(({ Acts }) => Acts.some(({ Act, Refusal }) => Act === act && Refusal === null))
  const finish = (act: SeveralAct, outcomes: readonly OrderOutcome[]) => {
    const failed = outcomes.filter(({ Refusal }) => Refusal !== null)
    const done = outcomes.length - failed.length
    if (done > 0) toast('info', t(act === 'dispatch' ? 'dispatchedSeveral' : 'acceptedSeveral', { count: done }))
    setRefused(failed)
    onClear()
  }
  const numbers = new Map(orders.map((order) => [order.OrderID, order.Number]))
  return (
    <>
      <SelectionBar keys={new Set(orders.map(({ OrderID }) => String(OrderID)))} onClear={onClear}>
        {(['dispatch', 'accept'] as const).map((act) => {
          const fit = those(act)
          const isFarApart = act === 'dispatch' && new Set(fit.map(({ HouseID }) => HouseID)).size > 1
          const reason =
            fit.length === 0
              ? t(`noneTo.${act}`)
              : fit.length > maxOrdersAtOnce
                ? t('tooManyAtOnce', { count: maxOrdersAtOnce })
                : isFarApart
                  ? t('oneProject')
                  : null
          return (
            <ReasonedButton key={act} className="btn" reason={reason} onClick={() => setAsking({ act, orders: fit })}>
              {t(act === 'dispatch' ? 'dispatchSeveral' : 'acceptSeveral', { count: fit.length })}
            </ReasonedButton>
          )
        })}
      </SelectionBar>
      {asking && (
        <SeveralDialog {...asking} onDone={(outcomes) => finish(asking.act, outcomes)} onClose={() => setAsking(null)} />
      )}
      {refused.length > 0 && (
        <Dialog label={t('notDone')} onClose={() => setRefused([])}>
          <h2>{t('notDone')}</h2>
          <ul className="content order-refused">
            {refused.map(({ OrderID, Refusal, Order }) => (
              <li key={OrderID}>
                <b>{Order?.Number ?? numbers.get(OrderID) ?? OrderID}</b> {Refusal && localised(Refusal.Text)}
              </li>
            ))}
          </ul>
          <CloseFoot onClose={() => setRefused([])} />
        </Dialog>
      )}
    </>
  )
}
