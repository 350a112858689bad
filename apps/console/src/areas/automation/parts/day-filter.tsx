import { useTranslation } from 'react-i18next'
import type { ListState } from '../../../ui/list-state.ts'

/** So far back a log can be narrowed, in days; the first is what it shows by itself. */
export const dayChoices = [7, 1, 30, 400] as const

/** The days that the address asks for. */
export const daysOf = (list: Pick<ListState, 'filter'>): (typeof dayChoices)[number] =>
  dayChoices.find((each) => String(each) === list.filter('days')) ?? dayChoices[0]

/** How far back a log reads. */
export function DayFilter({ list }: { list: ListState }) {
  const { t } = useTranslation('automation')
  return (
    <select
      aria-label={t('period')}
      value={daysOf(list)}
      onChange={({ target }) => list.setFilter('days', target.value === String(dayChoices[0]) ? '' : target.value)}
    >
      {dayChoices
        .toSorted((one, other) => one - other)
        .map((count) => (
          <option key={count} value={count}>
            {t('days', { count })}
          </option>
        ))}
    </select>
  )
}
