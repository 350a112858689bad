import type { LiveListener } from '../../app/net/live-link.ts'
import { refreshSoon } from '../../app/net/refresh-soon.ts'

/** A run says that it went on at most every 400 ms. */
const runAfterMs = 100

/** What shows runs is asked for again when one goes on. */
export const automationLive: LiveListener = {
  onLive({ t }) {
    if (t === 'sceneRun') refreshSoon({ shows: ['automationRuns'] }, runAfterMs)
  },
}
