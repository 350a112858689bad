import { minCoverage } from './gate.ts'

/** One hour of a line as the roll-up has it; NaN is not known. */
export interface HourRow {
  /** Hours since 1970 in UTC. */
  readonly hour: number
  /** Days since 1970 in the project's own calendar. */
  readonly day: number
  /** Hours alike: the local hour of a workday, 0 to 23, or of another day, 24 to 47. */
  readonly slot: number
  /** It counts for detectors: `hourCounts`. */
  readonly counts: boolean
  /** Means of the squares of the phase currents, A². */
  readonly squareA2: readonly number[]
  readonly maxA: readonly number[]
  /** Means of the terminals: those of the phases in their order, then the neutral's. */
  readonly terminalC: readonly number[]
  /** Mean of the residual current. */
  readonly residualMa: number
}

/** Hours of a line in order, each once, by columns: detectors read months of them. */
export interface LineHours {
  readonly hour: Int32Array
  readonly day: Int32Array
  readonly slot: Uint8Array
  readonly counts: Uint8Array
  readonly squareA2: readonly Float32Array[]
  readonly maxA: readonly Float32Array[]
  readonly terminalC: readonly Float32Array[]
  readonly residualMa: Float32Array
}

/** From the first entry to before the last. */
export type Span = readonly [from: number, to: number]

/** Whether an hour says how the line is when it works: closed throughout, half of its samples there, no doubt about its clock. */
export const hourCounts = (hour: {
  readonly closedThroughout: boolean
  readonly coverage: number
  readonly clockMarked: boolean
}): boolean => hour.closedThroughout && hour.coverage >= minCoverage && !hour.clockMarked

/** Rows as columns, whatever their order; of an hour that comes twice, as a late one does, the later row is taken. */
export function lineHours(rows: readonly HourRow[]): LineHours {
  const byHour = new Map(rows.map((row) => [row.hour, row]))
  const ordered = [...byHour.values()].sort((one, other) => one.hour - other.hour)
  const columns = (of: (row: HourRow) => readonly number[]) =>
    (ordered[0] ? of(ordered[0]) : []).map((_, column) => Float32Array.from(ordered, (row) => of(row)[column] ?? Number.NaN))
  return {
    hour: Int32Array.from(ordered, ({ hour }) => hour),
    day: Int32Array.from(ordered, ({ day }) => day),
    slot: Uint8Array.from(ordered, ({ slot }) => slot),
    counts: Uint8Array.from(ordered, ({ counts }) => Number(counts)),
    squareA2: columns(({ squareA2 }) => squareA2),
    maxA: columns(({ maxA }) => maxA),
    terminalC: columns(({ terminalC }) => terminalC),
    residualMa: Float32Array.from(ordered, ({ residualMa }) => residualMa),
  }
}

/** The entries of these local days, both included. */
export const spanOfDays = ({ day }: LineHours, from: number, to: number): Span => [
  firstAtLeast(day, from),
  firstAtLeast(day, to + 1),
]

function firstAtLeast(sorted: Int32Array, value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The hours of these local days, both included, without copying them. */
export function hoursBetween(hours: LineHours, fromDay: number, toDay: number): LineHours {
  const [begin, end] = spanOfDays(hours, fromDay, toDay)
  const cut = (column: Float32Array) => column.subarray(begin, end)
  return {
    hour: hours.hour.subarray(begin, end),
    day: hours.day.subarray(begin, end),
    slot: hours.slot.subarray(begin, end),
    counts: hours.counts.subarray(begin, end),
    squareA2: hours.squareA2.map(cut),
    maxA: hours.maxA.map(cut),
    terminalC: hours.terminalC.map(cut),
    residualMa: cut(hours.residualMa),
  }
}
