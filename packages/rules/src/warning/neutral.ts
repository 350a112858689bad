import { dayMs, minuteMs } from '@linewarden/equipment'
import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import { evidence } from './finding.ts'
import type { LiveChange } from './live-change.ts'
import type { Persistence } from './persistence.ts'
import { newPersistence, persist } from './persistence.ts'
import { median } from './statistics.ts'
import type { ThreeVoltages } from './unbalance.ts'

/** The neutral of a supply is broken: what is loaded least gets more than it stands. */
export const neutral = detector({
  key: 'neutral',
  label: { zh: '断零', en: 'Broken neutral' },
  priority: 'high',
  looks: 1,
  parameters: {
    ratio: parameter('最高与最低之比', 'Highest to lowest', '×', [1.06, 1.1, 1.5], 'measured on synthetic breaks'),
    triangleShare: parameter('线电压容差', 'Change of the triangle', '×', [0.01, 0.02, 0.05], 'measured on synthetic sags'),
    highShare: parameter('最高相升幅', 'Highest phase above usual', '×', [1.02, 1.05, 1.2], 'default of ours'),
    seconds: parameter('持续时间', 'Lasts', 's', [5, 10, 60], 'default of ours'),
  },
})
type NeutralParams = Params<typeof neutral>

/** Below this ratio the phases are as they should be: then the triangle is learnt, and a finding returns. */
const soundRatio = 1.05
const returnMs = minuteMs
/** The triangle is compared with what it was of late: a supply moves by more than the tolerance within an hour. */
const referenceMinutes = 10
const minReferences = 5
/** A triangle that was seen longer ago than this says nothing: the transformer may have been stepped since. */
const maxReferenceAgeMs = dayMs

/** What is kept of a line: a triangle a minute of the last ten that were sound, and how long it has not been. */
export interface NeutralState {
  readonly references: number[]
  next: number
  lastReferenceAt: number
  readonly persistence: Persistence
}

export const newNeutralState = (): NeutralState => ({
  references: [],
  next: 0,
  lastReferenceAt: Number.NEGATIVE_INFINITY,
  persistence: newPersistence(),
})

/**
 * The phase voltage of the triangle that three phase-to-neutral voltages span, wherever in it the neutral lies: a neutral that floats
 * leaves it as it was, a sag or swell does not. Fermat: L² = ((a²+b²+c²)/2 + 2√3·A)/3, A the area of a triangle with these sides.
 */
export function triangleVolts([a, b, c]: ThreeVoltages): number {
  const half = (a + b + c) / 2
  const area = Math.sqrt(Math.max(0, half * (half - a) * (half - b) * (half - c)))
  return Math.sqrt((a * a + b * b + c * c) / 2 + 2 * Math.sqrt(3) * area) / Math.sqrt(3)
}

/** Folds one sample of a phase-to-neutral model, V. A voltage that is missing says nothing. */
export function foldNeutral(
  params: NeutralParams,
  state: NeutralState,
  { at, volts }: { readonly at: number; readonly volts: ThreeVoltages },
  { periodMs }: { readonly periodMs: number },
): LiveChange | null {
  const [high, low] = [Math.max(...volts), Math.min(...volts)]
  const ratio = high / low
  if (!Number.isFinite(ratio)) return null
  if (ratio < soundRatio) {
    learn(state, volts, at)
    if (!state.persistence.active && !state.persistence.counting) return null
  }
  const usual =
    at - state.lastReferenceAt <= maxReferenceAgeMs && state.references.length >= minReferences ? median(state.references) : null
  const bad =
    usual !== null &&
    ratio > params.ratio &&
    high > params.highShare * usual &&
    Math.abs(triangleVolts(volts) / usual - 1) < params.triangleShare
  const change = persist(state.persistence, { bad, good: ratio < soundRatio }, at, {
    onMs: params.seconds * 1_000,
    offMs: returnMs,
    periodMs,
  })
  if (change === 'returned') return { kind: 'returned', key: neutral.key, point: null }
  if (change === null || usual === null) return null
  return {
    kind: 'raised',
    finding: {
      key: neutral.key,
      point: null,
      level: 'alarm',
      evidence: evidence({
        value: high,
        limit: params.highShare * usual,
        unit: 'V',
        baseline: usual,
        used: state.references.length,
      }),
    },
  }
}

function learn(state: NeutralState, volts: ThreeVoltages, at: number): void {
  if (at - state.lastReferenceAt < minuteMs) return
  if (at - state.lastReferenceAt > maxReferenceAgeMs) {
    state.references.length = 0
    state.next = 0
  }
  state.references[state.next % referenceMinutes] = triangleVolts(volts)
  state.next = (state.next + 1) % referenceMinutes
  state.lastReferenceAt = at
}
