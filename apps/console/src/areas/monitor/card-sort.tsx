import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { columnGroups, letterOf, useHiddenColumns } from './columns.ts'
import type { Sort } from './line-sort.ts'
import { firstSort, isTurned, turned } from './line-sort.ts'
import './card-sort.css'

/** The order of the cards, which have no heads to press: the same as the table's, in the same place of the address. */
export function CardSort({ sort, onSort }: { sort: Sort | null; onSort: (text: string | null) => void }) {
  const { t } = useTranslation(['monitor', 'app'])
  const hidden = useHiddenColumns((state) => state.hidden)
  const words = [
    { key: 'name', label: t('app:line') },
    { key: 'position', label: t('position') },
    { key: 'severity', label: t('severity') },
    { key: 'age', label: t('age') },
  ]
  const values = columnGroups.flatMap(({ key: group, columns }) =>
    columns
      // One that is left out is named all the same while the address sorts by it.
      .filter(({ key }) => !hidden.includes(group) || key === sort?.key)
      .map(({ key, head }) => ({ key, label: `${t(group)} ${letterOf(head)}`.trim() })),
  )
  const offered = [...words, ...values]
  const chosen = offered.find(({ key }) => key === sort?.key)
  return (
    <div className="card-sort" role="group" aria-label={t('sortLines')}>
      <select
        aria-label={t('sortLines')}
        value={chosen?.key ?? ''}
        onChange={({ target }) => onSort(target.value === '' ? null : firstSort(target.value))}
      >
        <option value="">{t('byGateway')}</option>
        {offered.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="btn"
        disabled={sort === null}
        aria-pressed={sort !== null && isTurned(sort)}
        aria-label={t('reverseOrder')}
        title={t('reverseOrder')}
        onClick={() => sort && onSort(turned(sort))}
      >
        <Icon name={sort === null ? 'sort' : sort.down ? 'sortDown' : 'sortUp'} />
      </button>
    </div>
  )
}
