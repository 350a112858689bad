import type { ReadingRow } from '@linewarden/contract'
import type { Stretch } from '@linewarden/rules/history'
import { runsOf } from '@linewarden/rules/history'
import { Quality } from '@linewarden/rules/monitor'

/** Stretches of readings whose quality is uncertain: they did not come live, or not under a good clock. */
export interface QualityMarks {
  /** Back-filled after an interruption. */
  readonly late: readonly Stretch[]
  /** The device's clock was off, so the times may be wrong. */
  readonly clock: readonly Stretch[]
}

type Marked = readonly [at: number, values: unknown, quality: ReadingRow[2]]

/** Where these readings, oldest first, are of uncertain quality; each stands for so many milliseconds, or for its moment. */
export function qualityMarksOf(rows: readonly Marked[], widthMs = 0): QualityMarks {
  const at = rows.map(([time]) => time)
  const stretches = (bit: number) => runsOf(at, (index) => ((rows[index]?.[2] ?? 0) & bit) !== 0, widthMs)
  return { late: stretches(Quality.historical), clock: stretches(Quality.clock) }
}

export const isUncertain = ({ late, clock }: QualityMarks): boolean => late.length + clock.length > 0

/** A bar takes a fortieth of its picture at least: shorter than two of its dots it looks like dirt on the screen. */
const minShare = 1 / 40

/** What a bar of this stretch spans in a picture of this range. */
export function barSpan([from, to]: Stretch, range: { readonly from: number; readonly to: number }): Stretch {
  const more = Math.max(0, (range.to - range.from) * minShare - (to - from)) / 2
  const start = Math.min(Math.max(range.from, from - more), Math.max(range.from, range.to - 2 * more))
  return [start, Math.min(range.to, Math.max(to + more, start + 2 * more))]
}

/** Narrower than this, in the picture's units, nobody sees it. */
const seen = 3

/** The path of a bar along each stretch; a single reading has one that can be seen. */
export const barPath = (stretches: readonly Stretch[], x: (at: number) => number, y: number): string =>
  stretches
    .map(([from, to]) => {
      const [left, right] = [x(from), x(to)]
      const more = Math.max(0, seen - (right - left)) / 2
      return `M${(left - more).toFixed(1)} ${y}H${(right + more).toFixed(1)}`
    })
    .join('')
