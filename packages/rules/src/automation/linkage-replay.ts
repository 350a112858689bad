import type { LinkageCondition, LinkagePicture } from './linkage.ts'
import { bridgedPeriods, meets } from './linkage.ts'
import type { ConditionState, Firing, LinkageRule, LinkageState } from './linkage-fold.ts'
import { enabledLinkage, foldLinkage } from './linkage-fold.ts'

/**
 * What a condition read from its first to its last report without a gap, all of it equal to the condition: the fold needs no more of it.
 * `value` is the first one; null: reported as not known.
 */
export interface ConditionStretch {
  readonly from: number
  readonly to: number
  readonly value: number | null
}

/** Unix ms; the end is excluded. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What a linkage would have done in a stretch of time. `unknown`: its conditions together decided nothing. */
export interface LinkageReplay {
  readonly firings: readonly Firing[]
  readonly unknown: readonly Span[]
}

/** How a value stands to a condition: it meets it, does not, or keeps what was so before it, within the release. Null: it is not known. */
export type ValueBand = 'met' | 'release' | 'unmet' | null

export function valueBand(condition: Pick<LinkageCondition, 'op' | 'value' | 'release'>, value: number | null): ValueBand {
  if (value === null) return null
  if (meets(condition, false, value)) return 'met'
  return meets(condition, true, value) ? 'release' : 'unmet'
}

/** Silent for longer than this, and the value is not known. */
export const maxSilenceMs = ({ periodMs }: Pick<LinkageCondition, 'periodMs'>): number => bridgedPeriods * periodMs

/** Puts reports of one condition, oldest first, together to stretches. */
export class ConditionCourse {
  readonly stretches: ConditionStretch[] = []
  readonly #condition: LinkageCondition
  #band: ValueBand | undefined = undefined

  constructor(condition: LinkageCondition) {
    this.#condition = condition
  }

  /** A report at `at`, after others of which the last was at `before` and like the report that was added last. */
  add(at: number, value: number | null, before: number | null = null): void {
    if (before !== null) this.#reach(before)
    const band = valueBand(this.#condition, value)
    const last = this.stretches.at(-1)
    if (last && band === this.#band && at - last.to <= maxSilenceMs(this.#condition)) this.#reach(at)
    else this.stretches.push({ from: at, to: at, value })
    this.#band = band
  }

  #reach(at: number): void {
    const last = this.stretches.at(-1)
    if (last && at > last.to) this.stretches[this.stretches.length - 1] = { ...last, to: at }
  }
}

const restEvery = 500

/**
 * The same as `foldLinkage` over every report, for a linkage that was enabled at the beginning: what is met then does not fire. `courses` are
 * those of its conditions. Rests now and then, so that others have a turn.
 */
export function* replayLinkage(
  rule: LinkageRule,
  courses: readonly (readonly ConditionStretch[])[],
  { from, to }: Span,
): Generator<undefined, LinkageReplay> {
  const firings: Firing[] = []
  const unknown: Span[] = []
  const next = courses.map(() => 0)
  let state = enabledLinkage(rule, from)
  let nth = 0
  const fold = (pictures: readonly LinkagePicture[], now: number): void => {
    const began = state.unknownSince
    const folded = foldLinkage(rule, state, pictures, now)
    state = folded.state
    firings.push(...folded.firings)
    if (began !== null && state.unknownSince !== began) unknown.push({ from: began, to: state.unknownSince ?? now })
  }
  for (;;) {
    const at = Math.min(...courses.map((course, index) => course[next[index] ?? 0]?.from ?? Number.POSITIVE_INFINITY))
    if (at >= to) break
    // Beforehand, so that what is unknown until then has an end of its own.
    state = reachedUntil(state, courses, next, at - 1)
    if (at - 1 > state.clock) fold([], at - 1)
    for (const picture of picturesAt(rule, courses, next, at)) fold([picture], at)
    if (++nth % restEvery === 0) yield
  }
  state = reachedUntil(state, courses, next, to - 1)
  fold([], to - 1)
  if (state.unknownSince !== null) unknown.push({ from: state.unknownSince, to })
  return { firings, unknown }
}

/** What is reported without a gap was last reported just now. */
function reachedUntil(
  state: LinkageState,
  courses: readonly (readonly ConditionStretch[])[],
  next: readonly number[],
  at: number,
): LinkageState {
  const conditions = state.conditions.map((old, index): ConditionState => {
    const stretch = courses[index]?.[(next[index] ?? 0) - 1]
    if (!stretch || old.lastAt === null) return old
    const lastAt = Math.max(old.lastAt, Math.min(stretch.to, at))
    return stretch.value === null ? { ...old, lastAt } : { ...old, lastAt, goodAt: lastAt }
  })
  return { ...state, conditions }
}

/** What begins at an instant, the values of one line as one picture. */
function picturesAt(
  { conditions }: LinkageRule,
  courses: readonly (readonly ConditionStretch[])[],
  next: number[],
  at: number,
): readonly LinkagePicture[] {
  const byLine = new Map<string, { line: string; key: string; value: number | null }[]>()
  courses.forEach((course, index) => {
    const stretch = course[next[index] ?? 0]
    const condition = conditions[index]
    if (stretch?.from !== at || !condition) return
    next[index] = (next[index] ?? 0) + 1
    const { line, key } = condition
    byLine.set(line, [...(byLine.get(line) ?? []), { line, key, value: stretch.value }])
  })
  return [...byLine.values()].map((values) => ({ at, mark: 'live', values }))
}

/** Where a condition is known: as long as its last report is not too old. In order; the rest is missing. */
export function knownSpans(course: readonly ConditionStretch[], periodMs: number, { from, to }: Span): readonly Span[] {
  const spans: Span[] = []
  course.forEach((stretch, index) => {
    if (stretch.value === null) return
    const end = Math.min(stretch.to + bridgedPeriods * periodMs + 1, course[index + 1]?.from ?? to, to)
    const last = spans.at(-1)
    if (last && last.to >= stretch.from) spans[spans.length - 1] = { from: last.from, to: Math.max(last.to, end) }
    else spans.push({ from: Math.max(from, stretch.from), to: end })
  })
  return spans
}

/** What lies between spans that are in order. */
export function spansBetween(spans: readonly Span[], { from, to }: Span): readonly Span[] {
  const gaps: Span[] = []
  let reached = from
  for (const span of spans) {
    if (span.from > reached) gaps.push({ from: reached, to: span.from })
    reached = Math.max(reached, span.to)
  }
  return reached < to ? [...gaps, { from: reached, to }] : gaps
}
