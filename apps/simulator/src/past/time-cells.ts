import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'

/** A stretch of the past that one look at the plant stands for. */
export interface TimeCell {
  readonly from: number
  readonly ms: number
  /** It is kept as a reading, and not only in the figures of its hour. */
  readonly kept: boolean
}

/** How long single readings are kept: views of up to a week are drawn from them. */
export const readingsKeptMs = 7 * dayMs

/** How often the plant is looked at by how long ago it was, the latest first. */
const paces = [
  { agoMs: hourMs, everyMs: 10_000 },
  { agoMs: dayMs, everyMs: 2 * minuteMs },
  // As often as means of voltages are kept.
  { agoMs: Number.POSITIVE_INFINITY, everyMs: 10 * minuteMs },
]
/** Around whatever happens it is looked at as often as it reports. */
const closePaceMs = 2_000
const closeBeforeMs = minuteMs
const closeAfterMs = 90_000

/** Cells that follow one another without a gap from `from` to `until`; none crosses an hour. Close ones around `moments`. */
export function* timeCells(from: number, until: number, moments: readonly number[]): Generator<TimeCell> {
  const close = [...moments].sort((a, b) => a - b).map((at) => ({ from: at - closeBeforeMs, to: at + closeAfterMs }))
  let next = 0
  for (let at = from; at < until; ) {
    while ((close[next]?.to ?? Number.POSITIVE_INFINITY) <= at) next += 1
    const { from: opens = Number.POSITIVE_INFINITY } = close[next] ?? {}
    const isClose = opens <= at
    const ago = until - at
    const paceMs = isClose ? closePaceMs : (paces.find(({ agoMs }) => ago <= agoMs)?.everyMs ?? hourMs)
    const hourEnd = (Math.floor(at / hourMs) + 1) * hourMs
    const ms = Math.min(paceMs, hourEnd - at, until - at, isClose ? paceMs : opens - at)
    yield { from: at, ms, kept: isClose || ago <= readingsKeptMs }
    at += ms
  }
}
