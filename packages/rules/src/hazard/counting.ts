import type { AlarmKind, Priority } from '@linewarden/equipment'
import type { AlarmAct } from '../alarm/index.ts'

const minuteMs = 60_000
/** The window of the rate of alarms (EEMUA 191, 11.4; IEC 62682, 16.5). */
export const windowMs = 10 * minuteMs
/** Three raises within this are chatter; what returns within the next two by itself was fleeting, and was none to act on. */
const chatterMs = minuteMs
const chatterRaises = 3
const fleetingMs = 5_000
const unjustifiedMs = minuteMs
/** Active for longer than this is long (ISA-18.2: stale). */
export const longActiveMs = 24 * 60 * minuteMs
/** Equipment says when: a time that is longer comes from a clock that was never set, and nobody knows how long it was. */
const maxBelievedMs = 2 * 366 * longActiveMs

/** Raises before one are looked up this far back, and so many: enough to know whether a chatter begins with it. */
export const chatterLookbackMs = 3 * chatterMs
export const chatterLookback = chatterRaises

/** Days by a project's clock, counted since 1970; they have 23 or 25 hours where clocks change. */
export interface LocalDays {
  dayOf(at: number): number
  /** Unix ms. */
  startOf(day: number): number
}

/** The alarm and where it is; null where it is of what is above. */
export interface CountedAlarm {
  readonly gatewayId: number | null
  readonly projectId: number
  readonly deviceId: number | null
  readonly lineId: number | null
  readonly key: string
  readonly kind: AlarmKind
  readonly priority: Priority
}

/** A step of an alarm's life, with what of the steps before it is needed to count it. Times in Unix ms. */
export interface CountedStep {
  readonly act: AlarmAct
  readonly at: number
  readonly announced: boolean
  /** It came late, as what has been: when it returned is not known. */
  readonly historical: boolean
  /** It ended a time of being active, which began then; null: it did not. */
  readonly activeSince: number | null
  /** Of an acknowledgement: since when it had called for somebody. */
  readonly calledAt: number | null
  /** Somebody did something since it was raised. */
  readonly actedOn: boolean
  /** Of a raise: the ones before it of the same alarm, newest first. */
  readonly raisesBefore: readonly number[]
}

/** What is counted of an alarm on a day. */
export interface DayCount {
  readonly raised: number
  readonly announced: number
  readonly folded: number
  readonly bursts: number
  readonly fleeting: number
  readonly unjustified: number
  readonly activeMs: number
  readonly overDay: number
  readonly ackSeconds: readonly number[]
}

export const nothingCounted: DayCount = {
  raised: 0,
  announced: 0,
  folded: 0,
  bursts: 0,
  fleeting: 0,
  unjustified: 0,
  activeMs: 0,
  overDay: 0,
  ackSeconds: [],
}

export const addCounts = (a: DayCount, b: DayCount): DayCount => ({
  raised: a.raised + b.raised,
  announced: a.announced + b.announced,
  folded: a.folded + b.folded,
  bursts: a.bursts + b.bursts,
  fleeting: a.fleeting + b.fleeting,
  unjustified: a.unjustified + b.unjustified,
  activeMs: a.activeMs + b.activeMs,
  overDay: a.overDay + b.overDay,
  ackSeconds: [...a.ackSeconds, ...b.ackSeconds],
})

/** The ten minutes that a moment lies in, counted since 1970. */
export const tenOf = (at: number): number => Math.floor(at / windowMs)

/** What a step can be counted as: the figures of alarms. */
export const countedAs = ['raised', 'announced', 'folded', 'bursts', 'fleeting', 'unjustified', 'acknowledged'] as const
export type CountedAs = (typeof countedAs)[number]

/** Another event shows for it from here on. */
export const isFolded = ({ act }: Pick<CountedStep, 'act'>): boolean => act === 'fold'

/** What one step adds to the counts of days, by the day. Each step is counted once, in whatever order. */
export function countStep(step: CountedStep, days: LocalDays): ReadonlyMap<number, DayCount> {
  const counts = new Map<number, DayCount>()
  const { at } = step
  const activeSince = believedSince(step)
  const add = (day: number, count: Partial<DayCount>) => {
    const isSomething = Object.values(count).some((each) => (typeof each === 'number' ? each !== 0 : each.length > 0))
    if (isSomething) counts.set(day, addCounts(counts.get(day) ?? nothingCounted, { ...nothingCounted, ...count }))
  }
  add(days.dayOf(at), ownCount(step))
  if (activeSince !== null) for (const [day, active] of activeDays(activeSince, at, days)) add(day, active)
  return counts
}

/** What a step is counted as, whatever its day; and since when what it ended had been active, where that was more than a day. */
export function countedStep(step: CountedStep): { readonly as: readonly CountedAs[]; readonly longSince: number | null } {
  const { ackSeconds = [], ...own } = ownCount(step)
  const counts: Readonly<Record<CountedAs, number>> = { ...nothingCounted, ...own, acknowledged: ackSeconds.length }
  const since = believedSince(step)
  return {
    as: countedAs.filter((each) => counts[each] > 0),
    longSince: since !== null && step.at - since > longActiveMs ? since : null,
  }
}

function ownCount(step: CountedStep): Partial<DayCount> {
  const { act, at, announced } = step
  const activeSince = believedSince(step)
  const calledAt = step.calledAt !== null && isBelieved(step.calledAt, at) ? step.calledAt : null
  return {
    raised: act === 'raise' ? 1 : 0,
    announced: announced ? 1 : 0,
    folded: isFolded(step) ? 1 : 0,
    bursts: act === 'raise' && !step.historical && beginsChatter(at, step.raisesBefore) ? 1 : 0,
    ...(act === 'acknowledge' && calledAt !== null && { ackSeconds: [secondsBetween(calledAt, at)] }),
    ...(act === 'return' && activeSince !== null && at >= activeSince && brevity(at - activeSince, step.actedOn)),
  }
}

const believedSince = ({ activeSince, at }: CountedStep): number | null =>
  activeSince !== null && isBelieved(activeSince, at) ? activeSince : null

const isBelieved = (from: number, to: number): boolean => Math.abs(to - from) <= maxBelievedMs

const brevity = (activeMs: number, actedOn: boolean): Pick<DayCount, 'fleeting' | 'unjustified'> => ({
  fleeting: activeMs <= fleetingMs && !actedOn ? 1 : 0,
  unjustified: activeMs <= unjustifiedMs && !actedOn ? 1 : 0,
})

const secondsBetween = (from: number, to: number): number => Math.max(0, Math.round((to - from) / 1000))

/** How a time of being active lies on days: how long on each, and whether it had lasted a day when that one began. */
export function* activeDays(
  from: number,
  to: number,
  days: LocalDays,
): Generator<[day: number, Pick<DayCount, 'activeMs' | 'overDay'>]> {
  const last = days.dayOf(Math.max(from, to))
  for (let day = days.dayOf(from); day <= last; day++) {
    const start = days.startOf(day)
    const activeMs = Math.max(0, Math.min(to, days.startOf(day + 1)) - Math.max(from, start))
    yield [day, { activeMs, overDay: start - from > longActiveMs && start < to ? 1 : 0 }]
  }
}

/** Whether chatter begins with a raise: it is the third within a minute, and the one before it was not. */
export function beginsChatter(at: number, before: readonly number[]): boolean {
  const [last, second, third] = before
  if (last === undefined || second === undefined || at - second > chatterMs) return false
  return third === undefined || last - third > chatterMs
}
