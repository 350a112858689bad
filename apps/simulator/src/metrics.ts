import type { Family } from '@linewarden/equipment'
import { wire } from '@linewarden/equipment'
import { DataType } from '@linewarden/sparkplug'
import type { LineReadings, SimulatedLine } from './plant/line.ts'
import { totalKw } from './plant/line.ts'
import type { SimulatedDetector } from './plant/senses/sense.ts'

/** One metric of a device: its name on the wire, its type, and how to read it from the plant. */
export interface SimulatedMetric {
  readonly name: string
  readonly type: number
  /** Values go with every report, states when they change, settings when they are written, recordings once; the rest at birth. */
  readonly when: 'value' | 'state' | 'birth' | 'setting' | 'recording'
  readonly lineNo: number
  /** Key of the point, state or setting; null for facts of birth. */
  readonly key: string | null
  /** null: it does not report this (a setting nobody asked it for), or it cannot be measured just now. */
  read(): number | string | boolean | null
  /** The same of other readings than those of now; only of measured values of a line. */
  readAt?(readings: LineReadings): number | null
}

interface Source {
  readonly family: Family
  readonly lineNo: number
  readonly forced: ReadonlyMap<string, number>
  readonly forcedStates: ReadonlyMap<string, string>
  /** How a point is read. */
  reader(key: string): () => number | null
  readerAt?(key: string): (readings: LineReadings) => number | null
  state(key: string): string
  setting(key: string): number | null
}

const phaseIndex: Readonly<Record<string, number>> = { a: 0, b: 1, c: 2 }

/** Every metric of one line, from its family's points, states and settings. */
export function lineMetrics(family: Family, line: SimulatedLine, setting: Source['setting']): SimulatedMetric[] {
  const { lineNo, name, ratedCurrentA } = line.plan
  const { forced, forcedStates } = line
  const at = (key: string) => `${lineNo}/${key}`
  return [
    { name: at(wire.info.name), type: DataType.String, when: 'birth', lineNo, key: null, read: () => name },
    { name: at(wire.info.ratedCurrent), type: DataType.Float, when: 'birth', lineNo, key: null, read: () => ratedCurrentA },
    ...metricsOf({
      family,
      lineNo,
      forced,
      forcedStates,
      reader(key) {
        const read = readerOf(key)
        return () => read(line)
      },
      readerAt(key) {
        const read = readerOf(key)
        return (readings) => read({ ...line, ...readings })
      },
      state: (key) => stateOf(line, key),
      setting,
    }),
  ]
}

/** Every metric of a detector: the device itself, line 0. */
export function detectorMetrics(detector: SimulatedDetector, setting: Source['setting']): SimulatedMetric[] {
  const { family, plan, values, states, recordings, forced, forcedStates } = detector
  const rated = plan.circuit?.ratedCurrentA
  return [
    ...(rated === undefined
      ? []
      : [
          { name: wire.info.ratedCurrent, type: DataType.Float, when: 'birth', lineNo: 0, key: null, read: () => rated } as const,
        ]),
    ...metricsOf({
      family,
      lineNo: 0,
      forced,
      forcedStates,
      reader: (key) => () => values.get(key) ?? 0,
      state: (key) => states.get(key) ?? '',
      setting,
    }),
    ...(family.recordings ?? []).map(
      ({ key }): SimulatedMetric => ({
        name: key,
        type: DataType.String,
        when: 'recording',
        lineNo: 0,
        key,
        read: () => recordings.get(key) ?? null,
      }),
    ),
  ]
}

function metricsOf(source: Source): SimulatedMetric[] {
  const { family, lineNo } = source
  const prefix = lineNo === 0 ? '' : `${lineNo}/`
  return [
    ...family.settings.map(
      ({ key }): SimulatedMetric => ({
        name: `settings/${prefix}${key}`,
        type: DataType.Float,
        when: 'setting',
        lineNo,
        key,
        read: () => source.setting(key),
      }),
    ),
    ...family.points.map(({ key }): SimulatedMetric => {
      const read = source.reader(key)
      const readAt = source.readerAt?.(key)
      return {
        name: `${prefix}${key}`,
        type: key === 'energy' ? DataType.Double : DataType.Float,
        when: 'value',
        lineNo,
        key,
        read: () => source.forced.get(key) ?? read(),
        ...(readAt && { readAt }),
      }
    }),
    ...family.states.map(
      ({ key, values }): SimulatedMetric => ({
        name: `${prefix}${key}`,
        type: DataType.Int32,
        when: 'state',
        lineNo,
        key,
        read: () => {
          const now = source.forcedStates.get(key) ?? source.state(key)
          const code = values.findIndex((value) => value.key === now)
          if (code < 0) throw new Error(`${family.key} has no ${key} ${now}`)
          return code
        },
      }),
    ),
  ]
}

type Measured = LineReadings & Pick<SimulatedLine, 'phases' | 'energyKwh'>

/** How a point is read from a line; it is looked up once, because a fleet reads thousands of values a second. */
function readerOf(key: string): (line: Measured) => number | null {
  const [quantity, part = ''] = key.split('.')
  const phase = phaseIndex[part]
  if (quantity === 'current' && phase !== undefined) return ({ currentA }) => currentA[phase] ?? 0
  if (quantity === 'voltage' && phase !== undefined) return ({ voltageV }) => voltageV[phase] ?? 0
  if (key === 'power.total') return totalKw
  if (quantity === 'power' && phase !== undefined) return ({ powerKw }) => powerKw[phase] ?? 0
  if (key === 'temperature.n') return ({ temperatureC, phases }) => temperatureC[phases] ?? 0
  if (quantity === 'temperature') return ({ temperatureC }) => temperatureC[phase ?? 0] ?? 0
  if (key === 'residual') return ({ residualMa }) => residualMa
  if (key === 'powerFactor') return ({ powerFactor }) => powerFactor
  if (key === 'energy') return ({ energyKwh }) => energyKwh
  throw new Error(`the simulator has no ${key}`)
}

function stateOf(line: SimulatedLine, key: string): string {
  if (key === 'position') return line.position
  if (key === 'trip.cause') return line.tripCause
  if (key === 'lock.local') return line.localLock ? 'on' : 'off'
  if (key === 'selfTest') return line.selfTest
  throw new Error(`the simulator has no ${key}`)
}
