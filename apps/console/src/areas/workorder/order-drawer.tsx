import type { getWorkOrder, OrderPhoto, Reply, WorkOrder } from '@linewarden/contract'
import { getWorkOrder as getWorkOrderCall, orderPhotoRoles, placeNames } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useMayOpen } from '../../app/session/use-may.ts'
import { gatewayLive, lineDrawer, paths } from '../../paths.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { dayTime, span } from '../../ui/format.ts'
import { Place } from '../../ui/place.tsx'
import { OrderChain } from './order-chain.tsx'
import { OrderComment } from './order-comment.tsx'
import { OrderFoot } from './order-foot.tsx'
import { OrderHistory } from './order-history.tsx'
import { ClockMark, PriorityMark } from './order-marks.tsx'
import { OrderPhotos } from './order-photos.tsx'
import { titleOf } from './order-words.ts'
import { PhotoViewer } from './photo-viewer.tsx'
import { useOrderAddress } from './use-order-address.ts'
import { useReadNotices } from './use-order-notices.ts'
import './order-drawer.css'

/** One order: the way from the alarm to its proof, what was written, what happened, and what can be done now. */
export function OrderDrawer({ orderId, onClose }: { orderId: number; onClose: () => void }) {
  const { t } = useTranslation('workOrders')
  const query = useCall(getWorkOrderCall, { params: { OrderID: orderId } })
  useReadNotices(orderId)
  const [shown, setShown] = useState<OrderPhoto | null>(null)
  const { showSheet } = useOrderAddress()
  const { data } = query
  if (!data)
    return (
      <Drawer label={t('details')} title={<h2>{t('details')}</h2>} onClose={onClose}>
        <Unloaded query={query} />
      </Drawer>
    )
  const { Order: order, Photos: photos } = data
  return (
    <Drawer
      label={t('details')}
      title={
        <>
          <h2>{titleOf(order)}</h2>
          <span className="order-state">{t(`statuses.${order.Status}`)}</span>
          <PriorityMark priority={order.Priority} />
        </>
      }
      subtitle={
        <p className="mute">
          {t('numberAndType', { number: order.Number, type: t(`types.${order.Type}`) })}
          {' · '}
          <Place names={placeNames(order.Where)} between=" › " /> <LineTag lineId={order.LineID} />{' '}
          <button type="button" className="text-link" onClick={() => showSheet(true)}>
            {t('sheet')}
          </button>
        </p>
      }
      foot={<OrderFoot order={order} />}
      onClose={onClose}
    >
      <div className="drawer-parts">
        <Unloaded query={query} />
        <OrderChain order={order} events={data.Events} />
        <Facts details={data} />
        <Written order={order} />
        <OrderPhotos order={order} photos={photos} onOpen={setShown} />
        <OrderHistory steps={data.Steps} photos={photos} onOpen={setShown} />
        <MayNow order={order} />
        <OrderComment order={order} />
      </div>
      {shown && (
        <PhotoViewer orderId={orderId} photos={inTurn(photos)} shown={shown} onShow={setShown} onClose={() => setShown(null)} />
      )}
    </Drawer>
  )
}

/** As they stand in the drawer: before, after, others, and then those of comments. */
const inTurn = (photos: readonly OrderPhoto[]): readonly OrderPhoto[] => [
  ...orderPhotoRoles.flatMap((role) => photos.filter(({ Role, StepID }) => Role === role && StepID === null)),
  ...photos.filter(({ StepID }) => StepID !== null),
]

function Facts({ details: { Order: order } }: { details: Reply<typeof getWorkOrder> }) {
  const { t } = useTranslation('workOrders')
  const mayWatch = useMayOpen(paths.realtime)
  const { PersonInCharge, Founder, Helpers, Processor } = order
  const facts: readonly (readonly [string, string | null])[] = [
    [t('person'), PersonInCharge?.Name ?? t('nobody')],
    [t('helpers'), Helpers.length === 0 ? null : Helpers.map(({ Name }) => Name).join('、')],
    [t('founder'), Founder.Name],
    [t('processor'), Processor?.Name ?? null],
    [t('alarmTime'), timeText(order.AlarmTime)],
    [t('dispatchTime'), timeText(order.DispatchTime)],
    [t('takenAt'), timeText(order.TakenAt)],
    [t('dealTime'), timeText(order.DealTime)],
    [t('dueDay'), order.DueDay],
    [t('validity'), t(order.WorkingDaysOnly ? 'workingDays' : 'days', { count: order.ValidDays })],
    [t('labour'), order.LabourMin === null ? null : span(order.LabourMin * 60_000)],
    [t('returnsAndReopened'), order.Returns + order.Reopened === 0 ? null : `${order.Returns} · ${order.Reopened}`],
  ]
  return (
    <section className="part" aria-label={t('facts')}>
      <h3>
        {t('facts')}
        <span className="grow" />
        <ClockMark order={order} />
      </h3>
      <dl className="order-facts">
        {facts.flatMap(([name, value]) =>
          value === null
            ? []
            : [
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>,
              ],
        )}
      </dl>
      {mayWatch && order.DeviceID !== null && (
        <p>
          <Link
            className="text-link"
            to={order.LineID === null ? gatewayLive(order.HouseID, order.DeviceID) : lineDrawer(order.HouseID, order.LineID)}
          >
            {t('toLine')}
          </Link>
        </p>
      )}
    </section>
  )
}

const timeText = (at: number | null): string | null => (at === null ? null : dayTime(at))

/** What is to be done, and what was. */
function Written({ order }: { order: WorkOrder }) {
  const { t } = useTranslation('workOrders')
  const texts = [
    [t('description'), order.Description],
    [t('cause'), order.Cause],
    [t('done'), order.Done],
    [t('parts'), order.Parts],
  ] as const
  return (
    <section className="part order-written" aria-label={t('description')}>
      {texts.map(([name, text]) =>
        text === '' ? null : (
          <div key={name}>
            <h3>{name}</h3>
            <p>{text}</p>
          </div>
        ),
      )}
    </section>
  )
}

/** What this state lets happen, and who may. */
function MayNow({ order }: { order: WorkOrder }) {
  const { t } = useTranslation('workOrders')
  if (order.Acts.length === 0) return null
  return (
    <section className="part" aria-label={t('canNow')}>
      <h3>{t('canNow')}</h3>
      <ul className="order-may">
        {order.Acts.filter(({ Act }) => Act !== (order.Paused ? 'pause' : 'resume')).map(({ Act, Who, Refusal }) => (
          <li key={Act}>
            <b>{t(`acts.${Act}`)}</b>
            <span>{Who.map((role) => t(`roles.${role}`)).join(t('and'))}</span>
            {Refusal === null && <small>{t('youMay')}</small>}
          </li>
        ))}
      </ul>
    </section>
  )
}
