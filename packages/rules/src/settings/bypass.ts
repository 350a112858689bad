/**
 * A protection that an order bypasses for a time. `ordered`: the order is under way. `standing`: it is bypassed. `restoring`: the former
 * value is ordered. `restored`, `ended`: it protects, by that order or because the bypass never came about. `failed`: it is still bypassed
 * after its expiry.
 */
export const bypassStates = ['ordered', 'standing', 'restoring', 'restored', 'failed', 'ended'] as const
export type BypassState = (typeof bypassStates)[number]

/** The protection is bypassed now. */
export const bypassedStates = ['standing', 'restoring', 'failed'] as const satisfies readonly BypassState[]
/** It is bypassed now, or an order under way will make it so. */
export const openBypassStates = ['ordered', ...bypassedStates] as const satisfies readonly BypassState[]

/**
 * A gateway that is away, or somebody else's order on the line, is waited for this long, from when the protection was due or the server came
 * back; then it counts as not restored.
 */
export const restoreWindowMs = 60_000

/** Whether a protection that was due at `until` is still tried again, by a server that runs since `startedAt`. Unix ms. */
export const inRestoreWindow = (until: number, startedAt: number, now: number): boolean =>
  now - Math.max(startedAt, until) < restoreWindowMs

/**
 * Why an order was not placed that restores a protection. `away`: nobody was there to hear it. `busy`: another order of the line is under
 * way. `refused`: anything else.
 */
export type RestoreRefusal = 'away' | 'busy' | 'refused'

/** What an expiry does next: whatever passes by itself is waited for while the window lasts; nothing else gets better by waiting. */
export const afterRefusedRestore = (why: RestoreRefusal, inWindow: boolean): 'wait' | 'giveUp' =>
  inWindow && why !== 'refused' ? 'wait' : 'giveUp'
