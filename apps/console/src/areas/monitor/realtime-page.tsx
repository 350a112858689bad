import type { Group, Project } from '@linewarden/contract'
import { groupNameOf } from '@linewarden/contract'
import { Suspense, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { lazyPart } from '../../app/net/lazy-part.tsx'
import { useLiveLink, watchHouses } from '../../app/net/live-link.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import type { LineRef, Selection } from '../../plant/equipment.ts'
import { chosenLines, housesOf, isSelected, isThere, selectionText } from '../../plant/equipment.ts'
import { live } from '../../plant/live-store.ts'
import { MissingProjects } from '../../plant/missing-projects.tsx'
import { useLineRefs, useProjects, useSnapshots, useTree } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty, Loading } from '../../ui/body-state.tsx'
import { said } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { isolated } from '../../ui/place.tsx'
import { useNarrow } from '../../ui/use-media.ts'
import { useSteady } from '../../ui/use-steady.ts'
import { GroupOperation } from '../control/group-operation.tsx'
import { LineDrawer } from '../line/line-drawer.tsx'
import { CardSort } from './card-sort.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { GoneLine, GoneSelection } from './gone-line.tsx'
import { nextSort, readSort } from './line-sort.ts'
import { LineTable } from './line-table.tsx'
import { ProjectOverview } from './project-overview.tsx'
import type { StripFilter } from './summary-strip.tsx'
import { isStripFilter, SummaryStrip } from './summary-strip.tsx'
import { TaggedChip } from './tagged-chip.tsx'
import { useShownLines } from './use-shown-lines.ts'
import { useView, ViewSwitch } from './view.tsx'
import './realtime-page.css'

const FirstRun = lazyPart(async () => (await import('../site/first-run.tsx')).FirstRun)

/** More lines than this are not shown in one table: the projects are, and one is chosen. */
const maxLines = 20_000

/** What is happening now? The selection's lines, live; filters, order, selection and the open line stand in the address. */
export function RealtimePage() {
  const { t } = useTranslation('monitor')
  const [selection, select] = useSelection()
  const polling = useLiveLink((state) => state.link === 'closed')
  const tree = useTree(polling)
  if (!tree.data)
    return (
      <Page title={t('title')}>
        <Unloaded query={tree} />
      </Page>
    )
  const groups = tree.data.Groups
  const houses = housesOf(selection, groups)
  const amount = houses.reduce((sum, { Counts }) => sum + Counts.Lines, 0)
  if (amount > maxLines && houses.length > 1)
    return (
      <Page title={t('title')} crumb={crumbOf(selection, groups, []) ?? t('allProjects')}>
        <ProjectOverview projects={houses} onOpen={({ HouseID }) => select({ kind: 'house', id: HouseID })} />
      </Page>
    )
  return (
    <LivePage selection={selection} groups={groups} houses={houses} polling={polling} onAll={() => select({ kind: 'all' })} />
  )
}

function LivePage({
  selection,
  groups,
  houses,
  polling,
  onAll,
}: {
  selection: Selection
  groups: readonly Group[]
  houses: readonly Project[]
  polling: boolean
  onAll: () => void
}) {
  const { t } = useTranslation('monitor')
  const [query, setQuery] = useSearchParams()
  const watched = houses.map(({ HouseID }) => HouseID).join()
  const houseIds = useMemo(() => (watched === '' ? [] : watched.split(',').map(Number)), [watched])
  useEffect(() => watchHouses(houseIds), [houseIds])
  const { projects, isLoading, lacking, failed } = useProjects(houseIds, polling)
  const snapshots = useSnapshots(houseIds, polling)
  const all = useLineRefs(projects)
  const narrow = useNarrow()
  const [view, setView] = useView()
  const search = query.get('q') ?? ''
  const selected = useMemo(() => chosenLines(all, selection, search), [all, selection, search])
  const filterText = query.get('state')
  const filter = isStripFilter(filterText) ? filterText : null
  const sortText = query.get('sort')
  const sort = useMemo(() => readSort(sortText), [sortText])
  const shown = useShownLines(selected, filter, sortText)
  const wantedLine = query.get('line')
  const opened = wantedLine === null ? undefined : all.find(({ line }) => String(line.LineID) === wantedLine)

  const set = (name: string, value: string | null) =>
    setQuery(
      (before) => {
        if (value === null || value === '') before.delete(name)
        else before.set(name, value)
        // Another line's drawer begins with its first tab.
        if (name === 'line') before.delete('tab')
        return before
      },
      // Letters of a search are no places to go back to. At once: as a transition it would wait behind the live values of a busy plant, and
      // a letter that comes back late breaks the input of Chinese.
      { replace: name === 'q', flushSync: true },
    )
  const onFilter = useSteady((value: StripFilter | null) => set('state', value))
  const onSort = useSteady((key: string) => set('sort', nextSort(sort, key)))
  const onOpen = useSteady(({ line }: LineRef) => set('line', String(line.LineID)))
  const clear = () =>
    setQuery((before) => {
      for (const name of ['q', 'state']) before.delete(name)
      return before
    })

  return (
    <Page
      title={t('title')}
      crumb={crumbOf(selection, groups, all) ?? t('allProjects')}
      tools={
        <>
          <button
            type="button"
            className="chip"
            aria-pressed={filter === 'abnormal'}
            onClick={() => onFilter(filter === 'abnormal' ? null : 'abnormal')}
          >
            {t('abnormalOnly')}
          </button>
          <TaggedChip lines={selected} filter={filter} onFilter={onFilter} />
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
          <GroupOperation lines={shown} isWhole={!lacking} />
          <ViewSwitch view={view} onView={setView} />
          {view === 'cards' && <CardSort sort={sort} onSort={(text) => set('sort', text)} />}
          {view === 'table' && !narrow && <ColumnMenu />}
        </>
      }
    >
      {lacking && failed.length > 0 && projects.length > 0 && <MissingProjects count={failed.length} query={lacking} />}
      {lacking && failed.length > 0 && projects.length === 0 ? (
        <Unloaded query={lacking} />
      ) : (isLoading || snapshots.isLoading) && isUnheard(shown) ? (
        <Loading />
      ) : (
        <>
          <SummaryStrip lines={selected} isWhole={!lacking} filter={filter} onFilter={onFilter} />
          {groups.every(({ Houses }) => Houses.every(({ Counts }) => Counts.Lines === 0)) ? (
            <NoLines />
          ) : selected.length === 0 && !lacking && !isThere(selection, groups, projects) ? (
            <GoneSelection onAll={onAll} />
          ) : shown.length === 0 ? (
            <Empty title={t('noMatch')} action={{ label: t('clearFilter'), run: clear }} />
          ) : (
            <LineTable
              lines={shown}
              isWhole={!lacking}
              shownBy={[selectionText(selection), filter, sortText, search].join()}
              view={view}
              sort={sort}
              onSort={onSort}
              openLine={opened?.line.LineID ?? null}
              onOpen={onOpen}
            />
          )}
        </>
      )}
      {opened ? (
        <LineDrawer key={opened.line.LineID} lineRef={opened} onClose={() => set('line', null)} />
      ) : (
        wantedLine !== null && !lacking && <GoneLine onClose={() => set('line', null)} />
      )}
    </Page>
  )
}

/** Nothing is known of these lines yet: that is no unknown position, but a page that is not there yet. */
const isUnheard = ([first]: readonly LineRef[]): boolean => first === undefined || live.line(first.line.LineID) === undefined

/** No line anywhere: who may set the plant up is led to the first one. */
function NoLines() {
  const { t } = useTranslation('monitor')
  const may = [useMayEdit(), useMayOpen('/system/project'), useMayOpen('/system/geteway')].every(Boolean)
  if (!may) return <Empty title={t('emptyTitle')} hint={t('emptyHint')} />
  return (
    <Suspense fallback={<Loading />}>
      <FirstRun />
    </Suspense>
  )
}

function crumbOf(selection: Selection, groups: readonly Group[], all: readonly LineRef[]): string | null {
  if (selection.kind === 'all') return null
  if (selection.kind === 'group') {
    const group = groups.find(({ CityID }) => CityID === selection.id)
    return group ? isolated([said(groupNameOf(group))]) : null
  }
  const [house] = housesOf(selection, groups)
  if (!house) return null
  const found = selection.kind === 'house' ? undefined : all.find((each) => isSelected(each, selection))
  const names = [house.Name]
  if (found) names.push(found.gateway.GatewayName)
  if (found && (selection.kind === 'device' || selection.kind === 'line')) names.push(found.device.Name)
  if (found && selection.kind === 'line') names.push(found.line.LineName)
  return isolated(names, ' › ')
}
