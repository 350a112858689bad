import { alarmKinds, familyOf } from '@linewarden/equipment'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import type { LineCondition } from '../line-condition.ts'
import { useIsOld } from '../old-values.ts'
import { TaggedMark, TagMark } from '../tag-mark.tsx'
import type { Abnormal } from './abnormal.ts'
import type { NodeState } from './tree-label.ts'
import { isLastKnown, labelOf, nameOf } from './tree-label.ts'
import type { TreeRow } from './tree-nodes.ts'

/** One row of the tree. Drawn anew when something about it changed, not with every letter that is typed into the page beside it. */
export const TreeNode = memo(function TreeNode({
  id,
  row,
  top,
  condition,
  link,
  abnormal,
  connected,
  chosen,
  active,
  onToggle,
  onChoose,
}: {
  id: string
  row: TreeRow
  top: number
  /** Its dot. Filled: closed, or a detector that is well; ring: open; a ring of dashes: not known, or its gateway is away. */
  condition: LineCondition | undefined
  /** Of its gateway. */
  link: NodeState['link']
  abnormal: Abnormal | undefined
  connected: boolean
  chosen: boolean
  active: boolean
  onToggle: (row: TreeRow) => void
  onChoose: (row: TreeRow) => void
}) {
  const { t } = useTranslation(['monitor', 'app'])
  const old = useIsOld(row.dot?.lineId ?? null, familyOf(row.dot?.family ?? ''))
  const state = { condition, link, abnormal, connected, old }
  const lastKnown = isLastKnown(row, state)
  const name = nameOf(row, t)
  const className = ['node', row.kind, chosen ? 'chosen' : '', active ? 'active' : '', lastKnown ? 'stale' : ''].join(' ')
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it takes the keys
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={row.open ?? undefined}
      aria-selected={chosen}
      aria-label={labelOf(row, state, t)}
      className={className}
      style={{ transform: `translateY(${top}px)`, paddingLeft: 8 + row.depth * 12 }}
      onClick={() => onChoose(row)}
    >
      <span
        className="fold"
        aria-hidden="true"
        onClick={(event) => {
          if (row.open === null) return
          event.stopPropagation()
          onToggle(row)
        }}
      >
        {row.open !== null && <Icon name={row.open ? 'down' : 'right'} />}
      </span>
      {condition && <i className={`dot ${condition}`} aria-hidden="true" />}
      <span className="name" title={name}>
        {name}
      </span>
      {row.simulated && (
        <span className="mute" title={t('demoData')}>
          {t('demoMark')}
        </span>
      )}
      <span className="abnormal">
        {abnormal && abnormal.away > 0 && (
          <span className="away" title={t('awayBelow', { count: abnormal.away })}>
            <Mark kind="off" size={12} />
            {link === 'stale' || link === 'offline' ? t(link) : abnormal.away}
          </span>
        )}
        {alarmKinds.map((kind) => {
          const count = abnormal?.[kind] ?? 0
          return (
            count > 0 && (
              <span key={kind} className={`kind ${kind}`}>
                <Mark kind={kind} size={12} />
                {row.kind === 'line' ? null : count}
              </span>
            )
          )
        })}
        {row.kind === 'line' ? (
          abnormal && abnormal.tagged > 0 && <TagMark count={1} />
        ) : (
          <TaggedMark count={abnormal?.tagged ?? 0} />
        )}
        {row.lines !== null && <span className="mute">{row.lines}</span>}
      </span>
    </div>
  )
})
