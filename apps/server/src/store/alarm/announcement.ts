import type { AlarmAct } from '@linewarden/rules/alarm'
import type { Kysely } from 'kysely'
import { CompiledQuery, sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { EventRow } from './event.ts'
import type { Seen } from './event-filter.ts'
import { foldedFor, seesNothing, within } from './event-filter.ts'

export interface Announcement {
  readonly eventId: string
  readonly why: Schema['announcement']['why']
}

/** By what it calls for somebody again. */
export const announcedAs = (act: AlarmAct): Announcement['why'] =>
  act === 'expire' || act === 'shelfEnd' || act === 'release' || act === 'alone' ? act : 'raise'

const turn = `select pg_advisory_xact_lock(hashtext('announcement'))`
const insert = `insert into announcement (event_id, at, why)
  select event_id, $3, why from unnest($1::bigint[], $2::text[]) with ordinality as given (event_id, why, nth) order by nth`
const valuesOf = (announcements: readonly Announcement[], at: number) => [
  announcements.map(({ eventId }) => eventId),
  announcements.map(({ why }) => why),
  new Date(at),
]

/**
 * Announces events, as the last thing of a transaction: from here on it waits for nothing, and whoever announces next waits for its end. So
 * their numbers are in the order in which they are committed, and nobody who polls goes past one that is still to come.
 */
export async function announce(client: pg.ClientBase, announcements: readonly Announcement[], at: number): Promise<void> {
  if (announcements.length === 0) return
  await client.query(turn)
  await client.query(insert, valuesOf(announcements, at))
}

/** The same in a transaction of Kysely. */
export async function announceIn(trx: Kysely<Schema>, announcements: readonly Announcement[], at: number): Promise<void> {
  if (announcements.length === 0) return
  await trx.executeQuery(CompiledQuery.raw(turn))
  await trx.executeQuery(CompiledQuery.raw(insert, valuesOf(announcements, at)))
}

export type AnnouncedRow = EventRow & { readonly announcement_id: string }

/**
 * Events announced after a mark that are not silent by now, oldest announcement first. Where there are more, the oldest of them for whoever
 * goes on from there; the newest for whoever asks once.
 */
export async function announcedAfter(
  { general }: Pick<Database, 'general'>,
  mark: string,
  { accountId, seen }: { readonly accountId: string | null; readonly seen: Seen | null },
  now: number,
  most: number,
  of: 'oldest' | 'newest',
): Promise<AnnouncedRow[]> {
  if (seesNothing(seen)) return []
  let query = general
    .selectFrom('announcement')
    .innerJoin('event', 'event.event_id', 'announcement.event_id')
    .selectAll('event')
    .select('announcement_id')
    .where('announcement_id', '>', mark)
    .where(notSilent(now, seen))
    .where(sql<boolean>`(for_account is null or for_account = ${accountId})`)
  if (seen) query = query.where(within(seen))
  if (of === 'oldest') return query.orderBy('announcement_id').limit(most).execute()
  return (await query.orderBy('announcement_id', 'desc').limit(most).execute()).reverse()
}

/**
 * When alarms that are not silent by now were announced, oldest first; of a longer time than that of a window only where at least `atLeast` lie
 * within it: no flood goes on with fewer.
 */
export async function announcedSince(
  { general }: Pick<Database, 'general'>,
  seen: Seen | null,
  asked: {
    readonly now: number
    readonly windowMs: number
    readonly from: number
    readonly atLeast: number
    readonly most: number
  },
): Promise<readonly number[]> {
  if (seesNothing(seen)) return []
  const since = (from: number) => {
    const query = general
      .selectFrom('announcement')
      .innerJoin('event', 'event.event_id', 'announcement.event_id')
      .where('announcement.at', '>', new Date(from))
      .where('event.kind', 'not in', ['journal', 'order'])
      .where(notSilent(asked.now, seen))
    return (seen ? query.where(within(seen)) : query).select('announcement.at').orderBy('announcement.at', 'desc')
  }
  const recent = await since(asked.now - asked.windowMs)
    .limit(asked.atLeast)
    .execute()
  if (recent.length < asked.atLeast) return []
  return (await since(asked.from).limit(asked.most).execute()).map(({ at }) => at.getTime()).reverse()
}

/** In a flood every console asks, again and again: of more folded announcements the newest are counted. */
const maxFolded = 20_000

/** Alarms announced then or later that are folded under roots this person sees, and into how many incidents. `isMore`: at least so many. */
export async function foldedSince(
  { general }: Pick<Database, 'general'>,
  seen: Seen | null,
  from: number,
  most = maxFolded,
): Promise<{ readonly events: number; readonly incidents: number; readonly isMore: boolean }> {
  const query = general
    .selectFrom('announcement')
    .innerJoin('event', 'event.event_id', 'announcement.event_id')
    .where('announcement.at', '>=', new Date(from))
    .where(foldedFor(seen))
  const folded = (seen ? query.where(within(seen)) : query)
    .select(['event.event_id', 'event.incident_id'])
    .orderBy('announcement.at', 'desc')
    .limit(most + 1)
  return general
    .selectFrom(folded.as('folded'))
    .select([
      sql<number>`least(count(distinct event_id), ${most}::int)::int`.as('events'),
      sql<number>`count(distinct incident_id)::int`.as('incidents'),
      sql<boolean>`count(*) > ${most}::int`.as('isMore'),
    ])
    .executeTakeFirstOrThrow()
}

/** Neither on the shelf, by the time alone, nor out of service, nor folded under a root that this person sees. */
export const notSilent = (now: number, seen: Seen | null) =>
  sql<boolean>`(suppressed is distinct from 'tag' and not ${foldedFor(seen)}
    and (shelved_until is null or shelved_until <= ${new Date(now)}))`

export async function newestAnnouncement({ general }: Pick<Database, 'general'>): Promise<string> {
  // Where all were forgotten, it is the newest of those.
  const newest = sql<string>`greatest((select max(announcement_id) from announcement), (select up_to from announcement_forgotten))`
  return (await general.selectNoFrom(newest.as('newest')).executeTakeFirstOrThrow()).newest
}

/** The newest announcement that was forgotten; 0: none was. */
export async function forgottenAnnouncements({ general }: Pick<Database, 'general'>): Promise<string> {
  const row = await general.selectFrom('announcement_forgotten').select('up_to').executeTakeFirst()
  return row?.up_to ?? '0'
}

/** Which of these events were announced after a mark. */
export async function announcedSinceMark(
  { general }: Pick<Database, 'general'>,
  events: readonly Pick<EventRow, 'event_id'>[],
  mark: string,
): Promise<string[]> {
  const rows = await general
    .selectFrom('announcement')
    .select('event_id')
    .distinct()
    .where('announcement_id', '>', mark)
    .where(sql<boolean>`event_id = any(${events.map(({ event_id }) => event_id)}::bigint[])`)
    .execute()
  return rows.map(({ event_id }) => event_id)
}

/** Nobody is told any more what was announced so long ago; the events themselves stay. */
export async function forgetAnnouncements({ general }: Pick<Database, 'general'>, before: Date): Promise<void> {
  await sql`with forgotten as (delete from announcement where at < ${before} returning announcement_id)
    update announcement_forgotten set up_to = greatest(up_to, (select max(announcement_id) from forgotten))`.execute(general)
}
