import type { EventRecord } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../plant/tag-mark.tsx'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { drawnKind, Mark } from '../../ui/mark.tsx'
import { wallTime } from './wall-clock.ts'
import { isAcknowledged } from './wall-events.ts'
import './event-strip.css'

/** What is not as it should be: it never turns its pages. */
export function EventStrip({
  events,
  total,
  zone,
  places,
}: {
  events: readonly EventRecord[]
  total: number
  zone: string
  places: number
}) {
  const { t } = useTranslation('screen')
  const shown = events.slice(0, total > places ? places - 1 : places)
  return (
    <section
      className="event-strip"
      aria-label={t('abnormal')}
      style={{ gridTemplateColumns: `repeat(${places}, minmax(0, 1fr))` }}
    >
      {shown.length === 0 && <p className="calm">{t('noAbnormal')}</p>}
      {shown.map((event) => (
        <article key={event.EventID} className={classOf(event)}>
          <Mark kind={markOf(event)} size={22} />
          <div>
            <b>
              {placeOf(event)} <LineTag lineId={event.LineID} />
            </b>
            <span>{whatOf(event)}</span>
          </div>
          <em>{wallTime(event.LastRaisedAt, zone)}</em>
        </article>
      ))}
      {total > shown.length && shown.length > 0 && <p className="more">{t('moreEvents', { count: total - shown.length })}</p>}
    </section>
  )
}

/** Only what nobody has acknowledged and is critical is a field of red. */
export const classOf = (event: EventRecord): string => {
  const kind = event.Kind === 'journal' ? 'warning' : event.Kind
  const isLoud = event.Priority === 'critical' && event.Kind === 'alarm' && !isAcknowledged(event)
  return isLoud ? 'loud' : isAway(event) ? 'away' : kind
}

const isAway = ({ Key }: EventRecord): boolean => /^(?:gateway|device)\./.test(Key)

export const markOf = (event: EventRecord) => (isAway(event) ? 'off' : drawnKind(event.Kind))

const placeOf = ({ Where }: EventRecord): string => Where.LineName ?? Where.GatewayName ?? Where.HouseName ?? ''

function whatOf({ Label, Value, Unit }: EventRecord): string {
  const value = Value === null || Unit === '' ? '' : ` ${figure(Value, Number.isInteger(Value) ? 0 : 1)} ${Unit}`
  return `${localised(Label)}${value}`
}
