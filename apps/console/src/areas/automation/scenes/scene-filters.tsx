import { useTranslation } from 'react-i18next'
import { SearchField } from '../../../ui/fields.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { ListState } from '../../../ui/list-state.ts'

/** Which scenes are listed; all of it stands in the address. */
export function SceneFilters({
  list,
  place,
  onAllPlaces,
}: {
  list: ListState
  /** What the tree has selected; null: everything. */
  place: string | null
  onAllPlaces: () => void
}) {
  const { t } = useTranslation('scenes')
  const chip = (name: 'off' | 'orphan', label: string) => {
    const isOn = list.filter(name) === 'yes'
    return (
      <button type="button" className="chip" aria-pressed={isOn} onClick={() => list.setFilter(name, isOn ? '' : 'yes')}>
        {label}
      </button>
    )
  }
  return (
    <div className="scenes-bar">
      <SearchField label={t('search')} value={list.filter('q')} onChange={(value) => list.setFilter('q', value)} />
      <div className="choices">
        {chip('off', t('disabledOnly'))}
        {chip('orphan', t('orphanOnly'))}
        {place !== null && (
          <button type="button" className="chip" aria-pressed="true" onClick={onAllPlaces}>
            {place}
            <Icon name="close" />
          </button>
        )}
      </div>
    </div>
  )
}
