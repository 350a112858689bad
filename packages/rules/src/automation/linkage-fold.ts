import type { LinkageCondition, LinkagePicture, Truth } from './linkage.ts'
import { bridgedPeriods, combine, meets } from './linkage.ts'
import type { ConditionChange } from './linkage-chain.ts'

/** What is stored of one condition with the checkpoint; times Unix ms. */
export interface ConditionState {
  /** Of the last message about it; null: none yet. */
  readonly lastAt: number | null
  /** Of the last value that can be relied on. */
  readonly goodAt: number | null
  /** Null: the last message had none that can be relied on. */
  readonly value: number | null
  /** Whether the last reliable value met it. */
  readonly met: boolean
  /** Since when it is met without a gap; -Infinity: it was so when the linkage was enabled. */
  readonly since: number | null
  /** It rose at some time after this instant, while the server was away; null: the rise was observed. */
  readonly unobservedFrom: number | null
  /** Its last value was old when it came. */
  readonly isOld: boolean
  /** When it came to be met; what was so at its first value came to be so by then. Null: it is not met. */
  readonly rose: ConditionChange | null
  /** The last that was known of it; null: nothing since the linkage was enabled. */
  readonly known: boolean | null
}

export interface LinkageState {
  /** Everything up to here is decided. */
  readonly clock: number
  readonly conditions: readonly ConditionState[]
  /** The last that was known; null: nothing since it was enabled. */
  readonly known: boolean | null
  /** Since when it cannot be known; null: it can. */
  readonly unknownSince: number | null
  /** By which observations `known` was put together with what others know, Unix ms; null: by the conditions as they stand here. */
  readonly knownBy?: number | null
  /** The stretch in which the server was away last; null: never. */
  readonly away: { readonly from: number; readonly to: number } | null
}

/** A rise to true. `mayClose`: it was observed as it happened. `late`: trips came too late as well, and it is logged only. */
export interface Firing {
  readonly at: number
  readonly mayClose: boolean
  readonly late: boolean
  /** What each condition was. */
  readonly truths: readonly Truth[]
  readonly values: readonly (number | null)[]
  /** When each came to be met. `isNew`: the linkage fires by this one. Null: it is not true, or when is not known. */
  readonly changes: readonly ((ConditionChange & { readonly isNew: boolean }) | null)[]
}

export interface LinkageRule {
  readonly match: 'all' | 'any'
  readonly conditions: readonly LinkageCondition[]
}

/** A trip for what happened while the server was away is still wanted so long after. */
export const maxLateTripMs = 60_000

const noReading: ConditionState = {
  lastAt: null,
  goodAt: null,
  value: null,
  met: false,
  since: null,
  unobservedFrom: null,
  isOld: false,
  rose: null,
  known: null,
}

/** A linkage that was just enabled: what is met then does not fire. */
export const enabledLinkage = ({ conditions }: LinkageRule, at: number): LinkageState => ({
  clock: at,
  conditions: conditions.map(() => noReading),
  known: null,
  unknownSince: at,
  knownBy: null,
  away: null,
})

/** The stored state after a start of the server. What was true stays true; what rose meanwhile is seen by the next readings. */
export const resumedLinkage = (state: LinkageState, at: number): LinkageState => ({
  ...state,
  away: { from: state.clock, to: Math.max(at, state.clock) },
})

/** The same where what these conditions read is there no more, by their number: what was read of it last stands for nothing. */
export const withoutReadings = (state: LinkageState, isGone: (index: number) => boolean): LinkageState => ({
  ...state,
  conditions: state.conditions.map((each, index) => (isGone(index) ? { ...noReading, known: each.known } : each)),
})

/** The same by a clock that was set back by `byMs`: what has gone by has gone by, and what comes now is later. */
export function setBackLinkage(state: LinkageState, byMs: number): LinkageState {
  const moved = <T extends number | null>(at: T): T => (at === null ? at : ((at - byMs) as T))
  return {
    ...{ clock: state.clock - byMs, known: state.known, unknownSince: moved(state.unknownSince) },
    knownBy: moved(state.knownBy ?? null),
    conditions: state.conditions.map((each) => ({
      ...each,
      ...{ lastAt: moved(each.lastAt), goodAt: moved(each.goodAt), since: moved(each.since) },
      unobservedFrom: moved(each.unobservedFrom),
      rose: each.rose && { after: each.rose.after - byMs, by: each.rose.by - byMs },
    })),
    away: state.away && { from: state.away.from - byMs, to: state.away.to - byMs },
  }
}

/**
 * The state after these messages and after time has come to `now`, with the firings between. Messages of one commit may come in any order;
 * duplicates, and what is older than the value that is known, change nothing. Any cut into commits gives the same firings.
 */
export function foldLinkage(
  rule: LinkageRule,
  state: LinkageState,
  pictures: readonly LinkagePicture[],
  now: number,
): { readonly state: LinkageState; readonly firings: readonly Firing[] } {
  const live = pictures.filter(({ mark }) => mark !== 'historical')
  const sorted = live.length > 1 ? live.sort((one, other) => one.at - other.at) : live
  const same = unchanged(rule, state, sorted, now)
  if (same) return { state: same, firings: [] }
  const firings: Firing[] = []
  let folded = state
  for (const picture of sorted) {
    // Up to the moment before: a message may come at the very instant at which a duration is over, and end it.
    folded = advance(rule, folded, picture.at - 1, firings)
    folded = settle(rule, folded, take(rule, folded, picture), Math.max(picture.at, folded.clock), firings)
  }
  return { state: advance(rule, folded, now, firings), firings }
}

/**
 * Almost every report says what the one before said: then only when it came is new, and nothing has to be looked at instant by instant. Null:
 * something changes, or may have changed on the way.
 */
function unchanged(rule: LinkageRule, state: LinkageState, sorted: readonly LinkagePicture[], now: number): LinkageState | null {
  const { clock, conditions: states } = state
  if (now < clock) return null
  const isBetween = (at: number) => at > clock && at <= now
  for (let index = 0; index < states.length; index++) {
    const [condition, old] = [rule.conditions[index]!, states[index]!]
    if (isBetween(staleAt(condition, old)) || isBetween(metAt(condition, old))) return null
  }
  const next = sorted.length > 0 ? [...states] : states
  for (const { at, mark, values } of sorted) {
    if (at > now || mark !== 'live') return null
    for (let index = 0; index < next.length; index++) {
      const [condition, old] = [rule.conditions[index]!, next[index]!]
      const reading = values.find(({ line, key }) => line === condition.line && key === condition.key)
      if (!reading || (old.lastAt !== null && at <= old.lastAt)) continue
      if (old.isOld) return null
      const { value } = reading
      if ((value === null) !== (old.value === null)) return null
      if (value !== null && (staleAt(condition, old) <= now || meets(condition, old.met, value) !== old.met)) return null
      const read = value === null ? { ...old, lastAt: at } : { ...old, lastAt: at, goodAt: at, value }
      if (value !== null && staleAt(condition, read) <= now) return null
      ;(next as ConditionState[])[index] = read
    }
  }
  const truths = next.map((each, index) => truthAt(rule.conditions[index]!, each, now))
  // A period that has changed may have made known what was not.
  const before = state.unknownSince === null ? state.known : 'unknown'
  if (before !== 'unknown' && state.knownBy != null) return null
  const isSame = combine(rule.match, truths) === before && withKnown(next, truths) === next
  return isSame ? { ...state, clock: now, conditions: next } : null
}

function take({ conditions }: LinkageRule, state: LinkageState, { at, mark, values }: LinkagePicture): LinkageState {
  const taken = state.conditions.map((old, index) => {
    const condition = conditions[index]!
    const reading = values.find(({ line, key }) => line === condition.line && key === condition.key)
    if (!reading || (old.lastAt !== null && at <= old.lastAt)) return old
    if (mark === 'clockOff' || reading.value === null) return { ...old, lastAt: at, value: null }
    return { ...conditionAfter(condition, old, reading.value, at, state.away), isOld: mark === 'old' }
  })
  return { ...state, conditions: taken }
}

function conditionAfter(
  condition: LinkageCondition,
  old: ConditionState,
  value: number,
  at: number,
  away: LinkageState['away'],
): Omit<ConditionState, 'isOld'> {
  const read = { lastAt: at, goodAt: at, value, known: old.known }
  if (!meets(condition, old.met, value)) return { ...read, met: false, since: null, unobservedFrom: null, rose: null }
  if (old.goodAt === null)
    return { ...read, met: true, since: Number.NEGATIVE_INFINITY, unobservedFrom: null, rose: { after: at, by: at } }
  if (old.met) {
    // A gap starts a duration again; what was true before the gap stays true.
    const isKept = at - old.goodAt <= bridgedPeriods * condition.periodMs || metAt(condition, old) < staleAt(condition, old)
    return { ...old, ...read, since: isKept ? old.since : at }
  }
  const unobservedFrom = away !== null && old.goodAt <= away.from ? old.goodAt : null
  return { ...read, met: true, since: at, unobservedFrom, rose: { after: old.goodAt, by: at } }
}

/** Goes to `to` over each instant at which a duration is over or a value becomes stale. */
function advance(rule: LinkageRule, state: LinkageState, to: number, firings: Firing[]): LinkageState {
  let folded = state
  for (;;) {
    const next = nextChange(rule, folded)
    if (next > to) break
    folded = settle(rule, folded, folded, next, firings)
  }
  return to > folded.clock ? settle(rule, folded, folded, to, firings) : folded
}

function nextChange({ conditions }: LinkageRule, { clock, conditions: states }: LinkageState): number {
  let next = Number.POSITIVE_INFINITY
  states.forEach((state, index) => {
    const condition = conditions[index]!
    for (const at of [staleAt(condition, state), metAt(condition, state)]) if (at > clock && at < next) next = at
  })
  return next
}

/** So long after it came a value is too old to be known. */
export const staleAfterMs = ({ periodMs }: LinkageCondition): number => bridgedPeriods * periodMs + 1

/** The first instant at which a value is too old to be known. */
export const staleAt = (condition: LinkageCondition, { goodAt }: ConditionState): number =>
  goodAt === null ? Number.NEGATIVE_INFINITY : goodAt + staleAfterMs(condition)

/** The instant at which a condition has been met for as long as it asks. */
export const metAt = ({ forS }: LinkageCondition, { since }: ConditionState): number =>
  since === null ? Number.POSITIVE_INFINITY : since + forS * 1_000

/** What a condition is at an instant. */
export function truthAt(condition: LinkageCondition, state: ConditionState, at: number): Truth {
  if (state.value === null || at >= staleAt(condition, state)) return 'unknown'
  return state.met && at >= metAt(condition, state)
}

function settle(rule: LinkageRule, before: LinkageState, state: LinkageState, at: number, firings: Firing[]): LinkageState {
  const truths = rule.conditions.map((condition, index) => truthAt(condition, state.conditions[index]!, at))
  const truth = combine(rule.match, truths)
  const settled = { ...state, clock: at, conditions: withKnown(state.conditions, truths) }
  if (truth === 'unknown') return { ...settled, unknownSince: state.unknownSince ?? at }
  if (truth && (state.known === false || dangerRises(rule, state, truths))) {
    const isObserved = rule.conditions.some(
      (condition, index) => truths[index] === true && hasRisen(condition, index, before, state, at),
    )
    firings.push(firingOf(rule, state, truths, at, isObserved))
  }
  return { ...settled, known: truth, unknownSince: null, knownBy: null }
}

/** A danger among conditions of which one is enough does not wait until the others are over, or known. */
const dangerRises = ({ match, conditions }: LinkageRule, { conditions: states }: LinkageState, truths: readonly Truth[]) =>
  match === 'any' &&
  conditions.some(({ isDanger }, index) => isDanger && truths[index] === true && states[index]?.known === false)

const withKnown = (states: readonly ConditionState[], truths: readonly Truth[]): readonly ConditionState[] =>
  states.every(({ known }, index) => truths[index] === 'unknown' || truths[index] === known)
    ? states
    : states.map((each, index): ConditionState => {
        const truth = truths[index] ?? 'unknown'
        return truth === 'unknown' ? each : { ...each, known: truth }
      })

/** Whether a condition that is true now was known not to be so just before: the first value after an outage tells nothing of when it rose. */
function hasRisen(condition: LinkageCondition, index: number, before: LinkageState, state: LinkageState, at: number): boolean {
  const was = before.conditions[index]!
  if (state.conditions[index]!.isOld || at >= staleAt(condition, was)) return false
  // A single value that is missing makes no outage.
  return truthAt(condition, was, before.clock) === false || (was.value === null && !was.met)
}

function firingOf(
  { conditions }: LinkageRule,
  { conditions: states, away, unknownSince }: LinkageState,
  truths: readonly Truth[],
  at: number,
  isObserved: boolean,
): Firing {
  const isAway = away !== null && at > away.from && at <= away.to
  const unobserved = states.filter(({ unobservedFrom }, index) => truths[index] === true && unobservedFrom !== null)
  // A duration that was observed from its beginning after the start is not late.
  const lateMs = states.map(({ unobservedFrom }, index) =>
    truths[index] === true && unobservedFrom !== null && conditions[index]!.forS === 0 ? at - unobservedFrom : 0,
  )
  return {
    at,
    mayClose: isObserved && !isAway && unobserved.length === 0,
    late: Math.max(isAway ? away.to - at : 0, ...lateMs) > maxLateTripMs,
    truths,
    values: states.map(({ value }) => value),
    changes: states.map((each, index) => {
      const rose = truths[index] === true ? changeOf(each) : null
      // What came to be true while something else was not known brings it about as well.
      return rose && { ...rose, isNew: metAt(conditions[index]!, each) >= (unknownSince ?? at) }
    }),
  }
}

/** What an older version of this server has stored says only since when. */
const changeOf = ({ rose, since }: ConditionState): ConditionChange | null =>
  rose ?? (since !== null && since > 0 ? { after: since, by: since } : null)

/** Conditions by their number that have been unknown for too long; while there is one, the linkage is blind. */
export function blindConditions(rule: LinkageRule, state: LinkageState, now: number): readonly number[] {
  return rule.conditions.flatMap((condition, index) => {
    const known = state.conditions[index]!
    if (truthAt(condition, known, now) !== 'unknown') return []
    const longest = Math.max(condition.forS * 1_000, bridgedPeriods * condition.periodMs)
    return state.unknownSince !== null && now - state.unknownSince > longest ? [index] : []
  })
}
