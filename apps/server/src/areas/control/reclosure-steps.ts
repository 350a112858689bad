import type { Reclosing } from '@linewarden/rules/control'
import {
  afterCorrection,
  afterFailedTry,
  afterOrderedTrip,
  afterTrip,
  lockedOut,
  notReclosing,
  reclosureResetMs,
} from '@linewarden/rules/control'
import type { StoredCommand } from '../../store/control/command.ts'
import type { StoredReclosure } from '../../store/control/reclosure.ts'
import type { Opening } from './openings.ts'

/** The newest cause told of an opening counts; a try that was counted for it stays counted. Null: it changes nothing. */
export function afterOpening(
  opening: Opening,
  cause: string,
  { enabled, state, lastTryAt, delaysS }: StoredReclosure,
  at: number,
): Reclosing | null {
  if (!enabled || state.lockedOutAt !== null) return null
  const recovered = lastTryAt === null || at - lastTryAt > reclosureResetMs
  const before = opening.before ?? (recovered ? notReclosing : state)
  if (opening.before === null || state.attempts <= before.attempts) {
    opening.before = before
    return afterTrip(before, cause, delaysS, at)
  }
  const corrected = afterCorrection(state, cause, at)
  if (corrected !== null) opening.before = { ...state, nextAt: null }
  return corrected
}

/** What a command that has ended makes of the tries of its line; null: nothing. */
export function afterCommand({ action, source, state }: StoredCommand, setting: StoredReclosure, now: number): Reclosing | null {
  if (action === 'trip') return afterOrderedTrip(setting.state, now)
  if (source !== 'reclosure') return state === 'verified' ? notReclosing : null
  // Of "unknown" nobody can say whether it closed: it is not tried again.
  if (state === 'unknown') return lockedOut(setting.state, 'outcome_unknown', now)
  return state === 'verified' ? null : afterFailure(setting, now)
}

/** Of a setting that was switched off or made anew meanwhile no try is counted. */
export const afterFailure = ({ enabled, state, delaysS }: StoredReclosure, now: number): Reclosing | null =>
  enabled && state.attempts > 0 ? afterFailedTry(state, delaysS, now) : null
