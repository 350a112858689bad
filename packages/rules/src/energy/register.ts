import { hourMs } from '@linewarden/equipment'
import { largestFrameA, maxKwhPerAmpereHour, orderedAfterMs } from '../history/counter.ts'
import { Quality } from '../monitor/quality.ts'
import { unrolled } from './rollover.ts'

/** What a register showed, before its multiplier. */
export interface RegisterReading {
  /** Unix ms. */
  readonly at: number
  readonly kwh: number
  /** Bits of `Quality`. */
  readonly quality: number
  /** Somebody read it off, and nothing reported it. */
  readonly isTyped?: boolean
}

/** One meter of a line, from when until when (表计履历). Its registers count primary energy once they are multiplied. */
export interface MeterSpan {
  /** Unix ms, included. */
  readonly from: number
  /** Unix ms; null: it is there still. */
  readonly to: number | null
  /** Current transformer times voltage transformer. */
  readonly multiplier: number
  /** Where the register begins at nought again; null: not known. */
  readonly registerMaxKwh: number | null
  /** What was read off when it was put in, and when it was taken out; null: nobody did. */
  readonly startRegisterKwh: number | null
  readonly endRegisterKwh: number | null
}

/** The register at an instant as what it counted. Inside an epoch it never falls; what lies between two epochs is not known. */
export interface Knot {
  /** Unix ms. */
  readonly at: number
  /** After the multiplier. */
  readonly kwh: number
  readonly epoch: number
  /** The device's clock was off. */
  readonly marked: boolean
  readonly source: 'reported' | 'typed' | 'power'
}

interface Counter {
  readonly at: number
  readonly kwh: number
  readonly marked: boolean
  readonly source: 'reported' | 'typed'
}

/** A meter that nobody entered: what is reported is what was used. */
const plainMeter = {
  ...{ multiplier: 1, registerMaxKwh: null, startRegisterKwh: null, endRegisterKwh: null },
} as const

/**
 * The register of a line as energy that only rises, by what each reading counts (ADR 17): resets, clocks that were off, another meter in place of
 * one. Every meter is an epoch of its own at least; the order of the readings does not matter, nor that one comes twice.
 *
 * @param ratedCurrentA of the line; null or 0: the largest frame is taken. A reset, or a register that begins again, cannot count more than it carries.
 */
export function registerOf(
  readings: readonly RegisterReading[],
  spans: readonly MeterSpan[],
  ratedCurrentA: number | null,
): readonly Knot[] {
  const knots: Knot[] = []
  let epoch = 0
  for (const span of withPlainMeters(spans)) {
    const counters = countersOf(readings, span)
    if (counters.length === 0) continue
    const kwhPerHour = (ratedCurrentA || largestFrameA) * maxKwhPerAmpereHour
    const most = (fromAt: number, toAt: number) => (kwhPerHour * (toAt - fromAt + orderedAfterMs)) / hourMs / span.multiplier
    const made = epochsOf(withoutTypedFalls(unrolled(believed(counters), span.registerMaxKwh, most)), most)
    for (const each of made) knots.push({ ...each, kwh: each.kwh * span.multiplier, epoch: each.epoch + epoch })
    epoch = (knots.at(-1)?.epoch ?? -1) + 1
  }
  return knots
}

/** The meters in the order of time, with plain ones before, between and after those that were entered. */
function withPlainMeters(spans: readonly MeterSpan[]): readonly MeterSpan[] {
  const sorted = [...spans].sort((one, other) => one.from - other.from)
  const all: MeterSpan[] = []
  let reached = Number.NEGATIVE_INFINITY
  for (const span of sorted) {
    if (span.from > reached) all.push({ ...plainMeter, from: reached, to: span.from })
    all.push(span)
    reached = span.to ?? Number.POSITIVE_INFINITY
  }
  if (reached < Number.POSITIVE_INFINITY) all.push({ ...plainMeter, from: reached, to: null })
  return all
}

/** What was read of one meter, in the order of time, each instant once; a counter below nought has counted nothing. */
function countersOf(readings: readonly RegisterReading[], span: MeterSpan): readonly Counter[] {
  const end = span.to ?? Number.POSITIVE_INFINITY
  const byInstant = new Map<number, Counter>()
  const better = (one: Counter, other: Counter) => {
    if (one.source !== other.source) return one.source === 'reported'
    return one.marked === other.marked ? one.kwh > other.kwh : !one.marked
  }
  for (const { at, kwh, quality, isTyped = false } of readings) {
    if (at < span.from || at >= end || !Number.isFinite(kwh)) continue
    const marked = (quality & Quality.clock) !== 0
    const counter: Counter = { at, kwh: Math.max(0, kwh), marked, source: isTyped ? 'typed' : 'reported' }
    const known = byInstant.get(at)
    if (!known || better(counter, known)) byInstant.set(at, counter)
  }
  const typed = (at: number, kwh: number | null) => {
    if (kwh !== null && Number.isFinite(at)) byInstant.set(at, { at, kwh: Math.max(0, kwh), marked: false, source: 'typed' })
  }
  for (const [at, counter] of byInstant) if (isContradicted(counter, byInstant.values())) byInstant.delete(at)
  const reported = [...byInstant.values()].sort((one, other) => one.at - other.at)
  const first = reported[0]
  // Too high a start closes no hole.
  if (!first || first.kwh >= (span.startRegisterKwh ?? 0)) typed(span.from, span.startRegisterKwh)
  typed(end, span.endRegisterKwh)
  return [...byInstant.values()].sort((one, other) => one.at - other.at)
}

/** What somebody read off says nothing where the equipment reported less next, or more just before: it would be a reset. */
function isContradicted({ at, kwh, source }: Counter, all: Iterable<Counter>): boolean {
  if (source === 'reported') return false
  let [before, after]: [Counter | null, Counter | null] = [null, null]
  for (const each of all) {
    if (each.source !== 'reported' || each.marked) continue
    if (each.at < at && (before === null || each.at > before.at)) before = each
    if (each.at > at && (after === null || each.at < after.at)) after = each
  }
  const isReset = before !== null && after !== null && after.kwh < before.kwh
  return (before !== null && kwh < before.kwh) || (after !== null && kwh > after.kwh && !isReset)
}

/** Without the readings of a clock that was off in hours that have believed ones. */
function believed(counters: readonly Counter[]): readonly Counter[] {
  const hourOf = (at: number) => Math.floor(at / hourMs)
  const hours = new Set(counters.flatMap(({ at, marked }) => (marked ? [] : [hourOf(at)])))
  return counters.filter(({ at, marked }) => !marked || !hours.has(hourOf(at)))
}

/** A register that somebody typed never makes a reset: an end below the last reading counts nothing more. */
const withoutTypedFalls = (counters: readonly Counter[]): readonly Counter[] =>
  counters.map((counter, index) => {
    const before = counters[index - 1]
    return counter.source === 'typed' && before && counter.kwh < before.kwh ? { ...counter, kwh: before.kwh } : counter
  })

/**
 * Resets and what counts, as the store counts it for hours (ADR 17): a reading is after a reset when it stands below what was read so much earlier
 * that no clock can have changed their order; after one it counts from nought, unless that were more than the line can carry.
 */
function epochsOf(counters: readonly Counter[], most: (fromAt: number, toAt: number) => number): readonly Knot[] {
  const knots: Knot[] = []
  let epoch = 0
  let total = 0
  let settled = -1
  let high = Number.NEGATIVE_INFINITY
  let fallenAt = Number.NEGATIVE_INFINITY
  let wasFallen = false
  /** The highest of its epoch at each reading, over the ten minutes before it. */
  const highest: { readonly at: number; readonly kwh: number }[] = []
  let before: Counter | null = null
  let highestBefore = 0
  for (const counter of counters) {
    const { at, kwh, marked, source } = counter
    while ((counters[settled + 1]?.at ?? Number.POSITIVE_INFINITY) <= at - orderedAfterMs) settled += 1
    const old = counters[settled]
    const fallen = isFallen(counter, old, high)
    const isReset = fallen && fallenAt < at - orderedAfterMs
    if (isReset) highest.length = 0
    while (highest[0] && highest[0].at < at - orderedAfterMs) highest.shift()
    while ((highest.at(-1)?.kwh ?? Number.POSITIVE_INFINITY) <= kwh) highest.pop()
    highest.push({ at, kwh })
    const highestNow = highest[0]?.kwh ?? kwh
    const rise = before === null ? 0 : isReset ? kwh : Math.max(0, highestNow - highestBefore)
    const isNearReset = fallen || wasFallen
    const isOther = before !== null && isNearReset && rise > most(before.at, at)
    if (before !== null && (isReset || isOther)) {
      epoch += 1
      // What the register shows after a reset was used since the reading before it; of another meter nothing is known until its first reading.
      if (!isOther) knots.push({ at: before.at, kwh: 0, epoch, marked: before.marked || marked, source })
    }
    // Energy begins with what the register shows, and not with nought: whatever else is read with a day, its quarters are rounded alike.
    if (before === null || isReset || isOther) total = kwh
    else total = total === highestBefore ? Math.max(total, kwh) : total + rise
    knots.push({ at, kwh: total, epoch, marked, source })
    if (fallen) fallenAt = at
    wasFallen = fallen
    high = Math.max(high, kwh)
    highestBefore = highestNow
    before = counter
  }
  return knots
}

function isFallen({ kwh, marked }: Counter, old: Counter | undefined, high: number): boolean {
  if (!old) return kwh < high / 2
  // A clock that was off and one that was not never reset each other.
  return old.marked === marked && kwh < old.kwh
}
