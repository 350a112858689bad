import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import type { Column, ColumnGroup } from './columns.ts'
import { letterOf } from './columns.ts'
import type { Sort } from './line-sort.ts'

interface HeadProps {
  readonly groups: readonly ColumnGroup[]
  readonly sort: Sort | null
  readonly onSort: (key: string) => void
}

/** The head of the live table: quantity and unit above, phase keys below; each column sorts. */
export function TableHead({ groups, sort, onSort }: HeadProps) {
  const { t } = useTranslation('monitor')
  return (
    <div className="thead" role="rowgroup">
      <div className="trow quantities" role="presentation">
        <span />
        <span />
        {groups.map(({ key, unit, columns }) => (
          <span key={key} className="edge" style={{ gridColumn: `span ${columns.length}` }}>
            {t(key === 'powerFactor' ? 'powerFactor' : key)} <i className="unit">{unit}</i>
          </span>
        ))}
        <span className="edge" />
      </div>
      <div className="trow keys" role="row">
        <SortHead column="name" className="name" label={t('line')} sort={sort} onSort={onSort} />
        <SortHead column="position" className="" label={t('position')} sort={sort} onSort={onSort} />
        {groups.flatMap(({ key, columns }) =>
          columns.map((column, index) => (
            <SortHead
              key={column.key}
              column={column.key}
              className={[column.head ? `ph ${column.head}` : 'num', index === 0 ? 'edge' : ''].join(' ')}
              label={labelOf(column, t('measured'))}
              spoken={`${t(key)} ${letterOf(column.head)}`}
              sort={sort}
              onSort={onSort}
            />
          )),
        )}
        <SortHead column="age" className="num edge" label={t('age')} sort={sort} onSort={onSort} />
      </div>
    </div>
  )
}

const labelOf = ({ key, head }: Column, measured: string): string => {
  if (head !== null) return letterOf(head)
  return key === 'residual' ? measured : ''
}

function SortHead({
  column,
  className,
  label,
  spoken,
  sort,
  onSort,
}: Omit<HeadProps, 'groups'> & { column: string; className: string; label: string; spoken?: string }) {
  const { t } = useTranslation('monitor')
  const own = sort?.key === column ? sort : null
  return (
    <span role="columnheader" className={className} aria-sort={own ? (own.down ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        title={t('sortBy', { name: spoken ?? label })}
        aria-label={spoken ?? label}
        onClick={() => onSort(column)}
      >
        {label}
        {own ? <Icon name={own.down ? 'sortDown' : 'sortUp'} /> : label === '' && <Icon name="sort" />}
      </button>
    </span>
  )
}
