import type { InspectionPlan, Reply } from '@linewarden/contract'
import { roundCalendar } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { keepPreviousData } from '@tanstack/react-query'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { Icon } from '../../ui/icon.tsx'
import { serverNow } from '../../ui/use-now.ts'
import type { InspectionAddress } from './address.ts'
import { dayHere, daysShown, dayText, shownWeeks } from './days.ts'
import { isDaily } from './plan-words.ts'
import { RoundMark } from './state-mark.tsx'
import './due-calendar.css'

type Due = Reply<typeof roundCalendar>['items'][number]

/** So many of a day are named; the others are counted. */
const maxNamed = 3

/** Five weeks of what is due. A plan that is due every day is left out, and that is said. */
export function DueCalendar({
  place,
  plans,
  address,
}: {
  place: { readonly CityID?: number; readonly HouseID?: number }
  plans: readonly InspectionPlan[]
  address: InspectionAddress
}) {
  const { t } = useTranslation('inspection')
  const today = dayHere(serverNow())
  const days = daysShown(address.from, today)
  const [first = today, last = today] = [days[0], days.at(-1)]
  const query = useCall(
    roundCalendar,
    { body: { ...place, From: dayText(first), To: dayText(last) } },
    { placeholderData: keepPreviousData },
  )
  const daily = new Set(plans.filter(isDaily).map(({ PlanID }) => PlanID))
  const due = (useShown(query)?.items ?? []).filter(({ PlanID }) => !daily.has(PlanID))
  const byDay = Map.groupBy(due, ({ DueDay }) => DueDay)
  const turn = (weeks: number) => address.setFrom(dayText(first + weeks * 7 * dayMs))
  return (
    <section aria-label={t('calendar')}>
      <div className="calendar-head">
        <h2>{t('calendar')}</h2>
        <small>
          {t('calendarOf', { from: dayText(first).slice(5), to: dayText(last).slice(5) })}
          {daily.size > 0 && ` · ${t('dailyLeftOut')}`}
        </small>
        <span className="grow" />
        <button type="button" className="btn quiet" aria-label={t('earlier')} onClick={() => turn(-shownWeeks)}>
          <Icon name="left" />
        </button>
        <button type="button" className="btn small" onClick={() => address.setFrom('')}>
          {t('today')}
        </button>
        <button type="button" className="btn quiet" aria-label={t('later')} onClick={() => turn(shownWeeks)}>
          <Icon name="right" />
        </button>
      </div>
      <Unloaded query={query} />
      <div className="due-days">
        {days.slice(0, 7).map((day) => (
          <div key={day} className="due-weekday" aria-hidden="true">
            {written({ weekday: 'short' }, day)}
          </div>
        ))}
        {days.map((day) => (
          <Day key={day} day={day} today={today} due={byDay.get(dayText(day)) ?? []} address={address} />
        ))}
      </div>
    </section>
  )
}

const written = (options: Intl.DateTimeFormatOptions, day: number): string =>
  new Intl.DateTimeFormat(i18next.language, { ...options, timeZone: 'UTC' }).format(day)

function Day({ day, today, due, address }: { day: number; today: number; due: readonly Due[]; address: InspectionAddress }) {
  const { t } = useTranslation('inspection')
  const isFirst = new Date(day).getUTCDate() === 1
  const name = written(isFirst ? { month: 'short', day: 'numeric' } : { day: 'numeric' }, day)
  return (
    <div className={['due-cell', day === today && 'today', due.length === 0 && 'idle'].filter(Boolean).join(' ')}>
      <time dateTime={dayText(day)}>
        <span className="wide-only">{name}</span>
        <span className="narrow-only">{written({ month: 'short', day: 'numeric', weekday: 'short' }, day)}</span>
        {day === today && ` ${t('today')}`}
      </time>
      <ul>
        {due.slice(0, maxNamed).map((each) => (
          <li key={each.PlanID} className={each.State === 'lapsed' ? 'late' : undefined}>
            {each.RoundID === null ? (
              <span className="due">
                <RoundMark state={null} />
                <span>{each.Name}</span>
              </span>
            ) : (
              <button type="button" className="due" onClick={() => address.show(each.RoundID)}>
                <RoundMark state={each.State} />
                <span>{each.Name}</span>
                <span className="hidden-visually">{each.State && t(`states.${each.State}`)}</span>
              </button>
            )}
          </li>
        ))}
        {due.length > maxNamed && <li className="mute">{t('more', { count: due.length - maxNamed })}</li>}
      </ul>
    </div>
  )
}
