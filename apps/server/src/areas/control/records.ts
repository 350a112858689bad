import type { CommandRecord } from '@linewarden/contract'
import type { StoredCommand } from '../../store/control/command.ts'

/** Where a command went. */
interface Place {
  readonly device: { readonly controllerId: string }
  readonly lineNo: number
}

/** A command as the API and the live socket show it. */
export const commandRecord = (command: StoredCommand, line: Place): CommandRecord => ({
  CommandID: command.commandId,
  LineID: command.lineId,
  ControllerID: line.device.controllerId,
  LineNo: line.lineNo,
  Action: command.action,
  State: command.state,
  Outcome: command.outcome,
  Actor: command.actor,
  Source: command.source,
  Reason: command.reason,
  RequestedAt: command.issuedAt,
  Deadline: command.deadline,
  SentAt: command.sentAt,
  AcknowledgedAt: command.acknowledgedAt,
  VerifiedAt: command.verifiedAt,
  EndedAt: command.endedAt,
  TripMs: command.tripMs,
  RunID: command.operationId,
})
