import { quarterMs, quarterOf } from '@linewarden/rules/energy'

/** Energy of a stretch of one line or of many, Wh, and of how many of its quarters it is known. */
export interface Amount {
  readonly used: number
  readonly spread: number
  readonly estimated: number
  readonly entered: number
  readonly quarters: number
  /** Of at least one line something is known. */
  readonly known: number
  /** Nothing is known. */
  readonly unknown: number
  /** At least one line is not known; contains `unknown`. */
  readonly lacking: number
  /** Still to be reported, or still to come. */
  readonly open: number
}

/** A sum that is still being made: years are many quarters. */
export type Sum = { -readonly [Part in keyof Amount]: number }
export const emptySum = (): Sum => ({
  ...{ used: 0, spread: 0, estimated: 0, entered: 0, quarters: 0, known: 0, unknown: 0, lacking: 0, open: 0 },
})

export function add(sum: Sum, other: Amount): void {
  sum.used += other.used
  sum.spread += other.spread
  sum.estimated += other.estimated
  sum.entered += other.entered
  sum.quarters += other.quarters
  sum.known += other.known
  sum.unknown += other.unknown
  sum.lacking += other.lacking
  sum.open += other.open
}

/** What is not known so shortly after it ended may still be reported. */
const openMs = 2 * quarterMs
export const isOpenAt = (slot: number, now: number): boolean => slot + quarterMs + openMs > now

/** Up to where everything was to be reported by now, on a quarter. */
export const settledAt = (now: number): number => quarterOf(now - openMs)

/** One quarter: what is known of it, null where nothing is, and of how many lines nothing is. */
export function addQuarter(sum: Sum, wh: number | null, missing: number, isOpen: boolean): void {
  const lacks = wh === null || missing > 0
  sum.quarters += 1
  if (wh !== null) {
    sum.used += wh
    sum.known += 1
  }
  if (!lacks) return
  if (isOpen) sum.open += 1
  else {
    sum.lacking += 1
    if (wh === null) sum.unknown += 1
  }
}

const secondsOf = (quarters: number): number => (quarters * quarterMs) / 1_000

/** As a reply says it. */
export const amountReply = (amount: Amount) => ({
  Wh: amount.known > 0 ? amount.used : null,
  ...{ Spread: amount.spread, Estimated: amount.estimated, Entered: amount.entered },
  LengthS: secondsOf(amount.quarters),
  UnknownS: secondsOf(amount.unknown),
  LackingS: secondsOf(amount.lacking),
  OpenS: secondsOf(amount.open),
})
