import type { GatewayRefusal } from '@linewarden/equipment'

export interface ReceivedCommand {
  readonly id: string
  readonly action: string
  /** Unix ms. */
  readonly deadline: number
  readonly fence: number
  readonly bdSeq: number
}

export interface GatewayFacts {
  readonly now: number
  readonly clockSynchronised: boolean
  readonly bdSeq: number
  readonly seenIds: ReadonlySet<string>
  /** The highest fence executed on this line; null before the first. */
  readonly lastFence: number | null
  readonly localLock: boolean
  readonly knownLine: boolean
  /** What the equipment can do. */
  readonly actions: readonly string[]
}

/**
 * What a gateway must check by itself before it moves a breaker, sets or silences something, because the network between may have delayed, doubled or reordered
 * the command. Null: execute it.
 */
export function gatewayRefusal(command: ReceivedCommand, gateway: GatewayFacts): GatewayRefusal | null {
  if (!gateway.knownLine) return 'unknown_line'
  if (!gateway.actions.includes(command.action)) return 'unknown_action'
  if (gateway.seenIds.has(command.id)) return 'seen_id'
  // Written so that a missing figure (NaN) refuses.
  if (gateway.lastFence !== null && !(command.fence > gateway.lastFence)) return 'older_fence'
  if (command.action === 'trip') return gateway.clockSynchronised && gateway.now > command.deadline ? 'deadline_passed' : null
  // Everything else moves, changes or hushes something, and must not happen late, twice, or meant for another time.
  if (Number.isNaN(command.fence)) return 'older_fence'
  if (!gateway.clockSynchronised) return 'clock_unsynchronised'
  if (!(gateway.now <= command.deadline)) return 'deadline_passed'
  if (command.bdSeq !== gateway.bdSeq) return 'other_session'
  return gateway.localLock ? 'local_lock' : null
}
