/** When a value was measured, by its device, and what it was; null: it was not known. */
export type TrendSample = readonly [at: number, value: number | null]

/** A quarter of an hour, once a second: more is not kept. */
export const maxTrend = 900

/** The last values of one point, oldest first, in a place of fixed length: a wall stands for months. */
export class TrendRing {
  readonly #at = new Float64Array(maxTrend)
  readonly #values = new Float64Array(maxTrend)
  #first = 0
  #length = 0

  /** Takes what is newer than all that is here. */
  add([at, value]: TrendSample): void {
    if (this.#length > 0 && at <= (this.#at[this.#place(this.#length - 1)] ?? 0)) return
    if (this.#length === maxTrend) this.#first = (this.#first + 1) % maxTrend
    else this.#length += 1
    const place = this.#place(this.#length - 1)
    this.#at[place] = at
    this.#values[place] = value ?? Number.NaN
  }

  /** Begins with what is stored; what was added since and is newer, but not of a time to come, stays. */
  begin(stored: readonly TrendSample[], until: number): void {
    const newest = stored.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY
    const fresh = this.since(newest + 1).filter(([at]) => at <= until)
    this.#length = 0
    for (const sample of [...stored, ...fresh]) this.add(sample)
  }

  since(from: number): readonly TrendSample[] {
    const samples = Array.from({ length: this.#length }, (_, index): TrendSample => {
      const place = this.#place(index)
      const value = this.#values[place] ?? Number.NaN
      return [this.#at[place] ?? 0, Number.isNaN(value) ? null : value]
    })
    return samples.filter(([at]) => at >= from)
  }

  #place(index: number): number {
    return (this.#first + index) % maxTrend
  }
}

/** The samples as lines through what is known: broken where nothing is, and where nothing came for so long. */
export function trendPath(
  samples: readonly TrendSample[],
  place: (at: number, value: number) => readonly [x: number, y: number],
  gapMs: number,
): string {
  let path = ''
  let last: number | null = null
  for (const [at, value] of samples) {
    if (value === null) {
      last = null
      continue
    }
    const [x, y] = place(at, value)
    path += `${last === null || at - last > gapMs ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    last = at
  }
  return path
}
