import type { Override } from './override.ts'
import { overrideSkip } from './override.ts'
import type { TimerAction } from './timer.ts'

export const foreseenReasons = [
  'stillWanted',
  'sceneDisabled',
  'gone',
  'override',
  'personTripped',
  'orphan',
  'away',
  'tripCause',
  'tagged',
] as const
export type ForeseenReason = (typeof foreseenReasons)[number]

/** What a timed action on a line will come to, other than being done, by what is known now. */
export interface Foreseen {
  readonly outcome: 'refused' | 'skipped'
  readonly why: ForeseenReason
  /** The other timer, or whoever hung the tag. */
  readonly by: string | null
}

/** A line as far as it decides what a timed action comes to. */
export interface LineAhead {
  /** The scene that the timer runs is disabled; left out: it runs none. */
  readonly isSceneDisabled?: boolean
  /** It is there, and still in the project of the timer. */
  readonly isInProject: boolean
  /** Whoever owns the timer may operate it now. */
  readonly ownerMay: boolean
  readonly override: Override | null
  /** The name of another timer that wants it on at that instant. */
  readonly wantedBy: string | null
  /** Its gateway or device is not connected now. */
  readonly isAway: boolean
  /** A protective trip whose cause nobody has recorded. */
  readonly lockedOut: boolean
  readonly tags: readonly { readonly by: string; readonly expectedEnd: number | null }[]
}

/**
 * What will keep a line from being operated at `at`, in the order in which the server asks; null: nothing that is known. `isNext`: what is only so
 * now, a lost connection, is said of the next run alone.
 */
export function foresee(action: TimerAction, at: number, line: LineAhead, isNext: boolean): Foreseen | null {
  const refused = (why: ForeseenReason, by: string | null = null): Foreseen => ({ outcome: 'refused', why, by })
  const skipped = (why: ForeseenReason, by: string | null = null): Foreseen => ({ outcome: 'skipped', why, by })
  if (line.isSceneDisabled) return skipped('sceneDisabled')
  if (action === 'trip' && line.wantedBy !== null) return skipped('stillWanted', line.wantedBy)
  if (!line.isInProject) return refused('gone')
  const word = action === 'run' ? null : overrideSkip(line.override, action, 'timer', at)
  if (word) return skipped(word)
  if (!line.ownerMay) return refused('orphan')
  // A trip makes the line safe: whatever else is known keeps nobody from trying.
  if (action === 'trip') return null
  if (isNext && line.isAway) return refused('away')
  if (action === 'close' && line.lockedOut) return refused('tripCause')
  const tag = line.tags.find(({ expectedEnd }) => expectedEnd === null || expectedEnd > at)
  return tag ? refused('tagged', tag.by) : null
}
