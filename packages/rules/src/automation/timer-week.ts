import { dayMs, minuteMs } from '@linewarden/equipment'
import type { Occurrence } from './occurrences.ts'
import { onWindows } from './still-wanted.ts'
import type { Schedule, TimerAction } from './timer.ts'

/** A stretch in which a timer keeps its lines on. */
export interface WeekWindow {
  readonly from: number
  /** Null: no trip follows that is known of. */
  readonly to: number | null
  /** It keeps its place and is not done: an exception or a person's skip leaves it out. */
  readonly left: boolean
}

/** What a timer does in a stretch of time, to be drawn. */
export interface TimerWeek {
  readonly windows: readonly WeekWindow[]
  /** What is done at an instant and is no end of a window: a test, a trip by itself. */
  readonly instants: readonly { readonly at: number; readonly action: TimerAction }[]
}

/** A window that begins before the stretch, or ends after it, is drawn as far as it reaches into it: so much is asked for beside it. */
export const weekMarginMs = 8 * dayMs

/** The schedule as it would be without what a person skipped and without dates that are left out. */
export const bareSchedule = (schedule: Schedule): Schedule => ({
  ...schedule,
  exceptions: schedule.exceptions.filter(({ points }) => points !== 'none'),
  skipNext: null,
})

/** The windows of a timer that reach into a stretch, those that are left out among them, and what else it does there. `bare`: due by its bare schedule. */
export function weekOf(due: readonly Occurrence[], bare: readonly Occurrence[], from: number, to: number): TimerWeek {
  const windows = onWindows(due)
  const begins = new Set(windows.map((each) => each.from))
  const left = onWindows(bare).filter((each) => !begins.has(each.from))
  const reaches = ({ from: begin, to: end }: { readonly from: number; readonly to: number | null }) =>
    begin < to && (end === null || end > from)
  const ends = new Set(windows.flatMap((each) => [each.from, each.to]))
  return {
    windows: [...windows.map((each) => ({ ...each, left: false })), ...left.map((each) => ({ ...each, left: true }))]
      .filter(reaches)
      .sort((one, other) => one.from - other.from),
    instants: due
      .filter(({ at, skip }) => skip === null && at >= from && at < to && !ends.has(at))
      .map(({ at, action }) => ({ at, action })),
  }
}

/** When what one timer does is undone by another within a minute, or undoes it: instants of the first. */
export function opposedInstants(own: readonly Occurrence[], other: readonly Occurrence[]): readonly number[] {
  const undoes: Partial<Record<TimerAction, TimerAction>> = { trip: 'close', close: 'trip' }
  return own
    .filter(({ at, action, skip }) =>
      skip === null
        ? other.some((each) => each.skip === null && each.action === undoes[action] && Math.abs(each.at - at) < minuteMs)
        : false,
    )
    .map(({ at }) => at)
}
