import type { WorkOrder } from '@linewarden/contract'
import { takeWorkOrder } from '@linewarden/contract'
import type { PersonAct } from '@linewarden/rules/workorder'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { change } from '../../app/net/change.ts'
import { newId } from '../../app/net/new-id.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit } from '../../app/session/use-may.ts'
import { localised } from '../../ui/i18n.ts'
import { ActDialog } from './act-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { isOneOf } from './order-words.ts'

/** What comes first for whoever may; the others stand behind it. */
const first: readonly PersonAct[] = ['dispatch', 'take', 'process', 'accept', 'reopen']

/** What this person can do with the order now; what they cannot yet says why. */
export function OrderFoot({ order }: { order: WorkOrder }) {
  const { t } = useTranslation('workOrders')
  const mayEdit = useMayEdit()
  const [asking, setAsking] = useState<PersonAct | 'edit' | null>(null)
  const [busy, setBusy] = useState(false)
  const [id, setId] = useState(newId)
  if (!mayEdit) return null
  const take = async () => {
    if (busy) return
    setBusy(true)
    const body = { OrderID: order.OrderID, Version: order.Version, ActID: id }
    await callWithToast(change(takeWorkOrder, { body }))
    setId(newId())
    setBusy(false)
  }
  const begin = (act: PersonAct) => (act === 'take' ? void take() : setAsking(act))
  const shown = order.Acts.filter(({ Refusal }) => Refusal === null || isShownRefused(Refusal.Key))
  const main = shown.find(({ Act, Refusal }) => Refusal === null && isOneOf(first, Act) && !isSecond(order, Act))?.Act
  const mayWrite = order.Acts.some(({ Act, Refusal }) => isOneOf(['dispatch', 'return'], Act) && Refusal === null)
  return (
    <div className="drawer-foot order-foot">
      {shown.map(({ Act, Refusal }) => (
        <ReasonedButton
          key={Act}
          className={Act === main ? 'btn large primary' : 'btn large'}
          reason={Refusal && localised(Refusal.Text)}
          aria-busy={Act === 'take' && busy}
          onClick={() => begin(Act)}
        >
          {t(`press.${Act}`)}
        </ReasonedButton>
      ))}
      {mayWrite && (
        <button type="button" className="btn quiet" onClick={() => setAsking('edit')}>
          {t('edit')}
        </button>
      )}
      {asking === 'edit' && <EditDialog order={order} onClose={() => setAsking(null)} />}
      {asking !== null && asking !== 'edit' && <ActDialog order={order} act={asking} onClose={() => setAsking(null)} />}
    </div>
  )
}

/** What somebody else does is not offered; what waits for something is, with what it waits for. */
const isShownRefused = (key: string): boolean => key === 'order unverified' || key === 'order four eyes'

/** Given to somebody already, and taken: it is not what comes next. */
const isSecond = ({ Status, TakenAt }: WorkOrder, act: PersonAct): boolean =>
  (act === 'dispatch' && Status === 'dispatched') || (act === 'process' && TakenAt === null)
