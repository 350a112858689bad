import type { LineState } from '@linewarden/contract'
import type { Family, StatePoint } from '@linewarden/equipment'
import { localised } from '../ui/i18n.ts'
import { ValueCell } from '../ui/value-cell.tsx'
import { stateSeverity } from './line-condition.ts'

/** A state, marked where it has raised an event. */
export function StateValue({ point, family, state }: { point: StatePoint; family: Family; state: LineState | undefined }) {
  return <ValueCell text={stateText(point, state)} severity={stateSeverity(state, family, point.key)} />
}

/** What a state says, in its family's words; a dash when it was not reported. */
export function stateText({ key, values }: StatePoint, state: LineState | undefined): string {
  const value = values.find((each) => each.key === state?.States[key])
  return value ? localised(value.label) : '–'
}
