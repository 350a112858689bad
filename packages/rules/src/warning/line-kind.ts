import type { Family } from '@linewarden/equipment'
import { supplyVoltage } from '../settings/voltage-band.ts'
import type { VoltageReference } from './unbalance.ts'

/** Rise of a sound terminal at rated current, and how long it takes to follow the current (ours, of switches on a rail). */
export const [usualRiseK, usualThermalS] = [32, 90] as const

/** What of a line detectors can look at: its family, its breaker and what it is set to. Null is not known, or not measured. */
export interface LineKind {
  readonly currentPoints: readonly string[]
  /** Those of the phases in their order, then the neutral's. */
  readonly terminalPoints: readonly string[]
  readonly voltagePoints: readonly string[]
  readonly voltageReference: VoltageReference
  readonly supplyV: number
  readonly measuresResidual: boolean
  readonly measuresArcs: boolean
  readonly switches: boolean
  readonly ratedA: number | null
  /** IΔn. */
  readonly tripMa: number | null
  readonly overloadWarningA: number | null
  readonly temperatureAlarmC: number | null
  /** Half-cycles from which the detector itself alarms. */
  readonly arcAlarm: number | null
}

/** The voltage between lines of the usual three-phase supply. */
const lineToLineV = 400

export function lineKind({
  family,
  model,
  ratedCurrentA,
  reported,
}: {
  readonly family: Family
  readonly model: string
  readonly ratedCurrentA: number | null
  readonly reported: ReadonlyMap<string, number>
}): LineKind {
  const keysOf = (quantity: string) =>
    family.points.filter((point) => point.quantity === quantity && point.phase).map(({ key }) => key)
  const supplyV = supplyVoltage(model)
  return {
    currentPoints: keysOf('current'),
    terminalPoints: keysOf('temperature'),
    voltagePoints: keysOf('voltage'),
    voltageReference: supplyV === lineToLineV ? 'lineToLine' : 'phaseToNeutral',
    supplyV,
    measuresResidual: family.points.some(({ key }) => key === 'residual'),
    measuresArcs: family.points.some(({ key }) => key === 'arc.halfCycles'),
    switches: family.states.some(({ key }) => key === 'position'),
    ratedA: ratedCurrentA,
    tripMa: reported.get('leakage.trip') ?? null,
    overloadWarningA: reported.get('overload.warning') ?? null,
    temperatureAlarmC: reported.get('temperature.alarm') ?? null,
    arcAlarm: reported.get('arc.halfCycles') ?? null,
  }
}

/** Whether any daily detector has something to look at. */
export const isWatched = ({ currentPoints, voltagePoints, measuresResidual, measuresArcs, switches }: LineKind): boolean =>
  currentPoints.length + voltagePoints.length > 0 || measuresResidual || measuresArcs || switches
