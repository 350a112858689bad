import type { CivilZone } from '../automation/civil-time.ts'
import { demandW, makesDemand, maxDemandOf } from './demand.ts'
import type { HowCode, Quarters } from './quarters.ts'
import { How } from './quarters.ts'
import { clockQuarterOf } from './slots.ts'

/** The load (负荷) of a stretch: its quarters, contiguous and in the order of time. */
export interface Load extends Quarters {
  /** Where each begins, Unix ms. */
  readonly slots: readonly number[]
}

/** Wh of one quarter of several lines that was not measured, and of how many lines nothing is known. */
export interface QuarterParts {
  readonly missing: number
  readonly spread: number
  readonly estimated: number
  readonly entered: number
}

/** How a quarter of several lines is known as a demand: without one of them it is too low, so that it is as if it were missing. */
export function howOfParts({ missing, spread, estimated, entered }: QuarterParts): HowCode {
  if (missing > 0) return How.missing
  if (spread > 0) return How.spread
  if (entered > 0) return How.entered
  return estimated > 0 ? How.estimated : How.measured
}

/** A quarter that makes a demand. */
export interface LoadQuarter {
  readonly at: number
  readonly w: number
  readonly how: HowCode
}

export function loadQuarters({ wh, how, slots }: Load): readonly LoadQuarter[] {
  const quarters: LoadQuarter[] = []
  for (const [index, at] of slots.entries()) {
    const each = wh[index] ?? null
    const code = how[index] as HowCode
    if (each !== null && makesDemand(code)) quarters.push({ at, w: demandW(each), how: code })
  }
  return quarters
}

/** The value at a share of sorted values, by the nearest rank (PostgreSQL's `percentile_disc`); in per mille, so that ranks are exact. */
export function percentileOf(sorted: ArrayLike<number>, perMille: number): number | null {
  const rank = Math.max(1, Math.ceil((perMille * sorted.length) / 1_000))
  return sorted[rank - 1] ?? null
}

/** The load at certain shares of the time, in per mille: all whole per cents, and finer where the peaks are. */
export const durationPerMille: readonly number[] = [0, 1, 2, 5, ...Array.from({ length: 100 }, (_, index) => (index + 1) * 10)]

export interface DurationPoint {
  readonly perMille: number
  /** Reached or exceeded for that share of the quarters that make a demand. */
  readonly w: number
}

/** The duration curve (持续曲线): never rising; empty where no quarter makes a demand. */
export function durationCurve(quarters: readonly LoadQuarter[]): readonly DurationPoint[] {
  const falling = Float64Array.from(quarters, ({ w }) => w)
    .sort()
    .reverse()
  return durationPerMille.flatMap((perMille) => {
    const w = percentileOf(falling, perMille)
    return w === null ? [] : [{ perMille, w }]
  })
}

/** The quarters of the largest demand, the largest first; of those alike the earliest first. */
export function largestQuarters(quarters: readonly LoadQuarter[], count: number): readonly LoadQuarter[] {
  // Only those that can be among them are put in order: sorting all quarters of a year took a third of an answer.
  const least =
    Float64Array.from(quarters, ({ w }) => w)
      .sort()
      .at(-count) ?? Number.NEGATIVE_INFINITY
  return quarters
    .filter(({ w }) => w >= least)
    .sort((one, other) => other.w - one.w || one.at - other.at)
    .slice(0, count)
}

/** Base load (基荷) is the load that 95 % of the quarters before five in the morning exceed, from 60 measured ones on. */
const baseUntilClockQuarter = 20
const minBaseQuarters = 60
const basePerMille = 50

export interface LoadFigures {
  /** Quarters that make a demand; of them those that are estimated. */
  readonly quarters: number
  readonly estimated: number
  /** What they say, W; null: there are none. */
  readonly maxW: number | null
  readonly maxAt: number | null
  readonly maxHow: HowCode | null
  readonly meanW: number | null
  readonly minW: number | null
  /** Mean over maximum, 0 to 1; null: nothing was used. */
  readonly loadFactor: number | null
  /** How long the maximum would have taken to use the same energy, h. */
  readonly fullLoadHours: number | null
  /** W; null: fewer than 60 quarters of the night were measured. */
  readonly baseW: number | null
  readonly baseQuarters: number
  /** Quarters that make none. */
  readonly leftOut: { readonly spread: number; readonly entered: number; readonly missing: number }
  /** Quarters of which the energy is known, over those that are not open; null: all are open. */
  readonly complete: number | null
}

const hoursOfQuarter = 0.25

/** The figures of a load. Mean, minimum and maximum are of the same quarters, so that the load factor is never above 1. */
export function loadFiguresOf(load: Load, quarters: readonly LoadQuarter[], zone: CivilZone): LoadFigures {
  const { maxW, at: maxAt } = maxDemandOf(load, load.slots)
  let [sumW, minW, estimated] = [0, Number.POSITIVE_INFINITY, 0]
  const night: number[] = []
  for (const { at, w, how } of quarters) {
    sumW += w
    minW = Math.min(minW, w)
    if (how === How.estimated) estimated += 1
    else if (clockQuarterOf(zone, at) < baseUntilClockQuarter) night.push(w)
  }
  const base = night.length >= minBaseQuarters ? percentileOf(Float64Array.from(night).sort(), basePerMille) : null
  const count = quarters.length
  const meanW = count === 0 ? null : sumW / count
  return {
    ...{ quarters: count, estimated, maxW, maxAt, meanW, minW: count === 0 ? null : minW },
    maxHow: quarters.find(({ at }) => at === maxAt)?.how ?? null,
    loadFactor: maxW && meanW !== null ? meanW / maxW : null,
    fullLoadHours: maxW ? (sumW * hoursOfQuarter) / maxW : null,
    ...{ baseW: base, baseQuarters: night.length },
    ...unusedOf(load),
  }
}

function unusedOf({ wh, how }: Load): Pick<LoadFigures, 'leftOut' | 'complete'> {
  const counts = { spread: 0, entered: 0, missing: 0, open: 0 }
  for (const [index, each] of wh.entries()) {
    const code = how[index]
    if (code === How.open) counts.open += 1
    else if (each === null || code === How.missing) counts.missing += 1
    else if (code === How.spread) counts.spread += 1
    else if (code === How.entered) counts.entered += 1
  }
  const { open, ...leftOut } = counts
  const over = wh.length - open
  return { leftOut, complete: over === 0 ? null : (over - counts.missing) / over }
}
