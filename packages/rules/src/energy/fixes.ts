import type { UsualCourse } from './course.ts'
import type { Quarters } from './quarters.ts'
import { How } from './quarters.ts'
import { quarterMs } from './slots.ts'

/** What somebody entered over the quarters of a line (补量), with a reason; what was reported stays below it. */
export type EnergyFix = {
  /** Unix ms, both on quarters, `to` not included. */
  readonly from: number
  readonly to: number
} & (
  | { readonly method: 'enteredKwh'; readonly wh: number }
  /** As the line usually goes; where that is not known, it stays as it is. */
  | { readonly method: 'byProfile' }
  | { readonly method: 'zero' }
)

/** The quarters with what was entered over them, of two at one quarter the later one in the list. What was entered is spread evenly, and sums to it. */
export function withFixes(
  { wh, how }: Quarters,
  slots: readonly number[],
  fixes: readonly EnergyFix[],
  usual: UsualCourse,
): Quarters {
  const fixed = [...wh]
  const marks = Uint8Array.from(how)
  for (const fix of fixes)
    for (const [index, slot] of slots.entries()) {
      if (slot < fix.from || slot >= fix.to) continue
      const each = fixedWh(fix, slot, usual)
      if (each === null) continue
      fixed[index] = each
      marks[index] = fix.method === 'byProfile' ? How.estimated : How.entered
    }
  return { wh: fixed, how: marks }
}

function fixedWh(fix: EnergyFix, slot: number, usual: UsualCourse): number | null {
  if (fix.method === 'zero') return 0
  if (fix.method === 'byProfile') {
    const wh = usual(fix.from, slot)
    return wh === null ? null : Math.round(wh)
  }
  // Up to here, less what was up to where it began: whichever days are made, all of them sum to what was entered.
  const upTo = (at: number) => Math.round((fix.wh * (at - fix.from)) / (fix.to - fix.from))
  return upTo(slot + quarterMs) - upTo(slot)
}
