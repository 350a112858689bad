import type { Scene } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { NoChoice } from '../../../app/net/no-choice.tsx'
import { useTree } from '../../../plant/queries.ts'
import { SearchField } from '../../../ui/fields.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { ListState } from '../../../ui/list-state.ts'
import { PickFilter } from '../../../ui/pick-field.tsx'

/** Which scenes are listed; all of it stands in the address. */
export function SceneFilters({
  list,
  items,
  onAnyLine,
}: {
  list: ListState
  items: readonly Scene[]
  /** Not only those of one line any more. */
  onAnyLine: () => void
}) {
  const { t } = useTranslation('scenes')
  const tree = useTree()
  const houses = (tree.data?.Groups ?? []).flatMap(({ Houses }) => Houses)
  const [device, no] = [list.filter('device'), list.filter('no')]
  const chip = (name: 'off' | 'orphan', label: string) => {
    const isOn = list.filter(name) === 'yes'
    return (
      <button type="button" className="chip" aria-pressed={isOn} onClick={() => list.setFilter(name, isOn ? '' : 'yes')}>
        {label}
      </button>
    )
  }
  const line = items
    .flatMap(({ Items }) => Items)
    .find(({ ControllerID, LineNo }) => ControllerID === device && String(LineNo) === no)
  const lineName = line?.LineName ?? [device, ...(no === '' ? [] : [`#${no}`])].join(' ')
  return (
    <div className="scenes-bar">
      <SearchField label={t('search')} value={list.filter('q')} onChange={(value) => list.setFilter('q', value)} />
      <div className="choices">
        {(houses.length > 1 || list.filter('house') !== '') && (
          <PickFilter
            label={t('anyProject')}
            placeholder={t('anyProject')}
            value={list.filter('house')}
            options={houses.map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
            onChange={(value) => list.setFilter('house', value)}
          />
        )}
        <NoChoice query={tree} />
        {chip('off', t('disabledOnly'))}
        {chip('orphan', t('orphanOnly'))}
        {device !== '' && (
          <button type="button" className="chip" aria-pressed="true" onClick={onAnyLine}>
            {t('onlyLine', { name: lineName })}
            <Icon name="close" />
          </button>
        )}
      </div>
    </div>
  )
}
