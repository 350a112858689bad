import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Empty } from '../ui/body-state.tsx'
import { SearchField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import type { ListState } from '../ui/list-state.ts'
import { usePlaceName } from './place-name.ts'
import { useSelection } from './selection.ts'
import '../ui/list.css'

/** What narrows a list of rows that open: words typed, filters of its own, and the place that the tree has selected. */
export function ListBar({
  list,
  search,
  children,
}: {
  list: ListState
  /** What is looked through for the words. */
  search: string
  children?: ReactNode
}) {
  return (
    <div className="list-bar">
      <SearchField label={search} value={list.filter('q')} onChange={(value) => list.setFilter('q', value)} />
      <div className="choices">
        {children}
        <PlaceChip />
      </div>
    </div>
  )
}

/** The place that narrows a list; a press takes it away. */
export function PlaceChip() {
  const place = usePlaceName()
  const [, select] = useSelection()
  if (place === null) return null
  return (
    <button type="button" className="chip" aria-pressed="true" onClick={() => select({ kind: 'all' })}>
      {place}
      <Icon name="close" />
    </button>
  )
}

/** A filter that is on or off. */
export function FilterChip({ list, name, value, label }: { list: ListState; name: string; value: string; label: string }) {
  const isOn = list.filter(name) === value
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={() => list.setFilter(name, isOn ? '' : value)}>
      {label}
    </button>
  )
}

/** A list that nothing passes the filters of; a press takes them away, and the place with them. */
export function NoMatch({ filters }: { filters: readonly string[] }) {
  const { t } = useTranslation('app')
  const [, setAddress] = useSearchParams()
  const clear = () =>
    setAddress((before) => {
      for (const name of [...filters, 'page', 'at']) before.delete(name)
      return before
    })
  return <Empty title={t('noMatch')} action={{ label: t('clearFilters'), run: clear }} />
}
