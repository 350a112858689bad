import type { CommandFact } from '@linewarden/rules'
import type { StateReport } from '../../live/hub.ts'
import type { StoredCommand } from '../../store/command.ts'

/** Whether a reported state says something about a command, and what. */
export function factOfState({ action }: StoredCommand, report: StateReport): CommandFact | null {
  const { line, state, value, deviceAt, receivedAt: at } = report
  if (state === 'position') return value === 'open' || value === 'closed' ? { kind: 'position', value, deviceAt, at } : null
  const done = line.device.family.actions.find(({ key }) => key === action)
  // Where the equipment measures, only the figure proves success: "passed" may be the outcome of an earlier test.
  if (done?.measures !== undefined) return value === 'passed' ? null : { kind: 'state', state, value, deviceAt, at }
  if (state !== done?.confirmedBy.state) return null
  const isTest = action === 'selfTest'
  // A self-test that was done and failed is done.
  const fails = isTest && value === 'failed' ? 'self_test_failed' : null
  return { kind: 'report', proves: value === done.confirmedBy.value, fails, ...(isTest && { afterAnswer: true }), deviceAt, at }
}
