import { arcPrecursor } from './arc-precursor.ts'
import { contact } from './contact.ts'
import { leakageDrift } from './leakage-drift.ts'
import { leakageStep } from './leakage-step.ts'
import type { LineKind } from './line-kind.ts'
import { loadAgain } from './load-again.ts'
import { loadGrowth } from './load-growth.ts'
import { releaseSlow } from './release-slow.ts'
import { unbalance } from './unbalance.ts'
import { voltageRange } from './voltage-range.ts'
import { wear } from './wear.ts'

const needs: Readonly<Record<string, (kind: LineKind) => boolean>> = {
  [leakageStep.key]: ({ measuresResidual }) => measuresResidual,
  [leakageDrift.key]: ({ measuresResidual }) => measuresResidual,
  [contact.key]: ({ terminalPoints, currentPoints }) => terminalPoints.length > 1 && currentPoints.length > 0,
  [loadGrowth.key]: ({ currentPoints }) => currentPoints.length > 0,
  [loadAgain.key]: ({ currentPoints }) => currentPoints.length > 0,
  [arcPrecursor.key]: ({ measuresArcs }) => measuresArcs,
  [unbalance.key]: ({ voltagePoints }) => voltagePoints.length === 3,
  [voltageRange.key]: ({ voltagePoints }) => voltagePoints.length > 0,
  [wear.key]: ({ switches }) => switches,
  [releaseSlow.key]: ({ measuresResidual, switches }) => measuresResidual && switches,
}

/** Whether a line has what a daily detector looks at, as `evaluateLine` asks for it. */
export const measures = (key: string, kind: LineKind): boolean => needs[key]?.(kind) ?? true
