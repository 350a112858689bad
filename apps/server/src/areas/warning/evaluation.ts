import type { ZoneClock } from '@linewarden/contract'
import { tagsInForce } from '@linewarden/rules/control'
import type {
  DailyContact,
  LineAtNight,
  LineHours,
  LineKind,
  NightOutcomes,
  ParamsOf,
  WarningDetector,
} from '@linewarden/rules/warning'
import {
  arcPrecursorDays,
  callsByLook,
  contact,
  evaluateLine,
  isFinding,
  lastSunday,
  leakageDriftDays,
  leakageStepDays,
  lineKind,
  sundaysBefore,
  weeklyPeak,
} from '@linewarden/rules/warning'
import type pg from 'pg'
import type { PlantLine } from '../../plant/plant.ts'
import type { Announced } from '../../store/alarm/event-write.ts'
import { testsIn, voltagesOf } from '../../store/warning/day-source.ts'
import { writeWeeks } from '../../store/warning/day-write.ts'
import type { FindingStep, NewerEvidence } from '../../store/warning/finding-write.ts'
import { renewEvidence, writeFindings } from '../../store/warning/finding-write.ts'
import type { LineLook, OpenFinding } from '../../store/warning/look-write.ts'
import { firstDaysOf, openFindings, storedBaselines, storedLooks, writeLooks } from '../../store/warning/look-write.ts'
import { storedDays, storedExcess, storedHours, storedWeeks } from '../../store/warning/window.ts'
import { stretchOf, voltageMeans } from './day-maker.ts'
import { findingDraft, placeOfLine, returnDraft } from './finding-draft.ts'
import { followLook, isAnother, placeOf, reasonOf, storedOutcomes, uncalled } from './night-look.ts'
import { airOfGateways, currentsFrom, residualDays, windowOf } from './night-window.ts'
import type { IsRestDay } from './rest-days.ts'
import { restDaysOf } from './rest-days.ts'
import type { RulesInForce } from './rules-in-force.ts'

interface Night {
  readonly day: number
  readonly clock: ZoneClock
  readonly now: number
  /** The newest day that has ended by now. */
  readonly finished: number
}

/** By whose calendar each line has its days off. */
type RestDays = (line: PlantLine) => IsRestDay

/** Days of features that detectors look back. */
const featureDays = Math.max(leakageStepDays, leakageDriftDays, arcPrecursorDays)

/**
 * Evaluates lines of which a day was made, in the caller's transaction. A day before the last one that was evaluated came late: the last one
 * is looked at again as if it had come in time, and whatever that finds calls for nobody; nor does what is found of a day that others follow.
 */
export async function evaluateLines(
  client: pg.ClientBase,
  lines: readonly PlantLine[],
  night: Night,
  { rules }: { readonly rules: RulesInForce },
): Promise<Announced> {
  const looks = await storedLooks(
    client,
    lines.map(({ id }) => id),
  )
  const restDays = await restDaysOf(client, lines)
  await remakeWeek(client, lines, night, restDays)
  const [steps, newer]: [FindingStep[], NewerEvidence[]] = [[], []]
  const byDay = Map.groupBy(lines, ({ id }) => Math.max(night.day, looks.get(id)?.day ?? night.day))
  for (const [today, own] of byDay) {
    const found = await evaluateOn(client, own, today, looks, { ...night, restDays }, rules)
    steps.push(...found.steps)
    newer.push(...found.newer)
  }
  const announced = await writeFindings(client, steps, night.now)
  await renewEvidence(client, newer, night.now)
  return announced
}

/** The week that a day lies in, once it has ended. */
async function remakeWeek(
  client: pg.ClientBase,
  lines: readonly PlantLine[],
  { day, clock, now }: Night,
  restDays: RestDays,
): Promise<void> {
  const sunday = lastSunday(day + 6)
  if (clock.moment((sunday + 1) * 86_400_000) > now) return
  const ids = lines.map(({ id }) => id)
  const stored = await storedHours(client, ids, { from: sunday - 6, currentsFrom: sunday - 6, to: sunday })
  const weeks = lines.flatMap((line) => {
    const kind = kindOf(line)
    const days = stored.get(line.id)
    if (!days || kind.currentPoints.length === 0) return []
    const hours = windowOf(kind, days, { local: clock.local, isRestDay: restDays(line) })
    return [{ lineId: line.id, peakA: kind.currentPoints.map((_, phase) => weeklyPeak(hours, phase, sunday)) }]
  })
  if (weeks.length > 0) await writeWeeks(client, sunday, weeks)
}

const kindOf = (line: PlantLine): LineKind =>
  lineKind({ ...line.device, ratedCurrentA: line.ratedCurrentA, reported: line.reported })

/** What the database has of the lines of a batch. */
type Stored = Awaited<ReturnType<typeof readStored>>

async function readStored(
  client: pg.ClientBase,
  lines: readonly PlantLine[],
  today: number,
  { clock, restDays }: Night & { readonly restDays: RestDays },
  looks: ReadonlyMap<number, LineLook>,
) {
  const stretch = stretchOf(today, clock.moment)
  const ids = lines.map(({ id }) => id)
  const currents = [...new Set(lines.map(restDays))].map((isRestDay) => currentsFrom(today, isRestDay))
  return {
    hours: await storedHours(client, ids, { from: today - residualDays, currentsFrom: Math.min(...currents), to: today }),
    days: await storedDays(client, ids, { from: today - featureDays, to: today }),
    weeks: await storedWeeks(client, ids, sundaysBefore(today)),
    voltages: await voltagesOf(client, ids, stretch),
    tests: await testsIn(client, ids, { begins: 0, ends: stretch.ends }),
    baselines: await storedBaselines(client, ids),
    first: await firstDaysOf(
      client,
      ids.filter((id) => !looks.has(id)),
    ),
    open: Map.groupBy(await openFindings(client, ids), ({ lineId }) => lineId),
  }
}

/** What becomes of findings, and of the proof of those that go on. */
interface Found {
  readonly steps: readonly FindingStep[]
  readonly newer: readonly NewerEvidence[]
}

async function evaluateOn(
  client: pg.ClientBase,
  lines: readonly PlantLine[],
  today: number,
  looks: ReadonlyMap<number, LineLook>,
  night: Night & { readonly restDays: RestDays },
  rules: RulesInForce,
): Promise<Found> {
  const stored = await readStored(client, lines, today, night, looks)
  const windows = lines.map((line) => {
    const kind = kindOf(line)
    const isRestDay = night.restDays(line)
    const hours = windowOf(kind, stored.hours.get(line.id) ?? [], { local: night.clock.local, isRestDay })
    return { line, kind, hours, isRestDayNext: isRestDay(today + 1) }
  })
  const air = airOfGateways(windows, today)
  const [steps, newer]: [FindingStep[], NewerEvidence[]] = [[], []]
  const made: LineLook[] = []
  for (const window of windows) {
    const { line, kind } = window
    const look = beginLook(line, kind, today, looks.get(line.id), stored)
    const calls = callsByLook({ day: today, evaluatedBefore: looks.get(line.id)?.day ?? null, finished: night.finished })
    const paramsOf = paramsOfLine(rules, line)
    const atNight = lineAtNight(window, look, stored, { today, now: night.now, airC: air.get(line.device.gateway) ?? null })
    let outcomes = evaluateLine(paramsOf, atNight)
    if (outcomes.get(contact)?.some(isFinding)) {
      const dailyContacts = await contactsOfDays(client, line.id, kind, look.learntFrom, today)
      outcomes = evaluateLine(paramsOf, { ...atNight, dailyContacts })
    }
    const { look: done, ...found } = finishLook(line, kind, outcomes, look, stored.open.get(line.id) ?? [], {
      calls,
      rules,
      now: night.now,
      coverage: atNight.conditions.coverage,
    })
    made.push(done)
    steps.push(...found.steps)
    newer.push(...found.newer)
  }
  await writeLooks(client, made, night.now)
  return { steps, newer }
}

/** The look that begins: what was learnt so far, and anew where the line has another breaker. */
function beginLook(
  line: PlantLine,
  kind: LineKind,
  today: number,
  last: LineLook | undefined,
  { first, days }: Stored,
): LineLook {
  const learntOf = { ratedA: kind.ratedA, tripMa: kind.tripMa, model: line.device.model }
  if (!last) {
    const begun = first.get(line.id)
    const base = { lineId: line.id, day: today, reason: null, outcomes: {}, followed: {}, followedBefore: {} }
    return { ...base, learntFrom: begun?.day ?? today, learntOf, wear: begun?.wear ?? 0, openings: begun?.openings ?? 0 }
  }
  const before = last.day === today ? last.followedBefore : last.followed
  const known = {
    ratedA: learntOf.ratedA ?? last.learntOf.ratedA,
    tripMa: learntOf.tripMa ?? last.learntOf.tripMa,
    model: learntOf.model,
  }
  if (isAnother(last.learntOf, learntOf))
    return { ...last, day: today, learntFrom: today, learntOf: known, followedBefore: {}, wear: 0, openings: 0 }
  const own = days.get(line.id)
  const wasSeen = own?.day.some((day, nth) => day >= last.learntFrom && (own.coverage[nth] ?? 0) > 0)
  // A line that has reported nothing yet, or not for weeks, is learnt from its first day with values on.
  return { ...last, day: today, learntOf: known, learntFrom: wasSeen ? last.learntFrom : today, followedBefore: before }
}

const paramsOfLine = (rules: RulesInForce, line: PlantLine): ParamsOf => {
  const place = { project: line.device.gateway.project, family: line.device.family.key, lineId: line.id }
  return (declaration) => {
    const { enabled, params } = rules.of(declaration, place)
    return enabled ? params : null
  }
}

/** What is said of one group of detectors, as of both that look at the residual current. */
export const groupOf = (key: string): string => key.split('.')[0] ?? key

/** A line with its last weeks. */
interface Window {
  readonly line: PlantLine
  readonly kind: LineKind
  readonly hours: LineHours
  readonly isRestDayNext: boolean
}

function lineAtNight(
  { line, kind, hours, isRestDayNext }: Window,
  look: LineLook,
  stored: Stored,
  { today, now, airC }: { readonly today: number; readonly now: number; readonly airC: number | null },
): LineAtNight {
  const days = stored.days.get(line.id)
  const place = days?.day.indexOf(today) ?? -1
  const coverage = days?.coverage[place] ?? 0
  const baselines = stored.baselines.get(line.id) ?? []
  const weeks = stored.weeks.get(line.id)
  const each = <T>(of: (nth: number, day: number) => T): T[] => (days?.day ?? []).map((day, nth) => of(nth, day))
  return {
    kind,
    today,
    isRestDayNext,
    conditions: {
      // One that was closed for a while has hours that count, and those are looked at.
      open: days?.opened[place] === true && days.hours[place] === 0,
      tagged: tagsInForce(line).length > 0,
      inspected: line.inspectionUntil !== null && line.inspectionUntil > now,
      coverage,
    },
    learntFrom: ({ key }: WarningDetector) =>
      baselines.reduce(
        (from, { detector, fromDay }) => (groupOf(detector) === groupOf(key) ? Math.max(from, fromDay) : from),
        look.learntFrom,
      ),
    hours,
    leakage: each((nth, day) => ({ day, floorMa: days?.floorMa[nth] ?? null, peakMa: days?.peakMa[nth] ?? null })),
    arcs: each((nth, day) => ({ day, hours: days?.arcHours[nth] ?? null })),
    voltages: each((nth, day) => ({
      day,
      knownMinutes: days?.knownMinutes[nth] ?? 0,
      outsideMinutes: days?.outsideMinutes[nth] ?? 0,
    })),
    voltageMeans: voltageMeans(kind, stored.voltages.get(line.id) ?? []),
    weeklyPeaks: kind.currentPoints.map((_, phase) =>
      Float64Array.from(sundaysBefore(today), (sunday) => weeks?.get(sunday)?.[phase] ?? Number.NaN),
    ),
    tests: stored.tests.get(line.id) ?? [],
    wear: { share: look.wear, openings: look.openings },
    airC,
    dailyContacts: [],
  }
}

const contactTrendDays = 35

async function contactsOfDays(
  client: pg.ClientBase,
  lineId: number,
  kind: LineKind,
  learntFrom: number,
  today: number,
): Promise<readonly (readonly DailyContact[])[]> {
  const days = await storedExcess(client, lineId, Math.max(learntFrom, today - contactTrendDays), today)
  return kind.terminalPoints.map((_, terminal) =>
    days.flatMap(({ day, excessK }) => {
      const own = excessK[terminal]
      return own === null || own === undefined ? [] : [{ day, excessK: own }]
    }),
  )
}

/** Follows what was said, and answers the look as it is kept and what becomes of events. */
function finishLook(
  line: PlantLine,
  kind: LineKind,
  outcomes: NightOutcomes,
  look: LineLook,
  open: readonly OpenFinding[],
  {
    calls,
    rules,
    now,
    coverage,
  }: { readonly calls: boolean; readonly rules: RulesInForce; readonly now: number; readonly coverage: number },
): Found & { readonly look: LineLook } {
  const levels = new Map(open.map(({ key, point, level }) => [placeOf(key, point), level]))
  const { followed, changes } = followLook(outcomes, kind, look.followedBefore, levels)
  const at = placeOfLine(line)
  const where = { project: line.device.gateway.project, family: line.device.family.key, lineId: line.id }
  const steps: FindingStep[] = []
  const newer: NewerEvidence[] = []
  for (const { declaration, point, change } of changes) {
    if (change.kind === 'returned') {
      steps.push({ act: 'return', draft: returnDraft(declaration, at, point, now) })
      continue
    }
    const rule = rules.of(declaration, where)
    const proof = { rule, coverage, day: look.day }
    if (change.kind === 'again') {
      const eventId = open.find((each) => each.key === declaration.key && each.point === point)?.eventId
      if (eventId !== undefined) newer.push({ eventId, evidence: change.finding.evidence, ...proof })
      continue
    }
    const finding = { ...change.finding, point, level: change.level }
    const act = change.kind === 'raised' ? 'raise' : 'graver'
    steps.push({ act, draft: findingDraft(declaration, at, finding, rule, now), finding, ...proof, isLate: !calls })
  }
  if (calls)
    for (const { declaration, eventId, finding } of uncalled(open, outcomes, kind)) {
      const draft = findingDraft(declaration, at, finding, rules.of(declaration, where), now)
      steps.push({ act: 'call', draft, eventId })
    }
  const kept = storedOutcomes(outcomes)
  return { look: { ...look, followed, outcomes: kept, reason: reasonOf(kept) }, steps, newer }
}
