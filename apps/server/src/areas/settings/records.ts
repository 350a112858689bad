import type { SettingChange, SettingTarget, TargetResult } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { StoredChange } from '../../store/settings/setting-change.ts'

/** A change as the API and the live socket show it. Its line may have been taken out since. */
export function changeRecord(change: StoredChange, plant: Plant): SettingChange {
  const line = change.lineId === null ? null : (plant.lines.get(change.lineId) ?? null)
  return {
    CommandID: change.commandId,
    BatchID: change.batchId,
    DeviceID: change.gatewayId,
    LineID: change.lineId,
    ControllerID: line?.device.controllerId ?? null,
    LineNo: line?.lineNo ?? null,
    LineName: line?.name ?? plant.gateways.get(change.gatewayId)?.name ?? '',
    Settings: Object.entries(change.wanted).map(([Key, Wanted]) => ({ Key, Wanted, Former: change.former[Key] ?? null })),
    State: change.state,
    Outcome: change.outcome,
    Actor: change.actor,
    Source: change.source,
    Reason: change.reason,
    Template: change.template,
    Undoes: change.undoes,
    OffUntil: change.offUntil,
    RequestedAt: change.issuedAt,
    Deadline: change.deadline,
    SentAt: change.sentAt,
    AcknowledgedAt: change.acknowledgedAt,
    VerifiedAt: change.verifiedAt,
    EndedAt: change.endedAt,
  }
}

/** What became of one target: what was ordered, or why nothing was. */
export function targetResult(
  target: { readonly ControllerID: string; readonly LineNo: number },
  outcome: SettingChange | Refusal,
): TargetResult {
  if (!(outcome instanceof Refusal)) return { ...target, Change: outcome, Refused: null }
  const { Message, Text, Problems = [] } = outcome.envelope()
  const problems = Problems.map(({ Path, Text: text }) => ({ Path, Text: { zh: text.zh, en: text.en } }))
  return { ...target, Change: null, Refused: { Message, Text: { zh: Text.zh, en: Text.en }, Problems: problems } }
}

/** The line that somebody means, if they see it. */
export function lineSeen(plant: Plant, actor: Actor, { ControllerID, LineNo }: SettingTarget): PlantLine | null {
  const line = plant.lineAt(ControllerID, LineNo)
  return line && actor.seesGateway(line.device.gateway) ? line : null
}

/** A line as the audit log names it. */
export const targetOf = (line: PlantLine): string => `${line.device.controllerId}/${line.lineNo}`
