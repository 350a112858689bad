import type { Scale } from './scale.ts'
import { scaleUpTo } from './scale.ts'

export type ContactPhase = 'a' | 'b' | 'c' | 'n'

/** A terminal in one hour: the heat of its current, as a share of that at rated current, and how much warmer than the air it was. */
export interface ContactHour {
  readonly phase: ContactPhase
  /** Squared current over squared rated current, with what is still felt of the hour before. */
  readonly load: number
  readonly riseK: number
  /** Days ago, 0 is today. */
  readonly age: number
}

export interface ContactFacts {
  readonly hours: readonly ContactHour[]
  /** The terminal that the finding is about. */
  readonly phase: ContactPhase
  readonly ratedA: number
  /** Of the fit, in kelvin at rated current: what the other terminals rise by, and how much this one exceeds them. */
  readonly othersK: number
  readonly excessK: number
  /** The usual peak (95th percentile) as a share of the heat at rated current. */
  readonly usualLoad: number
}

/** A picture of this many days: the oldest is the faintest. */
export const contactDays = 7
const faintest = 0.22
export const opacityOf = (age: number): number =>
  Math.max(faintest, 1 - (Math.min(age, contactDays) / contactDays) * (1 - faintest))

const margin = { left: 34, right: 92, top: 22, bottom: 36 }
/** Loads above this share are spikes that would leave no room for the others. */
const maxLoad = 2.25

/** Where the parts of the picture stand: heat of the current to the right, temperature rise upwards, both from 0. */
export function contactPicture(facts: ContactFacts, width: number, height: number) {
  const { hours, othersK, excessK, usualLoad } = facts
  const shown = hours.filter(({ load, riseK }) => load <= maxLoad && Number.isFinite(riseK))
  const most = Math.max(1, ...shown.map(({ load }) => load))
  const loads = Array.from({ length: Math.ceil(most * 4) + 1 }, (_, i) => i / 4)
  const last = loads.at(-1) ?? 1
  const [left, right] = [margin.left, width - margin.right]
  const x = (load: number) => left + (load / last) * (right - left)
  const rises = shown.map(({ riseK }) => riseK)
  const y: Scale = scaleUpTo(Math.max(10, (othersK + excessK) * 1.05, ...rises), height - margin.bottom, margin.top)
  return {
    left,
    right,
    bottom: height - margin.bottom,
    top: margin.top,
    x,
    y,
    loads,
    /** The finding's own terminal lies over the others. */
    hours: shown.toSorted((one, other) => Number(one.phase === facts.phase) - Number(other.phase === facts.phase)),
    ownEnd: y.at(othersK + excessK),
    othersEnd: y.at(othersK),
    usual: { x: x(usualLoad), from: y.at(othersK * usualLoad), to: y.at((othersK + excessK) * usualLoad) },
  }
}
