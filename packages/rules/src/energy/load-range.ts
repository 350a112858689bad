import { parseDate } from '../automation/civil-time.ts'

/** What is shown of a load: usual days, the largest quarters, the duration curve, means by hour and day, or the quarters themselves. */
export const loadKinds = ['profile', 'max', 'duration', 'heat', 'quarters'] as const
export type LoadKind = (typeof loadKinds)[number]

/** Civil days of one question at most: a year with its leap day, and a month where the quarters themselves are asked for. */
export const maxLoadDays = 366
export const maxLoadQuarterDays = 31
export const maxLoadDaysOf = (kind: LoadKind): number => (kind === 'quarters' ? maxLoadQuarterDays : maxLoadDays)

/** Why a range of civil dates, `to` not included, cannot be asked for; null: it can. */
export function loadRangeProblem(
  kind: LoadKind,
  from: string,
  to: string,
): 'notDates' | 'endsBeforeStart' | 'tooManyDays' | null {
  const [first, end] = [parseDate(from), parseDate(to)]
  if (first === null || end === null) return 'notDates'
  if (first >= end) return 'endsBeforeStart'
  return end - first > maxLoadDaysOf(kind) ? 'tooManyDays' : null
}
