import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { messageOf } from '../../app/api.ts'
import { useLiveLink, watchHouses } from '../../app/live-link.ts'
import { Empty, Failed, Loading } from '../../ui/body-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { PlacedLine, Selection } from './equipment.ts'
import { isCalled, isSelected, linesOf, readSelection } from './equipment.ts'
import { conditionOf } from './line-condition.ts'
import { LineDrawer } from './line-drawer.tsx'
import { LineTable } from './line-table.tsx'
import { live, useLiveVersion } from './live-store.ts'
import { useSnapshot, useTree } from './queries.ts'
import type { StripFilter } from './summary-strip.tsx'
import { isStripFilter, SummaryStrip } from './summary-strip.tsx'
import './realtime-page.css'

/** What is happening now? The selection's lines, live; filters, selection and the open line stand in the address. */
export function RealtimePage() {
  const { t } = useTranslation('monitor')
  const [query, setQuery] = useSearchParams()
  const polling = useLiveLink((state) => state.link === 'closed')
  const tree = useTree(polling)
  const snapshot = useSnapshot(polling)
  const all = useMemo(() => (tree.data ? linesOf(tree.data.Groups) : []), [tree.data])
  const selection = readSelection(query.get('at'))
  const search = query.get('q') ?? ''
  const filter = query.get('state')
  const selected = useMemo(
    () => all.filter((each) => isSelected(each, readSelection(query.get('at'))) && isCalled(each, search)),
    [all, query, search],
  )
  const opened = all.find(({ line }) => String(line.LineID) === query.get('line'))
  useEffect(() => {
    if (tree.data) watchHouses(tree.data.Groups.flatMap(({ Houses }) => Houses.map(({ HouseID }) => HouseID)))
  }, [tree.data])

  const set = (name: string, value: string | null) =>
    setQuery(
      (before) => {
        if (value === null || value === '') before.delete(name)
        else before.set(name, value)
        return before
      },
      // Letters of a search are no places to go back to.
      { replace: name === 'q' },
    )

  if (tree.isError) return <main className="page">{<Failed message={messageOf(tree.error)} retry={() => tree.refetch()} />}</main>
  if (!tree.data || snapshot.isLoading) {
    return (
      <main className="page">
        <Loading />
      </main>
    )
  }
  return (
    <main className="page">
      <div className="head">
        <h1>{t('title')}</h1>
        <span className="mute crumb">{crumbOf(selection, all) ?? t('allProjects')}</span>
        <span className="grow" />
        <label className="field find">
          <Icon name="search" />
          <input
            type="search"
            placeholder={t('search')}
            aria-label={`${t('title')} ${t('search')}`}
            value={search}
            onChange={(event) => set('q', event.target.value)}
          />
        </label>
      </div>
      <SummaryStrip lines={selected} filter={isStripFilter(filter) ? filter : null} onFilter={(value) => set('state', value)} />
      <Filtered
        lines={selected}
        filter={isStripFilter(filter) ? filter : null}
        openLine={opened?.line.LineID ?? null}
        onOpen={(id) => set('line', String(id))}
        isEmpty={all.length === 0}
        onClear={() => setQuery({})}
      />
      {opened && <LineDrawer key={opened.line.LineID} placed={opened} onClose={() => set('line', null)} />}
    </main>
  )
}

function Filtered(props: {
  lines: readonly PlacedLine[]
  filter: StripFilter | null
  openLine: number | null
  onOpen: (id: number) => void
  isEmpty: boolean
  onClear: () => void
}) {
  const { lines, filter, openLine, onOpen, isEmpty, onClear } = props
  const { t } = useTranslation('monitor')
  const version = useLiveVersion()
  const key = useMemo(() => {
    if (filter === null || version < 0) return null
    return lines
      .filter((each) => passes(each, filter))
      .map(({ line }) => line.LineID)
      .join()
  }, [lines, filter, version])
  // The same lines give the same list, so that the table does not start anew with every value.
  const shown = useMemo(() => {
    if (key === null) return lines
    const ids = new Set(key.split(','))
    return lines.filter(({ line }) => ids.has(String(line.LineID)))
  }, [lines, key])
  if (isEmpty) return <Empty title={t('emptyTitle')} hint={t('emptyHint')} />
  if (shown.length === 0) return <Empty title={t('noMatch')} action={{ label: t('clearFilter'), run: onClear }} />
  return <LineTable lines={shown} openLine={openLine} onOpen={onOpen} />
}

function passes({ line, gateway, family }: PlacedLine, filter: StripFilter): boolean {
  const state = live.line(line.LineID)
  if (filter === 'active') return (state?.Active.length ?? 0) > 0
  return conditionOf(state, live.link(gateway.DeviceID)?.Link, family) === filter
}

function crumbOf(selection: Selection, all: readonly PlacedLine[]): string | null {
  const found = selection.kind === 'all' ? undefined : all.find((each) => isSelected(each, selection))
  if (!found) return null
  const names = [found.project.Name]
  if (selection.kind !== 'house') names.push(found.gateway.GatewayName)
  if (selection.kind === 'device' || selection.kind === 'line') names.push(found.device.Name)
  if (selection.kind === 'line') names.push(found.line.LineName)
  return names.join(' › ')
}
