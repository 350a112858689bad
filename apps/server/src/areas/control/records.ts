import type { CommandRecord, PermitCondition } from '@linewarden/contract'
import type { Condition, LineFacts } from '@linewarden/rules'
import { clockNear } from '@linewarden/rules'
import type { PlantLine } from '../../live/plant.ts'
import type { StoredCommand } from '../../store/command.ts'

/** A command as the API and the live socket show it. */
export const commandRecord = (command: StoredCommand, line: PlantLine): CommandRecord => ({
  CommandID: command.commandId,
  LineID: command.lineId,
  ControllerID: line.device.controllerId,
  LineNo: line.lineNo,
  Action: command.action,
  Settings: command.settings && { ...command.settings },
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
})

export const conditionRecord = ({ key, met, what, why, clears, until }: Condition): PermitCondition => ({
  Key: key,
  Met: met,
  What: { ...what },
  Why: why && { ...why },
  Clears: clears && { ...clears },
  Until: until,
})

/** What the permit judges, from the plant as last reported and committed. */
export function factsOf(line: PlantLine): LineFacts {
  const { gateway } = line.device
  const state = (key: string) => line.states.get(key) ?? null
  const has = (key: string) => line.device.family.states.some((each) => each.key === key)
  return {
    link: gateway.link,
    liveReceivedAt: line.liveReceivedAt,
    clockGood:
      line.liveAt !== null &&
      line.liveReceivedAt !== null &&
      clockNear(line.liveAt, line.liveReceivedAt) &&
      gateway.clockSynchronised !== false,
    position: oneOf(state('position'), ['open', 'closed']),
    tripCause: line.tripLatched ?? state('trip.cause'),
    tripCauseRecorded: line.tripLatched === null,
    localLock: has('lock.local') ? oneOf(state('lock.local'), ['on', 'off']) : 'absent',
    selfTest: has('selfTest') ? oneOf(state('selfTest'), ['notDone', 'passed', 'failed']) : 'absent',
    switches: has('position'),
    inspectionUntil: line.inspectionUntil,
    tags: [],
    lastOperationAt: line.lastOperationAt,
    pending: line.pending && { action: line.pending.action },
  }
}

const oneOf = <const V extends string>(value: string | null, known: readonly V[]): V | null =>
  known.find((each) => each === value) ?? null
