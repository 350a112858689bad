import { useSearchParams } from 'react-router'
import { lazyPart } from '../../app/net/lazy-part.tsx'
import { LoadErrorPage } from '../../app/net/load-error.tsx'
import { formAsked } from './timer-form/form-asked.ts'
import { TimerListPage } from './timers/timer-list-page.tsx'

const TimerFormPage = lazyPart(async () => (await import('./timer-form/timer-form-page.tsx')).TimerFormPage, LoadErrorPage)

const DayPage = lazyPart(async () => (await import('./timers/day/day-page.tsx')).TimerDayPage, LoadErrorPage)

const CalendarPage = lazyPart(async () => (await import('./calendar/calendar-page.tsx')).CalendarPage, LoadErrorPage)

/** The list of timers, or in its place the form of one, what happens on a day, or the calendar of days, as the address asks. */
export function TimersPage() {
  const [address] = useSearchParams()
  if (address.has('calendar')) return <CalendarPage />
  if (address.has('day')) return <DayPage />
  return formAsked(address) ? <TimerFormPage /> : <TimerListPage />
}
