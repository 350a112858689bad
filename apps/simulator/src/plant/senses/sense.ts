import type { Family } from '@linewarden/equipment'
import { effectiveSetting } from '@linewarden/rules/settings'
import type { DevicePlan } from '../../plan.ts'
import type { Random } from '../../random.ts'

/** What is around a detector. Scenarios change this; what the detector then feels and says follows from its senses. */
export interface Surroundings {
  smokePercentPerM: number
  gasPercentLel: number
  ambientC: number
  wet: boolean
  somebody: boolean
  residualMa: number
  /** A loose clamp: how much warmer it gets than a sound one. */
  contact: number
  arc: 'none' | 'series' | 'parallel'
  /** A contact that arcs now and then: bursts of so many half-cycles, so often on the average. */
  arcBursts: { readonly halfCycles: number; readonly perHour: number }
  short: boolean
  loadFactor: number
  voltageFactor: number
  batteryFlat: boolean
  removed: boolean
  /** A fault the detector finds in itself. */
  fault: string
  /** Its self-test will fail. */
  testFails: boolean
}

export const sound = (): Surroundings => ({
  smokePercentPerM: 0.2,
  gasPercentLel: 0,
  ambientC: 24,
  wet: false,
  somebody: false,
  residualMa: 24,
  contact: 1,
  arc: 'none',
  arcBursts: { halfCycles: 0, perHour: 0 },
  short: false,
  loadFactor: 1,
  voltageFactor: 1,
  batteryFlat: false,
  removed: false,
  fault: 'none',
  testFails: false,
})

/** A device whose values are its own: detectors, sensors, protectors. */
export interface SimulatedDetector {
  readonly plan: DevicePlan
  readonly family: Family
  readonly values: Map<string, number>
  readonly states: Map<string, string>
  /** What it recorded last, by key, as it goes over the wire. */
  readonly recordings: Map<string, string>
  /** By key; what is not here is the family's default. */
  readonly settings: Map<string, number>
  readonly around: Surroundings
  /** Since when something goes on, by name, Unix ms. */
  readonly since: Map<string, number>
  /** Point values and states a test or a replay insists on. */
  readonly forced: Map<string, number>
  readonly forcedStates: Map<string, string>
}

/** What a detector feels of one thing. It works on every family that has the point or state it is about. */
export interface Sense {
  feels(family: Family): boolean
  begin?(detector: SimulatedDetector, random: Random): void
  step(detector: SimulatedDetector, moment: Moment): void
}

export interface Moment {
  readonly dtMs: number
  readonly now: number
  readonly random: Random
}

/** What the detector is set to. */
export function levelOf(detector: SimulatedDetector, key: string): number {
  const setting = detector.family.settings.find((each) => each.key === key)
  const { model, circuit } = detector.plan
  const level = setting && effectiveSetting(setting, detector.settings.get(key) ?? null, model, circuit?.ratedCurrentA ?? null)
  return level ?? Number.POSITIVE_INFINITY
}

/** Its own alarm: latched until reset, and heard. */
export function alarm(detector: SimulatedDetector, state: string, value: string): void {
  detector.states.set(state, value)
  if (detector.states.has('sounder')) detector.states.set('sounder', 'sounding')
}

/** Glides a value towards a target; the first-order lag of a chamber, a probe, a cell. */
export function glide(detector: SimulatedDetector, key: string, target: number, seconds: number, { dtMs }: Moment): number {
  const before = detector.values.get(key) ?? target
  const value = before + (target - before) * (1 - Math.exp(-dtMs / 1000 / seconds))
  detector.values.set(key, value)
  return value
}
