import { CallError } from '@linewarden/client'
import { getWorkOrder, placeNames } from '@linewarden/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { messageOf } from '../../../../app/net/api.ts'
import { Unloaded } from '../../../../app/net/unloaded.tsx'
import { useCall } from '../../../../app/net/use-call.ts'
import { useKept } from '../../../../app/offline/kept.ts'
import { paths } from '../../../../paths.ts'
import { Empty, Loading } from '../../../../ui/body-state.tsx'
import { clockMinute } from '../../../../ui/format.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { byServer } from '../../../../ui/use-now.ts'
import { StepText } from '../../../workorder/order-history.tsx'
import { PriorityMark } from '../../../workorder/order-marks.tsx'
import { titleOf } from '../../../workorder/order-words.ts'
import { PhoneScreen, useAway } from '../phone-screen.tsx'
import { DeedDialog } from './deed-dialog.tsx'
import type { KeptOrder } from './kept-orders.ts'
import { keepDetails } from './kept-orders.ts'
import { act } from './order-acts.ts'
import type { Does } from './order-entries.ts'
import { actsOn, nextOf, offered } from './order-entries.ts'
import { OrderPhotoField } from './order-photo-field.tsx'
import { OrderTag } from './order-tag.tsx'
import { UnsentActs } from './unsent-acts.tsx'
import { useKeptOrder } from './use-kept-orders.ts'

const everyMs = 30_000

/** One order: what the server said of it last, what of this phone it does not know yet, and what can be done. */
export function OrderScreen() {
  const { t } = useTranslation('phoneOrders')
  const OrderID = Number(useParams().OrderID)
  return (
    <PhoneScreen title={t('order')} back={paths.phoneOrders}>
      {() => <Order key={OrderID} orderId={OrderID} />}
    </PhoneScreen>
  )
}

/** As long as the page is open and the server reached, it is as the server tells it now. */
function useFollowed(OrderID: number) {
  const query = useCall(getWorkOrder, { params: { OrderID } }, { refetchInterval: everyMs })
  const [storedAt, setStoredAt] = useState(0)
  const { data, dataUpdatedAt, isFetchedAfterMount } = query
  useEffect(() => {
    if (data && isFetchedAfterMount) keepDetails(data, dataUpdatedAt).then(() => setStoredAt(dataUpdatedAt), reportError)
  }, [data, dataUpdatedAt, isFetchedAfterMount])
  return { query, kept: useKeptOrder(OrderID, storedAt) }
}

function Order({ orderId }: { orderId: number }) {
  const { t } = useTranslation('phoneOrders')
  const isAway = useAway()
  const { query, kept } = useFollowed(orderId)
  // Retrying brings nothing where the server has said no.
  const refusal = query.error instanceof CallError && query.error.refused ? messageOf(query.error) : null
  if (kept === undefined) return <Loading />
  if (kept === null && isAway) return <Empty title={t('notHere')} hint={t('noneHereHint')} />
  if (kept === null) return refusal === null ? <Unloaded query={query} /> : <Empty title={refusal} hint={t('goneHint')} />
  return (
    <>
      {refusal !== null && (
        <p className="phone-note warning" role="alert">
          <b>{refusal}</b> {t('goneHint')}
        </p>
      )}
      {refusal === null && query.isError && !isAway && <Unloaded query={query} />}
      <Facts kept={kept} isBusy={query.isFetching} onRefresh={() => void query.refetch()} />
      <UnsentActs orderId={orderId} />
      <Deeds kept={kept} />
      <OrderPhotoField kept={kept} />
      <p className="mute">{t('noOperation')}</p>
      <History kept={kept} />
    </>
  )
}

/** As the server told it, and when. */
function Facts({ kept: { order, fetchedAt }, isBusy, onRefresh }: { kept: KeptOrder; isBusy: boolean; onRefresh: () => void }) {
  const { t } = useTranslation(['phoneOrders', 'workOrders'])
  const isAway = useAway()
  const time = clockMinute(byServer(fetchedAt))
  return (
    <>
      <p className="phone-row">
        <small>{order.Number}</small>
        <span className="grow" />
        <PriorityMark priority={order.Priority} />
      </p>
      <div className="phone-head">
        <h2>{titleOf(order)}</h2>
      </div>
      <p className="phone-where">
        <span>{placeNames(order.Where).join(' › ')}</span> <OrderTag lineId={order.LineID} />
      </p>
      <div className="phone-row">
        <p className="phone-told">
          <b>{t('serverState', { state: t(`workOrders:statuses.${order.Status}`) })}</b>
          <small>
            {t('receivedAt', { time })}
            {order.DueDay !== null && ` · ${t('dueDay', { day: order.DueDay })}`}
          </small>
        </p>
        <button
          type="button"
          className="phone-tool"
          aria-label={t('refresh')}
          disabled={isAway}
          aria-busy={isBusy}
          onClick={onRefresh}
        >
          <Icon name="refresh" />
        </button>
      </div>
      {order.Paused && (
        <p className="phone-note">
          {t('workOrders:pausedFor', {
            why: t(`workOrders:whys.${order.Paused.Why}`),
            time: clockMinute(order.Paused.Until),
          })}
        </p>
      )}
      {order.Description !== '' && <p className="phone-note phone-text">{order.Description}</p>}
    </>
  )
}

/** What is a press, and what asks for more. */
function Deeds({ kept }: { kept: KeptOrder }) {
  const { t } = useTranslation('phoneOrders')
  const entries = useKept((all) => all.entries)
  const [asking, setAsking] = useState<Exclude<Does, 'take' | 'arrive' | 'resume'> | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const acts = actsOn(entries, kept.order.OrderID)
  const can = offered(kept.order, acts)
  const next = nextOf(can, kept.steps, acts)
  const begin = async (does: Does) => {
    if (does === 'comment' || does === 'pause' || does === 'process') return setAsking(does)
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      await act(kept, does === 'arrive' ? { Does: does, Text: t('arrivedText') } : { Does: does })
    } catch (error) {
      setProblem(t('notStored', { why: String(error) }))
    }
    setBusy(false)
  }
  return (
    <section className="phone-deeds" aria-label={t('whatToDo')}>
      {can
        .toSorted((one, other) => Number(other === next) - Number(one === next))
        .map((does) => (
          <button
            key={does}
            type="button"
            className={does === next ? 'btn primary' : 'btn'}
            aria-busy={busy}
            onClick={() => void begin(does)}
          >
            {t(`press.${does}`)}
          </button>
        ))}
      {problem !== null && (
        <p className="phone-note warning" role="alert">
          {problem}
        </p>
      )}
      {asking !== null && <DeedDialog kept={kept} does={asking} onClose={() => setAsking(null)} />}
    </section>
  )
}

/** As the server told it when it was fetched. */
function History({ kept: { steps } }: { kept: KeptOrder }) {
  const { t } = useTranslation(['phoneOrders', 'workOrders'])
  return (
    <details className="phone-last">
      <summary>{t('history', { count: steps.length })}</summary>
      {steps.map((step) => (
        <p key={step.StepID} className="phone-text">
          <b>{t(`workOrders:steps.${step.Act}`)}</b> <StepText step={step} />
          <small>{[clockMinute(step.At), step.Actor ?? t('workOrders:system')].join(' · ')}</small>
        </p>
      ))}
    </details>
  )
}
