import type { Group } from '@linewarden/contract'
import { alarmKinds, familyOf } from '@linewarden/equipment'
import { byAlarmKind, countNameOf } from '@linewarden/rules/alarm'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent } from 'react'
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useConnected, useLiveLink, watchHouses } from '../../app/net/live-link.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { paths } from '../../paths.ts'
import { useCoarse } from '../../ui/use-media.ts'
import { useSteady } from '../../ui/use-steady.ts'
import { amountOf } from '../amount.ts'
import type { Selection } from '../equipment.ts'
import { selectionText } from '../equipment.ts'
import type { LineCondition } from '../line-condition.ts'
import { conditionOf } from '../line-condition.ts'
import { live, useLivePulse } from '../live-store.ts'
import { hurryProjects, useProjects, useSnapshots, useTree } from '../queries.ts'
import type { Abnormal } from './abnormal.ts'
import { abnormalBelow, nodeKey, nothingAbnormal } from './abnormal.ts'
import { moved, placeOf } from './tree-keys.ts'
import { TreeNode } from './tree-node.tsx'
import type { TreeRow } from './tree-nodes.ts'
import { isNode, treeRows } from './tree-nodes.ts'
import { firstUnfolded, setUnfolded, useUnfolded, wayTo } from './unfolded.ts'

/** The tree itself: only the rows in sight are drawn, a project's inside is fetched when it is unfolded. */
export function TreeView({ selection, choose }: { selection: Selection; choose: (to: Selection) => void }) {
  const { t } = useTranslation('monitor')
  const id = useId()
  const tree = useTree()
  const groups = tree.data?.Groups ?? []
  const touched = useUnfolded((state) => state.keys)
  const [first] = useState(selection)
  const unfolded = useMemo(() => touched ?? firstUnfolded(groups, first), [touched, groups, first])
  const houseIds = groups.flatMap(({ Houses }) =>
    Houses.map(({ HouseID }) => HouseID).filter((house) => unfolded.has(nodeKey.house(house))),
  )
  const { projects, lacking, failed } = useProjects(houseIds)
  const hurried = useRef<readonly number[]>([])
  const wantedHouses = houseIds.join()
  useEffect(() => {
    const wanted = wantedHouses === '' ? [] : wantedHouses.split(',').map(Number)
    hurryProjects(wanted.filter((id) => !hurried.current.includes(id)))
    hurried.current = wanted
  }, [wantedHouses])
  useOwnWatch(groups, houseIds)
  const loaded = useMemo(() => new Map(projects.map((project) => [project.HouseID, project])), [projects])
  // Those that are asked for again are under way.
  const failing = useMemo(() => new Set(lacking?.isFetching ? [] : failed), [lacking?.isFetching, failed])
  const rows = useMemo(() => treeRows(groups, loaded, failing, unfolded), [groups, loaded, failing, unfolded])
  const pulse = useLivePulse()
  const connected = useConnected()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pulse says that the live store moved
  const abnormal = useMemo(() => withGroups(abnormalBelow(projects, live), groups, loaded), [projects, groups, loaded, pulse])
  const selected = selectionText(selection)
  const [active, setActive] = useState<string | null>(null)
  const selectedIndex = rows.findIndex(({ selection: own }) => selectionText(own) === selected)
  const activeIndex = active === null ? Math.max(0, selectedIndex) : placeOf(rows, active)
  const scroller = useRef<HTMLDivElement>(null)
  const height = useCoarse() ? 44 : 28
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a finger needs higher rows than a mouse, and one device may have both in turn
  useEffect(() => virtual.measure(), [height, virtual])
  // What was chosen elsewhere, on a pop-up or in a link, is shown in the tree too: once, for a person may fold it away again.
  const isHere = tree.data !== undefined
  const chosenHere = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each selection once, not with every unfolding
  useEffect(() => {
    const missing = wayTo(groups, selection).filter((key) => !unfolded.has(key))
    if (missing.length > 0) setUnfolded(new Set([...unfolded, ...missing]))
    // Who chose in the tree itself may have gone on meanwhile.
    if (chosenHere.current !== selected) setActive(null)
    chosenHere.current = null
  }, [selected, isHere])
  const shownFor = useRef<string | null>(null)
  useEffect(() => {
    if (selectedIndex < 0 || shownFor.current === selected) return
    shownFor.current = selected
    virtual.scrollToIndex(selectedIndex)
  }, [selectedIndex, selected, virtual])
  const toggle = useSteady(({ key, open }: TreeRow) =>
    setUnfolded(open ? new Set([...unfolded].filter((each) => each !== key)) : new Set([...unfolded, key])),
  )
  const chooseHere = useSteady((row: TreeRow) => {
    setActive(row.key)
    if (row.kind === 'failed') lacking?.refetch()
    else {
      chosenHere.current = selectionText(row.selection)
      choose(row.selection)
    }
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const action = moved(rows, activeIndex, event.key)
    if (!action) return
    event.preventDefault()
    if (action.kind === 'fold') toggle(action.row)
    else if (action.kind === 'choose') chooseHere(action.row)
    else {
      setActive(rows[action.to]?.key ?? null)
      virtual.scrollToIndex(action.to)
    }
  }
  if (!tree.data) return <Unloaded query={tree} />
  return (
    <>
      <button type="button" className="whole" aria-current={selected === '' || undefined} onClick={() => choose({ kind: 'all' })}>
        {t('allProjects')}
        <span className="mute">
          {amountOf(t, sumOf(groups, 'Lines') - sumOf(groups, 'Detectors'), sumOf(groups, 'Detectors'))}
        </span>
      </button>
      <div
        className="nodes"
        role="tree"
        aria-label={t('tree')}
        tabIndex={0}
        aria-activedescendant={rows.length > 0 ? `${id}-${rows[activeIndex]?.key}` : undefined}
        ref={scroller}
        onKeyDown={onKeyDown}
      >
        <div className="rows" role="presentation" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ key, index, start }) => {
            const row = rows[index]
            return (
              row && (
                <TreeNode
                  key={key}
                  id={`${id}-${row.key}`}
                  row={row}
                  top={start}
                  condition={conditionOfRow(row)}
                  link={linkOfRow(row)}
                  abnormal={abnormal.get(row.key)}
                  connected={connected}
                  chosen={selectionText(row.selection) === selected && isNode(row)}
                  active={index === activeIndex}
                  onToggle={toggle}
                  onChoose={chooseHere}
                />
              )
            )
          })}
        </div>
        {rows.length === 0 && <p className="mute none">{t('noEquipment')}</p>}
      </div>
    </>
  )
}

const conditionOfRow = ({ dot }: TreeRow): LineCondition | undefined =>
  dot && conditionOf(live.line(dot.lineId), live.deviceLink(dot.controllerId)?.Link, familyOf(dot.family))

const linkOfRow = ({ dot, selection }: TreeRow) => {
  if (selection.kind === 'gateway') return live.link(selection.id)?.Link
  const controllerId = dot?.controllerId ?? (selection.kind === 'device' ? selection.id : undefined)
  return controllerId === undefined ? undefined : live.deviceLink(controllerId)?.Link
}

/** More lines than this are not watched for the sake of the tree alone; their projects say what the server counted. */
const maxWatched = 20_000

/** On pages that show no live values themselves the tree watches what is unfolded: its counts are true on every page. */
function useOwnWatch(groups: Parameters<typeof treeRows>[0], houseIds: readonly number[]): void {
  const isLivePage = useLocation().pathname === paths.realtime
  const lines = groups
    .flatMap(({ Houses }) => Houses)
    .reduce((sum, { HouseID, Counts }) => sum + (houseIds.includes(HouseID) ? Counts.Lines : 0), 0)
  const watched = isLivePage || lines > maxWatched ? '' : houseIds.join()
  const own = useMemo(() => (watched === '' ? [] : watched.split(',').map(Number)), [watched])
  const polling = useLiveLink((state) => state.link === 'closed')
  useSnapshots(own, polling)
  useEffect(() => {
    if (own.length > 0) watchHouses(own)
  }, [own])
}

/** Projects that are not unfolded say what the server counted; groups add up their projects. */
function withGroups(
  below: Map<string, Abnormal>,
  groups: Parameters<typeof treeRows>[0],
  loaded: ReadonlyMap<number, unknown>,
): Map<string, Abnormal> {
  for (const { CityID, Houses } of groups) {
    const sum = nothingAbnormal()
    for (const { HouseID, Counts } of Houses) {
      const key = nodeKey.house(HouseID)
      if (!loaded.has(HouseID))
        below.set(key, { ...byAlarmKind((kind) => Counts[countNameOf(kind)]), away: Counts.Away, tagged: 0 })
      const own = below.get(key)
      if (!own) continue
      for (const kind of alarmKinds) sum[kind] += own[kind]
      sum.away += own.away
      sum.tagged += own.tagged
    }
    below.set(nodeKey.group(CityID), sum)
  }
  return below
}

const sumOf = (groups: readonly Pick<Group, 'Houses'>[], what: 'Lines' | 'Detectors'): number =>
  groups.flatMap(({ Houses }) => Houses).reduce((sum, { Counts }) => sum + Counts[what], 0)
