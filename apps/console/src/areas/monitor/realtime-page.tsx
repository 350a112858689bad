import type { Group, Project } from '@linewarden/contract'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLiveLink, watchHouses } from '../../app/net/live-link.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { crumbOf } from '../../plant/crumb.ts'
import type { LineRef, Selection } from '../../plant/equipment.ts'
import { chosenLines, housesOf, isThere, selectionText, upstreamOf } from '../../plant/equipment.ts'
import { live } from '../../plant/live-store.ts'
import { MissingProjects } from '../../plant/missing-projects.tsx'
import { useLineRefs, useProjects, useSnapshots, useTree } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty, Loading } from '../../ui/body-state.tsx'
import { Page } from '../../ui/page.tsx'
import { useSameNumbers } from '../../ui/use-same-numbers.ts'
import { LineDrawer } from '../line/line-drawer.tsx'
import type { GuideDialog } from '../site/first-run.tsx'
import { GoneLine, GoneSelection } from './gone-line.tsx'
import { LineTable } from './line-table.tsx'
import { LineTools } from './line-tools.tsx'
import { NoLines } from './no-lines.tsx'
import { ProjectOverview } from './project-overview.tsx'
import { SummaryStrip } from './summary-strip.tsx'
import { useLineAddress } from './use-line-address.ts'
import { useShownLines } from './use-shown-lines.ts'
import { useView } from './view.tsx'
import './realtime-page.css'

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
  const houseIds = useSameNumbers(houses.map(({ HouseID }) => HouseID))
  useEffect(() => watchHouses(houseIds), [houseIds])
  const { projects, isLoading, lacking, failed } = useProjects(houseIds, polling)
  const snapshots = useSnapshots(houseIds, polling)
  const all = useLineRefs(projects)
  const upstream = useMemo(() => upstreamOf(all), [all])
  const [view, setView] = useView()
  const address = useLineAddress()
  const { search, filter, sortText } = address
  const selected = useMemo(() => chosenLines(all, selection, search), [all, selection, search])
  const shown = useShownLines(selected, filter, sortText)
  const [guiding, setGuiding] = useState<GuideDialog | null>(null)
  const opened = address.line === null ? undefined : all.find(({ line }) => String(line.LineID) === address.line)
  return (
    <Page
      title={t('title')}
      crumb={[
        crumbOf(selection, groups, all) ?? t('allProjects'),
        ...(houses.some(({ Simulated }) => Simulated) ? [t('demoData')] : []),
      ].join(' · ')}
      tools={<LineTools address={address} selected={selected} shown={shown} isWhole={!lacking} view={view} onView={setView} />}
    >
      {lacking && failed.length > 0 && projects.length > 0 && <MissingProjects count={failed.length} query={lacking} />}
      {guiding !== null || isWithoutLines(groups) ? (
        <>
          <SummaryStrip lines={selected} upstream={upstream} isWhole={!lacking} filter={filter} onFilter={address.setFilter} />
          <NoLines open={guiding} setOpen={setGuiding} />
        </>
      ) : lacking && failed.length > 0 && projects.length === 0 ? (
        <Unloaded query={lacking} />
      ) : (isLoading || snapshots.isLoading) && isUnreported(shown) ? (
        <Loading />
      ) : (
        <>
          <SummaryStrip lines={selected} upstream={upstream} isWhole={!lacking} filter={filter} onFilter={address.setFilter} />
          {selected.length === 0 && !lacking && !isThere(selection, groups, projects) ? (
            <GoneSelection onAll={onAll} />
          ) : shown.length === 0 ? (
            <Empty title={t('noMatch')} action={{ label: t('clearFilter'), run: address.clear }} />
          ) : (
            <LineTable
              lines={shown}
              isWhole={!lacking}
              shownBy={[selectionText(selection), filter, sortText, search].join()}
              view={view}
              sort={address.sort}
              onSort={address.sortBy}
              openLine={opened?.line.LineID ?? null}
              onOpen={address.open}
            />
          )}
        </>
      )}
      {opened ? (
        <LineDrawer key={opened.line.LineID} lineRef={opened} onClose={address.close} />
      ) : (
        address.line !== null && !lacking && <GoneLine onClose={address.close} />
      )}
    </Page>
  )
}

const isWithoutLines = (groups: readonly Group[]): boolean =>
  groups.every(({ Houses }) => Houses.every(({ Counts }) => Counts.Lines === 0))

/** Nothing is known of these lines yet: that is no unknown position, but a page that is not there yet. */
const isUnreported = ([first]: readonly LineRef[]): boolean => first === undefined || live.line(first.line.LineID) === undefined
