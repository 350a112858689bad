import type { dayOfTimers, getTimer, lateTimers, logTimers, queryOverrides, queryTimers, timersAbout } from '@linewarden/contract'
import type { LiveListener } from '../../app/net/live-link.ts'
import { refreshSoon } from '../../app/net/refresh-soon.ts'

/** A run, or a linkage, says that it went on at most every 400 ms. */
const runAfterMs = 100

/** One smoke alarm can move many linkages in a moment: they are asked for once. */
const linkageAfterMs = 500

/** Thousands of timers may be due in a minute: what shows their runs is asked for once a second. */
const timersAfterMs = 1_000

/** What goes through all timers of a place, or days of them, is dear: every page that shows it would ask at once. */
const dearEveryMs = 10_000

// By name: the calls themselves come with the pages that make them, and every page has this file.
const ofRuns: readonly (typeof queryTimers | typeof logTimers | typeof getTimer)['name'][] = [
  'queryTimers',
  'logTimers',
  'getTimer',
]
const dear: readonly (typeof timersAbout | typeof dayOfTimers | typeof queryOverrides | typeof lateTimers)['name'][] = [
  'timersAbout',
  'dayOfTimers',
  'queryOverrides',
  'lateTimers',
]

/** When what is dear is asked for next, or was last. */
let dearAt = 0

function runsMoved(): void {
  for (const call of ofRuns) refreshSoon([{ call }], timersAfterMs)
  const now = Date.now()
  if (dearAt > now) return
  dearAt = Math.max(now + timersAfterMs, dearAt + dearEveryMs)
  for (const call of dear) refreshSoon([{ call }], dearAt - now)
}

/** What shows runs is asked for again when one goes on, what shows linkages when one fired or stands otherwise. */
export const automationLive: LiveListener = {
  onLive(message) {
    // What is late is said above every page, and by an alarm that comes first.
    if (message.t === 'event' && message.event.Key === 'automation.late') refreshSoon({ shows: ['timers'] }, runAfterMs)
    if (message.t === 'sceneRun') refreshSoon({ shows: ['automationRuns'] }, runAfterMs)
    if (message.t === 'timerRun') runsMoved()
    if (message.t === 'linkage') refreshSoon({ shows: ['linkages', 'automationRuns'] }, linkageAfterMs)
  },
}
