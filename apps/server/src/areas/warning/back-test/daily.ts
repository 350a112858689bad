import type { ZoneClock } from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import type {
  BackTestFinding,
  FollowedFinding,
  LineAtNight,
  LineBackTest,
  LineHours,
  LineKind,
  NotEvaluatedReason,
  Outcome,
  WarningDetector,
} from '@linewarden/rules/warning'
import {
  arcPrecursor,
  arcPrecursorDays,
  contact,
  evaluateLine,
  followFinding,
  hoursBetween,
  isNotEvaluated,
  leakageDrift,
  leakageDriftDays,
  leakageStep,
  leakageStepDays,
  loadAgain,
  loadGrowth,
  measures,
  newNightFacts,
  nothingFollowed,
  releaseSlow,
  sundaysBefore,
  unbalance,
  voltageRange,
  wear,
} from '@linewarden/rules/warning'
import type pg from 'pg'
import type { PlantLine } from '../../../plant/plant.ts'
import { testsIn, voltagesOf } from '../../../store/warning/day-source.ts'
import { firstDaysOf, storedBaselines, storedLooks } from '../../../store/warning/look-write.ts'
import type { DayColumn, HoursColumn } from '../../../store/warning/window.ts'
import { storedDays, storedHours, storedWeeks, wearOfDays } from '../../../store/warning/window.ts'
import { stretchOf, voltageMeans } from '../day-maker.ts'
import { groupOf } from '../evaluation.ts'
import { clockOf, kindOfLine } from '../line-facts.ts'
import { outcomeOf, pointsOf } from '../night-look.ts'
import { currentsFrom, residualDays, windowOf } from '../night-window.ts'
import type { IsRestDay } from '../rest-days.ts'
import { restDaysOf } from '../rest-days.ts'
import type { Tried, TriedOut } from './trial.ts'
import { isFor, nothingOf } from './trial.ts'

/** Days before the stretch that are looked at, so that what was open when it began raises nothing. */
const warmUpDays = 7
const featureDays = Math.max(leakageStepDays, leakageDriftDays, arcPrecursorDays)

/** What of a day is read for any detector, and what more for some. */
const everyColumn: readonly DayColumn[] = ['day', 'hours', 'coverage', 'opened']
const moreColumns: Readonly<Record<string, readonly DayColumn[]>> = {
  [leakageStep.key]: ['floorMa'],
  [leakageDrift.key]: ['floorMa'],
  [arcPrecursor.key]: ['arcHours'],
  [voltageRange.key]: ['knownMinutes', 'outsideMinutes'],
}

/** What of its hours. */
const hoursColumns: Readonly<Record<string, readonly HoursColumn[]>> = {
  [leakageStep.key]: ['residualMa'],
  [contact.key]: ['squareA2', 'terminalC'],
  [loadAgain.key]: ['maxA'],
}

/** Local days of a stretch in one zone, both included, and the first that is looked at. */
interface Days {
  readonly first: number
  readonly from: number
  readonly to: number
}

/** Tries out a detector that looks once a day, by the same functions as the night does. */
export async function tryDaily({ client, lines, detector, trials, from, to, pace }: Tried): Promise<TriedOut> {
  const results: LineBackTest[][] = trials.map(() => [])
  const byZone = Map.groupBy(lines, ({ device }) => device.gateway.project.timeZone)
  for (const [timeZone, own] of byZone) {
    const clock = clockOf(timeZone)
    // The day that is not over yet is not looked at.
    const days = {
      first: Math.floor(clock.local(from) / dayMs) - warmUpDays,
      from: Math.floor(clock.local(from) / dayMs),
      to: Math.floor(clock.local(to) / dayMs) - 1,
    }
    const restDays = await restDaysOf(client, own)
    const stored = await read(client, own, detector, days, { clock, restDays })
    for (const line of own) {
      const nights = nightsOf(line, stored, detector, days, {
        local: clock.local,
        moment: clock.moment,
        isRestDay: restDays(line),
      })
      for (const [nth, trial] of trials.entries()) {
        if (!isFor(trial, line)) continue
        if (!measures(detector.key, nights.kind)) results[nth]?.push(nothingOf(line.id, 'notMeasured', days.to - days.from + 1))
        else results[nth]?.push(follow(line.id, nights, detector, trial.params, days))
        await pace.rest()
      }
    }
  }
  return results
}

type Stored = Awaited<ReturnType<typeof read>>

/** Everything that a detector looks at, and no more. */
async function read(
  client: pg.ClientBase,
  lines: readonly PlantLine[],
  detector: WarningDetector,
  days: Days,
  { clock, restDays }: { readonly clock: ZoneClock; readonly restDays: (line: PlantLine) => IsRestDay },
) {
  const ids = lines.map(({ id }) => id)
  const { key } = detector
  const looks = await storedLooks(client, ids)
  const hours = hoursColumns[key]
  const firstOf = () => Math.min(...[...new Set(lines.map(restDays))].map((each) => currentsFrom(days.first, each)))
  const fromDay = key === leakageStep.key ? days.to + 1 : firstOf()
  const residualFrom = key === leakageStep.key ? days.first - residualDays : fromDay
  return {
    looks,
    days: await storedDays(client, ids, { from: days.first - (moreColumns[key] ? featureDays : 0), to: days.to }, [
      ...everyColumn,
      ...(moreColumns[key] ?? []),
    ]),
    hours: hours ? await storedHours(client, ids, { from: residualFrom, currentsFrom: fromDay, to: days.to }, hours) : null,
    weeks: key === loadGrowth.key ? await storedWeeks(client, ids, sundaysOf(days)) : null,
    voltages:
      key === unbalance.key
        ? await voltagesOf(client, ids, {
            begins: stretchOf(days.first, clock.moment).begins,
            ends: stretchOf(days.to, clock.moment).ends,
          })
        : null,
    tests:
      key === releaseSlow.key ? await testsIn(client, ids, { begins: 0, ends: stretchOf(days.to, clock.moment).ends }) : null,
    wear: key === wear.key ? await wearOfDays(client, ids, days.first) : null,
    baselines: await storedBaselines(client, ids),
    firstDays: await firstDaysOf(
      client,
      ids.filter((id) => !looks.has(id)),
    ),
  }
}

const sundaysOf = ({ first, to }: Days): readonly number[] => {
  const all = new Set<number>()
  for (let day = first; day <= to; day++) for (const sunday of sundaysBefore(day)) all.add(sunday)
  return [...all]
}

interface Nights {
  readonly kind: LineKind
  /** Null: nothing of that day is kept. */
  readonly at: (day: number) => LineAtNight | null
}

/** A line as it was at the end of each of the days. */
function nightsOf(
  line: PlantLine,
  stored: Stored,
  { key }: WarningDetector,
  range: Days,
  { local, moment, isRestDay }: Pick<ZoneClock, 'local' | 'moment'> & { readonly isRestDay: IsRestDay },
): Nights {
  const kind = kindOfLine(line)
  const days = stored.days.get(line.id)
  const hours = stored.hours ? windowOf(kind, stored.hours.get(line.id) ?? [], { local, isRestDay }) : null
  const look = stored.looks.get(line.id)
  const learntFrom = look?.learntFrom ?? stored.firstDays.get(line.id)?.day ?? range.to
  const baselines = stored.baselines.get(line.id) ?? []
  const weeks = stored.weeks?.get(line.id)
  const tests = stored.tests?.get(line.id) ?? []
  const each = <T>(column: readonly unknown[] | undefined, of: (nth: number, day: number) => T): T[] =>
    column?.length ? (days?.day ?? []).map((day, nth) => of(nth, day)) : []
  const known = {
    leakage: each(days?.floorMa, (nth, day) => ({ day, floorMa: days?.floorMa[nth] ?? null, peakMa: null })),
    arcs: each(days?.arcHours, (nth, day) => ({ day, hours: days?.arcHours[nth] ?? null })),
    voltages: each(days?.knownMinutes, (nth, day) => ({
      ...{ day, knownMinutes: days?.knownMinutes[nth] ?? 0, outsideMinutes: days?.outsideMinutes[nth] ?? 0 },
    })),
  }
  const places = new Map(days?.day.map((day, nth) => [day, nth]))
  const made = new Map<number, LineAtNight | null>()
  return {
    kind,
    at(today) {
      const known = made.get(today)
      if (known !== undefined) return known
      const night = nightOf(today)
      made.set(today, night)
      return night
    },
  }

  function nightOf(today: number): LineAtNight | null {
    const place = places.get(today)
    if (place === undefined) return null
    const { begins, ends } = key === unbalance.key || key === releaseSlow.key ? stretchOf(today, moment) : { begins: 0, ends: 0 }
    return {
      ...known,
      ...{ kind, today, isRestDayNext: isRestDay(today + 1), airC: null, dailyContacts: [], facts: newNightFacts() },
      // Tags and inspections of the past are not asked for: what the line measured then is.
      conditions: {
        open: days?.opened[place] === true && days.hours[place] === 0,
        ...{ tagged: false, inspected: false, coverage: days?.coverage[place] ?? 0 },
      },
      learntFrom: (declaration) =>
        baselines.reduce(
          (from, baseline) => (groupOf(baseline.detector) === groupOf(declaration.key) ? Math.max(from, baseline.fromDay) : from),
          learntFrom,
        ),
      hours: hours
        ? hoursBetween(hours, key === leakageStep.key ? today - residualDays : currentsFrom(today, isRestDay), today)
        : noHours,
      voltageMeans: stored.voltages
        ? voltageMeans(
            kind,
            (stored.voltages.get(line.id) ?? []).filter(({ hour }) => hour * hourMs >= begins && hour * hourMs < ends),
          )
        : [],
      weeklyPeaks: weeks
        ? kind.currentPoints.map((_, phase) =>
            Float64Array.from(sundaysBefore(today), (sunday) => weeks.get(sunday)?.[phase] ?? Number.NaN),
          )
        : [],
      tests: tests.filter(({ at }) => at < ends),
      wear: wearAt(stored, line.id, today),
    }
  }
}

const noHours: LineHours = {
  ...{ hour: new Int32Array(), day: new Int32Array(), slot: new Uint8Array(), counts: new Uint8Array() },
  ...{ squareA2: [], maxA: [], terminalC: [], residualMa: new Float32Array() },
}

/** What the openings up to a day took of a breaker: all of them, without those that came later. */
function wearAt({ looks, firstDays, wear }: Stored, lineId: number, today: number): LineAtNight['wear'] {
  const all = looks.get(lineId) ?? firstDays.get(lineId) ?? { wear: 0, openings: 0 }
  const later = (wear?.get(lineId) ?? []).filter(({ day }) => day > today)
  return {
    share: all.wear - later.reduce((sum, each) => sum + each.wear, 0),
    openings: all.openings - later.reduce((sum, each) => sum + each.openings, 0),
  }
}

/** Follows one rule from day to day. */
function follow(
  lineId: number,
  nights: Nights,
  detector: WarningDetector,
  params: Readonly<Record<string, number>>,
  { first, from, to }: Days,
): LineBackTest {
  const findings: (BackTestFinding & { hours: number })[] = []
  const evaluated = new Set<number>()
  const reasons = new Map<NotEvaluatedReason, number>()
  const points = pointsOf(detector, nights.kind)
  const places = points.map(() => ({
    followed: nothingFollowed as FollowedFinding,
    open: null as (typeof findings)[number] | null,
  }))
  for (let day = first; day <= to; day++) {
    const night = nights.at(day)
    const own = night
      ? evaluateLine((declaration) => (declaration.key === detector.key ? (params as never) : null), night).get(detector)
      : undefined
    if (day >= from) noteDay(own, night !== null, { day, evaluated, reasons })
    // A day that nobody could look at is no look.
    if (!night) continue
    for (const [nth, place] of places.entries()) {
      const answer = followFinding(place.followed, own === undefined ? null : outcomeOf(own, nth), detector.looks)
      place.followed = answer.followed
      if (answer.change?.kind === 'raised') {
        place.open = { point: points[nth] ?? null, day, hours: 0 }
        if (day >= from) findings.push(place.open)
      } else if (answer.change?.kind === 'returned' && place.open) {
        place.open.hours = 24 * (day - place.open.day)
        place.open = null
      }
    }
  }
  for (const { open } of places) if (open) open.hours = 24 * (to + 1 - open.day)
  return { lineId, findings, evaluated, reasons }
}

function noteDay(
  own: readonly Outcome[] | undefined,
  isKept: boolean,
  { day, evaluated, reasons }: { day: number; evaluated: Set<number>; reasons: Map<NotEvaluatedReason, number> },
): void {
  const why = own?.find(isNotEvaluated)
  if (own?.some((each) => !isNotEvaluated(each))) evaluated.add(day)
  else {
    const reason = why?.notEvaluated ?? (isKept ? 'notMeasured' : 'coverage')
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
}
