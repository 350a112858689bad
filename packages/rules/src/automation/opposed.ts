import { position, tripCause } from '@linewarden/equipment'
import type { CivilZone } from './civil-time.ts'
import type { PlannedTimer } from './conflict.ts'
import { actionOn } from './conflict.ts'
import type { LinkageCondition } from './linkage.ts'
import { meets } from './linkage.ts'
import type { ActiveHours } from './linkage-hours.ts'
import { isActiveAt } from './linkage-hours.ts'
import type { SceneAction } from './override.ts'

/** A linkage that orders, as far as a timer can set it off; its scenes resolved to lines, closes that it may not order left out. */
export interface LiveLinkage {
  readonly linkageId: number
  readonly match: 'all' | 'any'
  readonly conditions: readonly Pick<LinkageCondition, 'kind' | 'line' | 'key' | 'op' | 'value' | 'forS'>[]
  readonly activeHours: readonly ActiveHours[]
  readonly effects: readonly { readonly line: string; readonly does: SceneAction }[]
}

/** A line on which a linkage undoes what a timer has done there, and the first time it does. */
export interface Opposition {
  readonly line: string
  /** When the timer acts; the linkage follows. */
  readonly at: number
}

const codeOf = ({ values }: typeof position, key: string): number => values.findIndex((each) => each.key === key)
/** What a state is once its line was operated. */
const stateAfter = new Map([
  [position.key, { trip: codeOf(position, 'open'), close: codeOf(position, 'closed') }],
  [tripCause.key, { trip: codeOf(tripCause, 'remote'), close: codeOf(tripCause, 'none') }],
])
/** What an open breaker does not let through. */
const stopped = /^(current|power)(\.|$)/
/** Of these, what zero meets a load may not have met. */
const fromAbove: ReadonlySet<string> = new Set(['<', '<=', '='])

/**
 * Where a linkage acts the other way on a line because of what this timer does, each line at its first instant. Only what the timer brings about
 * by itself counts: conditions on anything else are taken as not met, and the line as it was not before.
 */
export function oppositionsOf(timer: PlannedTimer, linkage: LiveLinkage, zone: CivilZone): readonly Opposition[] {
  const undone = new Map<SceneAction, readonly string[]>()
  for (const { line, does } of linkage.effects) undone.set(does, [...(undone.get(does) ?? []), line])
  const firing = new Map<string, FiringAfter>()
  const found = new Map<string, number>()
  const after = (action: PlannedTimer['due'][number]['action']): FiringAfter => {
    const known = firing.get(action) ?? firingAfter(timer, action, linkage)
    firing.set(action, known)
    return known
  }
  timer.due.forEach(({ at, action }, index) => {
    const { rises, met, waitMs, lines } = after(action)
    if (!rises || lines.every((line) => found.has(line))) return
    const firesAt = at + waitMs
    for (let next = index + 1; next < timer.due.length && timer.due[next]!.at <= firesAt; next++)
      if (after(timer.due[next]!.action).met.some((each, nth) => each !== null && each !== (met[nth] ?? false))) return
    if (!isActiveAt(linkage.activeHours, zone, firesAt)) return
    for (const line of lines) if (!found.has(line)) found.set(line, at)
  })
  return [...found].map(([line, at]) => ({ line, at }))
}

interface FiringAfter {
  /** It makes the conditions true that were not. */
  readonly rises: boolean
  /** What it makes of each; null: not touched. Another run that makes something else of one ends the wait. */
  readonly met: readonly (boolean | null)[]
  readonly waitMs: number
  /** On which the linkage then acts the other way. */
  readonly lines: readonly string[]
}

function firingAfter(timer: PlannedTimer, action: PlannedTimer['due'][number]['action'], linkage: LiveLinkage): FiringAfter {
  const own = new Set(timer.lines)
  const doneTo = (line: string): SceneAction | null => {
    const does = own.has(line) ? actionOn(timer, action, line) : null
    return does === 'test' ? null : does
  }
  const truths = linkage.conditions.map((condition) => madeTrue(condition, doneTo(condition.line)))
  const areMet = (which: (truth: (typeof truths)[number]) => boolean) =>
    truths.length > 0 && (linkage.match === 'all' ? truths.every(which) : truths.some(which))
  const isTrue = areMet(({ after }) => after)
  // What was met before has been so for long.
  const waits = linkage.conditions.flatMap(({ forS }, index) =>
    truths[index]?.after && !truths[index].before ? forS * 1_000 : [],
  )
  const waitMs = linkage.match === 'all' ? Math.max(0, ...waits) : Math.min(...waits)
  const wasTrue = areMet(({ before }) => before)
  return {
    // Where what was met is over, the linkage rests until what is met now has lasted: then it rises again.
    rises: isTrue && !areMet(({ before, after }) => before && after) && (!wasTrue || waitMs > 0),
    met: truths.map(({ touched, after }) => (touched ? after : null)),
    waitMs,
    lines: linkage.effects.flatMap(({ line, does }) => {
      const done = doneTo(line)
      return done !== null && done !== does ? line : []
    }),
  }
}

/** What operating its line makes of a condition. `before`: it was met already, whatever the line carried. */
function madeTrue({ kind, key, op, value }: LiveLinkage['conditions'][number], does: SceneAction | null) {
  const met = (reading: number) => meets({ op, value, release: 0 }, false, reading)
  if (does === null) return { touched: false, before: false, after: false }
  const states = kind === 'state' ? stateAfter.get(key) : undefined
  if (states) return { touched: true, before: met(states[does === 'trip' ? 'close' : 'trip']), after: met(states[does]) }
  if (kind === 'point' && stopped.test(key))
    return { touched: true, before: does === 'close' && met(0), after: does === 'trip' && fromAbove.has(op) && met(0) }
  return { touched: false, before: false, after: false }
}
