import { placeNames, queryWorkOrders } from '@linewarden/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Unloaded } from '../../../../app/net/unloaded.tsx'
import { useCall } from '../../../../app/net/use-call.ts'
import { useKept } from '../../../../app/offline/kept.ts'
import { paths, phoneOrder } from '../../../../paths.ts'
import { Empty } from '../../../../ui/body-state.tsx'
import { clockMinute } from '../../../../ui/format.ts'
import { byServer } from '../../../../ui/use-now.ts'
import { PriorityMark } from '../../../workorder/order-marks.tsx'
import { priorityBars, titleOf } from '../../../workorder/order-words.ts'
import { PhoneScreen, useAway } from '../phone-screen.tsx'
import type { KeptOrder } from './kept-orders.ts'
import { syncOrders } from './kept-orders.ts'
import { unsentOf } from './order-entries.ts'
import { OrderTag } from './order-tag.tsx'
import { PhoneTabs } from './phone-tabs.tsx'
import { useKeptOrders } from './use-kept-orders.ts'

const everyMs = 30_000

/** Orders that somebody has: where there is a network they are taken down by themselves. */
export function MyOrders() {
  const { t } = useTranslation('phoneOrders')
  return (
    <PhoneScreen title={t('title')} back={paths.workOrders}>
      {() => <Orders />}
    </PhoneScreen>
  )
}

function Orders() {
  const { t } = useTranslation('phoneOrders')
  const isAway = useAway()
  const query = useCall(
    queryWorkOrders,
    { body: { View: 'mine', Status: 'dispatched', Size: 100 } },
    { refetchInterval: everyMs },
  )
  const [synced, setSynced] = useState(0)
  const [failed, setFailed] = useState(false)
  const { data, dataUpdatedAt, isFetchedAfterMount } = query
  // biome-ignore lint/correctness/useExhaustiveDependencies: told anew, though it is the same list, what failed is tried again
  useEffect(() => {
    if (!data || !isFetchedAfterMount) return
    syncOrders(data.items).then(
      () => {
        setFailed(false)
        setSynced((count) => count + 1)
      },
      () => setFailed(true),
    )
  }, [data, dataUpdatedAt, isFetchedAfterMount])
  const kept = useKeptOrders(synced)
  return (
    <>
      <PhoneTabs />
      {!isAway && <Unloaded query={query} />}
      {failed && !isAway && (
        <p className="phone-note warning" role="alert">
          {t('notAllFetched')}
        </p>
      )}
      <ul className="phone-list">
        {(kept ?? []).toSorted(byUrgency).map((each) => (
          <Card key={each.order.OrderID} kept={each} />
        ))}
      </ul>
      {kept?.length === 0 && (isAway || synced > 0) && (
        <Empty title={t(isAway ? 'noneHere' : 'none')} hint={t(isAway ? 'noneHereHint' : 'noneHint')} />
      )}
    </>
  )
}

/** The most urgent first, then what is due first. */
const byUrgency = ({ order: one }: KeptOrder, { order: other }: KeptOrder): number =>
  priorityBars[other.Priority] - priorityBars[one.Priority] ||
  (one.DueDay ?? '9').localeCompare(other.DueDay ?? '9') ||
  one.OrderID - other.OrderID

function Card({ kept: { order, fetchedAt } }: { kept: KeptOrder }) {
  const { t } = useTranslation(['phoneOrders', 'workOrders'])
  const navigate = useNavigate()
  const { waiting, refused } = unsentOf(
    useKept(({ entries }) => entries),
    order.OrderID,
  )
  return (
    <li className="phone-card">
      <p className="phone-row">
        <small>{order.Number}</small>
        <span className="grow" />
        <PriorityMark priority={order.Priority} />
      </p>
      <h2>{titleOf(order)}</h2>
      <p className="phone-row">
        <span>{placeNames(order.Where).join(' › ')}</span> <OrderTag lineId={order.LineID} />
      </p>
      <small>{t('asOf', { state: t(`workOrders:statuses.${order.Status}`), time: clockMinute(byServer(fetchedAt)) })}</small>
      {order.DueDay !== null && <small>{t('dueDay', { day: order.DueDay })}</small>}
      {waiting > 0 && <b>{t('unsent', { count: waiting })}</b>}
      {refused > 0 && <b>{t('unsentRefused', { count: refused })}</b>}
      <div className="phone-row phone-presses">
        <button type="button" className="btn primary" onClick={() => navigate(phoneOrder(order.OrderID))}>
          {t('open')}
        </button>
      </div>
    </li>
  )
}
