import type { alarmFlood, Reply } from '@linewarden/contract'
import { floodAt, floodEndsBelow, floodWindowMs } from '@linewarden/rules/alarm'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import { announcedSince, foldedSince } from '../../store/alarm/announcement.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AlarmDeps } from './deps.ts'

/** A flood that began longer ago, or has more announcements, is told as of these: every console asks in it, again and again. */
const longestMs = 24 * 60 * 60_000
const most = 2_000

/** Whether alarms flood whoever asks, by what is announced to them. */
export function createFlood({ database, plant, clock }: Pick<AlarmDeps, 'database' | 'plant' | 'clock'>) {
  return {
    async flood(actor: Actor): Promise<Reply<typeof alarmFlood>> {
      const now = clock()
      const seen = seenBy(actor, plant)
      return withRowSecurity(database, actor.scope, async (db) => {
        const announcedAt = await announcedSince(db, seen, {
          ...{ now, windowMs: floodWindowMs, from: now - longestMs, atLeast: floodEndsBelow, most },
        })
        const flood = floodAt(announcedAt, now)
        if (!flood) return { Flood: null }
        const folded = await foldedSince(db, seen, announcedAt.at(-flood.announced) ?? flood.since)
        return {
          Flood: {
            ...{ Since: flood.since, Announced: flood.announced },
            ...{ Folded: folded.events, Incidents: folded.incidents, More: folded.isMore },
          },
        }
      })
    },
  }
}
