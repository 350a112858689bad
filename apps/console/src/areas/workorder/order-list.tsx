import type { WorkOrder } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../plant/tag-mark.tsx'
import { span } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import { Place } from '../../ui/place.tsx'
import { serverNow } from '../../ui/use-now.ts'
import { ClockMark, PriorityMark, ProofMark } from './order-marks.tsx'
import { titleOf } from './order-words.ts'

interface Choice {
  readonly keys: ReadonlySet<string>
  readonly onChange: (keys: ReadonlySet<string>) => void
}

/** Orders as rows. Beside an open drawer only what tells them apart stays. */
export function OrderList({
  orders,
  isWaiting,
  open,
  choice,
  onOpen,
}: {
  orders: readonly WorkOrder[]
  isWaiting: boolean
  /** Null: nothing can be done with several. */
  choice: Choice | null
  open: number | null
  onOpen: (orderId: number) => void
}) {
  const { t } = useTranslation(['workOrders', 'app'])
  const keys = orders.map(({ OrderID }) => String(OrderID))
  const isAll = keys.every((key) => choice?.keys.has(key))
  const toggle = (these: readonly string[], isOn: boolean) => {
    const after = new Set(choice?.keys)
    for (const key of these) {
      if (isOn) after.add(key)
      else after.delete(key)
    }
    choice?.onChange(after)
  }
  return (
    <table className={isWaiting ? 'list-table order-list waiting' : 'list-table order-list'} aria-label={t('title')}>
      <thead>
        <tr>
          {choice && (
            <th className="check alone">
              <input type="checkbox" aria-label={t('app:chooseAll')} checked={isAll} onChange={() => toggle(keys, !isAll)} />
            </th>
          )}
          <th className="alone">{t('number')}</th>
          <th>{t('whatAndWhere')}</th>
          <th>{t('priority')}</th>
          <th>{t('status')}</th>
          <th className="alone">{t('person')}</th>
          <th>{t('clock')}</th>
          <th className="alone end">{t('age')}</th>
          <th className="alone">{t('proof')}</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <Row
            key={order.OrderID}
            order={order}
            isOpen={order.OrderID === open}
            isChosen={choice?.keys.has(String(order.OrderID)) ?? null}
            onChoose={(isOn) => toggle([String(order.OrderID)], isOn)}
            onOpen={() => onOpen(order.OrderID)}
          />
        ))}
      </tbody>
    </table>
  )
}

function Row({
  order,
  isOpen,
  isChosen,
  onChoose,
  onOpen,
}: {
  order: WorkOrder
  isOpen: boolean
  /** Null: it cannot be chosen. */
  isChosen: boolean | null
  onChoose: (isOn: boolean) => void
  onOpen: () => void
}) {
  const { t } = useTranslation(['workOrders', 'app'])
  return (
    // The button in it does the same by keys; the row is only a larger place to press.
    <tr className={isOpen ? 'opens chosen' : 'opens'} onClick={onOpen}>
      {isChosen !== null && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the row's press ends here; keys press the box itself
        <td className="check alone" onClick={(event) => event.stopPropagation()}>
          <input
            type="checkbox"
            aria-label={`${t('app:choose')} ${order.Number}`}
            checked={isChosen}
            onChange={(event) => onChoose(event.target.checked)}
          />
        </td>
      )}
      <td className="alone mute">{order.Number}</td>
      <td className="what">
        <span className="two-lines">
          <button type="button" aria-expanded={isOpen}>
            <Mark kind={order.AlarmKind ?? 'order'} /> <b>{titleOf(order)}</b>
          </button>
          <small>
            <Place names={placeNames(order.Where)} between=" › " /> <LineTag lineId={order.LineID} />
          </small>
        </span>
      </td>
      <td>
        <PriorityMark priority={order.Priority} />
      </td>
      <td>{t(`statuses.${order.Status}`)}</td>
      <td className="alone">{order.PersonInCharge?.Name ?? t('nobody')}</td>
      <td>
        <ClockMark order={order} />
      </td>
      <td className="alone end">{span(serverNow() - order.CreatedAt)}</td>
      <td className="alone">{order.Verification && <ProofMark verification={order.Verification} />}</td>
    </tr>
  )
}
