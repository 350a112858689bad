import type { GatewayLink } from '@linewarden/contract'
import { alarmKinds } from '@linewarden/equipment'
import type { TFunction } from 'i18next'
import { conditionText } from '../condition-text.ts'
import type { LineCondition } from '../line-condition.ts'
import type { Abnormal } from './abnormal.ts'
import { nothingAbnormal } from './abnormal.ts'
import type { TreeRow } from './tree-nodes.ts'
import { isNode } from './tree-nodes.ts'

type Words = TFunction<['monitor', 'app']>

/** What the tree shows of a node beside its name. */
export interface NodeState {
  /** Of its own line, if it has one. */
  readonly condition: LineCondition | undefined
  /** Its own, of a gateway or a device, or of the device its line belongs to. */
  readonly link: GatewayLink['Link'] | undefined
  readonly abnormal: Abnormal | undefined
  /** Whether the server tells what moves. */
  readonly connected: boolean
  /** Whether its line's values are older than the interlocks allow. */
  readonly old: boolean
}

/** The same rule as in the table: without its gateway, or without the server, this is the last known. */
export const isLastKnown = (row: Pick<TreeRow, 'kind'>, { condition, link, connected, old }: NodeState): boolean =>
  isNode(row) && (!connected || (condition !== undefined && condition !== 'offline' && (link !== 'online' || old)))

const nothing = nothingAbnormal()

/** What a row is called. */
export const nameOf = ({ kind, name }: TreeRow, t: Words): string =>
  kind === 'loading' ? t('loadingNode') : kind === 'failed' ? t('failedNode') : name

/** What is drawn beside the name, in words: for who does not see it. The name comes first. */
export function labelOf(row: TreeRow, state: NodeState, t: Words): string {
  if (!isNode(row)) return nameOf(row, t)
  const { condition, link } = state
  const { away, tagged, ...alarms } = state.abnormal ?? nothing
  return [
    row.name,
    row.simulated && t('demoData'),
    condition && conditionText(condition, t),
    // Silent for a while is not yet offline.
    away > 0 && (link === 'stale' || link === 'offline' ? t(link) : t('awayBelow', { count: away })),
    ...alarmKinds.map((kind) => alarms[kind] > 0 && t(`kindCounts.${kind}`, { count: alarms[kind] })),
    tagged > 0 && t('taggedCount', { count: tagged }),
    isLastKnown(row, state) && t('lastKnown'),
    row.lines !== null && t('lines', { count: row.lines }),
  ]
    .filter((each) => typeof each === 'string')
    .join(t('app:comma'))
}
