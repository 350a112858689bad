import { memo } from 'react'
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
export const TableHead = memo(function TableHead({ groups, sort, onSort }: HeadProps) {
  const { t } = useTranslation(['monitor', 'app'])
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
        <SortHead column="name" className="name" label={t('app:line')} order={orderOf(sort, 'name')} onSort={onSort} />
        <SortHead column="position" className="" label={t('position')} order={orderOf(sort, 'position')} onSort={onSort} />
        {groups.flatMap(({ key, columns }) =>
          columns.map((column, index) => (
            <SortHead
              key={column.key}
              column={column.key}
              className={[column.head ? `ph ${column.head}` : 'num', index === 0 ? 'edge' : ''].join(' ')}
              label={labelOf(column, t('measured'))}
              spoken={`${t(key)} ${letterOf(column.head)}`}
              order={orderOf(sort, column.key)}
              onSort={onSort}
            />
          )),
        )}
        <SortHead column="age" className="num edge" label={t('age')} order={orderOf(sort, 'age')} onSort={onSort} />
      </div>
    </div>
  )
})

const labelOf = ({ key, head }: Column, measured: string): string => {
  if (head !== null) return letterOf(head)
  return key === 'residual' ? measured : ''
}

type Order = 'ascending' | 'descending' | 'none'

const orderOf = (sort: Sort | null, column: string): Order =>
  sort?.key !== column ? 'none' : sort.down ? 'descending' : 'ascending'

/** A click on one column draws anew the heads that change, and not the twenty others. */
const SortHead = memo(function SortHead({
  column,
  className,
  label,
  spoken,
  order,
  onSort,
}: {
  column: string
  className: string
  label: string
  spoken?: string
  order: Order
  onSort: (key: string) => void
}) {
  const { t } = useTranslation('monitor')
  return (
    <span role="columnheader" className={className} aria-sort={order}>
      <button
        type="button"
        title={t('sortBy', { name: spoken ?? label })}
        aria-label={spoken ?? label}
        onClick={() => onSort(column)}
      >
        {label}
        {order === 'none' ? label === '' && <Icon name="sort" /> : <Icon name={order === 'descending' ? 'sortDown' : 'sortUp'} />}
      </button>
    </span>
  )
})
