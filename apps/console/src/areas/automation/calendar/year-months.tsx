import type { CalendarDay } from '@linewarden/contract'
import type { CivilDay, ProjectCalendar } from '@linewarden/rules/automation'
import { createCalendar, dateText, monthDayOf, parseDate, weekdayOf } from '@linewarden/rules/automation'
import i18next from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../app/notify/toasts.tsx'

const dayMs = 86_400_000
const months = Array.from({ length: 12 }, (_, index) => index + 1)
const weekdays = [0, 1, 2, 3, 4, 5, 6] as const

/** The months of a year, each day drawn by its class. A day is pressed to enter another one. */
export function YearMonths({
  year,
  days,
  today,
  reason,
  onPick,
}: {
  year: number
  days: readonly CalendarDay[]
  today: CivilDay
  /** Why nothing is entered here; null: it may be. */
  reason: string | null
  onPick: (date: string) => void
}) {
  const calendar = useMemo(
    () =>
      createCalendar({
        project: days.map(({ Date: date, Class, Name, Origin }) => ({ date, class: Class, name: Name, origin: Origin })),
      }),
    [days],
  )
  return (
    <div className="months-grid">
      {months.map((month) => (
        <Month
          key={month}
          first={parseDate(`${year}-${String(month).padStart(2, '0')}-01`) ?? 0}
          calendar={calendar}
          today={today}
          onPick={(date) => (reason === null ? onPick(date) : toast('refusal', reason))}
        />
      ))}
    </div>
  )
}

function Month({
  first,
  calendar,
  today,
  onPick,
}: {
  first: CivilDay
  calendar: ProjectCalendar
  today: CivilDay
  onPick: (date: string) => void
}) {
  const { t } = useTranslation('automation')
  const written = (options: Intl.DateTimeFormatOptions, day: CivilDay) =>
    new Intl.DateTimeFormat(i18next.language, { ...options, timeZone: 'UTC' }).format(day * dayMs)
  const name = written({ month: 'long' }, first)
  const days = Array.from({ length: monthDayOf(first).last }, (_, index) => first + index)
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      <div className="month">
        {weekdays.map((day) => (
          <span key={day} className="head-day" aria-hidden="true">
            {written({ weekday: 'narrow' }, 4 + day)}
          </span>
        ))}
        {days.map((day) => {
          const { class: dayClass, by, name: called } = calendar.classOf(day)
          const words = [written({ dateStyle: 'full' }, day), t(`classes.${dayClass}`), ...(called ? [called] : [])]
          return (
            <button
              type="button"
              key={day}
              className={`${dayClass}${by === 'week' ? '' : ' entered'}`}
              style={day === first ? { gridColumnStart: weekdayOf(day) + 1 } : undefined}
              aria-label={words.join(t('nameBetween'))}
              title={called ?? undefined}
              aria-current={day === today ? 'date' : undefined}
              // Reached by "enter days" and by the list beside it; 365 stops of the Tab key are none.
              tabIndex={-1}
              onClick={() => onPick(dateText(day))}
            >
              {Number(dateText(day).slice(8))}
            </button>
          )
        })}
      </div>
    </section>
  )
}
