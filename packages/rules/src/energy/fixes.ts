import type { HowCode, Quarters } from './quarters.ts'
import { How } from './quarters.ts'
import { quarterMs } from './slots.ts'

/** What somebody entered over the quarters of a line (补量), with a reason; what was reported stays below it. */
export type EnergyFix = {
  /** Unix ms, both on quarters, `to` not included. */
  readonly from: number
  readonly to: number
} & (
  | { readonly method: 'kwh'; readonly wh: number }
  /** As the line usually goes: whole Wh of each of its quarters; null: nothing is usual there, and it stays as it is. */
  | { readonly method: 'profile'; readonly course: readonly (number | null)[] }
  | { readonly method: 'zero' }
)

/** Quarters of one fix at most: a quarter of a year. */
export const maxFixQuarters = 92 * 96
/** A quarter holds no more, Wh. */
export const maxQuarterWh = 2 ** 31 - 1
export const maxFixesOfProject = 1_000
export const fixMethods = ['register', 'kwh', 'profile', 'zero'] as const

/** How what was entered so is known. */
export const howOfFix = ({ method }: EnergyFix): HowCode => (method === 'profile' ? How.estimated : How.entered)

/** What a fix says of a quarter, Wh; null: nothing. What was entered is spread evenly, and sums to it whichever pieces are made. */
export function fixedWh(fix: EnergyFix, slot: number): number | null {
  if (slot < fix.from || slot >= fix.to) return null
  if (fix.method === 'zero') return 0
  if (fix.method === 'profile') return fix.course[(slot - fix.from) / quarterMs] ?? null
  const upTo = (at: number) => Math.round((fix.wh * (at - fix.from)) / (fix.to - fix.from))
  return upTo(slot + quarterMs) - upTo(slot)
}

/** The quarters with what was entered over them, of two at one quarter the later one in the list. */
export function withFixes({ wh, how }: Quarters, slots: readonly number[], fixes: readonly EnergyFix[]): Quarters {
  const fixed = [...wh]
  const marks = Uint8Array.from(how)
  for (const fix of fixes)
    for (const [index, slot] of slots.entries()) {
      const each = fixedWh(fix, slot)
      if (each === null) continue
      fixed[index] = each
      marks[index] = howOfFix(fix)
    }
  return { wh: fixed, how: marks }
}

export type FixProblem = 'notQuarters' | 'endsBeforeStart' | 'tooLong' | 'beforeData' | 'future' | 'registerFalls' | 'tooMuch'

/** What is wrong with the stretch and the energy of a fix; null: nothing. @param since the first quarter of which anything is known, Unix ms. */
export function fixProblem(
  { from, to }: Pick<EnergyFix, 'from' | 'to'>,
  { since, now, wh }: { readonly since: number | null; readonly now: number; readonly wh: number | null },
): FixProblem | null {
  if (from % quarterMs !== 0 || to % quarterMs !== 0) return 'notQuarters'
  if (from >= to) return 'endsBeforeStart'
  if (to > now) return 'future'
  if (since === null || from < since) return 'beforeData'
  const quarters = (to - from) / quarterMs
  if (quarters > maxFixQuarters) return 'tooLong'
  if (wh !== null && wh < 0) return 'registerFalls'
  return wh !== null && wh / quarters > maxQuarterWh ? 'tooMuch' : null
}
