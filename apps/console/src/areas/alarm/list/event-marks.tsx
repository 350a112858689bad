import type { EventRecord } from '@linewarden/contract'
import { priorities } from '@linewarden/equipment'
import { isChattering } from '@linewarden/rules/alarm'
import { useTranslation } from 'react-i18next'
import { useByNow } from '../../../ui/use-now.ts'
import './event-marks.css'

/** Whether an alarm chatters by now: it is announced once in ten minutes, however often it comes. */
export const useChatters = ({ Chatter }: Pick<EventRecord, 'Chatter'>): boolean =>
  useByNow((now) => Chatter !== null && isChattering({ chatterAt: Chatter.Last }, now))

/** How an alarm comes, and of the root of an incident what it shows for; each in a word, in ink alone: what is coloured is the kind. */
export function EventMarks({ event }: { event: EventRecord }) {
  const { t } = useTranslation(['alarmMarks', 'alarmList'])
  const { Chatter, Fleeting, Occurrences, Incident } = event
  const chatters = useChatters(event)
  const graver = graverInside(event)
  return (
    <>
      {Incident && Incident.Children > 0 && (
        <span className="event-mark incident" title={t('incident')}>
          <svg viewBox="0 0 14 14" width="12" height="12" aria-hidden="true">
            <path d="M4.500 4.500h8v8h-8zM9.500 4.500v-3h-8v8h3" fill="none" stroke="currentColor" strokeWidth="1.200" />
          </svg>
          {t(`incidents.${Incident.Kind}`)}
        </span>
      )}
      {graver && <span className="event-mark">{t('inside', { priority: t(`alarmList:priorities.${graver}`) })}</span>}
      {Chatter ? (
        <span className={chatters ? 'event-mark now' : 'event-mark'} title={t('chatteringHint', { count: Occurrences })}>
          {t(chatters ? 'chattering' : 'chattered', { count: Occurrences })}
        </span>
      ) : (
        Fleeting && (
          <span className="event-mark" title={t('fleetingHint')}>
            {t('fleeting')}
          </span>
        )
      )}
    </>
  )
}

/** The priority of what is folded under a root, where that is the graver one; null: it is not. */
function graverInside({ Incident, Priority }: EventRecord): EventRecord['Priority'] | null {
  if (!Incident || Incident.Children === 0) return null
  return priorities.indexOf(Incident.Priority) < priorities.indexOf(Priority) ? Incident.Priority : null
}

/** How often an alarm was raised, and in all of its series where that is more. */
export function RaisesInSeries({ event: { Raises, Occurrences } }: { event: EventRecord }) {
  const { t } = useTranslation('alarmMarks')
  if (Occurrences <= Raises) return Raises
  return (
    <span title={t('inSeriesHint', { own: Raises, count: Occurrences })}>
      {t('inSeries', { own: Raises, count: Occurrences })}
    </span>
  )
}
