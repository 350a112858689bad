import { familyOf, wire } from '@linewarden/equipment'
import { DataType } from '@linewarden/sparkplug'
import type { DevicePlan } from './plan.ts'
import type { SimulatedDetector } from './plant/detector.ts'
import type { SimulatedLine } from './plant/line.ts'
import { totalKw } from './plant/line.ts'

/** One metric of a device: its name on the wire, its type, and how to read it from the plant. */
export interface SimulatedMetric {
  readonly name: string
  readonly type: number
  /** Values go with every report, states when they change, the rest at birth. */
  readonly when: 'value' | 'state' | 'birth'
  readonly lineNo: number
  read(): number | string | boolean
}

const phaseIndex: Readonly<Record<string, number>> = { a: 0, b: 1, c: 2 }

/** Every metric of one line, from its family's points and states. */
export function lineMetrics(device: DevicePlan, line: SimulatedLine): SimulatedMetric[] {
  const family = familyOf(device.family)
  if (!family) throw new Error(`there is no family ${device.family}`)
  const { lineNo, name, ratedCurrentA, settings = {} } = line.plan
  const at = (key: string) => `${lineNo}/${key}`
  return [
    { name: at(wire.info.name), type: DataType.String, when: 'birth', lineNo, read: () => name },
    { name: at(wire.info.ratedCurrent), type: DataType.Float, when: 'birth', lineNo, read: () => ratedCurrentA },
    ...Object.entries(settings).map(
      ([key, value]): SimulatedMetric => ({
        name: `settings/${lineNo}/${key}`,
        type: DataType.Float,
        when: 'birth',
        lineNo,
        read: () => value,
      }),
    ),
    ...family.points.map(
      ({ key }): SimulatedMetric => ({
        name: at(key),
        type: key === 'energy' ? DataType.Double : DataType.Float,
        when: 'value',
        lineNo,
        read: () => line.forced.get(key) ?? readingOf(line, key),
      }),
    ),
    ...family.states.map(
      ({ key, values }): SimulatedMetric => ({
        name: at(key),
        type: DataType.Int32,
        when: 'state',
        lineNo,
        read: () =>
          Math.max(
            0,
            values.findIndex((value) => value.key === stateOf(line, key)),
          ),
      }),
    ),
  ]
}

export function detectorMetrics(detector: SimulatedDetector): SimulatedMetric[] {
  const value = (name: string, read: () => number): SimulatedMetric => ({
    name,
    type: DataType.Float,
    when: 'value',
    lineNo: 0,
    read,
  })
  const state = (name: string, read: () => number): SimulatedMetric => ({
    name,
    type: DataType.Int32,
    when: 'state',
    lineNo: 0,
    read,
  })
  return [
    value('smoke', () => detector.smokePercentPerM),
    value('temperature', () => detector.temperatureC),
    value('battery', () => detector.batteryPercent),
    value('signal', () => detector.signalDbm),
    state('smoke.alarm', () => Number(detector.alarm)),
    state('sounder', () => Number(detector.sounding)),
    state('detector.fault', () => 0),
  ]
}

function readingOf(line: SimulatedLine, key: string): number {
  const [quantity, part = ''] = key.split('.')
  const phase = phaseIndex[part]
  if (quantity === 'current' && phase !== undefined) return line.currentA[phase] ?? 0
  if (quantity === 'voltage' && phase !== undefined) return line.voltageV[phase] ?? 0
  if (key === 'power.total') return totalKw(line)
  if (quantity === 'power' && phase !== undefined) return line.powerKw[phase] ?? 0
  if (quantity === 'temperature') return line.temperatureC[part === 'n' ? line.phases : (phase ?? 0)] ?? 0
  if (key === 'residual') return line.residualMa
  if (key === 'powerFactor') return line.powerFactor
  if (key === 'energy') return line.energyKwh
  throw new Error(`the simulator has no ${key}`)
}

function stateOf(line: SimulatedLine, key: string): string {
  if (key === 'position') return line.position
  if (key === 'trip.cause') return line.tripCause
  if (key === 'lock.local') return line.localLock ? 'on' : 'off'
  return 'passed'
}
