import type { Family } from '@linewarden/equipment'
import { familyOf } from '@linewarden/equipment'
import { effectiveSetting, supplyVoltage } from '@linewarden/rules/settings'
import { feedTree } from './feed-tree.ts'
import type { SimulatedMetric } from './metrics.ts'
import { detectorMetrics, lineMetrics } from './metrics.ts'
import type { DevicePlan, GatewayPlan, LineAddress, LinePlan } from './plan.ts'
import type { Board } from './plant/board.ts'
import { newBoard, stepBoard } from './plant/board.ts'
import { newDetector, stepDetector } from './plant/detector.ts'
import type { SimulatedLine } from './plant/line.ts'
import { newLine } from './plant/line.ts'
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
  const lines = new Map(plan.lines.map((line) => [line.lineNo, newLine(line, phases, random, traits)] as const))
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

/** Everything that is wired to one gateway's board. The plant was there before us: its temperatures have long settled. */
export function wired(plan: GatewayPlan, devices: readonly SimulatedDevice[], now: number, random: Random): Board {
  const lineOf = ({ controllerId, lineNo }: LineAddress): SimulatedLine => {
    const line = devices.find((device) => device.controllerId === controllerId)?.lines.get(lineNo)
    if (!line) throw new Error(`${plan.number} has no line ${controllerId}/${lineNo}`)
    return line
  }
  const upstreamOf = new Map(feedTree(plan).map(({ line, upstream }) => [lineOf(line), lineOf(upstream)]))
  const board = newBoard(
    devices.flatMap(({ lines }) => [...lines.values()]),
    upstreamOf,
  )
  const energies = board.circuits.map(({ line }) => line.energyKwh)
  for (let minute = 10; minute > 0; minute--) stepBoard(board, 60_000, now, random)
  for (const [index, { line }] of board.circuits.entries()) line.energyKwh = energies[index] ?? 0
  return board
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
