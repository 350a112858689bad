import { placeNames } from '@linewarden/contract'
import { isUnacknowledged } from '@linewarden/rules/alarm'
import { Fragment, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../app/net/lazy-part.tsx'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useMayEdit } from '../../app/session/use-may.ts'
import { clockTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { EventValue } from './event-parts.tsx'
import { useLineEvents } from './queries.ts'
import { acknowledge } from './unacknowledged.ts'

const EvidencePart = lazyPart(async () => (await import('./evidence/evidence-part.tsx')).EvidencePart)

/** What was last told of this line. */
export function LineEvents({ lineId }: { lineId: number }) {
  const { t } = useTranslation(['monitor', 'app'])
  const events = useLineEvents(lineId)
  const { data } = events
  const mayEdit = useMayEdit()
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <section className="part" aria-label={t('events')}>
      <h3>{t('events')}</h3>
      {data?.items.length === 0 && <p className="mute">{t('noEvents')}</p>}
      {!data && <Unloaded query={events} />}
      <ul className="events">
        {data?.items.map((event) => (
          <Fragment key={event.EventID}>
            <li>
              {event.Kind === 'journal' ? <span className="dot" /> : <Mark kind={event.Kind} />}
              <span>
                {localised(event.Label)}
                {event.LineID === null && <small className="mute"> {placeNames(event.Where).at(-1)}</small>}
              </span>
              <EventValue event={event} />
              <span className="grow" />
              {event.Raises > 1 && <span className="mute">{t('raisedTimes', { count: event.Raises })}</span>}
              {event.ReturnedAt !== null && <span className="mute">{t('returned')}</span>}
              {event.AcknowledgedAt !== null && (
                <span className="mute">
                  {t('acknowledgedBy', { name: event.AcknowledgedBy ?? '', time: clockTime(event.AcknowledgedAt) })}
                </span>
              )}
              {mayEdit && isUnacknowledged(event.State) && (
                <button
                  type="button"
                  className="btn small"
                  aria-label={`${t('acknowledge')} ${localised(event.Label)} ${clockTime(event.LastRaisedAt)}`}
                  onClick={() => acknowledge([event])}
                >
                  {t('acknowledge')}
                </button>
              )}
              {event.Evidence !== 'none' && (
                <button
                  type="button"
                  className="btn small quiet"
                  aria-expanded={opened === event.EventID}
                  aria-label={`${t('evidence')} ${localised(event.Label)} ${clockTime(event.LastRaisedAt)}`}
                  onClick={() => setOpened(opened === event.EventID ? null : event.EventID)}
                >
                  {t('evidence')}
                </button>
              )}
              <span className="mute">{clockTime(event.LastRaisedAt)}</span>
            </li>
            {opened === event.EventID && (
              <li className="opened">
                <Suspense>
                  <EvidencePart event={event} />
                </Suspense>
              </li>
            )}
          </Fragment>
        ))}
      </ul>
    </section>
  )
}
