import type { GatewayLink } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import type { LineCondition } from '../line-condition.ts'
import type { Abnormal } from './abnormal.ts'
import type { TreeRow } from './tree-nodes.ts'
import { isNode } from './tree-nodes.ts'

type Words = TFunction<['monitor', 'app']>

/** How a node stands. */
export interface Standing {
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
export const isLastKnown = (row: Pick<TreeRow, 'kind'>, { condition, link, connected, old }: Standing): boolean =>
  isNode(row) && (!connected || (condition !== undefined && condition !== 'offline' && (link !== 'online' || old)))

const nothing = { alarm: 0, fault: 0, warning: 0, away: 0, tagged: 0 }

/** What a row is called. */
export const nameOf = ({ kind, name }: TreeRow, t: Words): string =>
  kind === 'loading' ? t('loadingNode') : kind === 'failed' ? t('failedNode') : name

/** What is drawn beside the name, in words: for who does not see it. The name comes first. */
export function labelOf(row: TreeRow, standing: Standing, t: Words): string {
  if (!isNode(row)) return nameOf(row, t)
  const { condition, link } = standing
  const { alarm, fault, warning, away, tagged } = standing.abnormal ?? nothing
  return [
    row.name,
    condition && t(condition),
    // Silent for a while is not yet offline.
    away > 0 && (link === 'stale' || link === 'offline' ? t(link) : t('awayBelow', { count: away })),
    alarm > 0 && t('inAlarm', { count: alarm }),
    fault > 0 && t('inFault', { count: fault }),
    warning > 0 && t('inWarning', { count: warning }),
    tagged > 0 && t('taggedCount', { count: tagged }),
    isLastKnown(row, standing) && t('lastKnown'),
    row.lines !== null && t('lines', { count: row.lines }),
  ]
    .filter((each) => typeof each === 'string')
    .join(t('app:comma'))
}
