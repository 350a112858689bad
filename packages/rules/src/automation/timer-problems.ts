import { parseDate, parseTime } from './civil-time.ts'
import type { DefinitionProblem, NamedLine } from './definition-problem.ts'
import { lineProblems, nameProblems, rangeProblems, tooMany } from './definition-problem.ts'
import type { ProjectTime } from './occurrences.ts'
import { nextDue } from './occurrences.ts'
import type { Period, Schedule, TimerException, TimerFunction, TimerPoint } from './timer.ts'
import { timerFunctions } from './timer.ts'

export const maxTimerPoints = 8
export const maxTimerLines = 500
export const maxExceptions = 60
export const maxProjectTimers = 2_000
const maxSunOffsetMin = 180

/** `unknown`: not there, of another project, or not to be seen by whoever saves. `part`: they do not see each of its lines. `disabled`: an enabled timer would run nothing. */
export type NamedScene = 'fits' | 'unknown' | 'part' | 'disabled'

const sceneProblemKeys = { unknown: 'scene not exists', part: 'scene seen in part', disabled: 'scene disabled' } as const

/** A timer as a person wants to save it; null: not filled in. */
export interface TimerDraft {
  readonly name: string
  readonly function: TimerFunction | null
  readonly period: Period | null
  readonly points: readonly TimerPoint[]
  readonly exceptions: readonly TimerException[]
  /** By key; null: not there, or not to be seen by whoever saves. */
  readonly lines: ReadonlyMap<string, NamedLine | null>
  /** The scene of the project that it is to run; null: none is named. */
  readonly scene: NamedScene | null
}

/** Everything that is wrong with a timer, all at once; empty: it may be saved as far as it is about itself. */
export function timerProblems(
  draft: TimerDraft,
  time: ProjectTime,
  timersOfProject: number,
  now: number,
): readonly DefinitionProblem[] {
  const found = [
    ...nameProblems(draft.name),
    ...(draft.function === null ? [{ key: 'function missing', field: 'Function' } as const] : []),
    ...periodProblems(draft.period),
    ...pointProblems(draft.points, 'Points', draft, time),
    ...exceptionProblems(draft, time),
    ...targetProblems(draft),
    ...tooMany('HouseID', 'timers', timersOfProject + 1, maxProjectTimers),
  ]
  return found.length === 0 && isPast(draft, time, now) ? [{ key: 'timer past', field: 'Period.Date' }] : found
}

function isPast({ period, points }: TimerDraft, time: ProjectTime, now: number): boolean {
  if (period?.type !== 'once') return false
  const schedule: Schedule = { period, points, exceptions: [], skipNext: null }
  // On a date that the zone never had, nothing is due either.
  return nextDue(schedule, time, now) === null
}

function periodProblems(period: Period | null): readonly DefinitionProblem[] {
  if (!period) return [{ key: 'type missing', field: 'Type' }]
  const found: DefinitionProblem[] = [...datesProblems(period.fromDate, period.toDate, 'Period')]
  switch (period.type) {
    case 'once':
      if (parseDate(period.date) === null) found.push({ key: 'date wrong', field: 'Period.Date' })
      break
    case 'calendar':
      if (period.classes.length === 0) found.push({ key: 'period missing', field: 'Period.Classes' })
      break
    case 'monthly':
      if (period.days.length === 0) found.push({ key: 'period missing', field: 'Period.Days' })
      if (period.days.some((day) => day !== -1 && !(Number.isInteger(day) && day >= 1 && day <= 31)))
        found.push({ key: 'number out of range', field: 'Period.Days', detail: { from: 1, to: 31 } })
      break
    default:
      if (period.days === 0) found.push({ key: 'period missing', field: 'Period.Days' })
      else if (!Number.isInteger(period.days))
        found.push({ key: 'number out of range', field: 'Period.Days', detail: { from: 1, to: 127 } })
      else found.push(...rangeProblems('Period.Days', period.days, 1, 127))
  }
  return found
}

function datesProblems(fromDate: string | null, toDate: string | null, field: string): readonly DefinitionProblem[] {
  const [from, to] = [fromDate, toDate].map((date) => (date === null ? null : parseDate(date)))
  const found: DefinitionProblem[] = []
  if (fromDate !== null && from === null) found.push({ key: 'date wrong', field: `${field}.FromDate` })
  if (toDate !== null && to === null) found.push({ key: 'date wrong', field: `${field}.ToDate` })
  if (from != null && to != null && to < from) found.push({ key: 'dates reversed', field: `${field}.ToDate` })
  return found
}

function pointProblems(
  points: readonly TimerPoint[],
  field: string,
  { function: purpose, period }: TimerDraft,
  { position }: ProjectTime,
): readonly DefinitionProblem[] {
  if (points.length === 0) return [{ key: 'time missing', field }]
  const found: DefinitionProblem[] = [...tooMany(field, 'points', points.length, maxTimerPoints)]
  const times = new Set<string>()
  const numbers = new Set<number>()
  points.forEach(({ pointNo, at, action }, index) => {
    const own = `${field}.${index}`
    if (numbers.has(pointNo)) found.push({ key: 'listed twice', field: `${own}.PointNo` })
    numbers.add(pointNo)
    found.push(...rangeProblems(`${own}.PointNo`, pointNo, 1, maxTimerPoints))
    if (purpose !== null && !timerFunctions[purpose].some((each) => each === action))
      found.push({ key: 'action unknown', field: `${own}.Action`, detail: { action } })
    if (typeof at !== 'string') {
      if (period !== null && period.type !== 'sun') found.push({ key: 'time wrong', field: `${own}.At` })
      else if (position === null) found.push({ key: 'position missing', field: `${own}.At` })
      found.push(...rangeProblems(`${own}.At.OffsetMin`, at.offsetMin, -maxSunOffsetMin, maxSunOffsetMin))
    } else if (parseTime(at) === null) found.push({ key: 'time wrong', field: `${own}.At` })
    const time = typeof at === 'string' ? String(parseTime(at)) : `${at.sun} ${at.offsetMin}`
    if (times.has(time)) found.push({ key: 'timer points clash', field: `${own}.At`, detail: { time: at } })
    times.add(time)
  })
  return found
}

function exceptionProblems(draft: TimerDraft, time: ProjectTime): readonly DefinitionProblem[] {
  const { exceptions } = draft
  const found: DefinitionProblem[] = [...tooMany('Exceptions', 'exceptions', exceptions.length, maxExceptions)]
  exceptions.forEach(({ fromDate, toDate, points }, index) => {
    const own = `Exceptions.${index}`
    found.push(...datesProblems(fromDate, toDate, own))
    if (points !== 'none') found.push(...pointProblems(points, `${own}.Do`, draft, time))
    const overlaps = exceptions.slice(0, index).some((other) => other.fromDate <= toDate && fromDate <= other.toDate)
    if (overlaps) found.push({ key: 'dates overlap', field: `${own}.FromDate` })
  })
  return found
}

function targetProblems({ function: purpose, lines, scene, points, exceptions }: TimerDraft): readonly DefinitionProblem[] {
  if (purpose === 'scene') {
    if (scene === null) return [{ key: 'scene missing', field: 'SceneID' }]
    return scene === 'fits' ? [] : [{ key: sceneProblemKeys[scene], field: 'SceneID' }]
  }
  if (lines.size === 0) return [{ key: 'device missing', field: 'Lines' }]
  const all = [...points, ...exceptions.flatMap((each) => (each.points === 'none' ? [] : each.points))]
  const actions = new Set<string>(all.map(({ action }) => (action === 'test' ? 'selfTest' : action)))
  return [
    ...tooMany('Lines', 'lines', lines.size, maxTimerLines),
    ...[...lines].flatMap(([line, known]) =>
      [...(actions.size === 0 ? [null] : actions)]
        .flatMap((action) => lineProblems(`Lines.${line}`, known, action))
        // A line that is not there is named once.
        .filter(({ key }, index) => index === 0 || key === 'action unknown'),
    ),
  ]
}

/** Monthly days that some months do not have: the page names them when it saves, and offers the last day. */
export const rareMonthDays = (days: readonly number[]): readonly number[] => days.filter((day) => day > 28)
