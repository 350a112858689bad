import type { EventRecord } from '@linewarden/contract'
import { isDanger } from '@linewarden/rules/alarm'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useMayOpen } from '../../../app/session/use-may.ts'
import { lineHistory, lineTripAnalysis, paths, tuningMark } from '../../../paths.ts'
import { clockTime, dayTime } from '../../../ui/format.ts'
import { placeOf } from '../event-parts.tsx'
import { Lasting, PriorityChip, ValueAgainstLimit } from './event-cells.tsx'
import { useChatters } from './event-marks.tsx'
import { StateMark } from './state-mark.tsx'

/** How the alarm stands, since when, and who has seen it; with the pages that say more of its place. */
export function EventFacts({ event }: { event: EventRecord }) {
  const { t } = useTranslation(['alarmList', 'alarmMarks', 'app'])
  const mayWatch = useMayOpen(paths.realtime)
  const mayTrace = useMayOpen(paths.history)
  const { HouseID, LineID, Shelved, Chatter } = event
  const chatters = useChatters(event)
  const [address] = useSearchParams()
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [t('state'), <StateMark key="state" event={event} />],
    [t('priority'), <PriorityChip key="priority" event={event} />],
    [t('value'), <ValueAgainstLimit key="value" event={event} />],
    [t('raisedFirst'), withMark(dayTime(event.RaisedAt), event.Historical ? t('app:backFilled') : null)],
    ...(event.Raises > 1
      ? ([
          [t('raisedLast'), dayTime(event.LastRaisedAt)],
          [t('raises'), event.Raises],
        ] as const)
      : []),
    ...(event.Occurrences > event.Raises || !event.IsNewest ? [[t('alarmMarks:series'), seriesText()] as const] : []),
    ...(Chatter === null ? [] : [[t('alarmMarks:chatter'), chatterOf(Chatter)] as const]),
    ...(event.Fleeting ? [[t('alarmMarks:fleeting'), t('alarmMarks:fleetingHint')] as const] : []),
    [t('lasting'), <Lasting key="lasting" event={event} />],
    ...(event.ReturnedAt === null ? [] : [[t('returnedAt'), dayTime(event.ReturnedAt)] as const]),
    ...(event.AcknowledgedAt === null
      ? []
      : [[t('acknowledgedAt'), t('byAt', { name: event.AcknowledgedBy ?? '', time: dayTime(event.AcknowledgedAt) })] as const]),
    ...(event.AcknowledgedUntil === null ? [] : [[t('untilAcknowledged'), dayTime(event.AcknowledgedUntil)] as const]),
    ...(Shelved === null
      ? []
      : [
          [t('shelvedBy'), t('shelvedText', { name: Shelved.By, time: dayTime(Shelved.Until), reason: Shelved.Reason })] as const,
        ]),
    [t('number'), event.EventID],
  ]
  return (
    <section className="part" aria-label={t('facts')}>
      <dl className="event-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <nav className="event-links" aria-label={t('links')}>
        {mayWatch && LineID !== null && event.Key.startsWith('trip.') && (
          <Link className="btn small" to={lineTripAnalysis(HouseID, LineID)}>
            {t('tripAnalysis')}
          </Link>
        )}
        {mayWatch && (
          <Link className="btn small" to={placeOf(event)}>
            {t('live')}
          </Link>
        )}
        {mayTrace && LineID !== null && (
          <Link className="btn small" to={lineHistory(HouseID, LineID)}>
            {t('history')}
          </Link>
        )}
      </nav>
    </section>
  )

  function seriesText(): string {
    const text = t('alarmMarks:seriesText', { count: event.Occurrences, own: event.Raises })
    return event.IsNewest ? text : text + t('alarmMarks:seriesNewer')
  }

  function chatterOf({ Since, Last }: NonNullable<EventRecord['Chatter']>): ReactNode {
    const text = t(chatters ? 'alarmMarks:chatterNow' : 'alarmMarks:chatterOver', { from: clockTime(Since), to: clockTime(Last) })
    if (isDanger(event.Key) || LineID === null) return text
    return (
      <>
        {text}{' '}
        <Link className="text-link" to={`?${address}${tuningMark}`}>
          {t('alarmMarks:chatterTune')}
        </Link>
      </>
    )
  }
}

const withMark = (text: string, mark: string | null): ReactNode =>
  mark === null ? (
    text
  ) : (
    <>
      {text} <small className="mute">{mark}</small>
    </>
  )
