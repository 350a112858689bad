import type { Occurrence } from './occurrences.ts'
import type { TimerAction } from './timer.ts'

/** A timer with what it is due for, as the check needs it. Its scene is resolved to the lines it acts on. */
export interface PlannedTimer {
  readonly timerId: number
  readonly name: string
  /** From `occurrences`, in the order of time, skipped ones left out. */
  readonly due: readonly Occurrence[]
  /** Keys of its lines. */
  readonly lines: readonly string[]
  /** What `run` does to a line: the action of its scene; absent lines are not acted on. */
  readonly sceneActions: ReadonlyMap<string, 'trip' | 'close'> | null
  /** Whether its owner is there and may still do this. */
  readonly hasOwner: boolean
  /** Lines that are gone. */
  readonly broken: readonly string[]
}

/** What a conflict means for saving. `confirm`: refused until a person confirms it with a reason. */
export const conflictEffects = {
  fight: 'confirm',
  duplicate: 'note',
  tagged: 'note',
  quietHours: 'refused',
  opposed: 'warn',
  wear: 'warn',
  wearHour: 'refused',
  queue: 'warn',
  neverOff: 'note',
  noAction: 'refused',
  orphan: 'shown',
  broken: 'shown',
  noRuns: 'shown',
} as const
export type ConflictKey = keyof typeof conflictEffects

/** One conflict with both its sides, the line and the first instant at which it would come. */
export interface Conflict {
  readonly key: ConflictKey
  readonly timerId: number
  readonly with:
    | { readonly kind: 'timer' | 'linkage'; readonly id: number }
    | { readonly kind: 'tag'; readonly by: string }
    | null
  readonly line: string | null
  readonly at: number | null
  /** How many operations, or for how long closes wait; null where there is nothing to count. */
  readonly figure: number | null
}

/** What a due point does to a line: trip or close also of a scene; null: nothing. */
export function actionOn({ sceneActions }: PlannedTimer, action: TimerAction, line: string): Exclude<TimerAction, 'run'> | null {
  return action === 'run' ? (sceneActions?.get(line) ?? null) : action
}
