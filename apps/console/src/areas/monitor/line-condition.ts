import type { DeviceLink, LineState } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import type { SwitchState } from '../../ui/switch-symbol.tsx'

export type Severity = 'alarm' | 'fault' | 'warning'

/** Ways a line can stand, for the symbol, the word and the filter. */
export type LineCondition = SwitchState | 'normal' | 'alarmState'

const protections: ReadonlySet<string> = new Set([
  'leakage',
  'short',
  'overload',
  'overvoltage',
  'undervoltage',
  'overtemperature',
  'arc',
])

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
  if (family?.level === 'device' && protections.has(state?.States.output ?? '')) return 'tripped'
  if (family?.level === 'device') return (state?.Active.length ?? 0) > 0 ? 'alarmState' : state?.At == null ? 'unknown' : 'normal'
  const position = state?.States.position
  if (!state || (position !== 'open' && position !== 'closed')) return 'unknown'
  if (state.Pending?.Action === 'trip' && position === 'closed') return 'opening'
  if (state.Pending?.Action === 'close' && position === 'open') return 'closing'
  if (position === 'closed') return 'closed'
  return protections.has(state.States['trip.cause'] ?? '') ? 'tripped' : 'open'
}

/** As what a line counts and is filtered: how one stands whose equipment is silent, nobody knows now, so it is no closed line. */
export const countedAs = (
  state: LineState | undefined,
  link: DeviceLink['Link'] | undefined,
  family: Family | null,
): LineCondition => (link === 'stale' ? 'offline' : conditionOf(state, link, family))

/** The worst kind of event that is open on a line. */
export function severityOf(state: LineState | undefined): Severity | null {
  // Asked of every line of the page several times a second, and nearly all have nothing.
  return !state || state.Active.length === 0 ? null : worstOf(state.Active)
}

/** The worst kind of event that is open on one point. */
export const pointSeverity = (state: LineState | undefined, point: string): Severity | null =>
  !state || state.Active.length === 0 ? null : worstOf(state.Active.filter((each) => each.Point === point))

function worstOf(active: LineState['Active']): Severity | null {
  const kinds = active.map((each) => each.Kind)
  return (['alarm', 'fault', 'warning'] as const).find((kind) => kinds.includes(kind)) ?? null
}
