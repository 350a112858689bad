import type { CivilDay } from '@linewarden/rules/automation'
import { dateText, parseDate, yearOf } from '@linewarden/rules/automation'
import type { Comparison, EnergyUnit } from '@linewarden/rules/energy'
import { comparisons, energyUnits, monthStart, nextMonthStart, nextYearStart, yearStart } from '@linewarden/rules/energy'

/** Years side by side where years are the bars. */
const yearsShown = 10

/** Quarters come so often. */
export const everyMs = 300_000

/** What the address asks for. */
export interface EnergyAddress {
  /** What each bar is. */
  readonly unit: EnergyUnit
  /** A date within the period. */
  readonly day: CivilDay
  readonly compare: Comparison | null
}

/** Dates of a period, `end` not included. */
export interface Period {
  readonly first: CivilDay
  readonly end: CivilDay
}

/** Reads the address; whatever it says and is none is as if it were not there: the days of this month. */
export function readAddress(query: URLSearchParams, today: CivilDay): EnergyAddress {
  return {
    unit: energyUnits.find((each) => each === query.get('unit')) ?? 'day',
    day: parseDate(query.get('day') ?? '') ?? today,
    compare: comparisons.find((each) => each === query.get('compare')) ?? null,
  }
}

/** Hours of a day, days of a month, months of a year, or the ten years up to one. */
export function periodOf({ unit, day }: Pick<EnergyAddress, 'unit' | 'day'>): Period {
  switch (unit) {
    case 'hour':
      return { first: day, end: day + 1 }
    case 'day':
      return { first: monthStart(day), end: nextMonthStart(day) }
    case 'month':
      return { first: yearStart(day), end: nextYearStart(day) }
    case 'year':
      return { first: firstOfYear(yearOf(day) - yearsShown + 1), end: nextYearStart(day) }
  }
}

const firstOfYear = (year: number): CivilDay => Date.UTC(year, 0, 1) / 86_400_000

/** A date of the period before, or of the one after it. */
export function stepped({ unit, day }: Pick<EnergyAddress, 'unit' | 'day'>, by: -1 | 1): CivilDay {
  const { first, end } = periodOf({ unit, day })
  if (unit !== 'year') return by < 0 ? first - 1 : end
  return by < 0 ? yearStart(day) - 1 : end
}

/** What a period is called: a date, a month, a year, or the first and the last of several. */
export function periodName(unit: EnergyUnit, { first, end }: Period): string {
  const text = dateText(first)
  if (unit === 'hour') return text
  if (unit === 'day') return text.slice(0, 7)
  return unit === 'month' ? text.slice(0, 4) : `${text.slice(0, 4)} – ${dateText(end - 1).slice(0, 4)}`
}

const finer: Partial<Record<EnergyUnit, EnergyUnit>> = { year: 'month', month: 'day', day: 'hour' }

/** What a bar is made of; null: hours are the last. */
export function within(unit: EnergyUnit, civil: string): Pick<EnergyAddress, 'unit' | 'day'> | null {
  const next = finer[unit]
  const day = parseDate(`${civil}-01-01`.slice(0, 10))
  return next && day !== null ? { unit: next, day } : null
}
