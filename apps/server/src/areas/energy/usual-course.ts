import { bundledDays, civilZone, createPublicCalendar } from '@linewarden/rules/automation'
import { clockQuarterOf, dayOfSlot, dayTypeOf, quarterMs, slotsOfDay, startOfDay, usualDay } from '@linewarden/rules/energy'
import type { LineQuarters } from '../../store/energy/read.ts'

/** Dates by which it is judged what is usual. */
const pastDays = 28

/** The 28 dates before the one in which an instant lies, Unix ms. */
export function courseDays(timeZone: string, at: number): { readonly from: number; readonly to: number } {
  const zone = civilZone(timeZone)
  const day = dayOfSlot(zone, at)
  return { from: startOfDay(zone, day - pastDays), to: startOfDay(zone, day) }
}

/**
 * What a line usually uses in each quarter of a stretch, by its quarters of the 28 dates before: the median of dates of the same type. Null: nothing is
 * usual there.
 */
export function usualCourse(
  timeZone: string,
  past: LineQuarters,
  { from, to }: { readonly from: number; readonly to: number },
): readonly (number | null)[] {
  const zone = civilZone(timeZone)
  const calendar = createPublicCalendar({ bundle: bundledDays(timeZone) })
  const last = dayOfSlot(zone, from)
  const byType = new Map<string, ReturnType<typeof usualDay>>()
  const usualOf = (type: ReturnType<typeof dayTypeOf>) => {
    if (!byType.has(type)) {
      const days = Array.from({ length: pastDays }, (_, index) => last - pastDays + index)
        .filter((day) => dayTypeOf(calendar, day) === type)
        .map((day) => {
          const slots = slotsOfDay(zone, day)
          const places = slots.map((slot) => (slot - past.from) / quarterMs)
          return {
            wh: places.map((place) => past.wh[place] ?? null),
            how: Uint8Array.from(places, (place) => past.how[place] ?? 4),
            clockQuarters: slots.map((slot) => clockQuarterOf(zone, slot)),
          }
        })
      byType.set(type, usualDay(days))
    }
    return byType.get(type) ?? null
  }
  return Array.from({ length: (to - from) / quarterMs }, (_, index) => {
    const slot = from + index * quarterMs
    const wh = usualOf(dayTypeOf(calendar, dayOfSlot(zone, slot)))?.[clockQuarterOf(zone, slot)]
    return wh === undefined ? null : Math.round(wh)
  })
}
