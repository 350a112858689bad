import { maxLateMs, turnsEndAt } from '@linewarden/rules/automation'
import type { DuePlan } from './due-plan.ts'
import { closeDelayMs } from './due-plan.ts'

/** What the equipment did, and when by the true time. */
export interface Executed {
  readonly id: string
  readonly line: number
  readonly action: string
  readonly at: number
}

/** When load flowed on the source of a linkage, by the true time. `mustAct`: whatever evaluates it could know. */
export interface Rise {
  readonly linkage: number
  readonly from: number
  readonly to: number
  readonly mustAct: boolean
}

/** A run of a linkage; `isLater`: of its delayed action. */
export interface LinkageRun {
  readonly linkage: number
  readonly isLater: boolean
  readonly isEnded: boolean
  readonly commandIds: readonly string[]
}

export interface RiseJournal {
  readonly rises: readonly Rise[]
  readonly runs: readonly LinkageRun[]
  /** By linkage how often it is stored that it rose and why it did not act. */
  readonly near: ReadonlyMap<number, number>
  /** Delayed actions that are due and still wait, by their linkage. */
  readonly left: readonly number[]
}

interface RisesFound {
  /** Orders of linkages. */
  readonly known: ReadonlySet<string>
  readonly closedOutsideWindow: readonly string[]
  readonly operatedTwice: readonly string[]
  readonly withoutOutcome: readonly string[]
  readonly trippedLate: readonly string[]
}

/** A trip is sent again until its own deadline is over. */
export const tripDeadlineMs = 30_000
/** What came in is evaluated within seconds, also where a gateway has just come to another server. */
const evaluatedMs = 5_000
/** A clock of milliseconds is read twice on the way. */
const slackMs = 1_000

/** Compares what linkages did with what was made to happen: each rise trips once, and closes once if it lasts, in its time. */
export function compareRises(
  linkages: DuePlan['linkages'],
  { rises, runs, near, left }: RiseJournal,
  executed: readonly Executed[],
  until: number,
): RisesFound {
  const runOf = new Map(runs.flatMap((run) => run.commandIds.map((id) => [id, run] as const)))
  const closedOutsideWindow: string[] = []
  const trippedLate: string[] = []
  const times = new Map<string, number>()
  const known = new Set<string>()
  for (const { id, line, action, at } of executed) {
    const run = runOf.get(id)
    if (!run || linkages[run.linkage]?.target !== line) continue
    known.add(id)
    const rise = rises.findLast((each) => each.linkage === run.linkage && each.from <= at)
    const what = `${action} of linkage l${run.linkage} at ${new Date(at).toISOString()}, ${id}`
    if (action === 'trip' && (!rise || at > rise.to + evaluatedMs + maxLateMs.trip + tripDeadlineMs)) trippedLate.push(what)
    if (action === 'close' && !mayClose(rise, run, at)) closedOutsideWindow.push(what)
    const once = `${action} of linkage l${run.linkage} for the rise at ${rise ? new Date(rise.from).toISOString() : 'no time'}`
    times.set(once, (times.get(once) ?? 0) + 1)
  }
  const operatedTwice = [...times].flatMap(([once, count]) => (count > 1 ? [`${once}, ${count} times`] : []))
  const withoutOutcome: string[] = []
  for (const index of linkages.keys()) {
    const own = runs.filter(({ linkage }) => linkage === index)
    const came = rises.filter(({ linkage, from }) => linkage === index && from < until)
    const must = came.filter(({ mustAct }) => mustAct).length
    const firings = own.filter(({ isLater }) => !isLater).length
    if (firings + (near.get(index) ?? 0) < must) withoutOutcome.push(`${must} rises of linkage l${index}, and ${firings} runs`)
    if (firings > came.length) operatedTwice.push(`${came.length} rises of linkage l${index}, and ${firings} runs`)
    for (const { isEnded } of own) if (!isEnded) withoutOutcome.push(`a run of linkage l${index} that never ended`)
  }
  for (const linkage of left) withoutOutcome.push(`a delayed action of linkage l${linkage}`)
  return { known, closedOutsideWindow, operatedTwice, withoutOutcome, trippedLate }
}

/** A close is for a rise that was observed at once, when its delay is over, and only where the load flowed by then. */
function mayClose(rise: Rise | undefined, { isLater }: LinkageRun, at: number): boolean {
  if (!rise || !isLater) return false
  const from = rise.from + closeDelayMs
  return rise.to > from && at >= from - slackMs && at <= turnsEndAt(from + evaluatedMs + maxLateMs.close, 1, 1_000) + slackMs
}
