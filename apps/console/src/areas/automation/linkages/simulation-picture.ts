import type { LinkageSimulation, SimulatedOutcome } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'

/** A condition in the picture: what it is called, and its limit. */
export interface LaneSubject {
  readonly name: string
  /** Null: it is a word, and drawn as a band while it is met. */
  readonly limit: number | null
  readonly isMet: (value: number) => boolean
}

export interface Lane {
  readonly name: string
  readonly top: number
  readonly bottom: number
  /** The curve of a figure between its lowest and highest values; empty: it is a band. */
  readonly curve: string
  /** While a word meets the condition. */
  readonly bands: readonly Bar[]
  readonly limit: { readonly y: number; readonly value: number } | null
  readonly gaps: readonly Bar[]
  readonly isRecorded: boolean
}

interface Bar {
  readonly x: number
  readonly width: number
}

export interface Mark {
  readonly at: number
  readonly x: number
  readonly outcome: SimulatedOutcome
}

export interface SimulationPicture {
  readonly left: number
  readonly right: number
  readonly height: number
  readonly lanes: readonly Lane[]
  readonly fired: { readonly y: number; readonly marks: readonly Mark[] }
  readonly suppressed: { readonly y: number; readonly marks: readonly Mark[] }
  readonly days: readonly { readonly x: number; readonly text: string }[]
}

/** Pixels: a lane of a curve, one of a band, one of marks, the room for names and for dates. */
export const sizes = { curve: 56, band: 28, marks: 24, name: 88, right: 20, dates: 20, pad: 6 } as const

/** Where everything of a simulation stands, in a picture of this width. */
export function simulationPicture(
  { From, To, Conditions, Firings }: LinkageSimulation,
  subjects: readonly LaneSubject[],
  width: number,
  timeZone: string,
): SimulationPicture {
  const [left, right] = [sizes.name, Math.max(sizes.name + 40, width - sizes.right)]
  const x = (at: number) => left + ((Math.min(To, Math.max(From, at)) - From) / Math.max(1, To - From)) * (right - left)
  const bar = (from: number, to: number): Bar => ({ x: x(from), width: Math.max(1, x(to) - x(from)) })
  let top = 0
  const lanes = Conditions.map((condition, index): Lane => {
    const subject = subjects[index] ?? { name: '', limit: null, isMet: () => false }
    const height = condition.Steps ? sizes.band : sizes.curve
    const own = { name: subject.name, top, bottom: top + height, isRecorded: condition.Recorded }
    top += height
    const gaps = condition.Recorded ? condition.Gaps.map(([from, to]) => bar(from, to)) : [bar(From, To)]
    if (condition.Steps) {
      const bands = condition.At.flatMap((at, step): Bar[] => {
        const value = condition.Max[step]
        return value != null && subject.isMet(value) ? [bar(at, condition.At[step + 1] ?? To)] : []
      })
      return { ...own, gaps, curve: '', bands, limit: null }
    }
    const scale = scaleOf(condition, subject.limit, own.bottom - sizes.pad, own.top + sizes.pad)
    const limit = subject.limit === null ? null : { y: scale(subject.limit), value: subject.limit }
    return { ...own, gaps, curve: curveOf(condition, x, scale), bands: [], limit }
  })
  const marks = (isFired: boolean) =>
    Firings.filter(({ Outcome }) => (Outcome === 'fired') === isFired).map(({ At, Outcome }) => ({
      ...{ at: At, x: x(At), outcome: Outcome },
    }))
  return {
    ...{ left, right, height: top + 2 * sizes.marks + sizes.dates, lanes },
    fired: { y: top + sizes.marks / 2, marks: marks(true) },
    suppressed: { y: top + sizes.marks * 1.5, marks: marks(false) },
    days: daysOf(From, To, x, Math.max(1, Math.floor((right - left) / 72)), timeZone),
  }
}

type Curve = LinkageSimulation['Conditions'][number]

/** From values to pixels: all that was measured and the limit, with a little room. */
function scaleOf({ Min, Max }: Curve, limit: number | null, bottom: number, top: number): (value: number) => number {
  const values = [...Min, ...Max, limit].filter((value) => value != null)
  const lowest = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  const highest = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const span = highest - lowest
  return (value) => (span > 0 ? bottom - ((value - lowest) / span) * (bottom - top) : (bottom + top) / 2)
}

/** From the lowest to the highest value of each step and on to the next; broken where nothing is known. */
function curveOf({ At, Min, Max }: Curve, x: (at: number) => number, y: (value: number) => number): string {
  let isDown = false
  return At.map((at, index) => {
    const [low, high] = [Min[index], Max[index]]
    if (low == null || high == null) {
      isDown = false
      return ''
    }
    const start = `${isDown ? 'L' : 'M'}${x(at).toFixed(1)} ${y(high).toFixed(1)}`
    isDown = true
    return low === high ? start : `${start}L${x(at).toFixed(1)} ${y(low).toFixed(1)}`
  }).join('')
}

/** Midnights of the project that are written below, as many as have room; of less than two days, hours. */
function daysOf(from: number, to: number, x: (at: number) => number, room: number, timeZone: string) {
  const zone = civilZone(timeZone)
  const [first, last] = [zone.dayAt(from) + 1, zone.dayAt(to)]
  const apart = Math.max(1, Math.ceil((last - first + 1) / room))
  const days: { x: number; text: string }[] = []
  for (let day = last; day >= first; day -= apart) {
    const midnight = zone.resolve(day, 0)
    if (midnight) days.unshift({ x: x(midnight.at), text: dateText(day).slice(5) })
  }
  return days
}
