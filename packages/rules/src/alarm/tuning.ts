import type { Alarm, Priority } from '@linewarden/equipment'
import { evaluateLimit, newEvaluationState } from './evaluate.ts'
import { isTripKey } from './fold-keys.ts'
import type { CompiledLimit } from './limits.ts'
import { chatterRaises, chatterWithinMs, fleetingMs } from './series.ts'
import { isDanger } from './shelving.ts'

/** How an alarm is evaluated, as far as tuning changes it. */
export interface AlarmTiming {
  readonly onDelayMs: number
  readonly offDelayMs: number
  /** Share of the limit that the value must come back by. */
  readonly deadBandShare: number
}

/** With a place of its own each: the alarm of one point of a line. */
export type TuningOf = (limit: CompiledLimit) => AlarmTiming | undefined

/** From a raise to its return, Unix ms; null: it has not returned. */
export interface AlarmPeriod {
  readonly raisedAt: number
  readonly returnedAt: number | null
}

/** What may be set at most: nobody waits longer for a return, and no limit is left without one. */
const offDelaysMs = [5_000, 10_000, 30_000, 60_000, 120_000, 300_000]
const deadBandShares = [0.02, 0.05, 0.1, 0.15, 0.2]
const onDelaysMs = [2_000, 5_000, 10_000, 20_000, 30_000, 60_000]

/** How much later an alarm may come by its tuning. A critical one never comes later. */
export const maxAddedDelayMs: Readonly<Record<Priority, number>> = { critical: 0, high: 5_000, medium: 30_000, low: 60_000 }

/** What may be stored at most, whatever the alarm. */
export const maxTiming: AlarmTiming = {
  onDelayMs: 10 * 60_000,
  offDelayMs: offDelaysMs.at(-1) ?? 0,
  deadBandShare: deadBandShares.at(-1) ?? 0,
}

/** An alarm is not shown as active for longer than this after it would have returned untuned: readings far apart bridge no hours. */
const maxBridgedMs = 10 * 60_000

/** Fewer fleeting raises than this are no reason to tune. */
const minFleeting = 3

/** Why an alarm has no timing to tune: fire, gas, arc and what a protection did; or its equipment decides and reports only changes. */
export const noTimings = ['notTunable', 'byEquipment'] as const
export type NoTiming = (typeof noTimings)[number]

/** Gas that rises is no gas alarm yet; whoever is called a minute later may be called too late. */
const warnsOfDanger = (key: string): boolean => /^(fire|smoke|gas|arc)\./.test(key)

/**
 * What of an alarm can be tuned: only limits, which the platform evaluates with each value. A state is reported when it changes: a delay of
 * one would wait for a report that does not come, and lose the alarm.
 */
export function timingOf(alarm: Alarm): AlarmTiming | NoTiming {
  if (isDanger(alarm.key) || isTripKey(alarm.key) || alarm.danger || alarm.latching || warnsOfDanger(alarm.key))
    return 'notTunable'
  if (alarm.on === 'state') return 'byEquipment'
  const { onDelayMs, offDelayMs, deadBandShare } = alarm
  return { onDelayMs, offDelayMs, deadBandShare }
}

/** A limit with another timing: what it is raised at stays as it is. */
export function limitWithTiming(limit: CompiledLimit, timing: AlarmTiming): CompiledLimit {
  const alarm = { ...limit.alarm, ...timing }
  return { ...limit, alarm, release: limit.trigger - Math.abs(limit.limit) * timing.deadBandShare }
}

/**
 * Limits as somebody tuned them. The bounds hold again here, whatever is stored: what is never tuned is evaluated as shipped, and no figure is
 * less than shipped or more than may be set.
 */
export function tunedLimits(limits: readonly CompiledLimit[], tuningOf: TuningOf): readonly CompiledLimit[] {
  return limits.map((limit) => {
    const set = tuningOf(limit)
    const shipped = timingOf(limit.alarm)
    if (!set || typeof shipped === 'string') return limit
    return limitWithTiming(limit, {
      onDelayMs: between(set.onDelayMs, shipped.onDelayMs, shipped.onDelayMs + maxAddedDelayMs[limit.alarm.priority]),
      offDelayMs: between(set.offDelayMs, shipped.offDelayMs, maxTiming.offDelayMs),
      deadBandShare: between(set.deadBandShare, shipped.deadBandShare, maxTiming.deadBandShare),
    })
  })
}

/** What is shipped stays, also where it is more than may be set. */
const between = (value: number, shipped: number, most: number): number =>
  Number.isFinite(value) ? Math.max(shipped, Math.min(value, most)) : shipped

/** When an alarm would have been raised and returned, had it been evaluated like this. Readings in the order of their times, Unix ms. */
export function replayLimit(limit: CompiledLimit, readings: Iterable<readonly [at: number, value: number]>): AlarmPeriod[] {
  const state = newEvaluationState()
  const periods: AlarmPeriod[] = []
  let raisedAt: number | null = null
  for (const [at, value] of readings) {
    const transition = evaluateLimit(limit, state, value, at)
    if (transition === 'raised') raisedAt = at
    if (transition !== 'returned' || raisedAt === null) continue
    periods.push({ raisedAt, returnedAt: at })
    raisedAt = null
  }
  return raisedAt === null ? periods : [...periods, { raisedAt, returnedAt: null }]
}

/** How many bursts of chatter there are: three raises within a minute; further raises within a minute of the last belong to it. */
export function chatterBursts(periods: readonly AlarmPeriod[]): number {
  let bursts = 0
  let burstAt = Number.NEGATIVE_INFINITY
  for (let last = chatterRaises - 1; last < periods.length; last++) {
    const first = periods[last - chatterRaises + 1]?.raisedAt ?? 0
    const at = periods[last]?.raisedAt ?? 0
    if (at - first >= chatterWithinMs) continue
    if (at - burstAt >= chatterWithinMs) bursts++
    burstAt = at
  }
  return bursts
}

/** An alarm that is to be tuned, with what is known of its past. */
export interface Tuned {
  readonly priority: Priority
  /** As it is evaluated now, and what its equipment's family has by itself. */
  readonly timing: AlarmTiming
  readonly shipped: AlarmTiming
  /** When somebody did something about the alarm (acknowledged, commented), Unix ms. */
  readonly actedAt: readonly number[]
  /** What would have been raised with a timing, from the same readings each time. */
  readonly replay: (timing: AlarmTiming) => readonly AlarmPeriod[]
}

export interface TuningOffer {
  readonly changes: 'offDelayMs' | 'deadBandShare' | 'onDelayMs'
  readonly timing: AlarmTiming
  readonly before: { readonly raises: number; readonly bursts: number }
  readonly after: { readonly raises: number; readonly bursts: number }
  /** The longest that one which lasted, or which somebody acted on, would have come later, ms. */
  readonly longestDelayMs: number
  /** How long the longest condition lasted that would not have been raised, ms; 0: all would have been. */
  readonly longestMissedMs: number
}

/** Why nothing is offered: it neither chatters nor is fleeting, or nothing helps that delays no true alarm too long. */
export type NoOffer = 'quiet' | 'nothingFits'

/**
 * The smallest change of one figure by which an alarm no longer chatters and is raised at most half as often. First what delays no raise
 * (off-delay, dead band), then the on-delay; never one by which an alarm is lost that lasted longer than the on-delay, or was acted on.
 */
export function offerTuning(tuned: Tuned): TuningOffer | NoOffer {
  const { timing, replay } = tuned
  const before = replay(timing)
  const isFleeting = before.filter((each) => conditionMs(each, timing) <= fleetingMs).length >= minFleeting
  if (chatterBursts(before) === 0 && !isFleeting) return 'quiet'
  for (const candidate of candidatesOf(tuned)) {
    const offer = tryOut(tuned, before, candidate)
    if (offer) return offer
  }
  return 'nothingFits'
}

/** The same of one timing that somebody was offered: null where the readings do not bear it out, or it is none that is ever offered. */
export function proofOfTuning(tuned: Tuned, wanted: AlarmTiming): TuningOffer | null {
  const candidate = candidatesOf(tuned).find(
    ({ timing }) =>
      timing.onDelayMs === wanted.onDelayMs &&
      timing.offDelayMs === wanted.offDelayMs &&
      timing.deadBandShare === wanted.deadBandShare,
  )
  return candidate ? tryOut(tuned, tuned.replay(tuned.timing), candidate) : null
}

type Candidate = Pick<TuningOffer, 'changes' | 'timing'>

function tryOut(tuned: Tuned, before: readonly AlarmPeriod[], { changes, timing }: Candidate): TuningOffer | null {
  const after = tuned.replay(timing)
  const bursts = chatterBursts(after)
  if (bursts > 0 || after.length * 2 > before.length || bridgesLong(before, after)) return null
  const lost = lostBy(tuned, before, after, timing)
  if (lost === null || lost.longestDelayMs > maxAddedDelayMs[tuned.priority]) return null
  return {
    changes,
    timing,
    before: { raises: before.length, bursts: chatterBursts(before) },
    after: { raises: after.length, bursts },
    ...lost,
  }
}

function candidatesOf({ timing, shipped, priority }: Tuned): Candidate[] {
  const { onDelayMs, offDelayMs, deadBandShare } = timing
  const maxOnDelayMs = shipped.onDelayMs + maxAddedDelayMs[priority]
  return [
    ...offDelaysMs
      .filter((each) => each > offDelayMs)
      .map((each) => ({ changes: 'offDelayMs' as const, timing: { ...timing, offDelayMs: each } })),
    ...deadBandShares
      .filter((each) => each > deadBandShare)
      .map((each) => ({ changes: 'deadBandShare' as const, timing: { ...timing, deadBandShare: each } })),
    ...onDelaysMs
      .filter((each) => each > onDelayMs && each <= maxOnDelayMs)
      .map((each) => ({ changes: 'onDelayMs' as const, timing: { ...timing, onDelayMs: each } })),
  ]
}

/** How long the condition itself was there, as far as its raise and return say; the delays they came by are no part of it. */
const conditionMs = ({ raisedAt, returnedAt }: AlarmPeriod, { onDelayMs, offDelayMs }: AlarmTiming): number =>
  returnedAt === null ? Number.POSITIVE_INFINITY : returnedAt - offDelayMs - (raisedAt - onDelayMs)

/** Whether an alarm would have been shown as active for long while, untuned, it was not. */
function bridgesLong(before: readonly AlarmPeriod[], after: readonly AlarmPeriod[]): boolean {
  return after.some((period) => {
    const endedAt = period.returnedAt ?? Number.POSITIVE_INFINITY
    let activeTo = period.raisedAt
    for (const { raisedAt, returnedAt } of before) {
      if (raisedAt > endedAt) break
      if (returnedAt !== null && returnedAt < period.raisedAt) continue
      if (raisedAt - activeTo > maxBridgedMs) return true
      activeTo = Math.max(activeTo, returnedAt ?? Number.POSITIVE_INFINITY)
    }
    return activeTo !== Number.POSITIVE_INFINITY && endedAt - activeTo > maxBridgedMs
  })
}

/** Null: a true alarm would have been lost. */
function lostBy(
  { timing, actedAt }: Tuned,
  before: readonly AlarmPeriod[],
  after: readonly AlarmPeriod[],
  tried: AlarmTiming,
): Pick<TuningOffer, 'longestDelayMs' | 'longestMissedMs'> | null {
  let longestDelayMs = 0
  let longestMissedMs = 0
  let next = 0
  for (const period of before) {
    const endedAt = period.returnedAt ?? Number.POSITIVE_INFINITY
    const lastedMs = conditionMs(period, timing)
    while (next < after.length && (after[next]?.returnedAt ?? Number.POSITIVE_INFINITY) < period.raisedAt) next++
    const found = after[next]
    const isMissed = !found || found.raisedAt > endedAt
    const isTrue = lastedMs > tried.onDelayMs || actedAt.some((at) => at >= period.raisedAt && at <= endedAt)
    if (isMissed && isTrue) return null
    if (isMissed) longestMissedMs = Math.max(longestMissedMs, lastedMs)
    else if (isTrue) longestDelayMs = Math.max(longestDelayMs, found.raisedAt - period.raisedAt)
  }
  return { longestDelayMs, longestMissedMs }
}
