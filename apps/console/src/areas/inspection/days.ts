import { dayMs } from '@linewarden/equipment'

/** A day as the calls write it. Days are counted by themselves: no zone moves them. */
export const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The day of an instant by this device's zone, as an instant that is counted without one. */
export function dayHere(at: number): number {
  const time = new Date(at)
  return Date.UTC(time.getFullYear(), time.getMonth(), time.getDate())
}

/** NaN for what is no day. */
export const dayIn = (text: string): number => {
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) || dayText(at) !== text ? Number.NaN : at
}

export const mondayOf = (at: number): number => at - ((new Date(at).getUTCDay() + 6) % 7) * dayMs

export const shownWeeks = 5

/** Whole weeks, with today in the third where nothing else is asked. */
export function daysShown(from: string, today: number): readonly number[] {
  const asked = dayIn(from)
  const first = mondayOf(Number.isNaN(asked) ? today - 14 * dayMs : asked)
  return Array.from({ length: shownWeeks * 7 }, (_, index) => first + index * dayMs)
}
