import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { Finding, Outcome } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'

/** The three voltages of a supply differ more than motors stand. */
export const unbalance = detector({
  key: 'unbalance',
  label: { zh: '三相不平衡', en: 'Voltage unbalance' },
  priority: 'low',
  looks: 1,
  parameters: {
    noticePercent: parameter('注意值', 'Notice', '%', [1, 2, 5], 'GB/T 15543, EN 50160: 2 %'),
    noticeMinutes: parameter('注意持续时间', 'Notice after', 'min', [10, 30, 240], 'default of ours'),
    warningPercent: parameter('预警值', 'Warning', '%', [2, 4, 10], 'GB/T 15543: 4 % for a short time'),
    warningMinutes: parameter('预警持续时间', 'Warning after', 'min', [10, 10, 240], 'default of ours'),
  },
})
type UnbalanceParams = Params<typeof unbalance>

export type ThreeVoltages = readonly [number, number, number]

/** Ten minutes of a three-phase line; NaN is not known. */
export interface VoltageWindow {
  /** Its beginning, Unix ms. */
  readonly at: number
  /** Means, V. */
  readonly volts: ThreeVoltages
}

export const windowMinutes = 10
const windowMs = windowMinutes * 60_000
/** A line that is off or fed by one phase has no unbalance: that is the loss of a phase. */
export const minSupplyShare = 0.5

/** Which voltages a model reports: between lines, or of each phase against the neutral. */
export type VoltageReference = 'lineToLine' | 'phaseToNeutral'

/**
 * Negative-sequence share of three line-to-line voltages, in per cent (IEC 61000-4-30, 5.7.1). It needs no angles, because three such
 * voltages close a triangle; lengths that close none have no answer.
 */
export function sequenceUnbalancePercent([ab, bc, ca]: ThreeVoltages): number {
  const squares = ab ** 2 + bc ** 2 + ca ** 2
  const inner = 3 - (6 * (ab ** 4 + bc ** 4 + ca ** 4)) / squares ** 2
  // A triangle that is all but flat may come out a hair below zero.
  if (!(inner > -1e-12)) return Number.NaN
  const root = Math.sqrt(Math.max(0, inner))
  return 100 * Math.sqrt(Math.max(0, (1 - root) / (1 + root)))
}

/** Greatest deviation of a voltage from the mean of the three, in per cent: all that can be said without angles. */
export function deviationPercent(volts: ThreeVoltages): number {
  const mean = (volts[0] + volts[1] + volts[2]) / 3
  return (100 * Math.max(...volts.map((each) => Math.abs(each - mean)))) / mean
}

/** A stretch without a break that is above a limit so far. */
interface Above {
  readonly count: number
  readonly worst: number
}

/** Evaluates ten-minute means in order: stretches without a break that stay above a limit long enough. */
export function evaluateUnbalance(
  params: UnbalanceParams,
  windows: readonly VoltageWindow[],
  { reference, supplyV }: { readonly reference: VoltageReference; readonly supplyV: number },
): Outcome {
  const known = windows.filter(({ volts }) => volts.every((each) => each >= minSupplyShare * supplyV))
  if (known.length === 0) return notEvaluated('coverage', 0, 1)
  const percents = known.map(({ volts }) =>
    reference === 'lineToLine' ? sequenceUnbalancePercent(volts) : deviationPercent(volts),
  )
  const longest = (percent: number, minutes: number, level: Finding['level']): Finding | null => {
    let above = null as Above | null
    let found: Finding | null = null
    for (const [index, { at }] of known.entries()) {
      const own = percents[index] ?? Number.NaN
      const follows = at - (known[index - 1]?.at ?? Number.NEGATIVE_INFINITY) === windowMs
      const before = follows ? above : null
      above = own > percent ? { count: (before?.count ?? 0) + 1, worst: Math.max(before?.worst ?? own, own) } : null
      if (above && above.count * windowMinutes >= minutes && above.worst > (found?.evidence.value ?? percent))
        found = {
          key: unbalance.key,
          point: null,
          level,
          evidence: evidence({ value: above.worst, limit: percent, unit: '%', used: known.length }),
        }
    }
    return found
  }
  return (
    longest(params.warningPercent, params.warningMinutes, 'warning') ??
    longest(params.noticePercent, params.noticeMinutes, 'notice')
  )
}
