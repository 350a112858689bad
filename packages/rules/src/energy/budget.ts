import type { CivilDay } from '../automation/civil-time.ts'
import type { DayType } from './band-calendar.ts'
import type { CivilPeriod } from './compared.ts'
import { percentileOf } from './load.ts'
import { monthStart, nextMonthStart, nextYearStart, yearStart } from './periods.ts'

export const budgetPeriods = ['month', 'year'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]
export const budgetKinds = ['energy', 'money'] as const
export const maxThresholds = 5
/** Of an amount, per cent. */
export const maxThresholdPercent = 200
export const maxBudgetValue = 1_000_000_000_000_000

/** The period of a budget that a date lies in. */
export const budgetPeriodOf = (period: BudgetPeriod, day: CivilDay): CivilPeriod =>
  period === 'month' ? { first: monthStart(day), end: nextMonthStart(day) } : { first: yearStart(day), end: nextYearStart(day) }

/** Wh or minor units of a date. */
export interface BudgetDay {
  readonly day: CivilDay
  readonly type: DayType
  /** Null: nothing is known of it. */
  readonly value: number | null
  /** At least 95 % of it is known, and it is over. */
  readonly isKnown: boolean
}

/** The days before a period by which its course is told. */
export const budgetHistoryDays = 56
const minKnownDays = 14
const comparableDays = 4
const trendDays = 7
const [minTrend, maxTrend] = [0.7, 1.3]
/** Before so many per cent of a period are over nobody is told that it will pass its budget. */
const leastElapsedPercent = 20

/** What a date to come is thought to be, and within what. */
export interface Expected {
  readonly low: number
  readonly mid: number
  readonly high: number
}

export interface BudgetCourse {
  /** Of what is known so far. */
  readonly used: number
  /** At the end of each date, from the first on: what was used up to there, or what is expected to be. */
  readonly days: readonly (Expected & { readonly day: CivilDay; readonly used: number | null })[]
  /** At the end of the period; null: too few days are known to tell. */
  readonly expected: Expected | null
}

/**
 * The course of a period: what was used, and from today on the median of the last four comparable dates (of the same type, known well, within eight
 * weeks) times the trend of the last week, with the tenth and the ninetieth per cent of them around it. Told from fourteen known days on.
 *
 * @param days in their order, from before the period on; `today` is the one that runs.
 */
export function budgetCourse({ first, end }: CivilPeriod, today: CivilDay, days: readonly BudgetDay[]): BudgetCourse {
  const known = days.filter(({ isKnown, value, day }) => isKnown && value !== null && day < today)
  const used = days.reduce((sum, { day, value }) => (day >= first && day < end && day <= today ? sum + (value ?? 0) : sum), 0)
  const isForeseen = known.length >= minKnownDays
  const trend = trendOf(known)
  const byDay = new Map(days.map((each) => [each.day, each]))
  const course: BudgetCourse['days'][number][] = []
  let at: Expected = { low: 0, mid: 0, high: 0 }
  let isWhole = isForeseen
  for (let day = first; day < end; day++) {
    const own = byDay.get(day)
    const value = day <= today ? (own?.value ?? 0) : 0
    const expected = day >= today && isForeseen && own ? expectedOf(known, own, trend) : null
    if (day >= today && expected === null) isWhole = false
    // What the day that runs has used already it will not use less of.
    const rest = (each: number) => Math.max(value, each)
    const next = expected
      ? { low: rest(expected.low), mid: rest(expected.mid), high: rest(expected.high) }
      : { low: value, mid: value, high: value }
    at = { low: at.low + next.low, mid: at.mid + next.mid, high: at.high + next.high }
    const usedTo = day < today ? at.mid : day === today ? at.mid - next.mid + value : null
    course.push({ day, used: usedTo, ...at })
  }
  return { used, days: course, expected: today >= end || isWhole ? at : null }
}

/** The last four dates before one that can be compared with it. */
function comparableTo(known: readonly BudgetDay[], { day, type }: Pick<BudgetDay, 'day' | 'type'>): readonly number[] {
  const values: number[] = []
  for (let index = known.length - 1; index >= 0 && values.length < comparableDays; index--) {
    const each = known[index]
    if (each && each.day < day && each.day >= day - budgetHistoryDays - 31 && each.type === type) values.push(each.value ?? 0)
  }
  return values
}

const medianOf = (sorted: readonly number[]): number => {
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  return (low + high) / 2
}

function expectedOf(known: readonly BudgetDay[], day: BudgetDay, trend: number): Expected | null {
  const alike = comparableTo(known, day)
  // Of a type that has no day yet, the last days of any.
  const values = (alike.length > 0 ? alike : known.slice(-comparableDays).map(({ value }) => value ?? 0)).toSorted(
    (a, b) => a - b,
  )
  if (values.length === 0) return null
  const share = (perMille: number) => (percentileOf(values, perMille) ?? 0) * trend
  return { low: share(100), mid: medianOf(values) * trend, high: share(900) }
}

/** How much more the last week used than the days that it is compared with. */
function trendOf(known: readonly BudgetDay[]): number {
  let [own, other] = [0, 0]
  for (const each of known.slice(-trendDays)) {
    const before = comparableTo(
      known.filter(({ day }) => day < each.day),
      each,
    )
    if (before.length === 0) continue
    own += each.value ?? 0
    other += medianOf(before.toSorted((a, b) => a - b))
  }
  return other > 0 ? Math.min(maxTrend, Math.max(minTrend, own / other)) : 1
}

/** What a budget has come to that somebody is told of: so many per cent used, or expected to be passed. */
export type BudgetNotice = number | 'expected'

/** All that is to be told of a period; each is told once. */
export function budgetNotices(
  { first, end }: CivilPeriod,
  today: CivilDay,
  { amount, thresholds }: { readonly amount: number; readonly thresholds: readonly number[] },
  { used, expected }: Pick<BudgetCourse, 'used' | 'expected'>,
): readonly BudgetNotice[] {
  const crossed: BudgetNotice[] = thresholds.filter((percent) => used * 100 >= amount * percent)
  const isLate = (today - first) * 100 >= (end - first) * leastElapsedPercent
  if (today < end && isLate && used < amount && expected !== null && expected.low > amount) crossed.push('expected')
  return crossed
}
