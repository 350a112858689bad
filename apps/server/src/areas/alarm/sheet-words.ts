import type { AlarmRationaleRecord, RationaleRecordTexts } from '@linewarden/contract'
import type { RationaleTexts } from '@linewarden/rules/alarm'
import { isDanger } from '@linewarden/rules/alarm'
import type { KeptRationale } from '../../store/alarm/rationale.ts'
import type { CataloguedAlarm } from './alarm-catalogue.ts'

export const textsRecord = ({ cause, consequence, action, time, priority, basis }: RationaleTexts): RationaleRecordTexts => ({
  ...{ Cause: cause, Consequence: consequence, Action: action, Time: time, Priority: priority, Basis: basis },
})

/** As a form sends them, without what stands around the words. */
export function textsOf({ Cause, Consequence, Action, Time, Priority, Basis }: RationaleRecordTexts): RationaleTexts {
  const trimmed = ({ zh, en }: { readonly zh: string; readonly en: string }) => ({ zh: zh.trim(), en: en.trim() })
  return {
    cause: trimmed(Cause),
    consequence: trimmed(Consequence),
    action: trimmed(Action),
    time: trimmed(Time),
    priority: trimmed(Priority),
    basis: trimmed(Basis),
  }
}

/** A row of the sheet as the API shows it. `kept`: as somebody wrote it at this very place, in force or given up. */
export const rationaleRecord = (
  { key, label, kind, priority, families }: CataloguedAlarm,
  projectId: number | null,
  { origin, texts }: { readonly origin: AlarmRationaleRecord['Origin']; readonly texts: RationaleTexts | null },
  kept: KeptRationale | undefined,
): AlarmRationaleRecord => ({
  HouseID: projectId,
  Key: key,
  Label: label,
  Kind: kind,
  AlarmPriority: priority,
  Families: [...families],
  Origin: origin,
  Texts: texts && textsRecord(texts),
  PriorityFixed: isDanger(key),
  Version: kept?.version ?? 0,
  ChangedAt: kept?.changedAt ?? null,
  ChangedBy: kept?.changedBy ?? null,
})
