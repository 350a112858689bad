import type { ActionKey } from '@linewarden/equipment'

/** What several lines can be made to do as one intent. */
export const groupActions = ['trip', 'close', 'selfTest'] as const satisfies readonly ActionKey[]
export type GroupAction = (typeof groupActions)[number]

/**
 * `waiting`: not its turn yet. `ordered`: it has a command, see there. `refused`: not permitted when its turn came. `missed`: the server
 * stopped before its turn, or, as its refusal says then, the sign-in was ended that the group was started from; it is never operated late.
 * `stopped`: somebody stopped the group. `skipped`: automation left it out, and its refusal says why.
 */
export const groupLineStates = ['waiting', 'ordered', 'refused', 'missed', 'stopped', 'skipped'] as const
export type GroupLineState = (typeof groupLineStates)[number]
