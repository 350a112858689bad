import type { Group } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import type { KeyboardEvent } from 'react'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnected } from '../../app/net/live-link.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useSteady } from '../../ui/use-steady.ts'
import { amountOf } from '../amount.ts'
import type { Selection } from '../equipment.ts'
import { selectionText } from '../equipment.ts'
import type { LineCondition } from '../line-condition.ts'
import { conditionOf } from '../line-condition.ts'
import { live } from '../live-store.ts'
import { useTree } from '../queries.ts'
import { moved } from './tree-keys.ts'
import { TreeNode } from './tree-node.tsx'
import type { TreeRow } from './tree-nodes.ts'
import { isNode } from './tree-nodes.ts'
import { setUnfolded, wayTo } from './unfolded.ts'
import { useAbnormal } from './use-abnormal.ts'
import { useRowCursor } from './use-row-cursor.ts'
import { useTreeRows } from './use-tree-rows.ts'

interface TreeProps {
  readonly selection: Selection
  readonly choose: (to: Selection) => void
}

/** The whole plant, and the tree of what is in it. */
export function TreeView({ selection, choose }: TreeProps) {
  const { t } = useTranslation('monitor')
  const tree = useTree()
  if (!tree.data) return <Unloaded query={tree} />
  const groups = tree.data.Groups
  const detectors = sumOf(groups, 'Detectors')
  const whole = selection.kind === 'all'
  return (
    <>
      <button type="button" className="whole" aria-current={whole || undefined} onClick={() => choose({ kind: 'all' })}>
        {t('allProjects')}
        <span className="mute">{amountOf(t, sumOf(groups, 'Lines') - detectors, detectors)}</span>
      </button>
      <Nodes groups={groups} selection={selection} choose={choose} />
    </>
  )
}

/** Only the rows in sight are drawn, a project's inside is fetched when it is unfolded. */
function Nodes({ groups, selection, choose }: TreeProps & { groups: readonly Group[] }) {
  const { t } = useTranslation('monitor')
  const id = useId()
  const { rows, unfolded, projects, loaded, lacking } = useTreeRows(groups, selection)
  const abnormal = useAbnormal(groups, projects, loaded)
  const connected = useConnected()
  const selected = selectionText(selection)
  const scroller = useRef<HTMLDivElement>(null)
  const { virtual, activeIndex, setActive } = useRowCursor(rows, selected, scroller)
  // What was chosen elsewhere, on a pop-up or in a link, is shown in the tree too: once, for a person may fold it away again.
  const chosenHere = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each selection once, not with every unfolding
  useEffect(() => {
    const missing = wayTo(groups, selection).filter((key) => !unfolded.has(key))
    if (missing.length > 0) setUnfolded(new Set([...unfolded, ...missing]))
    // Who chose in the tree itself may have gone on meanwhile.
    if (chosenHere.current !== selected) setActive(null)
    chosenHere.current = null
  }, [selected])
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
  return (
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
  )
}

const conditionOfRow = ({ dot }: TreeRow): LineCondition | undefined =>
  dot && conditionOf(live.line(dot.lineId), live.deviceLink(dot.controllerId)?.Link, familyOf(dot.family))

const linkOfRow = ({ dot, selection }: TreeRow) => {
  if (selection.kind === 'gateway') return live.link(selection.id)?.Link
  const controllerId = dot?.controllerId ?? (selection.kind === 'device' ? selection.id : undefined)
  return controllerId === undefined ? undefined : live.deviceLink(controllerId)?.Link
}

const sumOf = (groups: readonly Pick<Group, 'Houses'>[], what: 'Lines' | 'Detectors'): number =>
  groups.flatMap(({ Houses }) => Houses).reduce((sum, { Counts }) => sum + Counts[what], 0)
