import { priorities } from '@linewarden/equipment'
import { longActiveMs, maxFrequent } from '@linewarden/rules/hazard'
import type { Actor } from '../../access/actor.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy, withRowSecurity } from '../../store/core/row-security.ts'
import * as stored from '../../store/hazard/analysis.ts'
import {
  changesIn,
  linesWithReadings,
  newestOf,
  reportedOf,
  ruleChangesIn,
  sheetChangesIn,
  tuningChangesIn,
} from '../../store/hazard/around.ts'
import type { AskedDays } from './range.ts'
import { beginsOf, daysBefore } from './range.ts'
import type { AskedScope } from './scope.ts'

/** So many of each list. */
const mostSuppressed = 20
const mostChanges = 50
/** Days before the range by which it is known which lines are expected to report. */
const expectedBefore = 35

/** Everything that is counted of a range, read as somebody: what they do not see is not there. Three connections at once. */
export async function readCounts(
  { database, now }: { readonly database: Database; readonly now: number },
  actor: Actor,
  { filter, projects, gateways, lines, isOfLines }: AskedScope,
  asked: AskedDays,
  compare: boolean,
) {
  const { days, tens } = asked
  const before = daysBefore(asked)
  const between = { from: new Date(asked.from), to: new Date(asked.to) }
  const lineIds = lines.map(({ id }) => id)
  const gatewayIds = gateways.map(({ id }) => id)
  const concerned = {
    projectIds: projects.map(({ id }) => id),
    ownerIds: [...new Set(projects.map(({ ownerId }) => ownerId))],
    keys: filter.keys,
  }
  const seen = <T>(read: (database: Database) => Promise<T>) =>
    withRowSecurity(database, actor.scope, async (db) => {
      await stored.withRoomForSums(db)
      return read(db)
    })
  const [windows, counts, around, reading] = await Promise.all([
    seen(async (db) => ({
      present: await stored.windowsOf(db, filter, tens),
      former: compare ? await stored.announcedOn(db, filter, beginsOf(before, asked.clock)) : null,
    })),
    seen(async (db) => {
      const frequent = await stored.frequentIn(db, filter, { ...days, most: maxFrequent })
      return {
        frequent,
        newest: await newestOf(db, frequent.worst, between.to),
        former: compare ? await stored.totalOf(db, filter, before) : null,
        overDay: await stored.overDayOf(db, filter, days),
      }
    }),
    seen(async (db) => ({
      ackSeconds: await stored.ackSecondsOf(db, filter, days),
      active: await stored.activeIn(db, filter, { before: new Date(now - longActiveMs), most: maxFrequent }),
      shelved: await stored.shelvedIn(db, filter, { ...between, most: mostSuppressed }),
      tagged: await stored.taggedIn(
        db,
        {
          lineIds,
          deviceIds: [...new Set(lines.map(({ device }) => device.id))],
          gatewayIds: isOfLines ? [] : gatewayIds,
        },
        { ...between, most: mostSuppressed },
      ),
      reported: await reportedOf(db, gatewayIds, { from: days.from - expectedBefore, to: days.to }),
      changes: await changesIn(db, { gatewayIds, lineIds: isOfLines ? lineIds : null }, { ...between, most: mostChanges }),
      ruleChanges: await ruleChangesIn(db, concerned, { ...between, most: mostChanges }),
      sheetChanges: await sheetChangesIn(db, concerned, { ...between, most: mostChanges }),
      tuningChanges: await tuningChangesIn(db, { lineIds, keys: filter.keys }, { ...between, most: mostChanges }),
    })),
    linesSeenBy(database, actor.scope, lineIds)((db) => linesWithReadings(db, lineIds, between.from, between.to)),
  ])
  const ackSeconds = new Map(
    priorities.map((priority) => [
      priority,
      around.ackSeconds.filter((row) => row.priority === priority).map(({ seconds, times }) => [seconds, times] as const),
    ]),
  )
  return { windows, counts, around: { ...around, ackSeconds }, reading, isCounting: await stored.isRecounting(database) }
}

export type Counts = Awaited<ReturnType<typeof readCounts>>
