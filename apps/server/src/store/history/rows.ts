/** A line whose history is wanted, with the clock of its project. */
export interface WantedLine {
  readonly lineId: number
  readonly timeZone: string
}

export interface Range {
  /** Unix ms, included. */
  readonly from: number
  /** Unix ms, excluded. */
  readonly to: number
}

/** One sample of one line. */
export interface SampleRow {
  readonly at: number
  /** Bit 0: clock off, bit 1: historical. */
  readonly quality: number
  /** In the order of the wanted slots. */
  readonly values: readonly (number | null)[]
}

/** One bucket of one line. */
export interface BucketRow {
  readonly at: number
  /** Of the readings themselves, where they were read; else the bucket's own. */
  readonly first: number
  readonly last: number
  readonly quality: number
  /** Of how many readings it is; 0 where only use was asked for. */
  readonly readings: number
  /** In the order of the wanted slots; of counters the use. */
  readonly values: readonly Bucket[]
}

export interface Bucket {
  readonly min: number | null
  readonly mean: number | null
  readonly max: number | null
}
