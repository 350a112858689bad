import { usualSupplyV } from '@linewarden/equipment'
import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { Outcome } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'
import { minCoverage } from './gate.ts'

/** A supply lies outside its band for a good part of the week. */
export const voltageRange = detector({
  key: 'voltage.range',
  label: { zh: '电压偏差', en: 'Voltage outside its band' },
  priority: 'low',
  looks: 2,
  parameters: {
    lowV: parameter('下限', 'Lower limit', 'V', [176, 198, 215], 'GB/T 12325: 220 V - 10 %'),
    highV: parameter('上限', 'Upper limit', 'V', [225, 235.4, 264], 'GB/T 12325: 220 V + 7 %'),
    share: parameter('超限时间占比', 'Share of time outside', '%', [1, 5, 50], 'GB/T 12325, EN 50160: 95 % of the week inside'),
  },
})
type RangeParams = Params<typeof voltageRange>

/** Models of another supply than the usual have this share to either side (EN 50160). */
const otherBandShare = 0.1
/** Below this share of the supply nothing is supplied: an outage is no low voltage. */
const noSupplyShare = 0.2
const days = 7
const minutesOfDay = 1_440

/** Between which voltages ten minutes of a phase count as inside. */
export const voltageBandOf = (params: RangeParams, supplyV: number): readonly [lowV: number, highV: number] =>
  supplyV === usualSupplyV ? [params.lowV, params.highV] : [supplyV * (1 - otherBandShare), supplyV * (1 + otherBandShare)]

/** Ten minutes of a line; null: it was not supplied, or it is not known. */
export function outsideBand(volts: readonly number[], supplyV: number, [lowV, highV]: readonly [number, number]): boolean | null {
  if (volts.some((each) => Number.isNaN(each) || each < noSupplyShare * supplyV)) return null
  return volts.some((each) => each < lowV || each > highV)
}

/** Of one local day, the minutes that are known, and those of them that lay outside. */
export interface VoltageDay {
  readonly day: number
  readonly knownMinutes: number
  readonly outsideMinutes: number
}

/** Evaluates the minutes outside of seven days. */
export function evaluateVoltageRange(
  params: RangeParams,
  recent: readonly VoltageDay[],
  { today, supplyV }: { readonly today: number; readonly supplyV: number },
): Outcome {
  const week = recent.filter(({ day }) => day > today - days && day <= today)
  const known = week.reduce((sum, { knownMinutes }) => sum + knownMinutes, 0)
  const need = minCoverage * days * minutesOfDay
  if (known < need) return notEvaluated('coverage', known, need)
  const outside = week.reduce((sum, { outsideMinutes }) => sum + outsideMinutes, 0)
  const value = (100 * outside) / known
  if (value <= params.share) return null
  const [lowV] = voltageBandOf(params, supplyV)
  return {
    key: voltageRange.key,
    point: null,
    level: 'notice',
    evidence: evidence({ value, limit: params.share, unit: '%', baseline: lowV, used: week.length }),
  }
}
