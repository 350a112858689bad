import type { EventRecord } from '@linewarden/contract'
import { isShelved } from '@linewarden/rules/alarm'
import { useTranslation } from 'react-i18next'
import { clockMinute } from '../../../ui/format.ts'
import { useByNow } from '../../../ui/use-now.ts'

/** Marks in ink alone: what is coloured is the kind. A dot nobody has seen, a ring that somebody has, dashed once the condition is gone. */
const marks = {
  active: <circle cx="7" cy="7" r="5" fill="currentColor" />,
  acknowledged: <circle cx="7" cy="7" r="4.300" fill="none" stroke="currentColor" strokeWidth="1.400" />,
  returned: (
    <circle cx="7" cy="7" r="4.300" fill="none" stroke="currentColor" strokeWidth="1.400" strokeDasharray="2.250 2.250" />
  ),
  normal: <path d="M3 7.500l2.800 2.500L11 4.500" fill="none" stroke="currentColor" strokeWidth="1.400" />,
  shelved: (
    <path
      d="M1.500 11.500h11M3.500 11.500v-7h2v7M6.500 11.500v-5h2v5M9.300 5.300l1.900-.500 1.300 6.700"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.200"
    />
  ),
  folded: <path d="M4.500 4.500h8v8h-8zM9.500 4.500v-3h-8v8h3" fill="none" stroke="currentColor" strokeWidth="1.200" />,
  suppressed: (
    <path d="M7 1.700l4 2.800v7.800H3V4.500zM7 5.200v.1M5 8.500h4" fill="none" stroke="currentColor" strokeWidth="1.200" />
  ),
} as const

export type StateKey = keyof typeof marks

/** As what an event is marked: what keeps it silent goes before its state. */
export function stateKeyOf(
  { State, Shelved, Suppressed }: Pick<EventRecord, 'State' | 'Shelved' | 'Suppressed'>,
  now: number,
): StateKey {
  if (State !== 'normal' && Shelved && isShelved(Shelved.Until, now)) return 'shelved'
  if (State !== 'normal' && Suppressed) return Suppressed === 'incident' ? 'folded' : 'suppressed'
  return State ?? 'normal'
}

/** Whether an event waits for somebody by now: it is unacknowledged, and nothing keeps it silent. */
export const useWaits = (event: EventRecord): boolean =>
  useByNow((now) => {
    const state = stateKeyOf(event, now)
    return state === 'active' || state === 'returned'
  })

/** How an event stands, as a mark and a word; what it waits for nobody for says until when. */
export function StateMark({ event }: { event: EventRecord }) {
  const { t } = useTranslation('alarmList')
  const state = useByNow((now) => stateKeyOf(event, now))
  const word =
    state === 'shelved' && event.Shelved
      ? t('shelvedUntil', { time: clockMinute(event.Shelved.Until) })
      : state === 'suppressed' || state === 'folded' || state === 'shelved'
        ? t(state)
        : event.State === null
          ? t('noState')
          : t(`states.${state}`)
  return (
    <span className={`alarm-state ${state}`}>
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        {marks[state]}
      </svg>
      {word}
    </span>
  )
}
