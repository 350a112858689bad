import type { EventRecord, WorkOrder } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMayOpen } from '../../app/session/use-may.ts'
import { alarmDetails, paths } from '../../paths.ts'
import { clockMinute } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { drawnKind, Mark } from '../../ui/mark.tsx'
import { ProofMark } from './order-marks.tsx'

/** From the alarm to the proof that it is gone: solid as far as that is known. */
export function OrderChain({ order, events }: { order: WorkOrder; events: readonly EventRecord[] }) {
  const { t } = useTranslation('workOrders')
  const [event] = events
  const isProcessed = order.Status === 'processed' || order.Status === 'accepted'
  return (
    <section className="part" aria-label={t('chain')}>
      <ol className="order-chain">
        {event && <AlarmNode event={event} count={events.length} />}
        {order.Hazard && (
          <ChainNode mark={<Mark kind="warning" size={18} />} title={t('hazard')} isDone>
            <span>{t(`hazards.${order.Hazard.State}`)}</span>
            <span>{t('seenTimes', { count: order.Hazard.Count })}</span>
          </ChainNode>
        )}
        <ChainNode mark={<Mark kind="order" size={18} />} title={t('order')} isDone={isProcessed}>
          <span>{t(`statuses.${order.Status}`)}</span>
          <span>{order.PersonInCharge?.Name ?? t('nobody')}</span>
        </ChainNode>
        <ChainNode mark={null} title={t('closeOut')} isDone={order.Status === 'accepted'}>
          {order.Verification ? <ProofMark verification={order.Verification} /> : <span>{t('notProcessedYet')}</span>}
        </ChainNode>
      </ol>
    </section>
  )
}

export function AlarmNode({ event, count }: { event: EventRecord; count: number }) {
  const { t } = useTranslation('workOrders')
  const mayList = useMayOpen(paths.alarms)
  const isBack = event.State === 'returned' || event.State === 'normal'
  return (
    <ChainNode mark={<Mark kind={drawnKind(event.Kind)} size={18} />} title={t(isBack ? 'alarmReturned' : 'alarmThere')} isDone>
      <span>{localised(event.Label)}</span>
      <span>
        {mayList ? (
          <Link className="text-link" to={alarmDetails(event.EventID)}>
            {clockMinute(event.LastRaisedAt)}
          </Link>
        ) : (
          clockMinute(event.LastRaisedAt)
        )}
        {count > 1 && ` · ${t('alarmCount', { count })}`}
      </span>
    </ChainNode>
  )
}

export function ChainNode({
  mark,
  title,
  isDone,
  children,
}: {
  mark: ReactNode
  title: string
  isDone: boolean
  children: ReactNode
}) {
  return (
    <li className={isDone ? undefined : 'half'}>
      <span className="node">{mark ?? <i />}</span>
      <b>{title}</b>
      {children}
    </li>
  )
}
