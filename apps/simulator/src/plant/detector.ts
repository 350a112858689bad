import type { Family } from '@linewarden/equipment'
import type { DevicePlan } from '../plan.ts'
import type { Random } from '../random.ts'
import { arcSense } from './senses/arc.ts'
import { circuitSense, limiterSense } from './senses/circuit.ts'
import { fireSense } from './senses/fire.ts'
import { gasSense } from './senses/gas.ts'
import { presenceSense } from './senses/presence.ts'
import type { Sense, SimulatedDetector } from './senses/sense.ts'
import { sound } from './senses/sense.ts'
import { smokeSense } from './senses/smoke.ts'
import { conditionSense, waterSense } from './senses/water.ts'

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
