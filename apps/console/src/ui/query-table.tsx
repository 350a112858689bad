import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty, Failed } from './body-state.tsx'
import { ExportButton } from './export-button.tsx'
import { Icon } from './icon.tsx'
import type { ListState } from './list-state.ts'
import { Outdated } from './outdated.tsx'
import { Pager } from './pager.tsx'
import { Popover } from './popover.tsx'
import type { TableColumn } from './table-column.ts'
import './query-table.css'

/** A page of rows as a query holds it. */
export interface RowsQuery<T> {
  readonly data: { readonly items: readonly T[]; readonly total: number } | undefined
  /** When `data` was fetched, by the server's clock. */
  readonly at: number
  readonly isFetching: boolean
  /** What to tell the person, also while it is tried again; null: nothing went wrong. */
  readonly problem: string | null
  readonly retry: () => void
}

export interface QueryTableProps<T> {
  readonly label: string
  readonly columns: readonly TableColumn<T>[]
  readonly rows: RowsQuery<T>
  readonly rowKey: (row: T) => string
  readonly list: ListState
  /** Search and filters, at the left of the bar. */
  readonly filters?: ReactNode
  /** What can be done with the list, at the right of the bar. */
  readonly actions?: ReactNode
  /** What can be done with one row; its last column. */
  readonly rowActions?: (row: T) => ReactNode
  /** Between the rows and the pages: what can be done with the chosen rows. */
  readonly below?: ReactNode
  /** What to say, and do, when there is nothing at all. */
  readonly empty: {
    readonly title: string
    readonly hint?: string
    readonly action?: { label: string; run: () => void }
    readonly second?: { label: string; run: () => void }
  }
  /** Every row that passes the filters, a page at a time, for the export. */
  readonly fetchPage?: (page: number, size: number) => Promise<{ readonly items: readonly T[]; readonly total: number }>
  readonly exportName?: string
  readonly selection?: { readonly keys: ReadonlySet<string>; readonly onChange: (keys: ReadonlySet<string>) => void }
}

/** A list from the server: search, filters, order, column choice, export, pages; old rows stay while new ones are on their way. */
export function QueryTable<T>(props: QueryTableProps<T>) {
  const { label, columns, rows, list, filters, actions, empty, fetchPage, exportName } = props
  const { t } = useTranslation()
  const [hidden, toggle] = useHidden(label, columns)
  const shown = columns.filter(({ key }) => !hidden.has(key))
  const { data, at, isFetching, problem, retry } = rows
  return (
    <div className="query-table">
      <div className="bar">
        {filters}
        <span className="bar-tools">
          <Popover label={t('columns')} icon={<Icon name="columns" />}>
            {columns.map(({ key, head }) => (
              <label key={key} className="option">
                <input
                  type="checkbox"
                  checked={!hidden.has(key)}
                  disabled={shown.length === 1 && !hidden.has(key)}
                  onChange={() => toggle(key)}
                />
                {head}
              </label>
            ))}
          </Popover>
          {fetchPage && <ExportButton name={exportName ?? label} columns={columns} fetchPage={fetchPage} />}
          {actions}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className={isFetching && data ? 'scroll waiting' : 'scroll'} aria-busy={isFetching} tabIndex={0}>
        <table aria-label={label}>
          <Head {...props} shown={shown} />
          <tbody>
            {data?.items.map((row) => (
              <Row key={props.rowKey(row)} {...props} row={row} shown={shown} />
            ))}
          </tbody>
        </table>
        {problem !== null && !data && <Failed message={problem} busy={isFetching} retry={retry} />}
        {problem === null && !data && <Skeleton />}
        {data?.items.length === 0 &&
          (list.filtered || list.page > 1 ? (
            <Empty title={t('noMatch')} action={{ label: t('clearFilters'), run: list.clear }} />
          ) : (
            <Empty {...empty} />
          ))}
      </div>
      {problem !== null && data && <Outdated problem={problem} at={at} busy={isFetching} retry={retry} />}
      {props.below}
      <Pager page={list.page} size={list.size} total={data?.total ?? null} onPage={list.setPage} onSize={list.setSize} />
    </div>
  )
}

function Head<T>({
  shown,
  rows,
  rowKey,
  list,
  rowActions,
  selection,
}: QueryTableProps<T> & { shown: readonly TableColumn<T>[] }) {
  const { t } = useTranslation()
  const keys = rows.data?.items.map(rowKey) ?? []
  const all = keys.length > 0 && keys.every((key) => selection?.keys.has(key))
  const toggleAll = () => {
    const after = new Set(selection?.keys)
    for (const key of keys) {
      if (all) after.delete(key)
      else after.add(key)
    }
    selection?.onChange(after)
  }
  return (
    <thead>
      <tr>
        {selection && (
          <th className="check">
            <input type="checkbox" aria-label={t('chooseAll')} checked={all} disabled={keys.length === 0} onChange={toggleAll} />
          </th>
        )}
        {shown.map(({ key, head, end }) => {
          const sortable = list.sortable.includes(key)
          const sorted = list.sort === key ? 'ascending' : list.sort === `-${key}` ? 'descending' : 'none'
          const next = sorted === 'none' ? key : sorted === 'ascending' ? `-${key}` : ''
          return (
            <th key={key} className={end ? 'end' : undefined} aria-sort={sortable ? sorted : undefined}>
              {sortable ? (
                <button type="button" onClick={() => list.setSort(next)}>
                  {head}
                  <Icon name={sorted === 'none' ? 'sort' : sorted === 'ascending' ? 'sortUp' : 'sortDown'} />
                </button>
              ) : (
                head
              )}
            </th>
          )
        })}
        {rowActions && <th className="end">{t('actions')}</th>}
      </tr>
    </thead>
  )
}

function Row<T>({
  row,
  shown,
  rowKey,
  rowActions,
  selection,
}: QueryTableProps<T> & { row: T; shown: readonly TableColumn<T>[] }) {
  const { t } = useTranslation()
  const key = rowKey(row)
  const chosen = selection?.keys.has(key) ?? false
  const toggle = () => {
    const after = new Set(selection?.keys)
    if (!after.delete(key)) after.add(key)
    selection?.onChange(after)
  }
  return (
    <tr className={chosen ? 'chosen' : undefined}>
      {selection && (
        <td className="check">
          <input type="checkbox" aria-label={t('choose')} checked={chosen} onChange={toggle} />
        </td>
      )}
      {shown.map(({ key: column, head, cell, end }) => (
        <td key={column} className={end ? 'end' : undefined} data-head={head}>
          {cell(row)}
        </td>
      ))}
      {rowActions && (
        <td className="end row-actions" data-head={t('actions')}>
          <span>{rowActions(row)}</span>
        </td>
      )}
    </tr>
  )
}

/** Greyed rows while the first ones are on their way: the head stays, nothing jumps. */
function Skeleton() {
  const { t } = useTranslation()
  return (
    <div className="skeleton" role="status" aria-label={t('loading')}>
      {Array.from({ length: 6 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <i key={index} />
      ))}
    </div>
  )
}

/** Which columns are hidden, kept on this device by the table's name. */
function useHidden<T>(label: string, columns: readonly TableColumn<T>[]): [ReadonlySet<string>, (key: string) => void] {
  const name = `linewarden.columns.${label}`
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => {
    const kept = localStorage.getItem(name)
    return new Set(
      kept === null ? columns.filter(({ optional }) => optional).map(({ key }) => key) : kept.split(',').filter(Boolean),
    )
  })
  const toggle = (key: string) => {
    const after = new Set(hidden)
    if (!after.delete(key)) after.add(key)
    localStorage.setItem(name, [...after].join(','))
    setHidden(after)
  }
  return [hidden, toggle]
}
