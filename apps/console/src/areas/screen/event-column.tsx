import type { EventRecord } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../plant/tag-mark.tsx'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { classOf, markOf } from './event-strip.tsx'
import { wallTime } from './wall-clock.ts'
import { isAcknowledged } from './wall-events.ts'

/** So many stand in the column; the others are counted. */
const most = 9

/** What is open, unacknowledged first; one incident is one row. */
export function EventColumn({ events, total, zone }: { events: readonly EventRecord[]; total: number; zone: string }) {
  const { t } = useTranslation('screen')
  const waiting = events.filter((event) => !isAcknowledged(event)).length
  return (
    <section className="event-column" aria-label={t('abnormal')}>
      <h2>
        {t('active', { count: total })} <span>{t('waiting', { count: waiting })}</span>
      </h2>
      {events.length === 0 && <p className="calm">{t('noAbnormal')}</p>}
      <ul>
        {events.slice(0, most).map((event) => (
          <li key={event.EventID} className={classOf(event)}>
            <Mark kind={markOf(event)} size={22} />
            <div>
              <b>{localised(event.Label)}</b>
              <span>
                {placeOf(event)} <LineTag lineId={event.LineID} />
              </span>
            </div>
            <div className="when">
              <b>{valueText(event)}</b>
              <span>{wallTime(event.LastRaisedAt, zone)}</span>
            </div>
          </li>
        ))}
      </ul>
      {total > most && <p className="more">{t('moreEvents', { count: total - most })}</p>}
    </section>
  )
}

const placeOf = ({ Where }: EventRecord): string =>
  [Where.GatewayName ?? Where.HouseName, Where.LineName].filter((each) => each !== null).join(' › ')

const valueText = ({ Value, Unit }: EventRecord): string =>
  Value === null || Unit === '' ? '' : `${figure(Value, Number.isInteger(Value) ? 0 : 1)} ${Unit}`
