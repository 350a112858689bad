import type { Priority } from '@linewarden/equipment'
import { isAnnouncedAgain } from './lifecycle.ts'

/** An alarm that comes back within a day of its last return is one series: one row of the list, however often somebody ended it. */
export const seriesWithinMs = 24 * 60 * 60_000

/** So many raises within so long are chatter (IEC 62682). */
export const chatterRaises = 3
export const chatterWithinMs = 60_000
/** Chatter is announced once in this time, and over when none came for as long. */
export const chatterAnnounceMs = 10 * 60_000

/** An alarm that returned so soon, and nobody did anything about it, was fleeting. */
export const fleetingMs = 5_000

/** What is known of the raises of one alarm of one place. Times of the equipment, Unix ms. */
export interface AlarmSeries {
  /** How often it was raised in all. */
  readonly occurrences: number
  /** The newest raises, the newest last. */
  readonly raises: readonly number[]
  /** Its last return; null: it did not return yet. */
  readonly returnedAt: number | null
  /** When it was announced last; null: never. */
  readonly announcedAt: number | null
  /** Since when it chatters, and the newest raise that did; null: it never did. */
  readonly chatterSince: number | null
  readonly chatterAt: number | null
}

/** Whether a raise goes on with a series: it did not return before, or less than a day ago. */
export function continuesSeries({ returnedAt, raises }: AlarmSeries, at: number): boolean {
  const last = Math.max(returnedAt ?? Number.NEGATIVE_INFINITY, raises.at(-1) ?? Number.NEGATIVE_INFINITY)
  return at - last < seriesWithinMs
}

/** A series after a raise; null before: there was none, and this begins one. */
export function seriesAfterRaise(before: AlarmSeries | null, at: number): AlarmSeries {
  const series = before && continuesSeries(before, at) ? before : null
  const raises = [...(series?.raises ?? []), at].slice(-chatterRaises)
  const first = raises[0] ?? at
  const chatters = raises.length === chatterRaises && at - first < chatterWithinMs && at >= first
  const goesOn = series?.chatterAt != null && Math.abs(at - series.chatterAt) < chatterAnnounceMs
  return {
    occurrences: (series?.occurrences ?? 0) + 1,
    raises,
    returnedAt: null,
    announcedAt: series?.announcedAt ?? null,
    chatterSince: chatters ? (goesOn ? (series?.chatterSince ?? at) : at) : (series?.chatterSince ?? null),
    chatterAt: chatters ? at : (series?.chatterAt ?? null),
  }
}

/** Whether an alarm chatters at that moment: not longer than ten minutes ago it did. */
export const isChattering = ({ chatterAt }: Pick<AlarmSeries, 'chatterAt'>, at: number): boolean =>
  chatterAt !== null && at - chatterAt < chatterAnnounceMs

interface Raise {
  readonly priority: Priority
  /** Fire, gas and arc: they call each time. */
  readonly isDanger: boolean
  readonly at: number
  /** The last raise of the event that is still open; null: it is a new one. */
  readonly lastRaisedAt: number | null
}

/** Whether a raise calls for somebody. `after`: its series with it. What chatters calls once in ten minutes, by its equipment's clock. */
export function isRaiseAnnounced(after: AlarmSeries, { priority, isDanger, at, lastRaisedAt }: Raise): boolean {
  if (isDanger) return true
  const isDue = lastRaisedAt === null || isAnnouncedAgain(priority, lastRaisedAt, at)
  if (!isChattering(after, at)) return isDue
  // A clock that was set back says nothing of how long ago that was.
  const since = after.announcedAt === null ? null : at - after.announcedAt
  return since === null || since < 0 || since >= chatterAnnounceMs
}

/** Whether an alarm came and went so soon that nobody could have done anything about it. Times in Unix ms. */
export const isFleeting = (alarm: {
  readonly raisedAt: number
  readonly returnedAt: number | null
  readonly acknowledgedAt: number | null
}): boolean =>
  alarm.returnedAt !== null &&
  alarm.returnedAt >= alarm.raisedAt &&
  alarm.returnedAt - alarm.raisedAt <= fleetingMs &&
  (alarm.acknowledgedAt === null || alarm.acknowledgedAt > alarm.returnedAt)
