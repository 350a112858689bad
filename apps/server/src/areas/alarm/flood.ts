import type { alarmFlood, Reply } from '@linewarden/contract'
import { floodAt, floodEndsBelow, floodWindowMs } from '@linewarden/rules/alarm'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import { announcedSince } from '../../store/alarm/announcement.ts'
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
      const announcedAt = await withRowSecurity(database, actor.scope, (db) =>
        announcedSince(db, seenBy(actor, plant), {
          ...{ now, windowMs: floodWindowMs, from: now - longestMs, atLeast: floodEndsBelow, most },
        }),
      )
      const flood = floodAt(announcedAt, now)
      return { Flood: flood && { Since: flood.since, Announced: flood.announced } }
    },
  }
}
