import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/icon.tsx'
import { TriCheck } from '../../../ui/tri-check.tsx'
import type { AlarmSort, SortKey } from './address.ts'

/** The names of the columns, by three of which the list is put in order; and the tick of all rows that are here. */
export function TableHead({
  sort,
  onSort,
  ticked,
  onTick,
  empty,
}: {
  sort: AlarmSort
  onSort: (sort: AlarmSort) => void
  ticked: 'all' | 'some' | 'none'
  onTick: (all: boolean) => void
  /** There is nothing to tick. */
  empty: boolean
}) {
  const { t } = useTranslation('alarmList')
  return (
    <div role="rowgroup" className="thead">
      <div role="row" className="arow" aria-rowindex={1}>
        <span role="columnheader" className="check">
          <TriCheck chosen={ticked} disabled={empty} title={t('chooseAll')} onChange={onTick}>
            <span className="hidden-visually">{t('chooseAll')}</span>
          </TriCheck>
        </span>
        <span role="columnheader">{t('state')}</span>
        <SortHead name="Priority" label={t('priority')} sort={sort} onSort={onSort} />
        <span role="columnheader">{t('what')}</span>
        <span role="columnheader" className="end value">
          {t('value')}
        </span>
        <span role="columnheader" className="where">
          {t('where')}
        </span>
        <SortHead name="RaisedAt" label={t('since')} sort={sort} onSort={onSort} />
        <span role="columnheader" className="end">
          {t('lasting')}
        </span>
        <SortHead name="Raises" label={t('raises')} sort={sort} end onSort={onSort} />
        <span role="columnheader" className="by">
          {t('acknowledgedBy')}
        </span>
      </div>
    </div>
  )
}

function SortHead({
  name,
  label,
  sort,
  end = false,
  onSort,
}: {
  name: SortKey
  label: string
  sort: AlarmSort
  end?: boolean
  onSort: (sort: AlarmSort) => void
}) {
  const sorted = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'
  return (
    <span role="columnheader" className={end ? 'end' : undefined} aria-sort={sorted}>
      <button type="button" onClick={() => onSort(sorted === 'descending' ? name : `-${name}`)}>
        {label}
        <Icon name={sorted === 'none' ? 'sort' : sorted === 'ascending' ? 'sortUp' : 'sortDown'} />
      </button>
    </span>
  )
}
