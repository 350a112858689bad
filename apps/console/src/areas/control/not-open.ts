import type { GatewayLink, LineState } from '@linewarden/contract'
import type { LineRef } from '../../plant/equipment.ts'
import { isOld } from '../../plant/old-values.ts'

/** Switched lines that may be live: reported closed now, or with a position that nobody can say now. */
export interface NotOpen {
  readonly closed: number
  readonly unknown: number
}

/**
 * Of these lines, how many are not reported open now. A tag makes nothing dead: whoever hangs it has to know.
 * @param connected - whether the server tells what moves
 */
export function notOpen(
  lines: readonly LineRef[],
  live: { line(id: number): LineState | undefined; deviceLink(controllerId: string): Pick<GatewayLink, 'Link'> | undefined },
  connected: boolean,
  now: number,
): NotOpen {
  const count = { closed: 0, unknown: 0 }
  for (const { line, device, family } of lines) {
    if (!family?.actions.some(({ key }) => key === 'trip')) continue
    const state = live.line(line.LineID)
    const current = connected && live.deviceLink(device.ControllerID)?.Link === 'online' && !isOld(state, family, now)
    const position = current ? state?.States.position : null
    if (position === 'open') continue
    if (position === 'closed') count.closed += 1
    else count.unknown += 1
  }
  return count
}
