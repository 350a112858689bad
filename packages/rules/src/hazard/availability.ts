/** Of how many lines of a gateway there were readings on a day, and in how many of their hours. */
export interface ReportedDay {
  readonly gatewayId: number
  readonly day: number
  readonly lines: number
  readonly lineHours: number
}

export interface DayAvailability {
  readonly day: number
  /** Of the hours of lines that are expected to report, those with readings; null: nothing is known of the day. */
  readonly share: number | null
}

/** Below this on a day its few alarms say little. */
export const blindBelow = 0.98
/** What is aimed at. */
export const availabilityTarget = 0.99

/**
 * How much of the plant reported on each of these days: what has reported is expected from then on. `hoursOf`: how many hours a day had.
 * Of the day that is not over nothing is known.
 */
export function availabilityOf(
  reported: readonly ReportedDay[],
  days: readonly number[],
  hoursOf: (day: number) => number,
): DayAvailability[] {
  const byDay = Map.groupBy(reported, ({ day }) => day)
  const expected = new Map<number, number>()
  const expect = ({ gatewayId, lines }: ReportedDay) => expected.set(gatewayId, Math.max(expected.get(gatewayId) ?? 0, lines))
  const first = days[0] ?? Number.POSITIVE_INFINITY
  for (const each of reported) if (each.day < first) expect(each)
  const newest = reported.reduce((most, { day }) => Math.max(most, day), Number.NEGATIVE_INFINITY)
  return days.map((day) => {
    const own = byDay.get(day) ?? []
    own.forEach(expect)
    const lines = [...expected.values()].reduce((sum, each) => sum + each, 0)
    if (day > newest || lines === 0) return { day, share: null }
    const hours = own.reduce((sum, { lineHours }) => sum + lineHours, 0)
    return { day, share: Math.min(1, hours / (lines * hoursOf(day))) }
  })
}

/** Of all days together, each weighing the same; null: of none anything is known. */
export function meanAvailability(days: readonly DayAvailability[]): number | null {
  const known = days.flatMap(({ share }) => share ?? [])
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length
}
