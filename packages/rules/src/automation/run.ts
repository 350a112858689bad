import type { GroupLineState } from '../control/group-operation.ts'

/** What operates lines by itself, or at one press. */
export const automationSources = ['timer', 'scene', 'linkage'] as const
export type AutomationSource = (typeof automationSources)[number]

/** `running`, and how a run ended. `merged`: another point of the same instant was done instead. */
export const runStates = ['running', 'done', 'partly', 'refused', 'stopped', 'missed', 'skipped', 'merged'] as const
export type RunState = (typeof runStates)[number]

/** How a run ended, by what became of the turn of each of its lines; what is waiting still counts as missed. */
export function runEnd(lines: readonly GroupLineState[]): Exclude<RunState, 'running' | 'merged'> {
  const has = (state: GroupLineState) => lines.includes(state)
  if (has('stopped')) return 'stopped'
  const isLeftUndone = has('refused') || has('missed') || has('waiting')
  if (has('ordered')) return isLeftUndone ? 'partly' : 'done'
  if (!isLeftUndone) return 'skipped'
  return has('refused') ? 'refused' : 'missed'
}
