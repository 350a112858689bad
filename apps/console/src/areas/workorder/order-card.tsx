import type { WorkOrder } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../plant/tag-mark.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Place } from '../../ui/place.tsx'
import { ClockMark, PriorityMark, ProofMark } from './order-marks.tsx'
import { titleOf } from './order-words.ts'

/** An order on the board, and in the list of a phone. */
export function OrderCard({ order, isOpen, onOpen }: { order: WorkOrder; isOpen: boolean; onOpen: () => void }) {
  const { t } = useTranslation('workOrders')
  const isLate = order.Status === 'dispatched' && order.Clock?.Resolve.Mark === 'over' && !order.Paused
  const isOver = order.Status === 'accepted' || order.Status === 'closed'
  return (
    <li className={['order-card', isLate && 'late', isOpen && 'chosen', isOver && 'calm'].filter(Boolean).join(' ')}>
      <div className="order-row">
        <span className="order-number">{order.Number}</span>
        <span className="grow" />
        <PriorityMark priority={order.Priority} />
      </div>
      <h3>
        {/* The card is only a larger place to press. */}
        <button type="button" aria-expanded={isOpen} onClick={onOpen}>
          <Mark kind={order.AlarmKind ?? 'order'} />
          <span>{titleOf(order)}</span>
        </button>
      </h3>
      <p className="order-place">
        <Place names={placeNames(order.Where)} between=" › " /> <LineTag lineId={order.LineID} />
      </p>
      {order.Status === 'dispatched' && order.TakenAt === null && <p className="order-place">{t('notTaken')}</p>}
      {order.Status === 'closed' && order.CloseReason && (
        <p className="order-place">
          {t(`whys.${order.CloseReason}`)}
          {order.DuplicateOf !== null && ` ${order.DuplicateOf}`}
        </p>
      )}
      {order.Verification && (order.Status === 'processed' || order.Status === 'accepted') && (
        <ProofMark verification={order.Verification} />
      )}
      <div className="order-row foot">
        <ClockMark order={order} />
        <span className="grow" />
        <span className="order-person">{order.PersonInCharge?.Name ?? t('nobody')}</span>
      </div>
    </li>
  )
}
