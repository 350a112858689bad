import type { CalendarDay } from '@linewarden/contract'
import { parseDate } from '@linewarden/rules/automation'
import { useTranslation } from 'react-i18next'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { Whose } from './whose.ts'

interface Stretch {
  readonly from: string
  readonly to: string
  readonly day: CalendarDay
}

/** The days of a year that are none of the plain week, with where each comes from. */
export function DayList({
  year,
  days,
  whose,
  reason,
  onEdit,
  onRemove,
}: {
  year: number
  days: readonly CalendarDay[]
  /** Of which list entries are changed here. */
  whose: Whose
  reason: string | null
  onEdit: (day: CalendarDay) => void
  onRemove: (day: CalendarDay) => void
}) {
  const { t } = useTranslation(['dayCalendar', 'automation'])
  return (
    <aside className="day-list" aria-label={t('unusual', { year })}>
      <h3>
        {t('unusual', { year })} <small>{t('unusualCount', { count: days.length })}</small>
      </h3>
      <p className="mute">{t('what')}</p>
      {days.length === 0 && <p>{t('noneUnusual')}</p>}
      <ul>
        {stretchesOf(days).map(({ from, to, day }) => (
          <li key={from}>
            <span>
              <b>
                {from.slice(5)}
                {to !== from && ` – ${to.slice(5)}`}
              </b>{' '}
              {t(`automation:classes.${day.Class}`)} <bdi>{day.Name}</bdi>
              <small>
                {t(`origins.${day.Origin}`, { by: day.ChangedBy ?? '' })}
                {day.Public && ` · ${t('prices')}`}
                {day.Of === 'owner' && whose === 'project' && ` · ${t('whoseDays.owner')}`}
              </small>
            </span>
            {from === to && day.Of === whose && (
              <span className="line-up">
                <ReasonedButton
                  className="btn quiet small"
                  aria-label={t('editDay', { date: day.Date })}
                  reason={reason}
                  onClick={() => onEdit(day)}
                >
                  <Icon name="edit" />
                </ReasonedButton>
                <ReasonedButton
                  className="btn quiet small"
                  aria-label={t('remove', { date: day.Date })}
                  reason={reason}
                  onClick={() => onRemove(day)}
                >
                  <Icon name="trash" />
                </ReasonedButton>
              </span>
            )}
          </li>
        ))}
      </ul>
    </aside>
  )
}

/** Bundled days in a row that are alike stand in one line; what somebody entered can be taken away day by day. */
export function stretchesOf(days: readonly CalendarDay[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const day of days) {
    const last = stretches.at(-1)
    const follows = last !== undefined && (parseDate(last.to) ?? 0) + 1 === parseDate(day.Date)
    const isAlike =
      last?.day.Class === day.Class && last.day.Name === day.Name && last.day.Of === day.Of && last.day.Public === day.Public
    if (last && follows && isAlike && day.Origin === 'bundle') stretches.splice(-1, 1, { ...last, to: day.Date })
    else stretches.push({ from: day.Date, to: day.Date, day })
  }
  return stretches
}
