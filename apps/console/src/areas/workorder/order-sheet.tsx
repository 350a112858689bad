import type { getWorkOrder, OrderPhoto, OrderStep, Reply, WorkOrder } from '@linewarden/contract'
import { getOrderPhoto, getWorkOrder as getWorkOrderCall, orderPhotoRoles } from '@linewarden/contract'
import { useIsFetching } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { keyOf } from '../../app/net/keys.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { Paper, PaperPage } from '../../app/shell/paper.tsx'
import { orderDetails } from '../../paths.ts'
import { span } from '../../ui/format.ts'
import { addTexts, localised } from '../../ui/i18n.ts'
import { QrCode } from '../../ui/qr-code.tsx'
import { zonedTime } from '../../ui/zoned-time.ts'
import { ValueAgainstLimit } from '../alarm/list/event-cells.tsx'
import { ProofMark } from './order-marks.tsx'
import { orderSheet } from './order-sheet-texts.ts'
import { titleOf } from './order-words.ts'
import { PhotoImage } from './photo-image.tsx'
import './order-sheet.css'

addTexts({ orderSheet })

type Details = Reply<typeof getWorkOrder>

/** The sheet of an order, to be printed and signed, as it stands now. No colour stands on it but that of its photos. */
export function OrderSheet({ orderId, onBack }: { orderId: number; onBack: () => void }) {
  const { t } = useTranslation('orderSheet')
  const query = useCall(getWorkOrderCall, { params: { OrderID: orderId } })
  const details = useShown(query)
  const isLoading = useIsFetching({ queryKey: keyOf(getOrderPhoto) }) > 0
  return (
    <PaperPage
      title={t('title')}
      isReady={details !== undefined && !isLoading}
      status={isLoading ? t('loading') : null}
      onBack={onBack}
    >
      <Unloaded query={query} />
      {details && <Sheet details={details} />}
    </PaperPage>
  )
}

function Sheet({ details }: { details: Details }) {
  const { t } = useTranslation(['orderSheet', 'workOrders'])
  const { Order: order, Photos, Steps } = details
  return (
    <Paper
      className="order-sheet"
      title={t('title')}
      about={[order.Where.HouseName]}
      number={t('number', { number: order.Number })}
      foot={[order.Number, t('zone', { zone: order.TimeZone }), t(`workOrders:statuses.${order.Status}`)]}
    >
      <h2>{titleOf(order)}</h2>
      <Facts order={order} />
      <FoundAndDone details={details} />
      <SheetPhotos order={order} photos={Photos.filter(({ StepID }) => StepID === null)} />
      <SheetSteps steps={Steps} photos={Photos} zone={order.TimeZone} />
      <Signatures order={order} />
    </Paper>
  )
}

function Facts({ order }: { order: WorkOrder }) {
  const { t } = useTranslation(['orderSheet', 'workOrders'])
  const zoned = (at: number | null) => (at === null ? null : zonedTime(at, order.TimeZone))
  const { Where, LineNo } = order
  const place: readonly Fact[] = [
    [t('house'), Where.HouseName],
    [t('gateway'), Where.GatewayName ?? t('wholeProject')],
    [t('line'), LineNo === null ? Where.LineName : t('lineWithNo', { name: Where.LineName ?? '–', no: LineNo })],
  ]
  const people: readonly Fact[] = [
    [t('workOrders:type'), t(`workOrders:types.${order.Type}`)],
    [t('workOrders:priority'), t(`workOrders:priorities.${order.Priority}`)],
    [t('state'), t(`workOrders:statuses.${order.Status}`)],
    [t('workOrders:founder'), order.Founder.Name],
    [t('workOrders:person'), order.PersonInCharge?.Name ?? t('workOrders:nobody')],
    [t('workOrders:helpers'), order.Helpers.map(({ Name }) => Name).join(t('workOrders:and')) || null],
    [t('workOrders:processor'), order.Processor?.Name ?? null],
  ]
  const times: readonly Fact[] = [
    [t('workOrders:alarmTime'), zoned(order.AlarmTime)],
    [t('workOrders:dispatchTime'), zoned(order.DispatchTime)],
    [t('workOrders:takenAt'), zoned(order.TakenAt)],
    [t('workOrders:dealTime'), zoned(order.DealTime)],
    [t('workOrders:statuses.accepted'), zoned(order.AcceptedAt)],
    [t('workOrders:statuses.closed'), zoned(order.ClosedAt)],
    [t('workOrders:dueDay'), order.DueDay],
    [t('workOrders:labour'), order.LabourMin === null ? null : span(order.LabourMin * 60_000)],
  ]
  return (
    <>
      {[place, people, times].map((facts) => (
        <FactRow key={facts[0]?.[0]} facts={facts} />
      ))}
    </>
  )
}

/** What is not there yet stands nowhere. */
type Fact = readonly [string, string | null]

function FactRow({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="order-sheet-facts">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

function FoundAndDone({ details: { Order: order, Events } }: { details: Details }) {
  const { t } = useTranslation(['orderSheet', 'workOrders'])
  const written: readonly (readonly [string, string])[] = [
    [t('workOrders:cause'), order.Cause],
    [t('workOrders:done'), order.Done],
    [t('workOrders:parts'), order.Parts],
  ]
  return (
    <>
      <h2>{t('found')}</h2>
      {Events.map((event) => (
        <p key={event.EventID} className="order-sheet-event">
          <b>{localised(event.Label)}</b> {event.Value !== null && <ValueAgainstLimit event={event} />}
          {event.Value !== null && ' · '}
          {t('alarmAt', { time: zonedTime(event.RaisedAt, order.TimeZone), count: event.Raises })}
        </p>
      ))}
      <p className="order-sheet-text">{order.Description}</p>
      <h2>{t('work')}</h2>
      <dl className="order-sheet-written">
        {written.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text || t('notYet')}</dd>
          </div>
        ))}
        {order.Verification && (
          <div>
            <dt>{t('workOrders:proof')}</dt>
            <dd>
              <ProofMark verification={order.Verification} />
            </dd>
          </div>
        )}
      </dl>
    </>
  )
}

const photoHeads = { before: 'photosBefore', after: 'photosAfter', other: 'photosOther' } as const

/** Before and after side by side; others below, where there are any. A photo is never cut in two. */
function SheetPhotos({ order: { OrderID, TimeZone }, photos }: { order: WorkOrder; photos: readonly OrderPhoto[] }) {
  const { t } = useTranslation('orderSheet')
  if (photos.length === 0) return null
  return (
    <div className="order-sheet-photos">
      {orderPhotoRoles.map((role) => {
        const own = photos.filter(({ Role }) => Role === role)
        if (own.length === 0 && role === 'other') return null
        return (
          <section key={role} aria-label={t(photoHeads[role])}>
            <h2>{t(photoHeads[role])}</h2>
            {own.length === 0 && <p>{t('noneOf')}</p>}
            {own.map((photo) => (
              <figure key={photo.Hash}>
                <PhotoImage orderId={OrderID} photo={photo} />
                <figcaption>
                  {photo.Actor} · {zonedTime(photo.TakenAt ?? photo.SentAt, TimeZone)}
                </figcaption>
              </figure>
            ))}
          </section>
        )
      })}
    </div>
  )
}

/** Everything that happened to it and was written about it, the oldest first. */
function SheetSteps({ steps, photos, zone }: { steps: readonly OrderStep[]; photos: readonly OrderPhoto[]; zone: string }) {
  const { t } = useTranslation(['orderSheet', 'workOrders'])
  const textOf = ({ StepID, Act, Person, Why, Until, Text }: OrderStep): string => {
    const own = photos.filter((photo) => photo.StepID === StepID).length
    const parts = [
      Person === null ? '' : Act === 'remind' ? Person : t('workOrders:toPerson', { name: Person }),
      Why === null ? '' : t(`workOrders:whys.${Why}`),
      Until === null ? '' : t('workOrders:until', { time: zonedTime(Until, zone) }),
      Text,
      own === 0 ? '' : t('workOrders:photoCount', { count: own }),
    ]
    return parts.filter((part) => part !== '').join(' · ')
  }
  return (
    <>
      <h2>{t('steps')}</h2>
      <ol className="order-sheet-steps">
        {steps.map((step) => (
          <li key={step.StepID}>
            <span>{zonedTime(step.At, zone)}</span>
            <b>{t(`workOrders:steps.${step.Act}`)}</b>
            <span>{step.Actor ?? t('workOrders:system')}</span>
            <span>{textOf(step)}</span>
          </li>
        ))}
      </ol>
    </>
  )
}

function Signatures({ order }: { order: WorkOrder }) {
  const { t } = useTranslation('orderSheet')
  return (
    <div className="paper-signatures">
      {(['person', 'acceptor', 'unit'] as const).map((who) => (
        <p key={who}>
          {t(`signed.${who}`)}
          <span>{t('date')}</span>
        </p>
      ))}
      <QrCode text={`${location.origin}${orderDetails(order.OrderID)}`} label={t('openCode')} />
    </div>
  )
}
