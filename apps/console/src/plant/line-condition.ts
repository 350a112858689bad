import type { DeviceLink, LineState } from '@linewarden/contract'
import type { AlarmKind, Family, Text } from '@linewarden/equipment'
import { alarmKinds } from '@linewarden/equipment'
import { byAlarmKind, isAboutPoint, worstKind } from '@linewarden/rules/alarm'
import { isProtection } from '@linewarden/rules/control'
import type { SwitchState } from '../ui/switch-symbol.tsx'

export type Severity = AlarmKind

/** Ways a line can stand, for the symbol, the word and the filter. */
export type LineCondition = SwitchState | 'normal' | DetectorState

/** What is wrong with equipment that has no blade, by the worst of its open events: a low battery is no alarm. */
type DetectorState = `${Severity}State`
const detectorStates = byAlarmKind((kind): DetectorState => `${kind}State`)

/** The kind by which a detector stands like this; null: it is none of these. */
export const kindOfCondition = (condition: LineCondition): Severity | null =>
  alarmKinds.find((kind) => detectorStates[kind] === condition) ?? null

export const isSwitchState = (condition: LineCondition): condition is SwitchState =>
  condition !== 'normal' && kindOfCondition(condition) === null

/**
 * How a line is drawn, from what its equipment reported and nothing else. A gateway or a device that is away makes it offline, whatever the
 * last position was; a position nobody reported is unknown.
 */
export function conditionOf(
  state: LineState | undefined,
  link: DeviceLink['Link'] | undefined,
  family: Family | null,
): LineCondition {
  if (link === undefined || link === 'offline' || link === 'never') return 'offline'
  // A protector that switches without a blade has no position, but it cuts the supply as a breaker does.
  if (family?.level === 'device' && isProtection(state?.States.output ?? '')) return 'tripped'
  if (family?.level === 'device') {
    const worst = severityOf(state)
    return worst ? detectorStates[worst] : state?.At == null ? 'unknown' : 'normal'
  }
  const position = state?.States.position
  if (!state || (position !== 'open' && position !== 'closed')) return 'unknown'
  if (state.Pending?.Action === 'trip' && position === 'closed') return 'opening'
  if (state.Pending?.Action === 'close' && position === 'open') return 'closing'
  if (position === 'closed') return 'closed'
  return isProtection(state.States['trip.cause'] ?? '') ? 'tripped' : 'open'
}

/** The worst kind of event that is open on a line. */
export function severityOf(state: LineState | undefined): Severity | null {
  // Asked of every line of the page several times a second, and nearly all have nothing.
  return !state || state.Active.length === 0 ? null : worstOf(state.Active)
}

/** The worst kind of event that is open on one point. */
export const pointSeverity = (state: LineState | undefined, point: string): Severity | null =>
  !state || state.Active.length === 0 ? null : worstOf(state.Active.filter((each) => isAboutPoint(each, point)))

/** The worst kind of event that a reported state has raised. */
export const stateSeverity = (state: LineState | undefined, family: Family, key: string): Severity | null => {
  if (!state || state.Active.length === 0) return null
  const raises = family.alarms.filter(
    (alarm) => alarm.on === 'state' && alarm.state === key && alarm.values.includes(state.States[key] ?? ''),
  )
  return worstOf(state.Active.filter(({ Key }) => raises.some((alarm) => alarm.key === Key)))
}

/** What is wrong with a detector in the family's own words, where it is no alarm: that its battery is low. */
export function conditionWord(condition: LineCondition, state: LineState | undefined, family: Family | null): Text | null {
  const kind = kindOfCondition(condition)
  if (kind === null || kind === 'alarm') return null
  const worst = state?.Active.find(({ Kind }) => Kind === severityOf(state))
  return family?.alarms.find(({ key }) => key === worst?.Key)?.label ?? null
}

const worstOf = (active: LineState['Active']): Severity | null => worstKind(active.map(({ Kind }) => Kind))
