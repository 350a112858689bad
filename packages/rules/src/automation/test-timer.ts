import { createCalendar } from './calendar.ts'
import type { ProjectTime } from './occurrences.ts'
import type { Period, Schedule, TimerPoint } from './timer.ts'

export const everyDay = 127

/** A healthy timer: closes at 08:00 and trips at 18:00 each day. */
export const dailySchedule: Schedule = {
  period: { type: 'weekly', days: everyDay, fromDate: null, toDate: null },
  points: [
    { pointNo: 1, at: '08:00', action: 'close' },
    { pointNo: 2, at: '18:00', action: 'trip' },
  ],
  exceptions: [],
  skipNext: null,
}

type PeriodOf = Period extends infer P ? (P extends Period ? Omit<P, 'fromDate' | 'toDate'> : never) : never

/** A schedule of these points, each day unless a period is given. */
export const scheduleOf = (
  points: readonly (readonly [TimerPoint['at'], TimerPoint['action']])[],
  period: PeriodOf = { type: 'weekly', days: everyDay },
  more: Partial<Schedule> = {},
): Schedule => ({
  period: { fromDate: null, toDate: null, ...period } as Period,
  points: points.map(([at, action], index) => ({ pointNo: index + 1, at, action })),
  exceptions: [],
  skipNext: null,
  ...more,
})

export const shanghai: ProjectTime = {
  timeZone: 'Asia/Shanghai',
  calendar: createCalendar({}),
  position: { latitude: 31.2304, longitude: 121.4737 },
}

/** `2026-11-24T08:00` on the clock of Shanghai. */
export const at = (text: string): number => Date.parse(`${text}:00+08:00`)
