import type { LineState } from '@linewarden/contract'
import i18next from 'i18next'
import { clockTime } from '../ui/format.ts'

/** Since when a switched line stands as it does, with the position's name or without; null: its change was not observed. */
export function positionSince(state: LineState | undefined, { named }: { named: boolean }): string | null {
  const position = state?.States.position
  if (!state?.PositionSince || (position !== 'open' && position !== 'closed')) return null
  const key = !named ? 'since' : position === 'closed' ? 'closedSince' : 'openSince'
  return i18next.t(`monitor:${key}`, { time: clockTime(state.PositionSince) })
}
