import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { Icon } from '../../ui/icon.tsx'
import { useNarrow } from '../../ui/use-media.ts'
import { GroupOperation } from '../control/group-operation.tsx'
import { CardSort } from './card-sort.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { TaggedChip } from './tagged-chip.tsx'
import type { LineAddress } from './use-line-address.ts'
import type { View } from './view.tsx'
import { ViewSwitch } from './view.tsx'

/** What narrows the lines down, operates those that are left, and says how they are drawn. */
export function LineTools({
  address: { search, setSearch, filter, setFilter, sort, setSort },
  selected,
  shown,
  isWhole,
  view,
  onView,
}: {
  address: LineAddress
  selected: readonly LineRef[]
  /** Those of the selected that pass the filter. */
  shown: readonly LineRef[]
  isWhole: boolean
  view: View
  onView: (view: View) => void
}) {
  const { t } = useTranslation('monitor')
  const narrow = useNarrow()
  return (
    <>
      <button
        type="button"
        className="chip"
        aria-pressed={filter === 'abnormal'}
        onClick={() => setFilter(filter === 'abnormal' ? null : 'abnormal')}
      >
        {t('abnormalOnly')}
      </button>
      <TaggedChip lines={selected} filter={filter} onFilter={setFilter} />
      <label className="field find">
        <Icon name="search" />
        <input
          type="search"
          placeholder={t('search')}
          aria-label={`${t('title')} ${t('search')}`}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </label>
      <GroupOperation lines={shown} isWhole={isWhole} />
      <ViewSwitch view={view} onView={onView} />
      {view === 'cards' && <CardSort sort={sort} onSort={setSort} />}
      {view === 'table' && !narrow && <ColumnMenu />}
    </>
  )
}
