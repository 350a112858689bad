import { Quality } from '@linewarden/rules/monitor'
import type { Verification } from '@linewarden/rules/workorder'
import { loadedShare, openOrderStatuses } from '@linewarden/rules/workorder'
import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { lockHazards } from '../hazard/hazard.ts'
import type { OrderRow } from './order.ts'

type Db = Kysely<Schema>

/** The alarm that an order was made from, as its place raises it now. Unix ms. */
export interface OriginFacts {
  readonly eventId: string
  readonly key: string
  readonly kind: string
  readonly active: boolean
  readonly lastRaisedAt: number
  readonly returnedAt: number | null
}

/**
 * Of each alarm of an order its newest raise, whichever event of its series has it; null: the alarm is kept no more. Its place is named anew by
 * each event: what is raised again a month later is another series, and the same alarm. What was raised while its gateway was away and came
 * afterwards was raised all the same; whether it is there now only what came at its time says.
 */
export const originsOf = (db: Db, orderId: number): Promise<readonly (OriginFacts | null)[]> =>
  originsOfEvents(db, sql`(select event_id from work_order_event where order_id = ${orderId})`)

/** The same of what showed a hazard. What is kept no more is left out: another of its alarms says what became of it. */
export async function originsOfHazard(db: Db, hazardId: number): Promise<readonly OriginFacts[]> {
  const origins = await originsOfEvents(
    db,
    sql`(select source_id::bigint as event_id from hazard_source
      where hazard_id = ${hazardId} and source in ('alarm', 'finding') order by at desc limit 20)`,
  )
  return origins.filter((origin) => origin !== null)
}

async function originsOfEvents(db: Db, events: RawBuilder<unknown>): Promise<readonly (OriginFacts | null)[]> {
  const { rows } = await sql<{
    event_id: string
    key: string | null
    kind: string | null
    active: boolean
    last_raised_at: Date | null
    returned_at: Date | null
  }>`
    select origin.event_id, alarm.key, alarm.kind, coalesce(newest.state in ('active', 'acknowledged'), false) as active, newest.last_raised_at,
      newest.returned_at
    from ${events} origin left join event alarm using (event_id)
      cross join lateral (
        select max(raised) as last_raised_at, (array_agg(state order by raised desc) filter (where not historical))[1] as state,
          (array_agg(returned_at order by raised desc) filter (where not historical))[1] as returned_at
        from (
          select state, coalesce(raised_again_at, raised_at) as raised, returned_at, historical from event
          where gateway_id = alarm.gateway_id and event_id >= alarm.event_id and key = alarm.key
            and coalesce(device_id, 0) = coalesce(alarm.device_id, 0) and coalesce(line_id, 0) = coalesce(alarm.line_id, 0)
            and coalesce(point, '') = coalesce(alarm.point, '')) same) newest`.execute(db)
  return rows.map(({ event_id, key, kind, active, last_raised_at, returned_at }) =>
    key === null || kind === null || last_raised_at === null
      ? null
      : {
          eventId: event_id,
          key,
          kind,
          active,
          lastRaisedAt: last_raised_at.getTime(),
          returnedAt: returned_at?.getTime() ?? null,
        },
  )
}

/**
 * What share of a stretch these lines reported: in how many of its periods any of them did, 0..1; null: there is no line.
 * What was back-filled, or has a clock that was off, does not show that the line was watched then.
 */
export async function dataShare(
  db: Db,
  lineIds: readonly number[],
  { from, to, periodMs }: { readonly from: number; readonly to: number; readonly periodMs: number },
): Promise<number | null> {
  if (lineIds.length === 0) return null
  const periods = Math.floor((to - from) / periodMs)
  if (periods < 1) return null
  const { rows } = await sql<{ reported: number }>`
    select count(distinct floor(extract(epoch from at - ${new Date(from)}::timestamptz) * 1000 / ${periodMs}::float8))::int as reported
    from reading where line_id = any(${[...lineIds]}::int[])
      and at >= ${new Date(from)} and at < ${new Date(from + periods * periodMs)}
      and quality & ${Quality.clock | Quality.historical} = 0`.execute(db)
  return (rows[0]?.reported ?? 0) / periods
}

/**
 * On how many days after one the line carried nearly as much as when something was found; null: what it carried then is not known. Of the three days
 * up to the finding the highest counts.
 */
export async function loadedDays(db: Db, lineId: number, eventId: string, afterDay: number): Promise<number | null> {
  const { rows } = await sql<{ days: number | null }>`
    with found as (select coalesce(day, evidence_day) as day from warning_evidence where event_id = ${eventId}),
      then_a as (select max(greatest(i95_a[1], i95_a[2], i95_a[3])) as amps from line_day, found
        where line_id = ${lineId} and line_day.day between found.day - 2 and found.day)
    select case when (select amps from then_a) > 0 then (
      select count(*)::int from line_day where line_id = ${lineId} and day > ${afterDay}
        and greatest(i95_a[1], i95_a[2], i95_a[3]) >= ${loadedShare} * (select amps from then_a)) end as days`.execute(db)
  return rows[0]?.days ?? null
}

/** When a protection of the line tripped last, also while its gateway was away; null: never. */
export async function lastTripOf(db: Db, lineId: number): Promise<number | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(coalesce(raised_again_at, raised_at)) as at from event
    where line_id = ${lineId} and key like 'trip.%'`.execute(db)
  return rows[0]?.at?.getTime() ?? null
}

/** A part of the orders of a status, by their ids. */
export interface Part {
  readonly after: number
  readonly limit: number
}

// Written out, so that the planner finds the index of each status.
const isOf = (status: 'dispatched' | 'processed' | 'accepted') => sql<boolean>`status = ${sql.lit(status)}`

/** Orders whose proof goes on, or whose value may be back. */
export const processedOrders = (db: Db, { after, limit }: Part): Promise<readonly OrderRow[]> =>
  db
    .selectFrom('work_order')
    .selectAll()
    .where(isOf('processed'))
    .where('order_id', '>', after)
    .orderBy('order_id')
    .limit(limit)
    .execute()

/** Those accepted so short ago that their value is watched. */
export const watchedOrders = (db: Db, acceptedSince: number, { after, limit }: Part): Promise<readonly OrderRow[]> =>
  db
    .selectFrom('work_order')
    .selectAll()
    .where(isOf('accepted'))
    .where('accepted_at', '>', new Date(acceptedSince))
    .where('order_id', '>', after)
    .orderBy('order_id')
    .limit(limit)
    .execute()

/** An order with its place and who is in charge; null: that account is gone. */
export type OrderInCharge = Pick<OrderRow, 'order_id' | 'project_id' | 'gateway_id' | 'person_id'>

/** Dispatched orders. */
export const dispatchedOrders = (db: Db, { after, limit }: Part): Promise<readonly OrderInCharge[]> =>
  db
    .selectFrom('work_order')
    .select(['order_id', 'project_id', 'gateway_id', 'person_id'])
    .where(isOf('dispatched'))
    .where('order_id', '>', after)
    .orderBy('order_id')
    .limit(limit)
    .execute()

/**
 * How far the proof of an order is; nobody's act is waited for by it. Whoever founded one that is proved by now, and waits to be accepted, is
 * notified, at `noticeAt`. Proved after it was accepted without proof, its hazard is gone, unless
 * another order sees to it by now.
 */
export async function saveVerification(
  { general }: Database,
  found: Pick<OrderRow, 'order_id' | 'hazard_id' | 'status' | 'version'>,
  verification: Verification,
  at: { readonly now: number; readonly noticeAt: number },
): Promise<void> {
  await general.transaction().execute(async (trx) => {
    // Before its order, as whoever acts on that does; by its version it is still about this one.
    if (found.hazard_id !== null && found.status === 'accepted' && verification.state === 'verified')
      await lockHazards(trx, [found.hazard_id])
    await store(trx, found, verification, at)
  })
}

async function store(
  trx: Db,
  { order_id, status, version }: Pick<OrderRow, 'order_id' | 'status' | 'version'>,
  verification: Verification,
  { now, noticeAt }: { readonly now: number; readonly noticeAt: number },
): Promise<void> {
  await sql`
    with saved as (
      update work_order set verification = ${JSON.stringify(verification)}::jsonb
      where order_id = ${order_id} and status = ${status} and version = ${version} returning order_id, hazard_id, status, founder_id
    ), notified as (
      insert into work_order_due (order_id, why, account_id, due_at)
      select order_id, 'verified', founder_id, ${new Date(noticeAt)} from saved
      where status = 'processed' and founder_id is not null and ${verification.state} = 'verified'
      on conflict (order_id, why, account_id) do nothing
    ), gone as (
      update hazard set state = 'gone', version = hazard.version + 1 from saved
      where hazard.hazard_id = saved.hazard_id and hazard.state = 'verifying' and saved.status = 'accepted'
        and ${verification.state} = 'verified' and not exists (
          select from work_order other where other.hazard_id = hazard.hazard_id and other.status = any(${[...openOrderStatuses]}::text[]))
      returning hazard.hazard_id, saved.order_id
    )
    insert into hazard_step (hazard_id, at, act, from_state, to_state, order_id)
    select hazard_id, ${new Date(now)}, 'verified', 'verifying', 'gone', order_id from gone`.execute(trx)
}
