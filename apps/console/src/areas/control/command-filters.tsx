import { commandSources } from '@linewarden/contract'
import { actionKeys } from '@linewarden/equipment'
import { commandStates } from '@linewarden/rules/control'
import { useTranslation } from 'react-i18next'
import { FilterSelect, SearchField } from '../../ui/fields.tsx'
import type { ListState } from '../../ui/list-state.ts'

/** By line, person, operation, how far the order got, and where it came from. */
export function CommandFilters({ list }: { list: ListState }) {
  const { t } = useTranslation(['operations', 'control'])
  return (
    <>
      <SearchField label={t('lineName')} value={list.filter('line')} onChange={(value) => list.setFilter('line', value)} />
      <SearchField label={t('person')} value={list.filter('actor')} onChange={(value) => list.setFilter('actor', value)} />
      <FilterSelect
        label={t('anyAction')}
        value={list.filter('action')}
        options={actionKeys.map((value) => ({ value, label: t(`control:${value}`) }))}
        onChange={(value) => list.setFilter('action', value)}
      />
      <FilterSelect
        label={t('anyState')}
        value={list.filter('state')}
        options={commandStates.map((value) => ({ value, label: t(`control:states.${value}`) }))}
        onChange={(value) => list.setFilter('state', value)}
      />
      <FilterSelect
        label={t('anySource')}
        value={list.filter('source')}
        options={commandSources.map((value) => ({ value, label: t(`sources.${value}`) }))}
        onChange={(value) => list.setFilter('source', value)}
      />
    </>
  )
}
