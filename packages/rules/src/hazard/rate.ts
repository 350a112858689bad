import { windowMs } from './counting.ts'

/** Announcements of ten minutes that had any: `ten` counts them since 1970. */
export interface Window {
  readonly ten: number
  readonly announced: number
}

/** How alarms are spread over the windows of ten minutes: a mean per day would hide every flood. */
export interface Rate {
  readonly windows: number
  readonly median: number
  readonly p95: number
  readonly p99: number
  readonly max: number
  /** Windows with none, one, 2 to 10, and more than 10. */
  readonly none: number
  readonly one: number
  readonly few: number
  readonly many: number
}

/** More than these in ten minutes are more than a person can take in. */
export const floodAbove = 10
/** A flood lasts until a window has fewer than these. */
export const floodEndsBelow = 5

/** Of `windows` in all; those that are not given had none. */
export function rateOf(busy: readonly Window[], windows: number): Rate {
  const sorted = busy.map(({ announced }) => announced).sort((a, b) => a - b)
  const empty = Math.max(0, windows - sorted.length)
  const quantile = (share: number) => rank(sorted, empty, share)
  const count = (from: number, to: number) => sorted.filter((each) => each >= from && each <= to).length
  return {
    windows: Math.max(windows, sorted.length),
    median: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
    max: sorted.at(-1) ?? 0,
    none: empty,
    one: count(1, 1),
    few: count(2, floodAbove),
    many: count(floodAbove + 1, Number.POSITIVE_INFINITY),
  }
}

/** The nearest rank: a number of alarms that there was, none between two. */
function rank(sorted: readonly number[], empty: number, share: number): number {
  const place = Math.max(1, Math.ceil((sorted.length + empty) * share))
  return sorted[place - empty - 1] ?? 0
}

/** The value below or at which this share lies; null of none. `counts`: how often there was each value. */
export function quantileOf(counts: readonly (readonly [value: number, times: number])[], share: number): number | null {
  const sorted = counts.toSorted(([a], [b]) => a - b)
  let left = Math.max(1, Math.ceil(sorted.reduce((sum, [, times]) => sum + times, 0) * share))
  for (const [value, times] of sorted) {
    left -= times
    if (left <= 0) return value
  }
  return null
}

/** More came than a person takes in. Unix ms; the end is excluded. */
export interface Flood {
  readonly from: number
  readonly to: number
  readonly announced: number
  /** In its worst ten minutes. */
  readonly peak: number
}

/** Begins with a window above 10 and lasts until one is below 5. */
export function floodsOf(busy: readonly Window[]): Flood[] {
  const floods: Flood[] = []
  let open: { first: number; last: number; announced: number; peak: number } | null = null
  const close = () => {
    if (open)
      floods.push({
        from: open.first * windowMs,
        to: (open.last + 1) * windowMs,
        announced: open.announced,
        peak: open.peak,
      })
    open = null
  }
  for (const { ten, announced } of busy.toSorted((a, b) => a.ten - b.ten)) {
    if (open && (ten !== open.last + 1 || announced < floodEndsBelow)) close()
    if (open) {
      open.last = ten
      open.announced += announced
      open.peak = Math.max(open.peak, announced)
    } else if (announced > floodAbove) open = { first: ten, last: ten, announced, peak: announced }
  }
  close()
  return floods
}

/** How many alarms an hour of the week brings, by how many hours of that kind there really were. */
export interface HourOfWeek {
  /** 0: Monday. */
  readonly weekday: number
  readonly hour: number
  readonly announced: number
  /** Hours of this kind in the range: where clocks change there is one more, or one less. */
  readonly hours: number
}

const tensOfHour = 6
const daysOfWeek = 7
const hoursOfDay = 24
/** The 1st of January 1970 was a Thursday. */
const firstWeekday = 3

/** Of the windows `from` to `to` (excluded); `local` says a moment as if the zone's clock were UTC. */
export function hoursOfWeek(
  busy: readonly Window[],
  { from, to, local }: { readonly from: number; readonly to: number; readonly local: (at: number) => number },
): HourOfWeek[] {
  const announced = new Int32Array(daysOfWeek * hoursOfDay)
  const windows = new Int32Array(daysOfWeek * hoursOfDay)
  const cellOf = (ten: number) => {
    const hour = Math.floor(local(ten * windowMs) / (tensOfHour * windowMs))
    return ((Math.floor(hour / hoursOfDay) + firstWeekday) % daysOfWeek) * hoursOfDay + (hour % hoursOfDay)
  }
  for (let ten = from; ten < to; ten++) {
    const cell = cellOf(ten)
    windows[cell] = (windows[cell] ?? 0) + 1
  }
  for (const each of busy) {
    const cell = cellOf(each.ten)
    announced[cell] = (announced[cell] ?? 0) + each.announced
  }
  return [...announced].map((count, cell) => ({
    weekday: Math.floor(cell / hoursOfDay),
    hour: cell % hoursOfDay,
    announced: count,
    hours: (windows[cell] ?? 0) / tensOfHour,
  }))
}
