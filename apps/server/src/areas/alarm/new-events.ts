import type { isNewMessage, Reply, Request } from '@linewarden/contract'
import { announcements, placeNames } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import type { Plant } from '../../plant/plant.ts'
import { advanceAnnouncementMark, announcementMark } from '../../store/account/session.ts'
import { announcedAfter, newestAnnouncement } from '../../store/alarm/announcement.ts'
import { recordFor } from '../../store/alarm/event-record.ts'
import { rootsOf } from '../../store/alarm/incident-list.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'

const maxNew = 50

/** Announces to each session what was raised since it last asked. */
export function createNewEvents({ database, plant, clock }: { database: Database; plant: Plant; clock: () => number }) {
  return { isNew }

  /**
   * What was raised since the caller was last told. One that says what it has gets all that came after, and the session's mark follows
   * what arrived; of one that does not, the mark takes every answer for read.
   */
  async function isNew(actor: Actor, { Since }: Request<typeof isNewMessage>['query']): Promise<Reply<typeof isNewMessage>> {
    const mark = await announcementMark(database.general, actor.sessionId)
    const after = Since ? await noLater(Since, mark.lastAnnouncementId) : mark.lastAnnouncementId
    if (BigInt(after) > BigInt(mark.lastAnnouncementId)) await advanceAnnouncementMark(database.general, actor.sessionId, after)
    const seen = seenBy(actor, plant)
    const shown = await newestAnnouncement(database)
    const { rows, roots } = await withRowSecurity(database, actor.scope, async (db) => {
      const rows = await announcedAfter(
        db,
        after,
        { accountId: actor.accountId, seen },
        clock(),
        maxNew,
        Since === undefined ? 'newest' : 'oldest',
      )
      return { rows, roots: await rootsOf(db, rows, seen, shown) }
    })
    const newest = rows.at(-1)
    if (!newest) return { IsNewMessage: false, Type: '', Url: '', AddTime: null, Content: '', Events: [], Last: after }
    if (Since === undefined) await advanceAnnouncementMark(database.general, actor.sessionId, newest.announcement_id)
    const record = recordFor(newest, plant, seen, roots)
    const { type, sound } = announcements[record.Kind]
    const isEnglish = mark.language === 'EN'
    const present = record.Incident?.Children ?? 0
    return {
      IsNewMessage: true,
      Type: type,
      Url: mark.alarmSound ? sound : '',
      AddTime: record.AddTime,
      Content:
        `${isEnglish ? record.Label.en : record.Label.zh} ${placeNames(record.Where).join(' / ')}` +
        (present === 0 ? '' : isEnglish ? ` (+${present} related)` : `（相关 ${present} 条）`),
      // One that was announced twice since is told once.
      Events: [...new Map(rows.map((row) => [row.event_id, recordFor(row, plant, seen, roots)])).values()],
      Last: newest.announcement_id,
    }
  }

  /** A caller may name an announcement that is not there yet, as after a restored backup: it would be told nothing until that came. */
  async function noLater(since: string, mark: string): Promise<string> {
    if (BigInt(since) <= BigInt(mark)) return since
    const newest = await newestAnnouncement(database)
    return BigInt(since) > BigInt(newest) ? newest : since
  }
}
