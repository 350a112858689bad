import type { LiveListener } from '../../app/net/live-link.ts'
import { refreshSoon } from '../../app/net/refresh-soon.ts'

/** A run, or a linkage, says that it went on at most every 400 ms. */
const runAfterMs = 100

/** One smoke alarm can move many linkages in a moment: they are asked for once. */
const linkageAfterMs = 500

/** Thousands of timers may be due in a minute, and each order has its steps: what shows them is asked for once a second. */
const timersAfterMs = 1_000

/** What shows runs is asked for again when one goes on, what shows linkages when one fired or stands otherwise. */
export const automationLive: LiveListener = {
  onLive(message) {
    // What is late is said above every page, and by an alarm that comes first.
    if (message.t === 'event' && message.event.Key === 'automation.late') refreshSoon({ shows: ['timers'] }, runAfterMs)
    if (message.t === 'sceneRun') refreshSoon({ shows: ['automationRuns'] }, runAfterMs)
    const isOfTimer = message.t === 'timerRun' || (message.t === 'command' && message.command.Source === 'timer')
    if (isOfTimer) refreshSoon({ shows: ['timers'] }, timersAfterMs)
    if (message.t === 'linkage') refreshSoon({ shows: ['linkages', 'automationRuns'] }, linkageAfterMs)
  },
}
