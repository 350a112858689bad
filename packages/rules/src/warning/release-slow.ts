import { dayMs } from '@linewarden/equipment'
import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { Outcome } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'
import { median, theilSen } from './statistics.ts'
import { timeToLimit } from './time-to-limit.ts'

/** A residual-current release takes longer from test to test: its mechanism sticks. */
export const releaseSlow = detector({
  key: 'release.slow',
  label: { zh: '脱扣变慢', en: 'Release slows down' },
  priority: 'medium',
  // Three tests have to agree already.
  looks: 1,
  parameters: {
    factor: parameter('变慢倍数', 'Slower by', '×', [1.2, 1.5, 3], 'default of ours'),
    minSlowerMs: parameter('最小变慢', 'Slower by at least', 'ms', [10, 40, 150], 'default of ours'),
    warningMs: parameter('预警值', 'Warning', 'ms', [100, 200, 290], 'default of ours; IEC 61009-1: 300 ms at IΔn'),
    horizonDays: parameter('预测期限', 'Horizon', 'd', [30, 90, 365], 'default of ours'),
  },
})
type ReleaseParams = Params<typeof releaseSlow>

/** IEC 61009-1, table 2: break time at IΔn. */
const limitMs = 300
const firstTests = 5
const lastTests = 3

export interface ReleaseTest {
  /** Unix ms. */
  readonly at: number
  readonly tripMs: number
}

/** Evaluates the trip times of a line's tests, in order of time. */
export function evaluateRelease(params: ReleaseParams, tests: readonly ReleaseTest[]): Outcome {
  const need = firstTests + lastTests
  if (tests.length < need) return notEvaluated('tooFewTests', tests.length, need)
  const times = tests.map(({ tripMs }) => tripMs)
  const baseline = median(times.slice(0, firstTests))
  const value = median(times.slice(-lastTests))
  const days = tests.map(({ at }) => at / dayMs)
  const trend = theilSen(days, times)
  const rises = trend !== null && trend.slopeFrom > 0
  const soon = rises && (limitMs - trend.now) / trend.slope < params.horizonDays
  const slower = value >= params.factor * baseline && value >= baseline + params.minSlowerMs
  if (value < params.warningMs && !soon && !slower) return null
  return {
    key: releaseSlow.key,
    point: 'selfTest',
    level: value >= params.warningMs || soon ? 'warning' : 'notice',
    evidence: evidence({
      value,
      limit: limitMs,
      unit: 'ms',
      baseline,
      slope: trend?.slope ?? null,
      toLimit: rises ? timeToLimit(days, times, limitMs) : null,
      used: tests.length,
    }),
  }
}
