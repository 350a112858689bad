import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { LeaseClock } from '../jobs/due-work.ts'

type Db = Kysely<Schema>

export type DeliveryRow = Selectable<Schema['report_delivery']>
export type DeliveredFile = Selectable<Schema['report_file']>

/** A delivery that this server has, `tries` being its fence, as it is when it is claimed. */
export interface LeasedDelivery extends DeliveryRow {
  readonly now: number
}

/** Those that are due and that nobody has, `most` of them. */
export async function claimDeliveries(
  db: Db,
  clock: LeaseClock,
  most: number,
  leaseMs: number,
): Promise<readonly LeasedDelivery[]> {
  const { rows } = await sql<DeliveryRow & { now: Date }>`
    with w as materialized (
      select delivery_id from report_delivery where state = 'queued' and next_at <= ${clock()}
      order by next_at, delivery_id limit ${most} for update skip locked
    )
    update report_delivery set state = 'sending', tries = tries + 1, handed_over = false, next_at = null, at = ${clock()},
      lease_until = ${clock()} + ${leaseMs} * interval '1 millisecond'
    from w where report_delivery.delivery_id = w.delivery_id returning report_delivery.*, ${clock()} as now`.execute(db)
  return rows.map((row) => ({ ...row, now: row.now.getTime() }))
}

type Leased = Pick<DeliveryRow, 'delivery_id' | 'tries'>

/**
 * Whether this attempt may give the server the message. It is written down before the first byte goes: whatever happens from here on, no other
 * attempt follows but after the server's own refusal.
 */
export async function handOver(db: Db, { delivery_id, tries }: Leased, clock: LeaseClock): Promise<boolean> {
  const own = await db
    .updateTable('report_delivery')
    .set({ handed_over: true })
    .where('delivery_id', '=', delivery_id)
    .where('tries', '=', tries)
    .where('state', '=', 'sending')
    .where('handed_over', '=', false)
    .where('lease_until', '>=', clock())
    .returning('delivery_id')
    .executeTakeFirst()
  return own !== undefined
}

export interface DeliveryEnd {
  readonly code: number | null
  readonly answer: string
  /** Null: it is over, as `state` says. */
  readonly nextAt: number | null
  readonly state: 'sent' | 'refused' | 'unknown'
}

/** What became of this attempt. One whose server was taken for dead may still say so, as long as no other has followed. */
export async function endDelivery(
  db: Db,
  { delivery_id, tries }: Leased,
  { code, answer, nextAt, state }: DeliveryEnd,
): Promise<void> {
  await db
    .updateTable('report_delivery')
    .set({
      ...{ code, answer, lease_until: null },
      ...(nextAt === null ? { state } : { state: 'queued' as const, next_at: new Date(nextAt), handed_over: false }),
    })
    .where('delivery_id', '=', delivery_id)
    .where('tries', '=', tries)
    .where('state', 'in', ['sending', 'unknown'])
    .execute()
}

/** What a server left behind that is gone: not known where the message was handed over, else to be sent still. */
export async function freeDeliveries(db: Db, clock: LeaseClock): Promise<void> {
  await sql`update report_delivery set lease_until = null,
      state = case when handed_over then 'unknown' else 'queued' end,
      next_at = case when handed_over then null else ${clock()} end
    where state = 'sending' and lease_until < ${clock()}`.execute(db)
}

export const fileOf = (
  db: Db,
  { run_id, language }: Pick<DeliveryRow, 'run_id' | 'language'>,
): Promise<DeliveredFile | undefined> =>
  db.selectFrom('report_file').selectAll().where('run_id', '=', run_id).where('language', '=', language).executeTakeFirst()

const shownColumns = ['delivery_id', 'run_id', 'address', 'state', 'tries', 'at', 'next_at', 'answer'] as const

/** How far each delivery of these runs is. */
export async function deliveriesOf(
  db: Db,
  runIds: readonly number[],
): Promise<Pick<DeliveryRow, (typeof shownColumns)[number]>[]> {
  if (runIds.length === 0) return []
  return db
    .selectFrom('report_delivery')
    .select(shownColumns)
    .where('run_id', 'in', [...runIds])
    .orderBy('delivery_id')
    .execute()
}

/** A run whose last delivery is over. */
export interface EndedRun {
  readonly run_id: number
  readonly project_id: number
  readonly schedule_id: number
  /** Deliveries that were not, or not surely, taken. */
  readonly lost: number
}

/** Ends the runs of which nothing is to be sent any more; each is answered to one server, once. */
export async function endRuns({ general }: Database): Promise<readonly EndedRun[]> {
  const { rows } = await sql<EndedRun>`
    with w as materialized (
      select run_id from report_run where state = 'made'
        and not exists (select from report_delivery d where d.run_id = report_run.run_id and d.state in ('queued', 'sending'))
      order by run_id for update skip locked
    )
    update report_run set state = 'done' from w where report_run.run_id = w.run_id
    returning report_run.run_id, project_id, schedule_id,
      (select count(*)::int from report_delivery d where d.run_id = report_run.run_id and d.state <> 'sent') as lost`.execute(
    general,
  )
  return rows
}
