import { hourMs } from '@linewarden/equipment'
import { periodsToGap } from '../history/gaps.ts'
import { lastAt } from './course.ts'
import type { Knot } from './register.ts'

/** Active power as it was reported: it counts until the next sample, three reporting periods at most. */
export interface PowerSample {
  /** Unix ms. */
  readonly at: number
  readonly kw: number
}

/**
 * The register with a finer course: between two of its steps energy goes as the power did, scaled to what the register counted. Its own figures stay
 * as they are. Only where power is known all the way between two steps; where it is not, and in silences, nothing is added.
 */
export function withPower(knots: readonly Knot[], samples: readonly PowerSample[], periodMs: number): readonly Knot[] {
  const longest = periodsToGap * periodMs
  const power = sortedPower(samples)
  const finer: Knot[] = []
  for (let index = 0; index < knots.length; ) {
    const knot = knots[index]
    if (!knot) break
    let next = index + 1
    while (knots[next]?.epoch === knot.epoch && knots[next]?.kwh === knot.kwh) next += 1
    const step = knots[next]
    const between = knots.slice(index, next)
    const isWhole =
      step?.epoch === knot.epoch &&
      knots.slice(index + 1, next + 1).every(({ at }, place) => at - (knots[index + place]?.at ?? 0) <= longest)
    const course = step && isWhole ? courseByPower(power, knot.at, step.at, longest) : null
    finer.push(...(course && step ? reshaped(knot, step, between, course) : between))
    index = next
  }
  return finer
}

interface PowerCourse {
  readonly ats: readonly number[]
  /** Energy from the beginning up to an instant over that of all, 0 to 1. */
  share(at: number): number
}

function reshaped(knot: Knot, step: Knot, between: readonly Knot[], { ats, share }: PowerCourse): readonly Knot[] {
  const rise = step.kwh - knot.kwh
  const marked = new Map(between.map((each) => [each.at, each]))
  const all = [...new Set([...marked.keys(), ...ats])].sort((one, other) => one - other)
  return all.map((at) => {
    if (at === knot.at) return knot
    return { ...(marked.get(at) ?? knot), at, kwh: Math.min(step.kwh, knot.kwh + rise * share(at)) }
  })
}

const sortedPower = (samples: readonly PowerSample[]): readonly PowerSample[] =>
  samples.filter(({ kw }) => Number.isFinite(kw)).sort((one, other) => one.at - other.at)

/** Null: a sample is missing in between, or no power was drawn. */
function courseByPower(samples: readonly PowerSample[], from: number, to: number, longest: number): PowerCourse | null {
  let index = lastSample(samples, from)
  const begins = samples[index]
  if (!begins || begins.at > from) return null
  const ats: number[] = []
  const energies: number[] = []
  let at = from
  let energy = 0
  while (at < to) {
    const sample = samples[index]
    if (!sample) return null
    const until = Math.min(to, samples[index + 1]?.at ?? Number.POSITIVE_INFINITY)
    if (until - sample.at > longest) return null
    energy += (Math.max(0, sample.kw) * (until - at)) / hourMs
    at = until
    ats.push(at)
    energies.push(energy)
    index += 1
  }
  if (energy <= 0) return null
  return {
    ats: ats.slice(0, -1),
    share(wanted) {
      const place = ats.findIndex((each) => each >= wanted)
      const [beginsAt, endsAt] = [ats[place - 1] ?? from, ats[place] ?? to]
      const [before, after] = [energies[place - 1] ?? 0, energies[place] ?? energy]
      return Math.min(1, (before + ((after - before) * (wanted - beginsAt)) / (endsAt - beginsAt)) / energy)
    },
  }
}

function lastSample(samples: readonly PowerSample[], at: number): number {
  let [low, high] = [0, samples.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((samples[middle]?.at ?? 0) <= at) low = middle
    else high = middle
  }
  return low
}

/** Energy of equipment without a register, from its power: always estimated. A silence ends an epoch, so nothing is made of it. */
export function registerByPower(samples: readonly PowerSample[], periodMs: number): readonly Knot[] {
  const knots: Knot[] = []
  let before: PowerSample | null = null
  let [kwh, epoch] = [0, 0]
  for (const sample of sortedPower(samples)) {
    if (before && sample.at === before.at) continue
    if (before && sample.at - before.at > periodsToGap * periodMs) {
      epoch += 1
      kwh = 0
    } else if (before) kwh += (Math.max(0, before.kw) * (sample.at - before.at)) / hourMs
    knots.push({ at: sample.at, kwh, epoch, marked: false, source: 'power' })
    before = sample
  }
  return knots
}

/** Steps larger than so much of a quarter's energy say nothing of its course. */
const maxStepShare = 0.02

/** The register's step, Wh: the largest that all its differences are whole steps of; null: it never rose. */
export function registerStepWh(knots: readonly Knot[]): number | null {
  let step = 0
  for (const [index, { kwh, epoch }] of knots.entries()) {
    const before = knots[index - 1]
    // The register is rounded and not its difference: an even course that is no whole Wh a reading is none of its steps.
    if (before && before.epoch === epoch) step = commonStepWh(step, Math.round(kwh * 1_000) - Math.round(before.kwh * 1_000))
    if (step === 1) break
  }
  return step === 0 ? null : step
}

/** The largest step that both are whole steps of, Wh; nought: not known yet. */
export function commonStepWh(one: number, other: number): number {
  let [high, low] = [one, other]
  while (low > 0) [high, low] = [low, high % low]
  return high
}

/** 分辨率不足: a register this coarse says nothing by the quarter, unless power was reported. */
export const isTooCoarse = (stepWh: number, quarterWh: number): boolean => stepWh > maxStepShare * quarterWh

/** The register at an instant inside its epoch, kWh, straight between readings; null: it was not known then. */
export function registerAt(knots: readonly Knot[], at: number): number | null {
  const index = lastAt(knots, at)
  const [knot, next] = [knots[index], knots[index + 1]]
  if (!knot || knot.at > at) return null
  if (knot.at === at) return knot.kwh
  if (!next || next.epoch !== knot.epoch) return null
  return Math.min(next.kwh, knot.kwh + ((next.kwh - knot.kwh) * (at - knot.at)) / (next.at - knot.at))
}
