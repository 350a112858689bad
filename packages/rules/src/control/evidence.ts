import type { Action, ActionKey } from '@linewarden/equipment'
import type { CommandFact } from './command.ts'
import { verifyGraceMs } from './life.ts'

/** A state that equipment has reported live. Times in Unix ms. */
export interface StateReport {
  readonly state: string
  readonly value: string
  /** Another value than before. */
  readonly changed: boolean
  /** The first since the equipment was born: nobody saw it come to be so. */
  readonly first: boolean
  readonly deviceAt: number
  readonly at: number
}

/** A command that may still change, as far as other commands of its line need it. */
export interface OpenCommand {
  readonly action: ActionKey
  /** Grows with each order of the line. */
  readonly fence: number
  readonly sentAt: number | null
  readonly deadline: number
}

export interface EvidenceContext {
  readonly actions: readonly Pick<Action, 'key' | 'confirmedBy' | 'byChange' | 'measures'>[]
  /** The fence of the newest trip of the line; 0: none was ordered. */
  readonly tripFence: number
  /** A protective trip has locked the line out. */
  readonly lockedOut: boolean
  /** All commands of the line that may still change. */
  readonly open: readonly OpenCommand[]
  /** When a self-test reported its trip time, if the line was supervised since it was sent; else null. */
  readonly measuredAt: number | null
}

/** Whether a reported state is evidence about a command, and of what; null: it says nothing about it. */
export function evidenceOf(command: OpenCommand, report: StateReport, context: EvidenceContext): CommandFact | null {
  return report.state === 'position' ? ofPosition(command, report, context) : ofState(command, report, context)
}

function ofPosition(
  command: OpenCommand,
  { value, deviceAt, at }: StateReport,
  { open, tripFence, lockedOut, measuredAt }: EvidenceContext,
): CommandFact | null {
  const { action, fence } = command
  if (value !== 'open' && value !== 'closed') return null
  // A trip that was ordered later may have opened it, whatever has become of that trip since, and not the test.
  const tripped = tripFence > fence || open.some((other) => other.action === 'trip' && other.fence > fence)
  return {
    kind: 'position',
    value,
    deviceAt,
    at,
    ...(action === 'trip' && open.some((other) => mayStillClose(other, command, at)) && { afterAnswer: true }),
    // The line was not locked out when the close was permitted.
    ...(action === 'close' && lockedOut && { trippedAgain: true }),
    ...(action === 'selfTest' && tripped && { byTrip: true }),
    ...(measuredAt !== null && { measuredAt }),
  }
}

/** A close that left before the trip. Until the gateway has taken the trip, "open" may only be how the breaker stood before either. */
const mayStillClose = ({ action, sentAt, deadline, fence }: OpenCommand, trip: OpenCommand, now: number): boolean =>
  action === 'close' && sentAt !== null && fence < trip.fence && now <= deadline + verifyGraceMs

function ofState(
  { action, fence }: OpenCommand,
  { state, value, changed, first, deviceAt, at }: StateReport,
  { actions, open }: EvidenceContext,
): CommandFact | null {
  const done = actions.find(({ key }) => key === action)
  if (state !== done?.confirmedBy.state) return null
  // What stood there before, and is only reported once more, is the outcome of an earlier one; and while it runs there is none.
  if (done.byChange && (!changed || value === 'running')) return null
  // Nor is it what a birth tells, nor the outcome of one that was ordered later.
  const later = (other: OpenCommand) => other.action === action && other.fence > fence
  if (done.byChange && (first || open.some(later))) return null
  // Where the equipment measures, only the figure proves success.
  if (done.measures !== undefined) return value === 'passed' ? null : { kind: 'state', state, value, deviceAt, at }
  const isTest = action === 'selfTest'
  // A self-test that was done and failed is done.
  const fails = isTest && value === 'failed' ? 'self_test_failed' : null
  return { kind: 'report', proves: value === done.confirmedBy.value, fails, ...(isTest && { afterAnswer: true }), deviceAt, at }
}
