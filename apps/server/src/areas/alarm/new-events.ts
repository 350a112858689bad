import type { isNewMessage, Reply, Request } from '@linewarden/contract'
import { announcements, placeNames } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import type { Plant } from '../../plant/plant.ts'
import { advanceEventMark, eventMark } from '../../store/account/session.ts'
import * as stored from '../../store/alarm/event.ts'
import { newestEventId } from '../../store/alarm/event-list.ts'
import { eventRecord } from '../../store/alarm/event-record.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'

const maxNew = 50

/** Announces to each session what was raised since it last asked. */
export function createNewEvents({ database, plant }: { database: Database; plant: Plant }) {
  return { isNew }

  /**
   * What was raised since the caller was last told. One that says what it has gets all that came after, and the session's mark follows
   * what arrived; of one that does not, the mark takes every answer for read.
   */
  async function isNew(actor: Actor, { Since }: Request<typeof isNewMessage>['query']): Promise<Reply<typeof isNewMessage>> {
    const mark = await eventMark(database.general, actor.sessionId)
    const after = Since ? await noLater(Since, mark.lastEventId) : mark.lastEventId
    if (BigInt(after) > BigInt(mark.lastEventId)) await advanceEventMark(database.general, actor.sessionId, after)
    const rows = await withRowSecurity(database, actor.scope, (db) =>
      stored.newEvents(db, after, seenBy(actor, plant), maxNew, Since === undefined ? 'newest' : 'oldest'),
    )
    const newest = rows.at(-1)
    if (!newest) return { IsNewMessage: false, Type: '', Url: '', AddTime: null, Content: '', Events: [], Last: after }
    if (Since === undefined) await advanceEventMark(database.general, actor.sessionId, newest.event_id)
    const record = eventRecord(newest, plant)
    const { type, sound } = announcements[record.Kind]
    return {
      IsNewMessage: true,
      Type: type,
      Url: mark.alarmSound ? sound : '',
      AddTime: record.AddTime,
      Content: `${mark.language === 'EN' ? record.Label.en : record.Label.zh} ${placeNames(record.Where).join(' / ')}`,
      Events: rows.map((row) => eventRecord(row, plant)),
      Last: newest.event_id,
    }
  }

  /** A caller may name an event that is not there yet, as after a restored backup: it would be told nothing until that came. */
  async function noLater(since: string, mark: string): Promise<string> {
    if (BigInt(since) <= BigInt(mark)) return since
    const newest = await newestEventId(database)
    return BigInt(since) > BigInt(newest) ? newest : since
  }
}
