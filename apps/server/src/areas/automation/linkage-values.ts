import type { LinkageCondition as RuleCondition } from '@linewarden/rules/automation'
import { bridgedPeriods } from '@linewarden/rules/automation'
import type { Ingest } from '../../field/ingest.ts'
import type { PlantLine } from '../../plant/plant.ts'
import { linkOfDevice, reportingPeriodOf } from '../../plant/plant.ts'
import type { StoredCondition } from '../../store/automation/linkage.ts'
import { sourceOf } from './linkage-draft.ts'

/** How often what stands until it changes is looked at: a state, an alarm, a link, and values of what reports changes only. */
export const lookEveryMs = 1_000
const changePeriodMs = 5 * lookEveryMs

/** Whether a condition is known while its equipment is, and not by samples only. */
export const isByChange = (line: PlantLine, { kind }: Pick<StoredCondition, 'kind'>): boolean =>
  kind !== 'point' || reportingPeriodOf(line.device) === 0

export const periodMsOf = (line: PlantLine, condition: Pick<StoredCondition, 'kind'>): number =>
  isByChange(line, condition) ? changePeriodMs : reportingPeriodOf(line.device)

/** A condition as the rules fold it. `line`: null: it is not in the project any more, and nothing is read of it. */
export const ruleCondition = (line: PlantLine | null, condition: StoredCondition): RuleCondition => ({
  ...{ kind: condition.kind, line: String(condition.lineId), key: keyOf(condition) },
  ...{ op: condition.op, value: condition.value, release: condition.release, forS: condition.forS },
  periodMs: line ? periodMsOf(line, condition) : changePeriodMs,
  isDanger: (line && sourceOf(line, condition)?.isDanger) ?? false,
})

/** Values of several kinds may have one key. */
export const keyOf = ({ kind, key }: Pick<StoredCondition, 'kind' | 'key'>): string => `${kind} ${key}`

/** What a line says now; null: that is not known. Behind a device that is away nothing is known but that. */
export function valueNow(ingest: Pick<Ingest, 'hasValidPosition'>, line: PlantLine, condition: StoredCondition): number | null {
  const { kind, key } = condition
  const { link } = linkOfDevice(line.device)
  if (kind === 'link') return link === 'never' ? null : link === 'online' ? 1 : 0
  if (link !== 'online') return null
  if (kind === 'state') return stateNow(ingest, line, key)
  if (kind === 'alarm') {
    const isOpen = line.alarms.has(key) || [...line.alarms.values()].some((alarm) => alarm.key === key)
    return isOpen ? 1 : 0
  }
  return pointNow(line, condition)
}

function stateNow(ingest: Pick<Ingest, 'hasValidPosition'>, line: PlantLine, key: string): number | null {
  if (key === 'position' && !ingest.hasValidPosition(line)) return null
  const value = line.states.get(key)
  const code = line.device.family.states.find((state) => state.key === key)?.values.findIndex((each) => each.key === value) ?? -1
  return code < 0 ? null : code
}

const pointNow = (line: PlantLine, condition: StoredCondition): number | null => slotNow(line, slotOf(line, condition))

/** Where a measured value stands among those of its line; null: it is none. */
export const slotOf = (line: PlantLine, condition: StoredCondition): number | null => sourceOf(line, condition)?.slot ?? null

export function slotNow(line: PlantLine, slot: number | null): number | null {
  const value = slot === null ? Number.NaN : (line.values[slot] ?? Number.NaN)
  return Number.isNaN(value) ? null : value
}

/** When the value of a slot came; null: not since the start of this server. */
export function slotReceivedAt({ valuesReceivedAt, liveReceivedAt }: PlantLine, slot: number | null): number | null {
  return slot === null ? liveReceivedAt : valuesReceivedAt[slot] || null
}

/** When what a condition reads was reported last. */
export const reportedAt = (line: PlantLine, condition: StoredCondition): number | null =>
  condition.kind === 'point' ? slotReceivedAt(line, slotOf(line, condition)) : line.liveReceivedAt

/** Whether what was reported last still stands: not by a clock that is off, nor of a line that says nothing for three periods. */
export function isFresh(line: PlantLine, condition: StoredCondition, now: number): boolean {
  if (isByChange(line, condition)) return true
  const at = line.liveReceivedAt
  const isReported = reportedAt(line, condition) !== null
  return line.clockGood && isReported && at !== null && now - at <= bridgedPeriods * reportingPeriodOf(line.device)
}
