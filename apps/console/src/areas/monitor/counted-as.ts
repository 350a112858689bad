import type { DeviceLink, LineState } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import type { LineCondition } from '../../plant/line-condition.ts'
import { conditionOf } from '../../plant/line-condition.ts'
import { isOld } from '../../plant/old-values.ts'

const positions: readonly LineCondition[] = ['closed', 'open', 'closing', 'opening']

/**
 * As what a line counts and is filtered. How one stands whose equipment is silent, nobody knows now, so it is no closed line; nor is one whose
 * position is older than anybody may close it by. A trip stays one.
 */
export function countedAs(
  state: LineState | undefined,
  link: DeviceLink['Link'] | undefined,
  family: Family | null,
  now: number,
): LineCondition {
  if (link === 'stale') return 'offline'
  const condition = conditionOf(state, link, family)
  return positions.includes(condition) && isOld(state, family, now) ? 'unknown' : condition
}
