import type { Family } from '@linewarden/equipment'
import { effectiveSetting } from '@linewarden/rules/settings'
import type { DevicePlan } from '../plan.ts'
import type { Random } from '../random.ts'
import { arcSense } from './senses/arc.ts'
import { circuitSense, limiterSense } from './senses/circuit.ts'
import { fireSense } from './senses/fire.ts'
import { gasSense } from './senses/gas.ts'
import { presenceSense } from './senses/presence.ts'
import { smokeSense } from './senses/smoke.ts'
import { conditionSense, waterSense } from './senses/water.ts'

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

const senses: readonly Sense[] = [
  smokeSense,
  gasSense,
  waterSense,
  presenceSense,
  circuitSense,
  arcSense,
  limiterSense,
  fireSense,
  conditionSense,
]

export function newDetector(plan: DevicePlan, family: Family, random: Random): SimulatedDetector {
  const detector: SimulatedDetector = {
    plan,
    family,
    values: new Map(family.points.map(({ key }) => [key, 0])),
    states: new Map(family.states.map(({ key, values }) => [key, values[0]?.key ?? ''])),
    recordings: new Map(),
    settings: new Map(),
    around: sound(),
    since: new Map(),
    forced: new Map(),
    forcedStates: new Map(),
  }
  for (const sense of senses) if (sense.feels(family)) sense.begin?.(detector, random)
  return detector
}

/** Moves the detector on; true when it has something to say at once. */
export function stepDetector(detector: SimulatedDetector, dtMs: number, now: number, random: Random): boolean {
  const before = [...detector.states.values()]
  for (const sense of senses) if (sense.feels(detector.family)) sense.step(detector, { dtMs, now, random })
  return [...detector.states.values()].some((value, i) => value !== before[i])
}

/** Somebody stands before it and resets it; what is still there alarms again. */
export function resetDetector(detector: SimulatedDetector): void {
  for (const key of ['smoke.alarm', 'gas.alarm', 'fire.alarm', 'arc.alarm', 'intrusion'])
    if (detector.states.has(key)) detector.states.set(key, 'normal')
  if (detector.states.has('sounder')) detector.states.set('sounder', 'quiet')
  if (detector.states.has('output')) detector.states.set('output', 'on')
  if (detector.states.has('valve')) detector.states.set('valve', 'open')
  for (const key of ['residual', 'overload']) detector.since.delete(key)
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
