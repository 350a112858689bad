import type { CivilDay, CivilZone } from '../automation/civil-time.ts'
import type { SupplySpan } from './boundary.ts'
import type { CivilPeriod } from './compared.ts'
import { dayOfSlot } from './cover.ts'

/** Dates on which one line fed another, or nothing did. */
export interface FeedPeriod extends CivilPeriod {
  /** Null: nothing that is metered. */
  readonly upstreamId: number | null
}

/** What a line fed, and on which dates. */
export interface FedLine {
  readonly lineId: number
  /** In their order, none meets another. */
  readonly periods: readonly CivilPeriod[]
}

/** Who fed whom in a period, through lines that measure nothing. */
export interface Feeds {
  /** By the line that feeds; those it fed by their numbers. */
  readonly fed: ReadonlyMap<number, readonly FedLine[]>
  /** Dates on which nothing that is metered fed a line. */
  readonly roots: ReadonlyMap<number, readonly CivilPeriod[]>
}

/** No way up is longer than this; a circle is refused where it is entered. */
const maxFeeds = 100

/** By civil dates: a date counts as it is fed at its end, as it does in the sums of a project. */
export function feedPeriods(zone: CivilZone, spans: readonly SupplySpan[]): ReadonlyMap<number, readonly FeedPeriod[]> {
  const found = new Map<number, FeedPeriod[]>()
  for (const { lineId, upstreamId, from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const first = Number.isFinite(from) ? dayOfSlot(zone, from) : Number.NEGATIVE_INFINITY
    const end = to === null ? Number.POSITIVE_INFINITY : dayOfSlot(zone, to)
    if (first >= end || upstreamId === null) continue
    const own = found.get(lineId) ?? []
    found.set(lineId, own)
    own.push({ upstreamId, first, end })
  }
  return found
}

/**
 * @param metered the dates on which each line measures energy; the others pass on what feeds them.
 */
export function feedsIn(
  period: CivilPeriod,
  metered: ReadonlyMap<number, CivilPeriod>,
  upstream: ReadonlyMap<number, readonly FeedPeriod[]>,
): Feeds {
  const fed = new Map<number, FedLine[]>()
  const roots = new Map<number, readonly CivilPeriod[]>()
  for (const [lineId, dates] of metered) {
    const own = both(period, dates)
    if (own === null) continue
    const byFeeder = new Map<number | null, CivilPeriod[]>()
    for (const { upstreamId, first, end } of meteredAbove(lineId, own, { metered, upstream, passed: new Set() })) {
      const periods = byFeeder.get(upstreamId) ?? []
      byFeeder.set(upstreamId, periods)
      periods.push({ first, end })
    }
    for (const [upstreamId, periods] of byFeeder) {
      if (upstreamId === null) roots.set(lineId, joinedPeriods(periods))
      else fed.set(upstreamId, [...(fed.get(upstreamId) ?? []), { lineId, periods: joinedPeriods(periods) }])
    }
  }
  return { fed, roots }
}

interface Above {
  readonly metered: ReadonlyMap<number, CivilPeriod>
  readonly upstream: ReadonlyMap<number, readonly FeedPeriod[]>
  readonly passed: ReadonlySet<number>
}

/** The nearest metered line above on each of these dates. */
function meteredAbove(lineId: number, period: CivilPeriod, { metered, upstream, passed }: Above): readonly FeedPeriod[] {
  const found: FeedPeriod[] = []
  const below = new Set([...passed, lineId])
  let day: CivilDay = period.first
  const add = (upstreamId: number | null, end: CivilDay) => {
    if (day < end) found.push({ upstreamId, first: day, end })
    day = Math.max(day, end)
  }
  for (const { upstreamId, ...dates } of upstream.get(lineId) ?? []) {
    const fedOn = both({ first: day, end: period.end }, dates)
    if (fedOn === null || upstreamId === null) continue
    add(null, fedOn.first)
    const known = both(fedOn, metered.get(upstreamId) ?? { first: 0, end: 0 })
    const unmetered = known ? [{ ...fedOn, end: known.first }, known, { ...fedOn, first: known.end }] : [fedOn]
    for (const each of unmetered) {
      if (each.first >= each.end) continue
      if (each === known) add(upstreamId, each.end)
      else if (below.has(upstreamId) || below.size >= maxFeeds) add(null, each.end)
      else {
        found.push(...meteredAbove(upstreamId, each, { metered, upstream, passed: below }))
        day = each.end
      }
    }
  }
  add(null, period.end)
  return found
}

/** The dates that are in both; null: there are none. */
export function both(one: CivilPeriod, other: CivilPeriod): CivilPeriod | null {
  const [first, end] = [Math.max(one.first, other.first), Math.min(one.end, other.end)]
  return first < end ? { first, end } : null
}

/** In their order; those that meet or overlap are one. */
export function joinedPeriods(periods: readonly CivilPeriod[]): readonly CivilPeriod[] {
  const made: CivilPeriod[] = []
  for (const { first, end } of periods.toSorted((one, other) => one.first - other.first)) {
    const last = made.at(-1)
    if (last && first <= last.end) made[made.length - 1] = { first: last.first, end: Math.max(last.end, end) }
    else made.push({ first, end })
  }
  return made
}
