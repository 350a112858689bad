import type { Analysis } from '@linewarden/contract'
import { alarmKinds, priorities } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { FilterSelect } from '../../ui/fields.tsx'
import { localised } from '../../ui/i18n.ts'
import type { AnalysisAddress } from './address.ts'
import { isFiltered } from './address.ts'

/** By kind, priority and alarm; the place is the tree's. */
export function AnalysisFilters({
  address,
  data,
  change,
}: {
  address: AnalysisAddress
  data: Analysis | undefined
  change: (values: Readonly<Record<string, string>>) => void
}) {
  const { t } = useTranslation(['analysis', 'app'])
  const keys = data?.Frequent.Keys.map(({ Key, Label }) => ({ value: Key, label: localised(Label) })) ?? []
  return (
    <div className="analysis-filters">
      <FilterSelect
        label={t('allKinds')}
        value={address.kinds.join(',')}
        options={alarmKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        onChange={(kinds) => change({ kinds })}
      />
      <FilterSelect
        label={t('allPriorities')}
        value={address.priorities.join(',')}
        options={priorities.map((value) => ({ value, label: t(`priorities.${value}`) }))}
        onChange={(to) => change({ priorities: to })}
      />
      <FilterSelect label={t('allKeys')} value={address.keys.join(',')} options={keys} onChange={(to) => change({ keys: to })} />
      {isFiltered(address) && (
        <button type="button" className="btn small quiet" onClick={() => change({ kinds: '', priorities: '', keys: '' })}>
          {t('app:clearFilters')}
        </button>
      )}
    </div>
  )
}
