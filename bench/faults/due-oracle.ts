import { maxLateMs, turnsEndAt } from '@linewarden/rules/automation'
import type { LineKind, PlannedDue } from './due-plan.ts'

/** What the equipment did, and when by the true time. */
export interface Executed {
  readonly id: string
  readonly line: number
  readonly action: string
  readonly at: number
}

/** What is stored of an instant of a timer. */
export interface StoredOutcome {
  /** Of the planned due, by its place. */
  readonly due: number
  readonly dueAt: number
  readonly state: string
  readonly why: string | null
  readonly isEnded: boolean
  /** Its orders. */
  readonly commandIds: readonly string[]
}

/** From then on the clock by which things are due was so far ahead of the true time. */
export interface ClockStep {
  readonly at: number
  readonly aheadMs: number
}

export interface Journal {
  readonly lines: readonly LineKind[]
  readonly dues: readonly PlannedDue[]
  readonly runs: readonly StoredOutcome[]
  readonly executed: readonly Executed[]
  readonly clock: readonly ClockStep[]
  /** What is due from then on has no outcome yet. */
  readonly until: number
}

/** What must not be, each by what it was, so that whoever reads it finds it again. */
export interface Findings {
  readonly closedOutsideWindow: readonly string[]
  /** One order that was executed more than once, or two orders of one instant. */
  readonly operatedTwice: readonly string[]
  readonly dueWithoutOutcome: readonly string[]
  readonly refusedOperated: readonly string[]
  readonly taggedClosed: readonly string[]
  readonly trippedLate: readonly string[]
  /** Runs of instants that nobody planned, and orders that no run knows. */
  readonly unplanned: readonly string[]
}

/** A trip is sent again until its own deadline is over. */
const tripDeadlineMs = 30_000

/** Holds what the equipment did and what is stored against the plan. Nothing else is believed. */
export function compareDues({ lines, dues, runs, executed, clock, until }: Journal): Findings {
  const dueOfCommand = new Map(runs.flatMap(({ due, commandIds }) => commandIds.map((id) => [id, due] as const)))
  const named = (due: number, more = '') => {
    const { line, action, dueAt } = dues[due] as PlannedDue
    return `${action} of line ${line} due ${new Date(dueAt).toISOString()}${more}`
  }
  const closedOutsideWindow: string[] = []
  const trippedLate: string[] = []
  const unplanned: string[] = []
  const times = new Map<number, number>()
  for (const { id, line, action, at } of executed) {
    const due = dueOfCommand.get(id)
    const planned = due === undefined ? undefined : dues[due]
    if (due === undefined || !planned || planned.line !== line || planned.action !== action) {
      unplanned.push(`${action} of line ${line} at ${new Date(at).toISOString()}, ${id}`)
      continue
    }
    times.set(due, (times.get(due) ?? 0) + 1)
    const isTrip = action === 'trip'
    const to = isTrip ? planned.dueAt + maxLateMs.trip + tripDeadlineMs : turnsEndAt(planned.dueAt, 1, 1_000)
    const isWithin = shownBetween(clock, at - (to - planned.dueAt), at).some((aheadMs) => {
      const shown = at + aheadMs
      return shown >= planned.dueAt && shown <= to
    })
    if (!isWithin) (isTrip ? trippedLate : closedOutsideWindow).push(named(due, ` at ${new Date(at).toISOString()}`))
  }
  const instants = new Map<number, number>()
  for (const { due, dueAt } of runs) {
    if (dues[due]?.dueAt !== dueAt) unplanned.push(`a run of due ${due} at ${new Date(dueAt).toISOString()}`)
    instants.set(due, (instants.get(due) ?? 0) + 1)
  }
  const ended = new Set(runs.flatMap(({ due, isEnded }) => (isEnded ? [due] : [])))
  const onLines = (kind: LineKind) => executed.filter(({ line }) => lines[line] === kind)
  const happening = ({ id, line, action }: Executed) => `${action} of line ${line}, ${id}`
  return {
    closedOutsideWindow,
    operatedTwice: [...times].flatMap(([due, count]) => (count > 1 ? [named(due, `, ${count} times`)] : [])),
    dueWithoutOutcome: dues.flatMap(({ dueAt }, due) => (ended.has(due) || dueAt >= until ? [] : [named(due)])),
    refusedOperated: onLines('refused').map(happening),
    taggedClosed: onLines('tagged')
      .filter(({ action }) => action === 'close')
      .map(happening),
    trippedLate,
    unplanned: [...unplanned, ...[...instants].flatMap(([due, count]) => (count > 1 ? [named(due, `, ${count} runs`)] : []))],
  }
}

/** How far ahead the clock was at any moment of a stretch of true time. */
function shownBetween(clock: readonly ClockStep[], from: number, to: number): readonly number[] {
  const before = clock.findLast(({ at }) => at <= from)?.aheadMs ?? 0
  return [before, ...clock.filter(({ at }) => at > from && at <= to).map(({ aheadMs }) => aheadMs)]
}
