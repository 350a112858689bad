import type { LiveListener } from '../../app/net/live-link.ts'
import { refreshSoon } from '../../app/net/refresh-soon.ts'

/** A phone that is back sends thousands of answers: lists ask once a second at most. */
const afterMs = 1_000

export const inspectionLive: LiveListener = {
  onLive(message) {
    if (message.t === 'inspectionRound') refreshSoon({ shows: ['inspectionRounds'] }, afterMs)
  },
}
