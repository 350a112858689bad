import type { Text } from '@linewarden/equipment'
import type { Given } from '../faults/parameters.ts'

/** Something that happened to a plant; times in Unix ms. */
export type PastStep =
  /** A fault, or its end, as a scenario has it. */
  | { readonly at: number; readonly target: string; readonly fault: string; readonly given?: Given }
  /** Somebody operates a line. */
  | { readonly at: number; readonly target: string; readonly operate: 'trip' | 'close' | 'selfTest'; readonly reason: Text }
  /** The network of a gateway is away for so long, and what it read meanwhile is lost. */
  | { readonly at: number; readonly target: string; readonly cutForMs: number }

/** Lines, as `device/number`, that are tripped whenever an alarm is raised. */
export interface PastReaction {
  readonly controllerId: string
  readonly lineNo: number
  readonly key: string
  readonly trips: readonly string[]
  readonly reason: Text
}

/** From when on a gateway reported, and what happened behind it, in the order of time. */
export interface GatewayStory {
  readonly from: number
  readonly steps: readonly PastStep[]
  readonly reactions?: readonly PastReaction[]
}
