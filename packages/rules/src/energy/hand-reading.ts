import type { RegisterAt, RegisterRead } from './register-at.ts'

export type HandReadingProblem =
  | { readonly problem: 'future' }
  | { readonly problem: 'beforeReadings' }
  /** Below what was read before it, or above what was read after it. */
  | { readonly problem: 'below' | 'above'; readonly read: RegisterRead }

/** What is wrong with a register that somebody read off; null: it lies between the readings before and after it. @param since the first of them, Unix ms. */
export function handReadingProblem(
  { at, kwh }: RegisterRead,
  { before, after }: RegisterAt,
  { since, now }: { readonly since: number | null; readonly now: number },
): HandReadingProblem | null {
  if (at > now) return { problem: 'future' }
  if (since === null || at < since) return { problem: 'beforeReadings' }
  if (before && kwh < before.kwh) return { problem: 'below', read: before }
  // Whoever reads one that was reset meanwhile has the figure of before.
  const isReset = before !== null && after !== null && after.kwh < before.kwh
  return after && kwh > after.kwh && !isReset ? { problem: 'above', read: after } : null
}
