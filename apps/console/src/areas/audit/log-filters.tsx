import { actionName, actionNames, outcomeName, outcomeNames } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { FilterSelect, SearchField } from '../../ui/fields.tsx'
import { dayOf } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import type { ListState } from '../../ui/list-state.ts'
import { MomentChoice } from '../../ui/moment-field.tsx'
import { momentIn, momentText } from '../../ui/moment-text.ts'
import { PickFilter } from '../../ui/pick-field.tsx'
import { serverNow } from '../../ui/use-now.ts'

/** By days, person, action, what it was done to, and outcome. */
export function LogFilters({ list }: { list: ListState }) {
  const { t } = useTranslation(['people', 'app'])
  return (
    <>
      <DayFilter list={list} name="From" label={t('from')} />
      <DayFilter list={list} name="To" label={t('to')} />
      <SearchField label={t('app:by')} value={list.filter('Actor')} onChange={(value) => list.setFilter('Actor', value)} />
      <PickFilter
        label={t('allActions')}
        value={list.filter('Action')}
        options={Object.keys(actionNames).map((key) => ({ value: key, label: localised(actionName(key)) }))}
        onChange={(value) => list.setFilter('Action', value)}
      />
      <SearchField label={t('target')} value={list.filter('Target')} onChange={(value) => list.setFilter('Target', value)} />
      <FilterSelect
        label={t('allOutcomes')}
        value={list.filter('Outcome')}
        options={Object.keys(outcomeNames).map((value) => ({ value, label: localised(outcomeName(value)) }))}
        onChange={(value) => list.setFilter('Outcome', value)}
      />
    </>
  )
}

function DayFilter({ list, name, label }: { list: ListState; name: 'From' | 'To'; label: string }) {
  const today = momentIn('day', dayOf(new Date(serverNow())))
  return (
    <span className="filter-day">
      <span aria-hidden="true">{label}</span>
      <MomentChoice
        kind="day"
        label={label}
        at={momentIn('day', list.filter(name))}
        {...(today !== null && { max: today })}
        onChoose={(at) => list.setFilter(name, at === null ? '' : momentText('day', at))}
      />
    </span>
  )
}
