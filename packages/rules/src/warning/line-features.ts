import type { ArcDay } from './arc-precursor.ts'
import { arcPrecursor, isArcHour } from './arc-precursor.ts'
import type { ContactFitParams } from './contact-fit.ts'
import { feltLoads, fitContact } from './contact-fit.ts'
import { defaultParams } from './detector.ts'
import { isNotEvaluated } from './finding.ts'
import type { LineHours } from './hours.ts'
import { spanOfDays } from './hours.ts'
import { leakageDay, usualPeakShare } from './line-day.ts'
import type { LineKind } from './line-kind.ts'
import { usualRiseK, usualThermalS } from './line-kind.ts'
import { quantile } from './statistics.ts'
import type { ThreeVoltages, VoltageWindow } from './unbalance.ts'
import { deviationPercent, minSupplyShare, sequenceUnbalancePercent, windowMinutes } from './unbalance.ts'
import { outsideBand, voltageBandOf, voltageRange } from './voltage-range.ts'

/** What of a day's hours is kept for ever. NaN is not known. */
export interface DayFeatures {
  readonly leakage: { readonly floorMa: number | null; readonly peakMa: number | null }
  readonly i95A: readonly number[]
  readonly peakA: readonly number[]
  readonly excessK: readonly number[]
  readonly excessErrorK: readonly number[]
}

/** Hours of one day that are enough for its own fit. */
const minHoursOfDay = 8

/** Features of one local day of a line, from its hours that count. */
export function dayFeatures(kind: LineKind, fitParams: ContactFitParams, hours: LineHours, day: number): DayFeatures {
  const span = spanOfDays(hours, day, day)
  const counted = kind.currentPoints.map((_, phase) =>
    (hours.maxA[phase] ?? new Float32Array())
      .subarray(...span)
      .filter((each, i) => hours.counts[span[0] + i] === 1 && !Number.isNaN(each)),
  )
  const { ratedA } = kind
  const context = { ratedA: ratedA ?? Number.NaN, riseK: usualRiseK, thermalS: usualThermalS }
  const loads = ratedA === null ? [] : feltLoads(hours, span, context)
  const fits = kind.terminalPoints.map((_, terminal) => {
    if (loads.length === 0) return null
    const fit = fitContact(fitParams, hours, span, { riseK: usualRiseK, terminal, minHours: minHoursOfDay, loads })
    return isNotEvaluated(fit) ? null : fit
  })
  return {
    leakage: leakageDay(day, hours, span),
    i95A: counted.map((each) => quantile(each, usualPeakShare)),
    peakA: counted.map((each) => (each.length > 0 ? Math.max(...each) : Number.NaN)),
    excessK: fits.map((fit) => fit?.excessK ?? Number.NaN),
    excessErrorK: fits.map((fit) => fit?.errorK ?? Number.NaN),
  }
}

/** Minutes of a day by its ten-minute means of the voltages. */
export interface VoltageMinutes {
  readonly unbalancePercent: number | null
  readonly unbalance2: number
  readonly unbalance4: number
  readonly known: number
  readonly outside: number
}

/** Ten minutes of a line; NaN is not known. */
export interface VoltageMeans {
  /** Its beginning, Unix ms. */
  readonly at: number
  /** By phase. */
  readonly volts: readonly number[]
}

const bounds = defaultParams(voltageRange)

/** By the limits of the standards, whatever the rule is set to: a day is kept for ever. */
export function voltageMinutes(
  { supplyV, voltageReference, voltagePoints }: LineKind,
  means: readonly VoltageMeans[],
): VoltageMinutes {
  const band = voltageBandOf(bounds, supplyV)
  const made = { unbalancePercent: null as number | null, unbalance2: 0, unbalance4: 0, known: 0, outside: 0 }
  for (const { volts } of means) {
    const own = volts.slice(0, voltagePoints.length)
    if (own.length === 0) continue
    const outside = outsideBand(own, supplyV, band)
    if (outside !== null) made.known += windowMinutes
    if (outside === true) made.outside += windowMinutes
    if (!isThree(own) || own.some((each) => !(each >= minSupplyShare * supplyV))) continue
    const percent = voltageReference === 'lineToLine' ? sequenceUnbalancePercent(own) : deviationPercent(own)
    if (Number.isNaN(percent)) continue
    made.unbalancePercent = Math.max(made.unbalancePercent ?? 0, percent)
    if (percent > 2) made.unbalance2 += windowMinutes
    if (percent > 4) made.unbalance4 += windowMinutes
  }
  return made
}

const isThree = (volts: readonly number[]): volts is ThreeVoltages => volts.length === 3

/** The means that `evaluateUnbalance` looks at. */
export const voltageWindows = (means: readonly VoltageMeans[]): readonly VoltageWindow[] =>
  means.flatMap(({ at, volts }) => (isThree(volts) ? [{ at, volts }] : []))

const arcBounds = defaultParams(arcPrecursor)

/** Hours in which arcing was seen below the alarm, by the most half-cycles of each; of a day of which too few hours are known, null. */
export function arcHoursOf(most: readonly number[], alarmAt: number): ArcDay['hours'] {
  const known = most.filter((each) => !Number.isNaN(each))
  return known.length < minKnownHours ? null : known.filter((each) => isArcHour(arcBounds, each, alarmAt)).length
}

const minKnownHours = 12
/** What the arc detectors of GB 14287.4 alarm at, where the line did not report its setting. */
export const usualArcAlarm = 14
