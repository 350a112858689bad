import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/icon.tsx'
import type { ListState } from '../../../ui/list-state.ts'
import './parts.css'

/** What a list without column heads can be ordered by. Times begin with the latest, names with the first. */
type SortKey = 'Name' | 'Last' | 'Changed' | 'Mark'
const begins: Readonly<Record<SortKey, '' | '-'>> = { Name: '', Mark: '', Last: '-', Changed: '-' }

/** In which order, and from which end; a list's own order is its first key. */
export function ListSort<K extends SortKey>({ list, keys }: { list: ListState<K>; keys: readonly K[] }) {
  const { t } = useTranslation('automation')
  const sort = list.sort === '' ? (keys[0] ?? '') : list.sort
  const down = sort.startsWith('-')
  const key = sort.replace('-', '') as K
  const set = (to: string) => list.setSort(to === keys[0] ? '' : to)
  return (
    <span className="list-sort">
      <select aria-label={t('sort')} value={key} onChange={({ target }) => set(`${begins[target.value as K]}${target.value}`)}>
        {keys.map((each) => (
          <option key={each} value={each}>
            {t('sortedBy', { by: t(`sorts.${each as SortKey}`) })}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="btn small"
        aria-label={t('reverse')}
        title={t('reverse')}
        aria-pressed={down}
        onClick={() => set(down ? key : `-${key}`)}
      >
        <Icon name={down ? 'sortDown' : 'sortUp'} />
      </button>
    </span>
  )
}
