import { dayMs } from '@linewarden/equipment'
import type { CivilZone } from './civil-time.ts'
import { parseTime, weekdayOf } from './civil-time.ts'

/** When a linkage acts: days of the week as bits, 0 Monday, and times on the clock of the project. */
export interface ActiveHours {
  readonly days: number
  readonly from: string
  /** Not included; at or before `from` it is of the day after. */
  readonly to: string
}

/** Whether a linkage acts at an instant; one without hours always does. */
export function isActiveAt(hours: readonly ActiveHours[], zone: CivilZone, at: number): boolean {
  if (hours.length === 0) return true
  const day = zone.dayAt(at)
  const second = Math.floor((((zone.wallAt(at) % dayMs) + dayMs) % dayMs) / 1_000)
  return hours.some(({ days, from, to }) => {
    const [begins, ends] = [parseTime(from), parseTime(to)]
    if (begins === null || ends === null) return false
    const isOn = (which: number) => (days & (1 << weekdayOf(which))) !== 0
    if (ends > begins) return isOn(day) && second >= begins && second < ends
    return (isOn(day) && second >= begins) || (isOn(day - 1) && second < ends)
  })
}
