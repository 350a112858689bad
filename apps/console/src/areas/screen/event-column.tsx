import type { EventRecord } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../plant/tag-mark.tsx'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { useByNow } from '../../ui/use-now.ts'
import { classOf, markOf } from './event-strip.tsx'
import { useKindCounts } from './use-kind-counts.ts'
import { wallTime } from './wall-clock.ts'
import { isAcknowledged } from './wall-events.ts'
import { floodFrom, isFlood, newest } from './wall-flood.ts'

/** So many stand in the column; the others are counted. */
const most = 9

/** In a flood so many, the newest. */
const mostInFlood = 8

/** What is open, unacknowledged first; one incident is one row. In a flood only counts and the newest say anything. */
export function EventColumn({ events, total, zone }: { events: readonly EventRecord[]; total: number; zone: string }) {
  const { t } = useTranslation(['screen', 'monitor'])
  const waiting = events.filter((event) => !isAcknowledged(event)).length
  const isFlooded = useByNow((now) => isFlood(events, now))
  const counts = useKindCounts(isFlooded)
  const shown = isFlooded ? newest(events, mostInFlood) : events.slice(0, most)
  return (
    <section className="event-column" aria-label={t('abnormal')}>
      <h2>
        {t('active', { count: total })}{' '}
        <span>
          {events.length < total && waiting === events.length ? '≥ ' : ''}
          {t('waiting', { count: waiting })}
        </span>
      </h2>
      {isFlooded && (
        <div className="flood" role="status">
          <b>{t('flood', { count: floodFrom, shown: mostInFlood })}</b>
          <p>
            {counts.map(({ kind, count }) => (
              <span key={kind} className={kind}>
                <Mark kind={kind} size={20} /> {count === null ? '–' : t(`monitor:kindCounts.${kind}`, { count })}
              </span>
            ))}
          </p>
        </div>
      )}
      {events.length === 0 && <p className="calm">{t('noAbnormal')}</p>}
      <ul>
        {shown.map((event) => (
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
      {total > shown.length && <p className="more">{t('moreEvents', { count: total - shown.length })}</p>}
    </section>
  )
}

const placeOf = ({ Where }: EventRecord): string =>
  [Where.GatewayName ?? Where.HouseName, Where.LineName].filter((each) => each !== null).join(' › ')

const valueText = ({ Value, Unit }: EventRecord): string =>
  Value === null || Unit === '' ? '' : `${figure(Value, Number.isInteger(Value) ? 0 : 1)} ${Unit}`
