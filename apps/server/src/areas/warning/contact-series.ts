import type { Reply, warningDetails } from '@linewarden/contract'
import type { ContactFit, LineHours, LineKind, Params } from '@linewarden/rules/warning'
import {
  type contact,
  contactDays,
  feltLoads,
  fitContact,
  isNotEvaluated,
  loadOfDay,
  spanOfDays,
  usualRiseK,
  usualThermalS,
} from '@linewarden/rules/warning'
import type { PlantLine } from '../../plant/plant.ts'
import type { FeatureRow } from '../../store/warning/feature.ts'
import type { FindingRow } from '../../store/warning/finding.ts'
import { dayText, shownDay } from './line-facts.ts'

type ContactSeries = NonNullable<Reply<typeof warningDetails>['Contact']>

const minHours = 24
/** Standard deviations on either side of 90 % of a normal distribution. */
const ninety = 1.645

interface Facts {
  readonly line: PlantLine
  readonly kind: LineKind
  readonly hours: LineHours
  readonly features: readonly FeatureRow[]
  /** The last day that is drawn. */
  readonly until: number
  readonly params: Params<typeof contact>
}

/** What the picture of a hot contact is drawn from: the week up to its last look, as its detector fits it; null: the line has no In. */
export function contactSeries({ evidence }: FindingRow, facts: Facts): ContactSeries | null {
  const { line, kind, hours, features, until, params } = facts
  const { ratedA } = kind
  if (ratedA === null || hours.squareA2.length === 0) return null
  const span = spanOfDays(hours, until - contactDays + 1, until)
  const loads = feltLoads(hours, span, { ratedA, riseK: usualRiseK, thermalS: usualThermalS })
  // The neutral of three phases carries a current that nobody measures.
  const count = loads.length === 1 ? Math.min(2, hours.terminalC.length) : Math.min(loads.length, hours.terminalC.length)
  const terminals = Array.from({ length: count }, (_, terminal) => terminal)
  const fits = terminals.map((terminal) => {
    const fit = fitContact(params, hours, span, { riseK: usualRiseK, terminal, minHours, loads })
    return isNotEvaluated(fit) ? null : fit
  })
  const own = fits.reduce<ContactFit | null>((most, fit) => (fit && fit.excessK > (most?.excessK ?? 0) ? fit : most), null)
  return {
    RatedA: ratedA,
    Load: own?.load ?? null,
    Counted: own?.hours ?? 0,
    Excluded: excludedHours(facts, span, loads),
    AlarmC: kind.temperatureAlarmC,
    Phases: terminals.map((terminal) => {
      const point = kind.terminalPoints[terminal] ?? ''
      const fit = fits[terminal] ?? null
      return {
        Point: point,
        Label: line.device.family.points.find(({ key }) => key === point)?.label ?? { zh: point, en: point },
        Hours: hoursOfTerminal(hours, span, { loads, terminal, terminals, fit, minLoad: params.minCurrentShare ** 2 }),
        ExcessK: fit?.excessK ?? null,
        ErrorK: fit?.errorK ?? null,
        RiseK: fit?.riseK ?? null,
        AtPeakK: fit ? fit.excessK * fit.load : null,
        Daily: features.map((row) => dailyOf(row, kind, terminal)),
      }
    }),
    ToLimit: evidence.toLimit && {
      Lo: evidence.toLimit.lo,
      Mid: evidence.toLimit.mid,
      Hi: evidence.toLimit.hi,
      Confidence: evidence.toLimit.confidence,
    },
  }
}

interface Terminal {
  readonly loads: readonly Float64Array[]
  readonly terminal: number
  readonly terminals: readonly number[]
  readonly fit: ContactFit | null
  readonly minLoad: number
}

/** Each hour of the fit: the square of its current, and the rise above the air that the other terminals at their own load speak of. */
function hoursOfTerminal(
  hours: LineHours,
  [from, to]: readonly [number, number],
  { loads, terminal, terminals, fit, minLoad }: Terminal,
): ContactSeries['Phases'][number]['Hours'] {
  const made: ContactSeries['Phases'][number]['Hours'] = []
  const loadAt = (of: number, i: number) => loads[Math.min(of, loads.length - 1)]?.[i] ?? Number.NaN
  const others = terminals.filter((each) => each !== terminal)
  const riseK = fit?.riseK ?? usualRiseK
  for (let i = 0; i < to - from; i++) {
    const x = loadAt(terminal, i)
    if (hours.counts[from + i] !== 1 || !(x >= minLoad)) continue
    const airC =
      others.reduce((sum, each) => sum + (hours.terminalC[each]?.[from + i] ?? Number.NaN) - riseK * loadAt(each, i), 0) /
      others.length
    const y = (hours.terminalC[terminal]?.[from + i] ?? Number.NaN) - airC
    if (!Number.isNaN(y)) made.push({ Day: dayText(hours.day[from + i] ?? 0), X: x, Y: y })
  }
  return made
}

function dailyOf(row: FeatureRow, kind: LineKind, terminal: number) {
  const [excess, error] = [row.excess_k[terminal] ?? null, row.excess_error_k[terminal] ?? null]
  const load = loadOfDay(shownDay(row), kind, terminal)
  const at = (kelvin: number) => (load === null || load === 0 ? null : kelvin * load)
  const known = excess !== null && error !== null
  return {
    Day: dayText(row.day),
    AtPeakK: known ? at(excess) : null,
    Lo: known ? at(excess - ninety * error) : null,
    Hi: known ? at(excess + ninety * error) : null,
  }
}

/** Hours of the week that no fit is made of, by why. */
function excludedHours(
  { hours, features, until, params }: Facts,
  [from, to]: readonly [number, number],
  loads: readonly Float64Array[],
): ContactSeries['Excluded'] {
  const opened = new Set(features.filter((row) => row.opened).map(({ day }) => day))
  const minLoad = params.minCurrentShare ** 2
  const counts = { lowLoad: 0, coverage: Math.max(0, contactDays * 24 - (to - from)), open: 0 }
  for (let i = 0; i < to - from; i++) {
    if (hours.counts[from + i] !== 1) counts[opened.has(hours.day[from + i] ?? until) ? 'open' : 'coverage'] += 1
    else if (!loads.some((each) => (each[i] ?? Number.NaN) >= minLoad)) counts.lowLoad += 1
  }
  return (['lowLoad', 'coverage', 'open'] as const).flatMap((Reason) =>
    counts[Reason] > 0 ? [{ Reason, Hours: counts[Reason] }] : [],
  )
}
