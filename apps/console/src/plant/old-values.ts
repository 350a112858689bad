import type { LineState } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { freshForMs } from '@linewarden/rules/control'
import { useByNow } from '../ui/use-now.ts'
import { live } from './live-store.ts'

/**
 * Whether the values of a line are older than the interlocks let anybody close it by. Of a detector they are not: it reports as seldom as its
 * battery asks for, and nothing is switched by it.
 */
export function isOld(state: LineState | undefined, family: Family | null, now: number): boolean {
  const switched = family?.actions.some(({ key }) => key === 'close') === true
  return switched && state?.ReceivedAt != null && now - state.ReceivedAt > freshForMs
}

/** The same of a line that is on the page; the component redraws when its values turn old. */
export const useIsOld = (lineId: number | null, family: Family | null): boolean =>
  useByNow((now) => lineId !== null && isOld(live.line(lineId), family, now))
