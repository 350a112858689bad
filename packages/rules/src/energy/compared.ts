import { dayMs } from '@linewarden/equipment'
import type { CivilDay, CivilZone } from '../automation/civil-time.ts'
import { dateText, dayOfMonth, parseDate, yearOf } from '../automation/civil-time.ts'
import { monthStart, nextMonthStart, nextYearStart, yearStart } from './periods.ts'
import { quarterOf, startOfDay } from './slots.ts'

export const comparisons = ['previous', 'yearAgo', 'yearAgoWeekday'] as const
export type Comparison = (typeof comparisons)[number]

/** A stretch of civil dates, `end` not included. */
export interface CivilPeriod {
  readonly first: CivilDay
  readonly end: CivilDay
}

/** The period that another is compared with, and which dates stand beside which. */
export interface ComparedPeriod extends CivilPeriod {
  /** The date that stands beside one of the period; null: none does, as beside 29 February of a year without it. */
  partnerOf(day: CivilDay): CivilDay | null
}

/** Fifty-two weeks: the same day of the week. */
const yearOfWeeks = 364

/**
 * What a period is compared with. A whole month or year has the whole one before it or a year ago, its dates aligned by their numbers: days 29 to
 * 31 of March stand alone beside February. Any other period has as many days before it, or its dates a year ago.
 */
export function comparedWith(period: CivilPeriod, comparison: Comparison): ComparedPeriod {
  if (comparison === 'yearAgoWeekday') return shifted(period, yearOfWeeks)
  const whole = wholeUnitOf(period)
  if (whole === 'year' || (whole === 'month' && comparison === 'yearAgo')) {
    const first = yearAgo(period.first) ?? period.first - yearOfWeeks
    return within(first, whole === 'year' ? nextYearStart(first) : nextMonthStart(first), yearAgo)
  }
  if (whole === 'month') {
    const first = monthStart(period.first - 1)
    const sameNumber = (day: CivilDay) => first + dayOfMonth(day) - 1
    return within(first, period.first, sameNumber)
  }
  if (comparison === 'previous') return shifted(period, period.end - period.first)
  // A range that begins or ends with 29 February begins or ends beside it with the dates that have a partner.
  const days = Array.from({ length: period.end - period.first }, (_, index) => yearAgo(period.first + index))
  const [first, last] = [days.find((day) => day !== null), days.findLast((day) => day !== null)]
  if (first == null || last == null) return { first: 0, end: 0, partnerOf: () => null }
  return within(first, last + 1, yearAgo)
}

const wholeUnitOf = ({ first, end }: CivilPeriod): 'year' | 'month' | null => {
  if (first === yearStart(first) && end === nextYearStart(first)) return 'year'
  return first === monthStart(first) && end === nextMonthStart(first) ? 'month' : null
}

const shifted = ({ first, end }: CivilPeriod, days: number): ComparedPeriod =>
  within(first - days, end - days, (day) => day - days)

function within(first: CivilDay, end: CivilDay, partnerOf: (day: CivilDay) => CivilDay | null): ComparedPeriod {
  return {
    first,
    end,
    partnerOf(day) {
      const partner = partnerOf(day)
      return partner === null || partner < first || partner >= end ? null : partner
    },
  }
}

/** The same date of the year before; null of 29 February. */
function yearAgo(day: CivilDay): CivilDay | null {
  return parseDate(`${String(yearOf(day) - 1).padStart(4, '0')}${dateText(day).slice(4)}`)
}

/**
 * Up to which instant each of two periods counts, Unix ms: of one that still runs, both count up to the same civil moment, to the quarter. Where
 * today has no partner, the other counts up to where the last date that has one ends.
 */
export function sameMoment(
  zone: CivilZone,
  period: CivilPeriod,
  compared: ComparedPeriod,
  now: number,
): { readonly until: number; readonly comparedUntil: number } {
  const [ends, comparedEnds] = [startOfDay(zone, period.end), startOfDay(zone, compared.end)]
  const until = Math.max(startOfDay(zone, period.first), quarterOf(now))
  if (until >= ends) return { until: ends, comparedUntil: comparedEnds }
  const today = zone.dayAt(until)
  const partner = compared.partnerOf(today)
  if (partner === null) return { until, comparedUntil: endOfPartners(zone, period.first, today, compared) }
  const second = Math.floor((zone.wallAt(until) - today * dayMs) / 1_000)
  const found = zone.resolve(partner, second)
  return { until, comparedUntil: found ? found.at : startOfDay(zone, partner) }
}

function endOfPartners(zone: CivilZone, first: CivilDay, today: CivilDay, compared: ComparedPeriod): number {
  for (let day = today - 1; day >= first; day--) {
    const partner = compared.partnerOf(day)
    if (partner !== null) return startOfDay(zone, partner + 1)
  }
  return startOfDay(zone, compared.first)
}

/** Energy of a stretch of time, and how many of its quarters are known. */
export interface KnownEnergy {
  readonly wh: number
  readonly knownQuarters: number
  readonly quarters: number
}

/** Both sides of a comparison must be known for so much of their time before a per cent is given. */
export const minKnownShare = 0.95

const isKnownEnough = ({ knownQuarters, quarters }: KnownEnergy): boolean =>
  quarters > 0 && knownQuarters >= minKnownShare * quarters

/** By how much of the other it is more, 0.1 is 10 % more; null: too little of one is known, or the other is nothing. */
export function changeOf(one: KnownEnergy, other: KnownEnergy): number | null {
  if (!isKnownEnough(one) || !isKnownEnough(other) || other.wh <= 0) return null
  return (one.wh - other.wh) / other.wh
}
