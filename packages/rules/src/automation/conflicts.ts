import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import type { QuietWindow } from '../control/quiet-hours.ts'
import { quietUntil } from '../control/quiet-hours.ts'
import { civilZone } from './civil-time.ts'
import type { Conflict, ConflictKey, PlannedTimer } from './conflict.ts'
import { actionOn } from './conflict.ts'
import { clashes } from './conflict-clashes.ts'
import type { Occurrence } from './occurrences.ts'
import type { LiveLinkage } from './opposed.ts'
import { oppositionsOf } from './opposed.ts'
import type { TimerAction } from './timer.ts'

/** A tag on a line: a close is refused while it hangs. */
export interface HungTag {
  readonly line: string
  readonly by: string
  /** Null: not known. */
  readonly expectedEnd: number | null
}

export interface ConflictFacts {
  readonly timeZone: string
  readonly quiet: readonly QuietWindow[]
  readonly tags: readonly HungTag[]
  /** Linkages of the project that order. */
  readonly linkages: readonly LiveLinkage[]
  /** Between two closes of the project. */
  readonly staggerMs: number
  /** What the family of a line can do. */
  readonly canDo: (line: string, action: TimerAction) => boolean
  /** End of the stretch that was looked at, Unix ms. */
  readonly to: number
}

/** More than so many a day wear a breaker out early; more an hour than the rate of operation of its type test (IEC 60947-2) is refused. */
export const maxDailyOperations = 20
export const maxHourlyOperations = 120
const maxQueueMs = 10 * minuteMs
const neverOffMs = 7 * dayMs

/** Everything that timers of one project do to each other and to their lines, in a stretch of occurrences. Pure; the horizon is the caller's. */
export function conflicts(timers: readonly PlannedTimer[], facts: ConflictFacts): readonly Conflict[] {
  return [...conflictsOnLines(timers, facts), ...queueConflicts(timers, facts.staggerMs)]
}

/** The same without the turns that a project's closes take: timers without a line in common may be asked apart. */
export const conflictsOnLines = (timers: readonly PlannedTimer[], facts: ConflictFacts): readonly Conflict[] => [
  ...clashes(timers),
  ...timers.flatMap((timer) => ofOneTimer(timer, facts)),
  ...wear(timers, facts.timeZone),
]

/** Timers in groups that have no line in common with each other. */
export function groupsByLine(timers: readonly PlannedTimer[]): readonly (readonly PlannedTimer[])[] {
  const parent = timers.map((_, index) => index)
  const root = (index: number): number => {
    let at = index
    while (parent[at] !== at) at = parent[at] = parent[parent[at]!]!
    return at
  }
  const first = new Map<string, number>()
  timers.forEach(({ lines }, index) => {
    for (const line of lines) {
      const known = first.get(line)
      if (known === undefined) first.set(line, index)
      else parent[root(index)] = root(known)
    }
  })
  return [...Map.groupBy(timers, (_, index) => root(index)).values()]
}

function ofOneTimer(timer: PlannedTimer, facts: ConflictFacts): readonly Conflict[] {
  const found: Conflict[] = []
  const add = (key: ConflictKey, more: Partial<Conflict> = {}) =>
    found.push({ key, timerId: timer.timerId, with: null, line: null, at: null, figure: null, ...more })
  if (!timer.hasOwner) add('orphan')
  for (const line of timer.broken) add('broken', { line })
  if (timer.due.length === 0) add('noRuns')
  const firsts = firstOfEachAction(timer)
  for (const line of timer.lines) {
    const missing = firsts.find(({ action }) => {
      const does = actionOn(timer, action, line)
      return does !== null && !facts.canDo(line, does)
    })
    if (missing) add('noAction', { line, at: missing.at })
  }
  const quiet = timer.due.find(({ action, at }) => action === 'test' && quietUntil(facts.quiet, facts.timeZone, at) !== null)
  if (quiet) add('quietHours', { at: quiet.at, line: timer.lines[0] ?? null })
  const lines = new Set(timer.lines)
  for (const { line, by, expectedEnd } of facts.tags) {
    if (!lines.has(line)) continue
    const close = timer.due.find(({ action }) => actionOn(timer, action, line) === 'close')
    if (close && (expectedEnd === null || expectedEnd > close.at))
      add('tagged', { line, at: close.at, with: { kind: 'tag', by } })
  }
  const zone = civilZone(facts.timeZone)
  for (const linkage of facts.linkages)
    for (const { line, at } of oppositionsOf(timer, linkage, zone))
      add('opposed', { line, at, with: { kind: 'linkage', id: linkage.linkageId } })
  const left = leftOn(timer.due, facts.to)
  if (left) add('neverOff', { at: left.at })
  return found
}

const firstOfEachAction = ({ due }: PlannedTimer): readonly Occurrence[] =>
  [...new Set(due.map(({ action }) => action))].flatMap((action) => due.find((each) => each.action === action) ?? [])

/** The first close that no trip of the timer follows in time; a close whose seven days are not over is not looked at. */
function leftOn(due: readonly Occurrence[], to: number): Occurrence | undefined {
  if (!due.some(({ action }) => action === 'trip')) return undefined
  let nextTrip = Number.POSITIVE_INFINITY
  let found: Occurrence | undefined
  for (const each of [...due].reverse()) {
    if (each.action === 'trip') nextTrip = each.at
    if (each.action === 'close' && each.at + neverOffMs <= to && nextTrip - each.at > neverOffMs) found = each
  }
  return found
}

/** Planned operations of each line by local day, and by any hour. */
function wear(timers: readonly PlannedTimer[], timeZone: string): readonly Conflict[] {
  const zone = civilZone(timeZone)
  const moments = timers
    .flatMap(({ due }, timer) => due.flatMap(({ at, action }) => (action === 'test' ? [] : [{ at, timer, day: zone.dayAt(at) }])))
    .sort((one, other) => one.at - other.at)
  const [firstDay, lastDay] = [moments[0]?.day ?? 0, moments.at(-1)?.day ?? -1]
  const perTimer = timers.map(() => new Uint16Array(lastDay - firstDay + 1))
  for (const { timer, day } of moments) perTimer[timer]![day - firstDay]!++
  const found: Conflict[] = []
  for (const [line, sharing] of timersOfLines(timers)) {
    const days = new Uint32Array(lastDay - firstDay + 1)
    for (const timer of sharing) for (const [day, count] of perTimer[timer]!.entries()) days[day]! += count
    const most = days.reduce((one, other) => Math.max(one, other), 0)
    if (most <= maxDailyOperations) continue
    const acts = new Uint8Array(timers.length)
    for (const timer of sharing) acts[timer] = 1
    const times = moments.filter(({ timer }) => acts[timer] === 1)
    const timerId = timers[sharing[0]!]!.timerId
    const hour = most <= maxHourlyOperations / 2 ? null : overHour(times)
    if (hour !== null) found.push({ key: 'wearHour', timerId, with: null, line, at: hour, figure: maxHourlyOperations + 1 })
    else {
      const day = firstDay + days.indexOf(most)
      found.push({ key: 'wear', timerId, with: null, line, at: times.find((each) => each.day === day)?.at ?? null, figure: most })
    }
  }
  return found
}

/** The timers that operate each line; a scene operates those of its lines that it has an action for. */
function timersOfLines(timers: readonly PlannedTimer[]): ReadonlyMap<string, readonly number[]> {
  const ofLine = new Map<string, number[]>()
  timers.forEach(({ lines, sceneActions }, index) => {
    for (const line of lines) {
      if (sceneActions && !sceneActions.has(line)) continue
      const sharing = ofLine.get(line)
      if (sharing) sharing.push(index)
      else ofLine.set(line, [index])
    }
  })
  return ofLine
}

/** The first operation that makes too many of an hour. The hour before midnight counts with the one after, so half of them in a day are enough to ask. */
function overHour(times: readonly { readonly at: number }[]): number | null {
  for (let index = maxHourlyOperations; index < times.length; index++)
    if (times[index]!.at - times[index - maxHourlyOperations]!.at < hourMs) return times[index]!.at
  return null
}

/** Closes and tests of a project take turns: where the last of them waits too long, with the wait in ms. Named once, at its worst. */
export function queueConflicts(timers: readonly PlannedTimer[], staggerMs: number): readonly Conflict[] {
  const turns = timers
    .flatMap((timer) =>
      [...countTurns(timer)].map(([action, count]) =>
        timer.due.flatMap((each) =>
          each.action === action && count > 0 ? [{ timerId: timer.timerId, at: each.at, count }] : [],
        ),
      ),
    )
    .flat()
    .sort((one, other) => one.at - other.at)
  let freeAt = Number.NEGATIVE_INFINITY
  let worst: Conflict | null = null
  for (const { timerId, at, count } of turns) {
    freeAt = Math.max(freeAt, at) + count * staggerMs
    const waitMs = freeAt - staggerMs - at
    if (waitMs > maxQueueMs && waitMs > (worst?.figure ?? 0))
      worst = { key: 'queue', timerId, with: null, line: null, at, figure: waitMs }
  }
  return worst ? [worst] : []
}

/** How many of its lines wait for a turn, by what the point does. */
const countTurns = (timer: PlannedTimer): ReadonlyMap<TimerAction, number> =>
  new Map([
    ['close', timer.lines.length],
    ['test', timer.lines.length],
    ['run', timer.lines.filter((line) => timer.sceneActions?.get(line) === 'close').length],
  ])
