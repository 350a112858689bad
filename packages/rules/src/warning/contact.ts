import type { ContactContext, ContactFit } from './contact-fit.ts'
import { feltLoads, fitContact } from './contact-fit.ts'
import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { NotEvaluated, Outcome, WarningLevel } from './finding.ts'
import { evidence, isFinding, isNotEvaluated, levelAt } from './finding.ts'
import type { LineHours, Span } from './hours.ts'
import { spanOfDays } from './hours.ts'
import { median } from './statistics.ts'
import type { TimeToLimit } from './time-to-limit.ts'
import { latestRise, timeToLimit } from './time-to-limit.ts'

/** A terminal heats more than its neighbours do at the same current: it is loose, oxidised or burnt. */
export const contact = detector({
  key: 'contact',
  label: { zh: '接点过热', en: 'Hot contact' },
  priority: 'high',
  looks: 2,
  parameters: {
    minCurrentShare: parameter('计入负荷', 'Load that counts', '×In', [0.1, 0.15, 0.5], 'default of ours'),
    minLoad: parameter('可判负荷平方', 'Squared load to evaluate', '×In²', [0.03, 0.06, 0.25], 'measured on synthetic lines'),
    minExcessK: parameter('额定电流下附加温升', 'Excess at rated current', 'K', [4, 8, 40], 'default of ours'),
    significance: parameter('显著性', 'Significance', 'σ', [3, 4, 8], 'measured on synthetic lines'),
    noticeK: parameter('注意值', 'Notice', 'K', [2, 4, 15], 'NETA MTS: 4 to 15 K, probable deficiency'),
    warningK: parameter('预警值', 'Warning', 'K', [8, 15, 40], 'NETA MTS: above 15 K, repair at once'),
  },
})
type HotContactParams = Params<typeof contact>

/** Days that are fitted together, and the hours that there must be of them. */
const windows = [
  { days: 7, minHours: 48 },
  // A contact that came loose yesterday would be outvoted by the days before.
  { days: 3, minHours: 24 },
] as const
/** Days before today that `evaluateContacts` looks at. */
export const contactDays = windows[0].days
/** Hours of one day that are enough for its own fit, of which a trend is made. */
const minHoursOfDay = 8
/** Relative temperature difference from which a contact is an emergency, and the rise below which it is not graded (DL/T 664). */
const emergencyShare = 0.8
const minRiseK = 10

export interface HotContactContext extends ContactContext {
  readonly today: number
  /** Points of the terminals, as in `terminalC`. */
  readonly points: readonly string[]
  /** What the air of the cabinet has: lowest terminals of lines without load on the gateway; null: not known. */
  readonly airC: number | null
  /** The setting `temperature.alarm`; null: not known. */
  readonly alarmC: number | null
  /** Fits of single days, the latest last, by terminal: for the time that is left. */
  readonly daily: readonly (readonly DailyContact[])[]
  /** Where several rules are tried on one night: what was fitted of it already. */
  readonly fits?: ContactFits
}

/** Fits of one night of a line. */
export type ContactFits = Map<string, ContactFit | NotEvaluated>

/** What `line_day` keeps of a terminal. */
export interface DailyContact {
  readonly day: number
  readonly excessK: number
}

/** Evaluates each terminal of a line. What it tells is the excess at the line's own usual peak, in kelvin. */
export function evaluateContacts(params: HotContactParams, hours: LineHours, context: HotContactContext): readonly Outcome[] {
  const [week, recent] = windows.map(({ days, minHours }): FitWindow => {
    const span = spanOfDays(hours, context.today - days + 1, context.today)
    let loads: readonly Float64Array[] | null = null
    return {
      ...{ hours, span, days, minHours },
      loads() {
        loads ??= feltLoads(hours, span, context)
        return loads
      },
    }
  })
  return context.points.map((_, terminal) => {
    const ofWeek = week ? evaluateContact(params, week, terminal, context) : null
    if (ofWeek !== null || !recent) return ofWeek
    const ofDays = evaluateContact(params, recent, terminal, context)
    return isFinding(ofDays) ? ofDays : null
  })
}

interface FitWindow {
  readonly hours: LineHours
  readonly span: Span
  readonly days: number
  readonly minHours: number
  /** `feltLoads` of the span. */
  readonly loads: () => readonly Float64Array[]
}

function fitOf(params: HotContactParams, window: FitWindow, terminal: number, { riseK, fits }: HotContactContext) {
  const { hours, span, days, minHours, loads } = window
  const key = fits ? `${days} ${terminal} ${params.minCurrentShare} ${params.minLoad}` : ''
  const known = fits?.get(key)
  if (known) return known
  const fit = fitContact(params, hours, span, { riseK, terminal, minHours, loads: loads() })
  fits?.set(key, fit)
  return fit
}

function evaluateContact(params: HotContactParams, window: FitWindow, terminal: number, context: HotContactContext): Outcome {
  const fit = fitOf(params, window, terminal, context)
  if (isNotEvaluated(fit)) return fit
  const excessAtPeakK = fit.excessK * fit.load
  const significant = fit.excessK >= params.minExcessK && fit.excessK > params.significance * fit.errorK
  if (!significant || excessAtPeakK < params.noticeK) return null
  return {
    key: contact.key,
    point: context.points[terminal] ?? null,
    level: levelOf(params, fit, expectedC(window, terminal, fit), context),
    evidence: evidence({
      value: excessAtPeakK,
      // A notice is raised below the limit of a warning, which is the one that it may come to.
      limit: excessAtPeakK >= params.warningK ? params.warningK : params.noticeK,
      nextLimit: params.warningK,
      unit: 'K',
      baseline: fit.riseK * fit.load,
      spread: fit.errorK * fit.load,
      ...trendOf(params, context.daily[terminal] ?? [], fit.load),
      used: fit.hours,
    }),
  }
}

/** The fits of one day alone, by terminal; null: too little load or too few hours. */
export function dailyContacts(
  params: HotContactParams,
  hours: LineHours,
  day: number,
  context: ContactContext,
): readonly (DailyContact | null)[] {
  const span = spanOfDays(hours, day, day)
  const loads = feltLoads(hours, span, context)
  return hours.terminalC.map((_, terminal) => {
    const fit = fitContact(params, hours, span, { riseK: context.riseK, terminal, minHours: minHoursOfDay, loads })
    return isNotEvaluated(fit) ? null : { day, excessK: fit.excessK }
  })
}

/** The temperature of a terminal at the line's usual peak, in the air of an usual hour. */
function expectedC({ hours, span: [from], loads }: FitWindow, terminal: number, fit: ContactFit): number {
  const total = fit.riseK + fit.excessK
  const phases = loads()
  const own = phases[Math.min(terminal, phases.length - 1)] ?? new Float64Array()
  const air = own.map((load, i) => (hours.terminalC[terminal]?.[from + i] ?? Number.NaN) - total * load)
  return median(air) + total * fit.load
}

function levelOf(params: HotContactParams, fit: ContactFit, expected: number, { airC, alarmC }: HotContactContext): WarningLevel {
  const excess = fit.excessK * fit.load
  const rise = airC === null ? null : expected - airC
  const emergency = rise !== null && rise >= minRiseK && excess / rise >= emergencyShare
  if (emergency || (alarmC !== null && expected > alarmC)) return 'alarm'
  return levelAt(excess, { warning: params.warningK }) ?? 'notice'
}

function trendOf(
  params: HotContactParams,
  daily: readonly DailyContact[],
  load: number,
): { readonly slope: number | null; readonly toLimit: TimeToLimit | null } {
  const days = daily.map(({ day }) => day)
  const excesses = daily.map(({ excessK }) => excessK * load)
  return { slope: latestRise(days, excesses)?.slope ?? null, toLimit: timeToLimit(days, excesses, params.warningK) }
}
