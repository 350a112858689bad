import type { EpochCourse, UsualCourse } from './course.ts'
import { coursesOf, lastAt, spreadAfterMs } from './course.ts'
import type { Knot } from './register.ts'
import { quarterMs } from './slots.ts'

/** How the energy of a quarter is known, as it is stored; `open`: not all of it can have been reported yet, so it is provisional. */
export const How = { measured: 0, spread: 1, estimated: 2, entered: 3, missing: 4, open: 5 } as const
export type HowCode = (typeof How)[keyof typeof How]

/** The energy of quarters, in their order. */
export interface Quarters {
  /** Whole Wh, of a line never negative; null: missing or open, which is not nought. */
  readonly wh: readonly (number | null)[]
  /** `How` of each. */
  readonly how: Uint8Array
}

export interface QuarterQuestion {
  /** Unix ms; decides only what is open. */
  readonly now: number
  /** How often the line reports. */
  readonly periodMs: number
  readonly usual: UsualCourse
}

/**
 * The energy of the quarters that begin at `slots`. A quarter is known when registers cover all of it; nothing from before the first reading or after
 * the last becomes energy of a quarter beside them. Quarters of any stretch add up to the difference of its registers, rounded to the Wh.
 */
export function quartersOf(
  knots: readonly Knot[],
  slots: readonly number[],
  { now, periodMs, usual }: QuarterQuestion,
): Quarters {
  const courses = coursesOf(knots, periodMs, usual)
  const spreadAfter = spreadAfterMs(periodMs)
  const lastKnown = knots.at(-1)?.at ?? Number.NEGATIVE_INFINITY
  const wh: (number | null)[] = []
  const how = new Uint8Array(slots.length)
  let first = 0
  for (const [index, slot] of slots.entries()) {
    const end = slot + quarterMs
    while ((courses[first]?.to ?? Number.POSITIVE_INFINITY) <= slot) first += 1
    const { used, coveredMs, mark } = quarterOfCourses(courses, first, slot, spreadAfter)
    const isKnown = coveredMs === quarterMs && end <= now
    wh.push(isKnown ? used : null)
    if (isKnown) how[index] = mark
    else how[index] = isOpen(end, now, lastKnown, spreadAfter) ? How.open : How.missing
  }
  return { wh, how }
}

/** It has not ended, or its line reported so lately that the rest of it must still come. */
const isOpen = (end: number, now: number, lastKnown: number, spreadAfter: number): boolean =>
  end > now || (end > lastKnown && now - lastKnown <= spreadAfter)

function quarterOfCourses(courses: readonly EpochCourse[], first: number, slot: number, spreadAfter: number) {
  const end = slot + quarterMs
  let used = 0
  let coveredMs = 0
  let mark: HowCode = How.measured
  for (let index = first; index < courses.length; index++) {
    const course = courses[index]
    if (!course || course.from >= end) break
    const [from, to] = [Math.max(slot, course.from), Math.min(end, course.to)]
    if (from >= to) continue
    used += course.whAt(to) - course.whAt(from)
    coveredMs += to - from
    mark = graverHow(mark, markOf(course.knots, from, to, spreadAfter))
  }
  return { used, coveredMs, mark }
}

/** How much less is known by each than by the one before it. */
const graveness: readonly HowCode[] = [How.measured, How.entered, How.spread, How.estimated, How.missing, How.open]
/** The one of two by which less is known. */
export const graverHow = (one: HowCode, other: HowCode): HowCode =>
  graveness.indexOf(other) > graveness.indexOf(one) ? other : one

/** How the course of a stretch is known, by the knots around it. */
function markOf(knots: readonly Knot[], from: number, to: number, spreadAfter: number): HowCode {
  let mark: HowCode = How.measured
  for (let index = lastAt(knots, from); index < knots.length - 1; index++) {
    const [knot, next] = [knots[index], knots[index + 1]]
    if (!knot || !next || knot.at >= to) break
    if (knot.source === 'power' || next.source === 'power') mark = graverHow(mark, How.estimated)
    else if (next.at - knot.at > spreadAfter) mark = graverHow(mark, How.spread)
    else if (knot.source === 'typed' || next.source === 'typed') mark = graverHow(mark, How.entered)
  }
  return mark
}

/** Energy since the last boundary, Wh, by what is reported now; null: the register was not known there, or does not reach beyond it. */
export function runningWh(
  knots: readonly Knot[],
  boundary: number,
  { periodMs, usual }: Omit<QuarterQuestion, 'now'>,
): number | null {
  let used = 0
  let reached = boundary
  for (const course of coursesOf(knots, periodMs, usual)) {
    if (course.to <= boundary) continue
    if (course.from > reached) return null
    used += course.whAt(course.to) - course.whAt(Math.max(boundary, course.from))
    reached = course.to
  }
  return reached > boundary ? used : null
}
