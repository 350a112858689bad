import type { EventRecord } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../plant/tag-mark.tsx'
import { figure, span } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { useByNow } from '../../ui/use-now.ts'
import { SupplyPath } from './supply-path.tsx'
import { usePlant } from './use-plant.ts'
import type { WallCalls } from './wall-calls.ts'
import { wallTime } from './wall-clock.ts'
import './takeover.css'

type Takeover = NonNullable<WallCalls['takeover']>

/** A value of an event, and the limit that it is beyond. */
export function EventFigures({ event: { Value, Limit, Unit } }: { event: EventRecord }) {
  const { t } = useTranslation('screen')
  if (Value === null) return null
  const text = (value: number) => figure(value, Number.isInteger(value) ? 0 : 1)
  return (
    <p className="takeover-value">
      <b>
        {text(Value)} <small>{Unit}</small>
      </b>
      {Limit !== null && <span>{t('limitIs', { limit: `${text(Limit)} ${Unit}` })}</span>}
    </p>
  )
}

/** Since when nobody acknowledged it. */
export function Unacknowledged({ event }: { event: EventRecord }) {
  const { t } = useTranslation('screen')
  const age = useByNow((now) => span(Math.max(0, now - event.LastRaisedAt)))
  return <span>{t('unacknowledgedFor', { span: age })}</span>
}

/** What takes over the right of a wall: one event, where it is, and how it is supplied. */
export function TakeoverColumn({ takeover, zone }: { takeover: Takeover; zone: string }) {
  const { t } = useTranslation('screen')
  const { event, place, count } = takeover
  const { plant } = usePlant(event.HouseID)
  const lineId = event.LineID
  const fed = lineId === null ? [] : (plant?.graph.fed.get(lineId) ?? [])
  return (
    <section className="takeover-column" role="alert" aria-label={t('takeover')}>
      <div className="takeover-head">
        <Mark kind="alarm" size={40} />
        <h2>{localised(event.Label)}</h2>
        {count > 1 && <em>{t('callOf', { place: place + 1, count })}</em>}
      </div>
      <p className="takeover-place">
        {placeNames(event.Where).join(' › ')} <LineTag lineId={lineId} />
      </p>
      <EventFigures event={event} />
      <p className="takeover-time">
        <b>{wallTime(event.LastRaisedAt, zone)}</b> <Unacknowledged event={event} />
      </p>
      {plant && lineId !== null && plant.byId.has(lineId) && (
        <div className="takeover-supply">
          <h3>{t('supplyPath')}</h3>
          <SupplyPath plant={plant} lineId={lineId} />
          <p>{fed.length === 0 ? t('feedsNothing') : t('feeds', { count: fed.length })}</p>
        </div>
      )}
      <p className="takeover-foot">{t('acknowledgeElsewhere')}</p>
    </section>
  )
}

/** The same below a diagram, which keeps its width. */
export function TakeoverBand({ takeover, zone }: { takeover: Takeover; zone: string }) {
  const { t } = useTranslation('screen')
  const { event, place, count } = takeover
  return (
    <section className="takeover-band" role="alert" aria-label={t('takeover')}>
      <Mark kind="alarm" size={40} />
      <b>{localised(event.Label)}</b>
      <span>
        {placeNames(event.Where).join(' › ')} <LineTag lineId={event.LineID} />
      </span>
      <EventFigures event={event} />
      <em>
        {wallTime(event.LastRaisedAt, zone)} · <Unacknowledged event={event} />
        {count > 1 && <> · {t('callOf', { place: place + 1, count })}</>}
      </em>
    </section>
  )
}

/** What called for ten minutes: it stays, and the plant is there again. */
export function CallBanner({ banner, zone }: { banner: readonly EventRecord[]; zone: string }) {
  const { t } = useTranslation('screen')
  const [first] = banner
  if (!first) return null
  return (
    <section className="call-banner" role="alert" aria-label={t('stillCalling')}>
      <Mark kind="alarm" size={24} />
      <b>{localised(first.Label)}</b>
      <span>
        {placeNames(first.Where).join(' › ')} <LineTag lineId={first.LineID} />
      </span>
      <span>
        {wallTime(first.LastRaisedAt, zone)} · <Unacknowledged event={first} />
      </span>
      {banner.length > 1 && <em>{t('moreEvents', { count: banner.length - 1 })}</em>}
    </section>
  )
}
