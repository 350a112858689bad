import type { ScreenSeat } from '@linewarden/contract'
import type { SeatEnd } from '@linewarden/rules/screen'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { LinkRow } from './link.ts'

export type SeatRow = Selectable<Schema['screen_seat']>

/** The seats of a link, those that show it first; of the others those that ended since. */
export const seatsOf = (db: Kysely<Schema>, linkId: number, endedSince: number): Promise<SeatRow[]> =>
  db
    .selectFrom('screen_seat')
    .selectAll()
    .where('link_id', '=', linkId)
    .where((or) => or.or([or('ended_at', 'is', null), or('ended_at', '>=', new Date(endedSince))]))
    .orderBy('ended_at', (order) => order.desc().nullsFirst())
    .orderBy('seat_no', 'desc')
    .limit(200)
    .execute()

/** A seat with its link; undefined: there is none. */
export async function seatById(db: Kysely<Schema>, seatId: string): Promise<{ seat: SeatRow; link: LinkRow } | undefined> {
  const seat = await db.selectFrom('screen_seat').selectAll().where('seat_id', '=', seatId).executeTakeFirst()
  return seat && withLink(db, seat)
}

/** By its secret, or by the one before; locked, so that two who come with it are let in one after the other. */
export async function seatBySecret(trx: Kysely<Schema>, hash: string): Promise<{ seat: SeatRow; link: LinkRow } | undefined> {
  const seat = await trx
    .selectFrom('screen_seat')
    .selectAll()
    .where((or) => or.or([or('secret_hash', '=', hash), or('previous_hash', '=', hash)]))
    .forUpdate()
    .executeTakeFirst()
  return seat && withLink(trx, seat)
}

async function withLink(db: Kysely<Schema>, seat: SeatRow): Promise<{ seat: SeatRow; link: LinkRow } | undefined> {
  const link = await db.selectFrom('screen_link').selectAll().where('link_id', '=', seat.link_id).executeTakeFirst()
  return link && { seat, link }
}

/** The link of this key, locked: its seats are counted and taken one after the other. */
export const linkByKey = (trx: Kysely<Schema>, hash: string): Promise<LinkRow | undefined> =>
  trx.selectFrom('screen_link').selectAll().where('key_hash', '=', hash).forUpdate().executeTakeFirst()

export const linkLocked = (trx: Kysely<Schema>, linkId: number): Promise<LinkRow | undefined> =>
  trx.selectFrom('screen_link').selectAll().where('link_id', '=', linkId).forUpdate().executeTakeFirst()

/** Seats of a link that are not over, with when each was last heard. */
export const openSeats = (trx: Kysely<Schema>, linkId: number): Promise<Pick<SeatRow, 'seat_id' | 'last_beat'>[]> =>
  trx
    .selectFrom('screen_seat')
    .select(['seat_id', 'last_beat'])
    .where('link_id', '=', linkId)
    .where('ended_at', 'is', null)
    .execute()

export interface NewSeat {
  readonly seatId: string
  readonly linkId: number
  readonly secretHash: string
  readonly sealedToken: string
  readonly address: string
  readonly browser: string
  readonly now: number
}

export async function insertSeat(trx: Kysely<Schema>, seat: NewSeat): Promise<void> {
  const at = new Date(seat.now)
  const row = {
    ...{ seat_id: seat.seatId, link_id: seat.linkId, secret_hash: seat.secretHash, rotated_at: at },
    ...{ token: seat.sealedToken, token_at: at, first_seen: at, last_beat: at, address: seat.address, browser: seat.browser },
  }
  await trx.insertInto('screen_seat').values(row).execute()
}

/** As many as the list shows: two links that one browser opens in turns fill no table. */
const maxEnded = 200

/** Of the seats of a link that are over the oldest are forgotten. */
export async function forgetSeats(trx: Kysely<Schema>, linkId: number): Promise<void> {
  await sql`delete from screen_seat where seat_id in (
    select seat_id from screen_seat where link_id = ${linkId} and ended_at is not null
    order by ended_at desc, seat_no desc offset ${maxEnded})`.execute(trx)
}

/** A seat that showed its secret goes on under another token, and where that is due under another secret. */
export async function renewSeat(trx: Kysely<Schema>, seatId: string, columns: Partial<SeatRow>): Promise<void> {
  const { state: _, ...changed } = columns
  await trx.updateTable('screen_seat').set(changed).where('seat_id', '=', seatId).execute()
}

/** Ends one seat; undefined: it was over already, or is another link's. */
export async function endSeat(
  { general }: Database,
  { seatId, linkId, why, now }: { readonly seatId: string; readonly linkId: number; readonly why: SeatEnd; readonly now: number },
  audit: AuditEntry,
): Promise<string | undefined> {
  return general.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable('screen_seat')
      .set({ ended_at: new Date(now), ended_why: why })
      .where('seat_id', '=', seatId)
      .where('link_id', '=', linkId)
      .where('ended_at', 'is', null)
      .returning('seat_no')
      .executeTakeFirst()
    if (ended) await appendAudit(trx, audit)
    return ended?.seat_no
  })
}

export async function saveBeat(
  db: Kysely<Schema>,
  seatId: string,
  beat: { readonly state: NonNullable<ScreenSeat['State']>; readonly address: string; readonly now: number },
): Promise<void> {
  await db
    .updateTable('screen_seat')
    .set({ last_beat: new Date(beat.now), address: beat.address, state: JSON.stringify(beat.state) })
    .where('seat_id', '=', seatId)
    .where('ended_at', 'is', null)
    .execute()
}
