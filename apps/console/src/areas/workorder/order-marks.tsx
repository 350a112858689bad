import type { OrderVerification, WorkOrder } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { clockMinute, span } from '../../ui/format.ts'
import { clockOf, priorityBars, provedHours } from './order-words.ts'
import './order-marks.css'

/** Four bars of ink and a word, never a colour: that is the plant's. */
export function PriorityMark({ priority }: { priority: Priority }) {
  const { t } = useTranslation('workOrders')
  return (
    <span className={priority === 'critical' ? 'order-priority top' : 'order-priority'}>
      {[1, 2, 3, 4].map((bar) => (
        <i key={bar} className={bar <= priorityBars[priority] ? 'on' : undefined} aria-hidden="true" />
      ))}
      <span>{t(`priorities.${priority}`)}</span>
    </span>
  )
}

/** The time of an order as a bar: its end is the deadline, its tick stands at 80 %. Late it passes its edge. */
export function ClockMark({ order }: { order: WorkOrder }) {
  const { t } = useTranslation('workOrders')
  if (order.Status === 'undispatched')
    return <span className="order-clock none">{t('waitsSince', { time: clockMinute(order.CreatedAt) })}</span>
  if (order.Status === 'accepted' && order.AcceptedAt !== null)
    return <span className="order-clock none">{t('acceptedAt', { time: clockMinute(order.AcceptedAt) })}</span>
  if (order.Status === 'closed' && order.ClosedAt !== null)
    return <span className="order-clock none">{t('closedAt', { time: clockMinute(order.ClosedAt) })}</span>
  if (order.Paused)
    return (
      <span className="order-clock paused">
        <Bar share={shareOf(order)} />
        {t('pausedFor', { why: t(`whys.${order.Paused.Why}`), time: clockMinute(order.Paused.Until) })}
      </span>
    )
  const clock = clockOf(order)
  if (!clock)
    return order.Clock ? (
      <span className="order-clock">
        <Bar share={shareOf(order)} />
        {t(order.Clock.Resolve.Mark === 'over' ? 'wasLate' : 'wasOnTime', { share: percent(order.Clock.Resolve) })}
      </span>
    ) : null
  const { UsedMs, AllowedMs, Mark } = clock.reading
  const left = AllowedMs - UsedMs
  return (
    <span className={`order-clock ${Mark}`}>
      <Bar share={UsedMs / AllowedMs} />
      {Mark === 'over' ? (
        <b>{t('over', { time: span(-left) })}</b>
      ) : (
        t(clock.of === 'respond' ? 'leftToTake' : 'left', { time: span(left) })
      )}
    </span>
  )
}

const Bar = ({ share }: { share: number }) => (
  <span className="order-bar" aria-hidden="true">
    <i style={{ width: `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%` }} />
  </span>
)

const shareOf = ({ Clock }: WorkOrder): number => (Clock ? Clock.Resolve.UsedMs / Clock.Resolve.AllowedMs : 0)
const percent = ({ UsedMs, AllowedMs }: { UsedMs: number; AllowedMs: number }): number => Math.round((UsedMs / AllowedMs) * 100)

const shapes = {
  running: <path fill="currentColor" d="M7 7V1.500A5.500 5.500 0 1 1 1.500 7z" />,
  verified: (
    <>
      <circle cx="7" cy="7" r="6.300" fill="currentColor" />
      <path d="M3.800 7.200l2.300 2.200 4-4.600" fill="none" stroke="var(--raised)" strokeWidth="1.600" />
    </>
  ),
  contradicted: <path d="M3 3l8 8M11 3l-8 8" stroke="currentColor" strokeWidth="1.800" />,
  noData: (
    <path
      fill="none"
      stroke="currentColor"
      strokeWidth="1.300"
      d="M1.700 1.700h10.600v10.600H1.700zM2 6.500 6.500 2M2 11.800 11.800 2M7.500 12 12 7.500"
    />
  ),
  none: null,
} as const

/** How far it is proved that the value stays back. */
export function ProofMark({ verification }: { verification: OrderVerification }) {
  const { t } = useTranslation('workOrders')
  const { State, Missing } = verification
  const shape = shapes[State]
  return (
    <span className={`order-proof ${State}`}>
      {shape && (
        <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
          {State === 'running' && <circle cx="7" cy="7" r="5.500" fill="none" stroke="currentColor" strokeWidth="1.300" />}
          {shape}
        </svg>
      )}
      {State === 'running'
        ? Missing
          ? t(`missing.${Missing}`)
          : t('proofs.running', provedHours(verification))
        : t(`proofs.${State}`)}
    </span>
  )
}
