/** From values to pixels of one axis, with the values that are written beside it. */
export interface Scale {
  readonly ticks: readonly number[]
  readonly at: (value: number) => number
}

/** Steps that people count in. */
const steps = [1, 2, 2.5, 5, 10]

/** Round values from 0 to at least `most`, about as many as wanted. */
export function roundTicks(most: number, wanted = 4): readonly number[] {
  const rough = Math.max(most, Number.MIN_VALUE) / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = (steps.find((each) => each * power >= rough * (1 - 1e-9)) ?? 10) * power
  const count = Math.max(1, Math.ceil(most / step - 1e-9))
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)))
}

/** A scale from 0 to a round value above `most`. `from` and `to` are pixels; of a value axis `from` is below. */
export function scaleUpTo(most: number, from: number, to: number, wanted?: number): Scale {
  const ticks = roundTicks(most, wanted)
  const top = ticks.at(-1) ?? 1
  return { ticks, at: (value) => from + (value / top) * (to - from) }
}

/** A scale over days, each as wide as the others; a day is drawn in its middle. */
export interface DayScale {
  readonly width: number
  readonly from: number
  readonly to: number
  /** The middle of a day; its edges are half a width away. */
  readonly at: (day: number) => number
}

/** Days `first` to `last`, both included, over these pixels. */
export function dayScale(first: number, last: number, left: number, right: number): DayScale {
  const width = (right - left) / Math.max(1, last - first + 1)
  return { width, from: left, to: right, at: (day) => left + (day - first + 0.5) * width }
}

/** Days that are written below an axis: evenly apart, the last among them, and as many as have room. */
export function daysWritten(first: number, last: number, pixels: number, labelPixels = 64): readonly number[] {
  const room = Math.max(1, Math.floor(pixels / labelPixels))
  const apart = [1, 2, 7, 14, 28, 56, 112, 364].find((each) => (last - first) / each <= room) ?? last - first + 1
  const days: number[] = []
  for (let day = last; day >= first; day -= apart) days.unshift(day)
  return days
}

/** A local day, counted since 1970, as it is written below an axis. */
export const dayText = (day: number): string => new Date(day * 86_400_000).toISOString().slice(5, 10)

/** A line through the values that are known; where one is missing it is broken, never joined. */
export function brokenPath<T>(items: readonly T[], x: (item: T) => number, y: (item: T) => number | null): string {
  let isDown = false
  return items
    .map((item) => {
      const height = y(item)
      const step = height === null ? '' : `${isDown ? 'L' : 'M'}${x(item).toFixed(1)} ${height.toFixed(1)}`
      isDown = height !== null
      return step
    })
    .join('')
}
