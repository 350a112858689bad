import type { CommandFact } from '@linewarden/rules/control'
import { verifyGraceMs } from '@linewarden/rules/control'
import type { StateReport } from '../../plant/hub.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { StoredCommand } from '../../store/control/command.ts'

/**
 * Whether a reported state says something about a command, and what. `open`: all commands of the line that may still change. `measuredAt`:
 * when it told its trip time, if since it was sent nobody could have missed an opening of the line.
 */
export function factOfState(
  command: StoredCommand,
  report: StateReport,
  open: readonly StoredCommand[],
  measuredAt: number | null,
): CommandFact | null {
  const { action } = command
  const { line, state, value, changed, first, deviceAt, receivedAt: at } = report
  if (state === 'position') {
    if (value !== 'open' && value !== 'closed') return null
    // The trip may have opened it, and not the test.
    const byTrip = action === 'selfTest' && trippedSince(command, line, open)
    const afterAnswer = action === 'trip' && open.some((other) => mayStillClose(other, command, at))
    // Nothing was latched when the close was permitted.
    const trippedAgain = action === 'close' && line.tripLatched !== null
    return {
      kind: 'position',
      value,
      deviceAt,
      at,
      ...(afterAnswer && { afterAnswer }),
      ...(trippedAgain && { trippedAgain }),
      ...(byTrip && { byTrip }),
      ...(measuredAt !== null && { measuredAt }),
    }
  }
  const done = line.device.family.actions.find(({ key }) => key === action)
  if (state !== done?.confirmedBy.state) return null
  // What stood there before, and is only reported once more, is the outcome of an earlier one; and while it runs there is none.
  if (done.byChange && (!changed || value === 'running')) return null
  // Nor is it what a birth tells, because nobody saw it come to be so, nor the outcome of one that was ordered later.
  const later = (other: StoredCommand) => other.action === action && other.fence > command.fence
  if (done.byChange && (first || open.some(later))) return null
  // Where the equipment measures, only the figure proves success.
  if (done.measures !== undefined) return value === 'passed' ? null : { kind: 'state', state, value, deviceAt, at }
  const isTest = action === 'selfTest'
  // A self-test that was done and failed is done.
  const fails = isTest && value === 'failed' ? 'self_test_failed' : null
  return { kind: 'report', proves: value === done.confirmedBy.value, fails, ...(isTest && { afterAnswer: true }), deviceAt, at }
}

/** A trip was ordered after it, whatever has become of that since. */
const trippedSince = ({ fence }: StoredCommand, line: PlantLine, open: readonly StoredCommand[]): boolean =>
  line.tripFence > fence || open.some((other) => other.action === 'trip' && other.fence > fence)

/** A close that left before the trip. Until the gateway has taken the trip, "open" may only be how the breaker stood before either. */
const mayStillClose = ({ action, sentAt, deadline, fence }: StoredCommand, trip: StoredCommand, now: number): boolean =>
  action === 'close' && sentAt !== null && fence < trip.fence && now <= deadline + verifyGraceMs
