import type { CalendarDay } from '@linewarden/contract'
import { getCalendar } from '@linewarden/contract'
import type { CompiledSchedule, Period, ProjectCalendar, Schedule } from '@linewarden/rules/automation'
import { civilZone, compileSchedule, createCalendar, dateText, planOfDay, weekdayOf, yearOf } from '@linewarden/rules/automation'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { useByNow } from '../../../ui/use-now.ts'
import type { FormValues } from './form-values.ts'

const weekdays = [0, 1, 2, 3, 4, 5, 6] as const
const shownDays = 21

/** Three weeks from Monday on, with the class of each day and whether the timer acts on it: what is unusual says where it comes from. */
export function Weeks({ house, timeZone, values }: { house: number; timeZone: string; values: FormValues }) {
  const { t } = useTranslation(['timerForm', 'automation'])
  const today = useByNow((now) => civilZone(timeZone).dayAt(now))
  const monday = today - weekdayOf(today)
  const days = Array.from({ length: shownDays }, (_, index) => monday + index)
  const [firstYear, lastYear] = [yearOf(monday), yearOf(monday + shownDays - 1)]
  const first = useCall(getCalendar, { params: { HouseID: house }, query: { Year: firstYear } })
  const last = useCall(getCalendar, { params: { HouseID: house }, query: { Year: lastYear } })
  if (!first.data || !last.data) return <Unloaded query={first.data ? last : first} />
  const known = [...first.data.Days, ...(lastYear === firstYear ? [] : last.data.Days)]
  const calendar = calendarOf(known)
  const schedule = scheduleShown(values)
  const inside = new Map(known.map((day) => [day.Date, day]))
  const unusual = days.flatMap((day) => inside.get(dateText(day)) ?? [])
  const unmaintained = first.data.Unmaintained
  return (
    <>
      <div className="weeks" role="table" aria-label={t('threeWeeks')}>
        <div role="row">
          {weekdays.map((day) => (
            <span role="columnheader" key={day}>
              {t(`automation:weekday${day}`)}
            </span>
          ))}
        </div>
        {[0, 7, 14].map((from) => (
          <div role="row" key={from}>
            {days.slice(from, from + 7).map((day) => (
              <Day key={day} day={day} today={today} calendar={calendar} schedule={schedule} isFirst={day === monday} />
            ))}
          </div>
        ))}
      </div>
      <div className="weeks-key">
        <span>
          <i className="on" aria-hidden="true" />
          {t('actsOn')}
        </span>
        <span>
          <i className="except" aria-hidden="true" />
          {t('exception')}
        </span>
        {unusual.map((day) => (
          <span key={day.Date}>{originText(t, day)}</span>
        ))}
      </div>
      {unmaintained.length > 0 && values.type === 'calendar' && (
        <p className="note warn">{t('unmaintained', { years: unmaintained.join(t('automation:nameBetween')) })}</p>
      )}
    </>
  )
}

const calendarOf = (days: readonly CalendarDay[]): ProjectCalendar =>
  createCalendar({
    project: days.map(({ Date: date, Class, Name, Origin }) => ({ date, class: Class, name: Name, origin: Origin })),
  })

function Day({
  day,
  today,
  calendar,
  schedule,
  isFirst,
}: {
  day: number
  today: number
  calendar: ProjectCalendar
  schedule: CompiledSchedule | null
  isFirst: boolean
}) {
  const { t } = useTranslation(['timerForm', 'automation'])
  const found = calendar.classOf(day)
  const plan = schedule && day >= today ? planOfDay(schedule, calendar, day) : null
  const isException = plan !== null && (plan.due ? plan.by === 'exception' : plan.why === 'exception')
  const state = isException ? 'except' : plan?.due ? 'on' : ''
  const text = dateText(day)
  const does = plan === null ? null : isException ? (plan.due ? t('ownTimes') : t('notOn')) : plan.due ? t('actsOn') : null
  const classes = [state, day === today ? 'today' : '', found.by === 'week' ? '' : 'unusual', day < today ? 'over' : '']
  return (
    <span role="cell" className={classes.filter(Boolean).join(' ') || undefined} title={found.name ?? undefined}>
      <b>{isFirst || text.endsWith('-01') ? text.slice(5) : String(Number(text.slice(8)))}</b>
      <small>{t(`automation:classes.${found.class}`)}</small>
      {does !== null && <span className="hidden-visually">{does}</span>}
    </span>
  )
}

/** Why a day is no plain one: who entered it, or that it came with the product. */
function originText(
  t: TFunction<['timerForm', 'automation']>,
  { Date: date, Class, Name, Origin, ChangedBy }: CalendarDay,
): string {
  const facts = { date: date.slice(5), class: t(`automation:classes.${Class}`), name: Name, by: ChangedBy ?? '' }
  return t(`origins.${Origin}`, facts)
}

/** The days of a form, as far as they are filled in; null: no type is chosen. */
function scheduleShown(values: FormValues): CompiledSchedule | null {
  const bound = (text: string) => (text.trim() === '' ? null : text.trim())
  const bounds =
    values.type === 'once' ? { fromDate: null, toDate: null } : { fromDate: bound(values.from), toDate: bound(values.to) }
  const period = periodShown(values, bounds)
  if (!period) return null
  const exceptions: Schedule['exceptions'] = values.exceptions.map(({ from, to, points }) => ({
    fromDate: from.trim(),
    toDate: bound(to) ?? from.trim(),
    points: points === null ? 'none' : points.map(({ no, action }) => ({ pointNo: no, at: '00:00', action })),
  }))
  return compileSchedule({ period, points: [], exceptions, skipNext: null })
}

function periodShown(values: FormValues, bounds: Pick<Period, 'fromDate' | 'toDate'>): Period | null {
  switch (values.type) {
    case null:
      return null
    case 'once':
      return { type: 'once', date: values.date.trim(), ...bounds }
    case 'calendar':
      return { type: 'calendar', classes: values.classes, ...bounds }
    case 'monthly':
      return { type: 'monthly', days: values.monthDays, ...bounds }
    default:
      return { type: values.type, days: values.weekDays, ...bounds }
  }
}
