import { usualSupplyV } from '@linewarden/equipment'
import type {
  LineKind,
  LiveChange,
  NeutralState,
  Params,
  Persistence,
  PhaseLossState,
  ThreeVoltages,
} from '@linewarden/rules/warning'
import {
  foldNeutral,
  foldOvercurrent,
  foldPhaseLoss,
  neutral,
  newNeutralState,
  newOvercurrentState,
  newPhaseLossState,
  overcurrent,
  phaseLoss,
} from '@linewarden/rules/warning'
import type { PlantLine } from '../../plant/plant.ts'
import { alarmKeyOf, reportingPeriodOf } from '../../plant/plant.ts'

/** The figures by which a line is watched; null: that detector does not watch it. */
export interface LiveRules {
  readonly revision: number
  readonly overcurrent: Params<typeof overcurrent> | null
  readonly phaseLoss: Params<typeof phaseLoss> | null
  readonly neutral: Params<typeof neutral> | null
}

/** What is kept of the live detectors of a line; it does not grow. */
export interface LiveLine {
  readonly line: PlantLine
  readonly kind: LineKind
  readonly currentSlots: readonly number[]
  readonly voltageSlots: readonly number[]
  rules: LiveRules
  readonly overcurrent: readonly Persistence[]
  readonly phaseLoss: PhaseLossState | null
  readonly neutral: NeutralState | null
  /** Nothing is counted and nothing is open: what is sound needs no look. */
  isQuiet: boolean
}

/** Below this share of its supply, or above this ratio of two, a voltage is looked at. */
const [soundShare, soundRatio] = [0.9, 1.05]
const learnEveryMs = 60_000

const slotsOf = (line: PlantLine, keys: readonly string[]): number[] =>
  keys.map((key) => line.device.family.points.find((point) => point.key === key)?.slot ?? 0)

/** Begins to watch a line: what is open on it is open. */
export function newLiveLine(line: PlantLine, kind: LineKind, rules: LiveRules): LiveLine {
  const three = kind.voltagePoints.length === 3 && kind.currentPoints.length === 3 && kind.switches
  const made: LiveLine = {
    line,
    kind,
    currentSlots: kind.switches ? slotsOf(line, kind.currentPoints) : [],
    voltageSlots: slotsOf(line, kind.voltagePoints),
    rules,
    overcurrent: kind.switches ? kind.currentPoints.map(newOvercurrentState) : [],
    phaseLoss: three ? newPhaseLossState() : null,
    // The triangle of another supply, or of voltages between lines, has no neutral to float in it.
    neutral: three && kind.voltageReference === 'phaseToNeutral' && kind.supplyV === usualSupplyV ? newNeutralState() : null,
    isQuiet: true,
  }
  for (const [phase, point] of kind.currentPoints.entries()) {
    const own = made.overcurrent[phase]
    if (own) own.active = line.alarms.has(alarmKeyOf(overcurrent.key, point))
  }
  for (const [phase, point] of kind.voltagePoints.entries()) {
    const own = made.phaseLoss?.[phase]
    if (own) own.dead.active = line.alarms.has(alarmKeyOf(phaseLoss.key, point))
  }
  if (made.neutral) made.neutral.persistence.active = line.alarms.has(neutral.key)
  made.isQuiet = isQuiet(made)
  return made
}

/** Whether there is anything to watch on it. */
export const isWatched = ({ currentSlots, phaseLoss: lost }: LiveLine): boolean => currentSlots.length > 0 || lost !== null

const counts = ({ active, counting }: Persistence): boolean => active || counting

export const isQuiet = ({ overcurrent: phases, phaseLoss: lost, neutral: broken }: LiveLine): boolean =>
  !phases.some(counts) &&
  !(lost?.some(({ dead, backFed }) => counts(dead) || counts(backFed)) ?? false) &&
  !(broken !== null && counts(broken.persistence))

/**
 * Whether the newest values of a line are sound beyond doubt, so that no detector would do anything with them. Asked of every sample of a
 * plant: it makes nothing.
 */
export function isSound(
  { line, currentSlots, voltageSlots, kind, phaseLoss: lost, neutral: broken }: LiveLine,
  at: number,
): boolean {
  const { values } = line
  const limit = line.reported.get('overload.alarm') ?? line.ratedCurrentA
  if (limit !== null) for (let i = 0; i < currentSlots.length; i++) if ((values[currentSlots[i] ?? 0] ?? 0) > limit) return false
  if (lost === null) return true
  const a = values[voltageSlots[0] ?? 0] ?? Number.NaN
  const b = values[voltageSlots[1] ?? 0] ?? Number.NaN
  const c = values[voltageSlots[2] ?? 0] ?? Number.NaN
  const low = Math.min(a, b, c)
  // Not known says nothing: no detector takes it.
  if (Number.isNaN(low)) return true
  if (low < soundShare * kind.supplyV || Math.max(a, b, c) >= soundRatio * low) return false
  return broken === null || at - broken.lastReferenceAt < learnEveryMs
}

/** Folds the newest values of a line. */
export function foldLine(own: LiveLine, at: number): readonly LiveChange[] {
  const { line, kind, rules } = own
  const changes: LiveChange[] = []
  const { device } = line
  const periodMs = reportingPeriodOf(device)
  const valueAt = (slots: readonly number[], phase: number) => line.values[slots[phase] ?? 0] ?? Number.NaN
  const three = (slots: readonly number[]): ThreeVoltages => [valueAt(slots, 0), valueAt(slots, 1), valueAt(slots, 2)]
  const limitA = line.reported.get('overload.alarm') ?? line.ratedCurrentA
  if (rules.overcurrent && limitA !== null)
    for (const [phase, state] of own.overcurrent.entries()) {
      const sample = { at, amperes: valueAt(own.currentSlots, phase) }
      const point = kind.currentPoints[phase] ?? ''
      const change = foldOvercurrent(rules.overcurrent, state, sample, { limitA, point, periodMs })
      if (change) changes.push(change)
    }
  const volts = own.voltageSlots.length === 3 ? three(own.voltageSlots) : null
  if (rules.phaseLoss && own.phaseLoss && volts && line.ratedCurrentA !== null) {
    const position = line.states.get('position')
    const closed = position === undefined ? null : position === 'closed'
    const context = { supplyV: kind.supplyV, ratedA: line.ratedCurrentA, points: kind.voltagePoints, periodMs }
    changes.push(
      ...foldPhaseLoss(rules.phaseLoss, own.phaseLoss, { at, closed, volts, amperes: three(own.currentSlots) }, context),
    )
  }
  if (rules.neutral && own.neutral && volts) {
    const change = foldNeutral(rules.neutral, own.neutral, { at, volts }, { periodMs })
    if (change) changes.push(change)
  }
  own.isQuiet = isQuiet(own)
  return changes
}
