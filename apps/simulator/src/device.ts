import type { Family } from '@linewarden/equipment'
import { familyOf } from '@linewarden/equipment'
import { effectiveSetting, supplyVoltage } from '@linewarden/rules/settings'
import type { SimulatedMetric } from './metrics.ts'
import { detectorMetrics, lineMetrics } from './metrics.ts'
import type { DevicePlan, LinePlan } from './plan.ts'
import { newDetector, stepDetector } from './plant/detector.ts'
import type { SimulatedLine } from './plant/line.ts'
import { newLine, stepLine } from './plant/line.ts'
import type { SimulatedDetector } from './plant/senses/sense.ts'
import type { Random } from './random.ts'

export interface SimulatedDevice {
  readonly controllerId: string
  readonly plan: DevicePlan
  readonly family: Family
  readonly lines: ReadonlyMap<number, SimulatedLine>
  readonly detector: SimulatedDetector | null
  readonly metrics: readonly SentMetric[]
}

export interface SentMetric {
  readonly metric: SimulatedMetric
  readonly alias: number
  /** What was sent last; null before. */
  sent: number | string | boolean | null
}

/** A device as it stands in the field, with every metric it can report. Aliases are unique in its gateway. */
export function newDevice(plan: DevicePlan, options: { now: number; random: Random; nextAlias: () => number }): SimulatedDevice {
  const family = familyOf(plan.family)
  if (!family) throw new Error(`there is no family ${plan.family}`)
  const { random, now, nextAlias } = options
  const traits = {
    supplyV: supplyVoltage(plan.model),
    leakage: family.points.some(({ key }) => key === 'residual'),
  }
  const phases = family.points.some(({ phase }) => phase === 'B') ? 3 : 1
  const lines = new Map(
    plan.lines.map((line) => [line.lineNo, settled(newLine(line, phases, random, traits), now, random)] as const),
  )
  const detector = family.level === 'device' ? newDetector(plan, family, random) : null
  if (detector) for (let minute = 10; minute > 0; minute--) stepDetector(detector, 60_000, now, random)
  const metrics = detector
    ? detectorMetrics(detector, settingsOf(plan, family, null, detector.settings))
    : [...lines.values()].flatMap((line) => lineMetrics(family, line, settingsOf(plan, family, line.plan, line.settings)))
  return {
    controllerId: plan.controllerId,
    plan,
    family,
    lines,
    detector,
    metrics: metrics.map((metric) => ({ metric, alias: nextAlias(), sent: null })),
  }
}

/** Moves a device on to now; true when something must be said at once. */
export function stepDevice({ lines, detector }: SimulatedDevice, dtMs: number, now: number, random: Random): boolean {
  let changed = false
  for (const line of lines.values()) if (stepLine(line, dtMs, now, random) !== null) changed = true
  if (detector && stepDetector(detector, dtMs, now, random)) changed = true
  return changed
}

/** The plant was there before us: its temperatures have long settled. */
function settled(line: SimulatedLine, now: number, random: Random): SimulatedLine {
  for (let minute = 10; minute > 0; minute--) stepLine(line, 60_000, now, random)
  return line
}

/** How a setting is reported: what was planned or written; of a device that reports all, also its defaults. */
function settingsOf(plan: DevicePlan, family: Family, line: LinePlan | null, settings: Map<string, number>) {
  const rated = line?.ratedCurrentA ?? plan.circuit?.ratedCurrentA ?? null
  if (plan.reportsSettings)
    for (const setting of family.settings) {
      const usual = effectiveSetting(setting, settings.get(setting.key) ?? null, plan.model, rated)
      if (usual !== null) settings.set(setting.key, usual)
    }
  return (key: string) => settings.get(key) ?? null
}
