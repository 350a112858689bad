import { maxLateMs, turnsEndAt } from '@linewarden/rules/automation'
import type { DuePlan, LineKind, PlannedDue } from './due-plan.ts'
import type { Executed, RiseJournal } from './rise-oracle.ts'
import { compareRises, tripDeadlineMs } from './rise-oracle.ts'

/** What is stored of an instant of a timer. */
export interface StoredOutcome {
  /** Of the planned due, by its place; null: nobody planned one. */
  readonly due: number | null
  readonly dueAt: number
  readonly state: string
  readonly why: string | null
  readonly isEnded: boolean
  /** Its orders, and those of the scene that it ran. */
  readonly commandIds: readonly string[]
}

/** From then on the clock by which things are due was so far ahead of the true time. */
export interface ClockStep {
  readonly at: number
  readonly aheadMs: number
}

export interface Journal {
  readonly plan: Pick<DuePlan, 'lines' | 'dues' | 'linkages'>
  readonly runs: readonly StoredOutcome[]
  readonly executed: readonly Executed[]
  readonly clock: readonly ClockStep[]
  /** By when a tag was stored, by the true time. */
  readonly tags: readonly { readonly line: number; readonly at: number }[]
  readonly databaseKills: readonly number[]
  readonly linkages: RiseJournal
  /** What is due from then on has no outcome yet. */
  readonly until: number
}

/** What must not be, each by what it was, so that whoever reads it finds it again. */
export interface Findings {
  readonly closedOutsideWindow: readonly string[]
  /** One order that was executed more than once, or two orders of one line of one instant or rise. */
  readonly operatedTwice: readonly string[]
  /** Instants, rises and delayed actions of which nothing is stored, or that never ended. */
  readonly dueWithoutOutcome: readonly string[]
  readonly refusedOperated: readonly string[]
  readonly taggedClosed: readonly string[]
  readonly trippedLate: readonly string[]
  /** Tripped at the end of one window inside another, though it could be read whose timer that is. */
  readonly trippedWhileWanted: readonly string[]
  /** Runs of instants that nobody planned, and orders that no run knows. */
  readonly unplanned: readonly string[]
}

/** A close that was ordered before the tag came may still be executed: so long its order is valid. */
const closeDeadlineMs = 5_000
/** So soon after it was killed it may not be known who may trip a line: then nothing keeps a trip back. */
const recoveryMs = 20_000
/** Closes of a scene wait for its trips to come to their end, which take their deadline, the proof after it, and the slack of both. */
const sceneCloseMs = 30_000 + (30_000 + 5_000) + 30_000 + 2_000

const happening = ({ id, line, action, at }: Executed): string =>
  `${action} of line ${line} at ${new Date(at).toISOString()}, ${id}`

/** Holds what the equipment did and what is stored against the plan. Nothing else is believed. */
export function compareDues({ plan, runs, executed, clock, tags, databaseKills, linkages, until }: Journal): Findings {
  const { lines, dues } = plan
  const ofRises = compareRises(plan.linkages, linkages, executed, until)
  const dueOfCommand = new Map(runs.flatMap(({ due, commandIds }) => commandIds.map((id) => [id, due] as const)))
  const closedOutsideWindow: string[] = []
  const trippedLate: string[] = []
  const trippedWhileWanted: string[] = []
  const unplanned: string[] = []
  const times = new Map<string, number>()
  for (const each of executed) {
    const { id, line, action, at } = each
    if (ofRises.known.has(id)) continue
    const due = dueOfCommand.get(id) ?? null
    const planned = due === null ? undefined : dues[due]
    if (!planned?.does.some((act) => act.line === line && act.action === action)) {
      unplanned.push(happening(each))
      continue
    }
    const once = `${action} of line ${line} ${named(planned)}`
    times.set(once, (times.get(once) ?? 0) + 1)
    const isKnown = !databaseKills.some((killed) => killed <= at && at - killed < recoveryMs)
    if (planned.isWanted && action === 'trip' && isKnown) trippedWhileWanted.push(`${once}, ${happening(each)}`)
    const to = lastInstant(planned, action)
    const isWithin = shownBetween(clock, at - (to - planned.dueAt), at).some((aheadMs) => {
      const shown = at + aheadMs
      return shown >= planned.dueAt && shown <= to
    })
    if (!isWithin) (action === 'trip' ? trippedLate : closedOutsideWindow).push(`${once}, ${happening(each)}`)
  }
  const instants = new Map<number, number>()
  for (const { due, dueAt } of runs) {
    if (due === null || dues[due]?.dueAt !== dueAt) unplanned.push(`a run of due ${due} at ${new Date(dueAt).toISOString()}`)
    else instants.set(due, (instants.get(due) ?? 0) + 1)
  }
  const ended = new Set(runs.flatMap(({ due, isEnded }) => (isEnded ? [due] : [])))
  const twice = [...times].flatMap(([once, count]) => (count > 1 ? [`${once}, ${count} times`] : []))
  const runTwice = [...instants].flatMap(([due, count]) => (count > 1 ? [`${named(dues[due])}, ${count} runs`] : []))
  const onLines = (kind: LineKind) => executed.filter(({ line }) => lines[line] === kind)
  const taggedAt = new Map(tags.map(({ line, at }) => [line, at]))
  return {
    closedOutsideWindow: [...closedOutsideWindow, ...ofRises.closedOutsideWindow],
    operatedTwice: [...twice, ...ofRises.operatedTwice],
    dueWithoutOutcome: [
      ...dues.flatMap((due, index) => (ended.has(index) || due.dueAt >= until ? [] : [named(due)])),
      ...ofRises.withoutOutcome,
    ],
    refusedOperated: onLines('refused').map(happening),
    taggedClosed: executed
      .filter(
        ({ line, action, at }) => action === 'close' && at > (taggedAt.get(line) ?? Number.POSITIVE_INFINITY) + closeDeadlineMs,
      )
      .map(happening),
    trippedLate: [...trippedLate, ...ofRises.trippedLate],
    trippedWhileWanted,
    unplanned: [...unplanned, ...runTwice],
  }
}

const named = (due: PlannedDue | undefined): string =>
  due ? `of timer d${due.timer} point ${due.pointNo} due ${new Date(due.dueAt).toISOString()}` : 'of no due'

/** Until when what is due may be executed. */
function lastInstant({ dueAt, isScene }: PlannedDue, action: string): number {
  if (action === 'trip') return dueAt + maxLateMs.trip + tripDeadlineMs
  return isScene ? dueAt + sceneCloseMs : turnsEndAt(dueAt, 1, 1_000)
}

/** How far ahead the clock was at any moment of a stretch of true time. */
function shownBetween(clock: readonly ClockStep[], from: number, to: number): readonly number[] {
  const before = clock.findLast(({ at }) => at <= from)?.aheadMs ?? 0
  return [before, ...clock.filter(({ at }) => at > from && at <= to).map(({ aheadMs }) => aheadMs)]
}
