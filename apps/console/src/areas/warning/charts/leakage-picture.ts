import { dayScale, daysWritten, scaleUpTo } from './scale.ts'

/** The residual current of a local day. Null: it does not count, for the reason beside it, if there is any. */
export interface LeakageDayFact<Reason extends string = string> {
  /** Since 1970, in the project's calendar. */
  readonly day: number
  readonly floorMa: number | null
  readonly excluded: Reason | null
}

export interface LeakageFacts<Reason extends string = string> {
  readonly days: readonly LeakageDayFact<Reason>[]
  readonly tripMa: number
  /** Null: this finding compares with none. */
  readonly baseline: {
    /** Days that it was made of, both included. */
    readonly from: number
    readonly to: number
    readonly ma: number
    readonly spreadMa: number
  } | null
  readonly raisedDay: number | null
  /** What the newest days come to. */
  readonly presentMa: number
}

/** Days beside one another that do not count, for one reason. */
export interface ExcludedDays<Reason extends string = string> {
  readonly from: number
  readonly to: number
  readonly reason: Reason | null
}

/** Days without a value, those beside one another with the same reason together. */
export function excludedDays<Reason extends string>(days: readonly LeakageDayFact<Reason>[]): readonly ExcludedDays<Reason>[] {
  const found: ExcludedDays<Reason>[] = []
  for (const { day, floorMa, excluded } of days) {
    if (floorMa !== null) continue
    const last = found.at(-1)
    if (last && last.to === day - 1 && last.reason === excluded) found[found.length - 1] = { ...last, to: day }
    else found.push({ from: day, to: day, reason: excluded })
  }
  return found
}

/** From this share of IΔn on a device may trip; up to that one leakage may stand (IEC 61008-1; IEC 60364-5-53, 531.3.2). */
export const leakageShares = { alarm: 0.5, warning: 0.3 } as const

const margin = { left: 30, right: 66, top: 26, bottom: 38 }
/** About as wide as a letter of a label is. */
const letterPixels = 12
/** Half of the mark of the day on which it was raised. */
const markPixels = 8

/** Where the parts of the picture stand. */
export function leakagePicture(facts: LeakageFacts, width: number, height: number, nameOf: (reason: string) => string) {
  const { days, tripMa, baseline, presentMa, raisedDay } = facts
  const [left, right, bottom] = [margin.left, width - margin.right, height - margin.bottom]
  const first = days[0]?.day ?? 0
  const last = days.at(-1)?.day ?? first
  const x = dayScale(first, last, left, right)
  const floors = days.flatMap(({ floorMa }) => (floorMa === null ? [] : [floorMa]))
  const most = Math.max(leakageShares.alarm * tripMa * 1.1, presentMa, ...floors, (baseline?.ma ?? 0) + (baseline?.spreadMa ?? 0))
  const y = scaleUpTo(most, bottom, margin.top)
  let written = Number.NEGATIVE_INFINITY
  const excluded = excludedDays(days).map(({ from, to, reason }) => {
    const [start, end] = [x.at(from) - x.width / 2, x.at(to) + x.width / 2]
    const name = reason === null ? '' : nameOf(reason)
    const half = (name.length * letterPixels) / 2
    // A name that has no room beside the one before is left to the list below the picture.
    const middle = (start + end) / 2
    const isUnderMark = raisedDay !== null && Math.abs(x.at(raisedDay) - middle) < half + markPixels
    const isWritten = name !== '' && middle - half > written && !isUnderMark
    if (isWritten) written = middle + half
    return { from, start, width: end - start, middle, name: isWritten ? name : null }
  })
  return { left, right, top: margin.top, bottom, x, y, excluded, dates: daysWritten(first, last, right - left) }
}
