import type { ArcDay } from './arc-precursor.ts'
import { arcPrecursor, evaluateArcPrecursor } from './arc-precursor.ts'
import type { ContactFits, DailyContact } from './contact.ts'
import { contact, evaluateContacts } from './contact.ts'
import type { Params, WarningDetector } from './detector.ts'
import type { Outcome } from './finding.ts'
import { isFinding, isNotEvaluated, notEvaluated, warningLevels } from './finding.ts'
import type { LineConditions } from './gate.ts'
import { evaluationGate } from './gate.ts'
import type { LineHours } from './hours.ts'
import { spanOfDays } from './hours.ts'
import type { DriftFacts } from './leakage-drift.ts'
import { driftFacts, driftOutcome, leakageDrift } from './leakage-drift.ts'
import type { HourlyFacts } from './leakage-hourly.ts'
import { hourlyFacts, hoursOutcome } from './leakage-hourly.ts'
import type { StepFacts } from './leakage-step.ts'
import { leakageStep, stepFacts, stepOutcome } from './leakage-step.ts'
import type { LeakageDay } from './line-day.ts'
import type { VoltageMeans } from './line-features.ts'
import { voltageWindows } from './line-features.ts'
import type { LineKind } from './line-kind.ts'
import { usualRiseK, usualThermalS } from './line-kind.ts'
import { evaluateLoadAgain, loadAgain } from './load-again.ts'
import { evaluateWeeklyPeaks, loadGrowth } from './load-growth.ts'
import type { ReleaseTest } from './release-slow.ts'
import { evaluateRelease, releaseSlow } from './release-slow.ts'
import { evaluateUnbalance, unbalance } from './unbalance.ts'
import type { VoltageDay } from './voltage-range.ts'
import { evaluateVoltageRange, voltageRange } from './voltage-range.ts'
import { evaluateWear, wear } from './wear.ts'

/** The figures of a detector for one line; null: its rule does not evaluate this line. */
export type ParamsOf = <Of extends WarningDetector>(declaration: Of) => Params<Of> | null

/** Everything that is known of a line at the end of a local day. */
export interface LineAtNight {
  readonly kind: LineKind
  readonly today: number
  readonly isRestDayNext: boolean
  readonly conditions: Omit<LineConditions, 'daysLearnt'>
  /** First day that a detector compares the line with. */
  readonly learntFrom: (declaration: WarningDetector) => number
  /** The last four weeks; of all but the residual current the last days are enough. */
  readonly hours: LineHours
  readonly leakage: readonly LeakageDay[]
  readonly arcs: readonly ArcDay[]
  readonly voltages: readonly VoltageDay[]
  readonly voltageMeans: readonly VoltageMeans[]
  /** By phase, of the last ten whole weeks; NaN where too few hours count. */
  readonly weeklyPeaks: readonly Float64Array[]
  readonly tests: readonly ReleaseTest[]
  readonly wear: { readonly share: number; readonly openings: number }
  readonly airC: number | null
  /** One-day fits by terminal; asked only where a contact is found hot. */
  readonly dailyContacts: readonly (readonly DailyContact[])[]
  /** Where several rules are tried on this night: what of it is made once for all of them. */
  readonly facts?: NightFacts
}

/** What of a night does not depend on the figures of a rule. */
export interface NightFacts {
  readonly contactFits: ContactFits
  step?: StepFacts
  hourly?: HourlyFacts
  drift?: DriftFacts
}

export const newNightFacts = (): NightFacts => ({ contactFits: new Map() })

/** What each daily detector says of a line; of one that the line has nothing for, nothing. */
export type NightOutcomes = ReadonlyMap<WarningDetector, readonly Outcome[]>

/** Detectors that are asked once a day. */
export const dailyDetectors: readonly WarningDetector[] = [
  contact,
  arcPrecursor,
  leakageStep,
  leakageDrift,
  loadGrowth,
  unbalance,
  voltageRange,
  wear,
  releaseSlow,
  loadAgain,
]

/** Asks every daily detector about a line. What compares it with its past waits until it is learnt; what counts operations waits for nothing. */
export function evaluateLine(paramsOf: ParamsOf, line: LineAtNight): NightOutcomes {
  const made = new Map<WarningDetector, readonly Outcome[]>()
  const { kind, today } = line
  const ask = <Of extends WarningDetector>(
    declaration: Of,
    applies: boolean,
    gate: 'learnt' | 'conditions' | 'none',
    evaluate: (params: Params<Of>) => readonly Outcome[],
  ) => {
    const params = applies ? paramsOf(declaration) : null
    if (params === null) return
    const daysLearnt = gate === 'learnt' ? today - line.learntFrom(declaration) : Number.POSITIVE_INFINITY
    const closed = gate === 'none' ? null : evaluationGate({ ...line.conditions, daysLearnt })
    made.set(declaration, closed ? [closed] : evaluate(params))
  }
  const { tripMa } = kind
  const facts = line.facts ?? newNightFacts()
  const leakage = () => learnt(line.leakage, line.learntFrom(leakageStep))
  ask(leakageStep, kind.measuresResidual, 'learnt', (params) => {
    facts.step ??= stepFacts(leakage(), today)
    const byDays = stepOutcome(params, facts.step, tripMa)
    if (isFinding(byDays)) return [byDays]
    facts.hourly ??= hourlyFacts(from(line.hours, line.learntFrom(leakageStep)), today)
    const byHours = hoursOutcome(params, facts.hourly, tripMa)
    return [isFinding(byHours) ? byHours : byDays]
  })
  ask(leakageDrift, kind.measuresResidual, 'learnt', (params) => {
    facts.drift ??= driftFacts(leakage(), today)
    return [driftOutcome(params, facts.drift, { tripMa, isTimed: !line.facts })]
  })
  const hasContacts = kind.terminalPoints.length > 1 && kind.currentPoints.length > 0
  ask(contact, hasContacts, 'learnt', (params) => contactsOf(params, line))
  ask(loadGrowth, kind.currentPoints.length > 0, 'learnt', (params) => {
    const { ratedA, currentPoints: points } = kind
    return ratedA === null ? [notEvaluated('settingUnknown')] : evaluateWeeklyPeaks(params, line.weeklyPeaks, { ratedA, points })
  })
  ask(loadAgain, kind.currentPoints.length > 0, 'conditions', (params) => [
    evaluateLoadAgain(params, line.hours, {
      today,
      isRestDay: line.isRestDayNext,
      limitA: kind.overloadWarningA,
      points: kind.currentPoints,
    }),
  ])
  ask(arcPrecursor, kind.measuresArcs, 'learnt', (params) => [
    evaluateArcPrecursor(params, learnt(line.arcs, line.learntFrom(arcPrecursor)), { today }),
  ])
  ask(unbalance, kind.voltagePoints.length === 3, 'conditions', (params) => [
    evaluateUnbalance(params, voltageWindows(line.voltageMeans), { reference: kind.voltageReference, supplyV: kind.supplyV }),
  ])
  ask(voltageRange, kind.voltagePoints.length > 0, 'conditions', (params) => [
    evaluateVoltageRange(params, line.voltages, { today, supplyV: kind.supplyV }),
  ])
  ask(wear, kind.switches, 'none', (params) => [
    kind.ratedA === null ? notEvaluated('settingUnknown') : evaluateWear(params, line.wear),
  ])
  ask(releaseSlow, kind.measuresResidual && kind.switches, 'none', (params) => [evaluateRelease(params, line.tests)])
  return made
}

function contactsOf(
  params: Params<typeof contact>,
  { kind, today, hours, learntFrom, airC, dailyContacts, facts }: LineAtNight,
): readonly Outcome[] {
  const { ratedA, terminalPoints, currentPoints, temperatureAlarmC } = kind
  if (ratedA === null) return [notEvaluated('settingUnknown')]
  // The neutral of three phases carries a current that nobody measures.
  const points = currentPoints.length === 1 ? terminalPoints : terminalPoints.slice(0, currentPoints.length)
  return evaluateContacts(params, from(hours, learntFrom(contact)), {
    ratedA,
    riseK: usualRiseK,
    thermalS: usualThermalS,
    today,
    points,
    airC,
    alarmC: temperatureAlarmC,
    daily: dailyContacts,
    ...(facts && { fits: facts.contactFits }),
  })
}

/** Days from the first that a line is compared with; they are in order. */
const learnt = <Day extends { readonly day: number }>(days: readonly Day[], first: number): readonly Day[] =>
  (days[0]?.day ?? first) >= first ? days : days.filter(({ day }) => day >= first)

/** The hours from a day on. */
function from(hours: LineHours, day: number): LineHours {
  const [begin] = spanOfDays(hours, day, day)
  if (begin === 0) return hours
  const cut = (column: Float32Array) => column.subarray(begin)
  return {
    hour: hours.hour.subarray(begin),
    day: hours.day.subarray(begin),
    slot: hours.slot.subarray(begin),
    counts: hours.counts.subarray(begin),
    squareA2: hours.squareA2.map(cut),
    maxA: hours.maxA.map(cut),
    terminalC: hours.terminalC.map(cut),
    residualMa: cut(hours.residualMa),
  }
}

/** The gravest finding of several points; where there is none sound, unless none of them could say anything. */
export function worstOutcome(outcomes: readonly Outcome[]): Outcome {
  const findings = outcomes.filter(isFinding)
  const worst = findings.reduce<(typeof findings)[number] | null>(
    (found, each) => (found === null || warningLevels.indexOf(each.level) > warningLevels.indexOf(found.level) ? each : found),
    null,
  )
  return worst ?? (outcomes.some((each) => each === null) ? null : (outcomes.find(isNotEvaluated) ?? null))
}
