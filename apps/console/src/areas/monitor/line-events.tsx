import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/unloaded.tsx'
import { said } from '../../texts/i18n.ts'
import { clockTime } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import { useLineEvents } from './queries.ts'

/** What was last told of this line. */
export function LineEvents({ lineId }: { lineId: number }) {
  const { t } = useTranslation(['monitor', 'app'])
  const events = useLineEvents(lineId)
  const { data } = events
  return (
    <section className="part" aria-label={t('events')}>
      <h3>{t('events')}</h3>
      {data?.items.length === 0 && <p className="mute">{t('noEvents')}</p>}
      {!data && <Unloaded query={events} />}
      <ul className="events">
        {data?.items.map((event) => (
          <li key={event.EventID}>
            {event.Kind === 'journal' ? <span className="dot" /> : <Mark kind={event.Kind} />}
            <span>{said(event.Label)}</span>
            <span className="grow" />
            {event.ReturnedAt !== null && <span className="mute">{t('returned')}</span>}
            <span className="mute">{clockTime(event.RaisedAt)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
