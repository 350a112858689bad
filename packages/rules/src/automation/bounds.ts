import { dayMs } from '@linewarden/equipment'
import { civilZone } from './civil-time.ts'
import { compileSchedule } from './day-plan.ts'
import type { Occurrence, ProjectTime } from './occurrences.ts'
import { dueWithin } from './occurrences.ts'
import type { Schedule } from './timer.ts'

/** So many instants are worked out of one timer, and of all that one request asks about. */
export const maxOccurrences = { ofTimer: 20_000, ofRequest: 400_000 } as const

/** How far one request may go. */
export interface DueBounds {
  readonly ofTimer: number
  readonly ofRequest: number
  /** The request has taken as long as it may. */
  readonly isOver: () => boolean
}

/** What several timers are due for in a stretch, in the order in which they were given. */
export interface BoundedDue {
  readonly due: readonly (readonly Occurrence[])[]
  /** Nothing from this instant on is among them; null: the stretch is whole. */
  readonly cutAt: number | null
}

const [firstDays, maxDays] = [2, 64]

/**
 * What these are due for from `from` on and before `to`, of all of them up to the same instant: beyond the bounds nothing is left out silently.
 * Stops after each timer, for whoever drives it to do something else.
 */
export function* boundedDue(
  schedules: readonly Schedule[],
  time: ProjectTime,
  from: number,
  to: number,
  bounds: DueBounds,
): Generator<void, BoundedDue> {
  const compiled = schedules.map(compileSchedule)
  const zone = civilZone(time.timeZone)
  const due = schedules.map((): Occurrence[] => [])
  let count = 0
  let days = firstDays
  let isGrowing = true
  for (let begin = from; begin < to; ) {
    const end = Math.min(begin + days * dayMs, to)
    const step: (readonly Occurrence[])[] = []
    let stepCount = 0
    let isTooMuch = false
    for (const [index, schedule] of compiled.entries()) {
      if (bounds.isOver()) return { due, cutAt: begin }
      const found = dueWithin(schedule, time, zone, begin, end)
      step.push(found)
      stepCount += found.length
      isTooMuch = count + stepCount > bounds.ofRequest || due[index]!.length + found.length > bounds.ofTimer
      if (isTooMuch) break
      yield
    }
    if (isTooMuch) {
      if (days <= 1) return { due, cutAt: begin }
      days /= 2
      isGrowing = false
      continue
    }
    for (const [index, found] of step.entries()) for (const each of found) due[index]!.push(each)
    count += stepCount
    begin = end
    if (isGrowing) days = Math.min(days * 2, maxDays)
  }
  return { due, cutAt: null }
}
