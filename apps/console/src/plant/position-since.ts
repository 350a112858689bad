import type { LineState } from '@linewarden/contract'
import i18next from 'i18next'
import { clockTime } from '../ui/format.ts'
import type { LineCondition } from './line-condition.ts'

const withPosition: ReadonlySet<LineCondition> = new Set(['open', 'closed', 'tripped'])

/**
 * Since when a switched line stands as it is shown, with the position's name or without; null: its change was not observed, or it is shown as
 * offline or moving, which is not since then.
 */
export function positionSince(
  state: LineState | undefined,
  condition: LineCondition,
  { named }: { named: boolean },
): string | null {
  const position = state?.States.position
  if (!state?.PositionSince || !withPosition.has(condition) || (position !== 'open' && position !== 'closed')) return null
  const key = !named ? 'since' : position === 'closed' ? 'closedSince' : 'openSince'
  return i18next.t(`monitor:${key}`, { time: clockTime(state.PositionSince) })
}
