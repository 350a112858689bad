import { minuteMs } from '@linewarden/equipment'
/** A civil time of a project in which nothing may cut the supply for a test. */
export interface QuietWindow {
  /** Bit 0 Monday to bit 6 Sunday: the days on which it begins. */
  readonly days: number
  /** Minutes after midnight. An end that is not after the beginning lies on the next day. */
  readonly fromMinute: number
  readonly toMinute: number
}

const dayMinutes = 1_440
const weekdays: readonly string[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
/** Windows that follow one on another end with the last; two weeks of them are always. */
const maxJoined = 15

/** When the quiet hours that run now end, Unix ms; null when none run. */
export function quietUntil(windows: readonly QuietWindow[], timeZone: string, now: number): number | null {
  let until: number | null = null
  for (let joined = 0; joined < maxJoined; joined++) {
    const end = endOfWindow(windows, timeZone, until ?? now)
    if (end === null) return until
    until = end
  }
  return until
}

function endOfWindow(windows: readonly QuietWindow[], timeZone: string, now: number): number | null {
  if (windows.length === 0) return null
  const { day, minute } = civil(timeZone, now)
  let left = 0
  for (const { days, fromMinute, toMinute } of windows) {
    const length = (toMinute - fromMinute + dayMinutes) % dayMinutes || dayMinutes
    for (const back of [0, 1]) {
      if ((days & (1 << ((day - back + 7) % 7))) === 0) continue
      const into = minute + back * dayMinutes - fromMinute
      if (into >= 0 && into < length) left = Math.max(left, length - into)
    }
  }
  return left === 0 ? null : Math.floor(now / minuteMs) * minuteMs + left * minuteMs
}

function civil(timeZone: string, at: number): { day: number; minute: number } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  return { day: weekdays.indexOf(part('weekday')), minute: Number(part('hour')) * 60 + Number(part('minute')) }
}
