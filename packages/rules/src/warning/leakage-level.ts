import type { WarningLevel } from './finding.ts'
import { levelAt } from './finding.ts'

/** A residual-current device may trip from this share of its rated residual operating current IΔn on (IEC 61008-1, 61009-1). */
export const mayTripShare = 0.5
/** Standing leakage stays at or below this share of IΔn (IEC 60364-5-53, 531.3.2). */
const permissibleShare = 0.3

/** How grave a leakage that grew is, by what it has come to: notice, warning above what may stand, alarm where the device may trip. */
export const leakageLevel = (valueMa: number, tripMa: number): WarningLevel =>
  levelAt(valueMa / tripMa, { warning: permissibleShare, alarm: mayTripShare }) ?? 'notice'
