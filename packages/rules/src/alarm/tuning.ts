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

/** An alarm is not shown as active for longer than this after it would have returned untuned: readings far apart bridge no hours. */
const maxBridgedMs = 10 * 60_000

/** Fewer fleeting raises than this are no reason to tune. */
const minFleeting = 3

/** Why an alarm has no timing to tune: fire, gas, arc and what a protection did; or its equipment decides and reports only changes. */
export type NoTiming = 'notTunable' | 'byEquipment'

/**
 * What of an alarm can be tuned: only limits, which the platform evaluates with each value. A state is reported when it changes: a delay of
 * one would wait for a report that does not come, and lose the alarm.
 */
export function timingOf(alarm: Alarm): AlarmTiming | NoTiming {
  if (isDanger(alarm.key) || isTripKey(alarm.key) || alarm.danger || alarm.latching) return 'notTunable'
  if (alarm.on === 'state') return 'byEquipment'
  const { onDelayMs, offDelayMs, deadBandShare } = alarm
  return { onDelayMs, offDelayMs, deadBandShare }
}

/** A limit with another timing: what it is raised at stays as it is. */
export function limitWithTiming(limit: CompiledLimit, timing: AlarmTiming): CompiledLimit {
  const alarm = { ...limit.alarm, ...timing }
  return { ...limit, alarm, release: limit.trigger - Math.abs(limit.limit) * timing.deadBandShare }
}

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

interface Tuned {
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
  const bursts = chatterBursts(before)
  if (bursts === 0 && before.filter((each) => conditionMs(each, timing) <= fleetingMs).length < minFleeting) return 'quiet'
  for (const { changes, timing: tried } of candidatesOf(tuned)) {
    const after = replay(tried)
    const burstsAfter = chatterBursts(after)
    if (burstsAfter > 0 || after.length * 2 > before.length || bridgesLong(before, after)) continue
    const longestDelayMs = longestDelay(tuned, before, after, tried)
    if (longestDelayMs === null || longestDelayMs > maxAddedDelayMs[tuned.priority]) continue
    return {
      changes,
      timing: tried,
      before: { raises: before.length, bursts },
      after: { raises: after.length, bursts: burstsAfter },
      longestDelayMs,
    }
  }
  return 'nothingFits'
}

function candidatesOf({ timing, shipped, priority }: Tuned): Pick<TuningOffer, 'changes' | 'timing'>[] {
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
function longestDelay(
  { timing, actedAt }: Tuned,
  before: readonly AlarmPeriod[],
  after: readonly AlarmPeriod[],
  tried: AlarmTiming,
): number | null {
  let longest = 0
  let next = 0
  for (const period of before) {
    const endedAt = period.returnedAt ?? Number.POSITIVE_INFINITY
    const isActedOn = actedAt.some((at) => at >= period.raisedAt && at <= endedAt)
    if (!isActedOn && conditionMs(period, timing) <= tried.onDelayMs) continue
    while (next < after.length && (after[next]?.returnedAt ?? Number.POSITIVE_INFINITY) < period.raisedAt) next++
    const found = after[next]
    if (!found || found.raisedAt > endedAt) return null
    longest = Math.max(longest, found.raisedAt - period.raisedAt)
  }
  return longest
}
