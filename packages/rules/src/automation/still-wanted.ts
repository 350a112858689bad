import { dayMs } from '@linewarden/equipment'
import type { Occurrence, ProjectTime } from './occurrences.ts'
import { horizonDays, lastDue, occurrences } from './occurrences.ts'
import type { Schedule } from './timer.ts'

/** A timer as far as it wants a line switched on. */
export interface WantingTimer {
  readonly timerId: number
  readonly name: string
  readonly enabled: boolean
  readonly schedule: Schedule
}

/** From a close to the timer's next trip, end not included; null: no trip follows within the horizon. */
export interface OnWindow {
  readonly from: number
  readonly to: number | null
}

/** The windows of a timer by what it is due for, in the order of time. A close that is skipped opens none, a skipped trip ends none. */
export function onWindows(due: readonly Occurrence[]): readonly OnWindow[] {
  const windows: OnWindow[] = []
  let from: number | null = null
  for (const { at, action, skip } of due) {
    if (skip !== null) continue
    if (action === 'close') from ??= at
    if (action !== 'trip' || from === null) continue
    windows.push({ from, to: at })
    from = null
  }
  return from === null ? windows : [...windows, { from, to: null }]
}

/** Whether a window covers an instant; one that no trip ends covers nothing: it would keep the line on for ever. */
export const covers = ({ from, to }: OnWindow, at: number): boolean => to !== null && from <= at && at < to

/**
 * The timer, other than the one that would trip at `at`, whose window covers that instant for the same line: then the trip is skipped. Windows
 * that touch count as one, and the end of the last of them always trips. Null: nothing wants the line on. `known`: what was found of timers of
 * this project before, for whoever asks of many lines; it is added to.
 */
export function stillWanted(
  timerId: number,
  timersOfLine: readonly WantingTimer[],
  time: ProjectTime,
  at: number,
  known = new Map<string, boolean>(),
): WantingTimer | null {
  const wants = (timer: WantingTimer) => {
    const key = `${timer.timerId} ${at}`
    const found = known.get(key) ?? wantsOn(timer, time, at)
    known.set(key, found)
    return found
  }
  return timersOfLine.find((timer) => timer.enabled && timer.timerId !== timerId && wants(timer)) ?? null
}

function wantsOn({ schedule }: WantingTimer, time: ProjectTime, at: number): boolean {
  let before = lastDue(schedule, time, at)
  while (before && before.skip !== null && before.at > at - horizonDays * dayMs) before = lastDue(schedule, time, before.at - 1)
  if (before?.action !== 'close' || before.skip !== null) return false
  let days = 4
  const end = at + horizonDays * dayMs
  for (let from = at + 1; from < end; days *= 2) {
    const to = Math.min(from + days * dayMs, end)
    if (occurrences(schedule, time, from, to).some((each) => each.action === 'trip' && each.skip === null)) return true
    from = to
  }
  return false
}
