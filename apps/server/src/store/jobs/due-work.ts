import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

/** A work that somebody has a lease of. `fence` grows with each claim of it. */
export interface Claim {
  readonly workId: string
  readonly kind: string
  /** What it is about, in the words of its kind. */
  readonly key: string
  readonly dueAt: number
  readonly fence: number
}

/** What leases are judged by. */
export type LeaseClock = () => RawBuilder<Date>

/** Of the moment a statement has its row, and not of its beginning: it may have waited for it, and the lease was renewed meanwhile. */
export const databaseClock: LeaseClock = () => sql<Date>`clock_timestamp()`

/** A clock of a test, in place of the database's. */
export const clockOf =
  (now: () => number): LeaseClock =>
  () =>
    sql<Date>`to_timestamp(${now()}::float8 / 1000)`

export interface Holder {
  readonly server: string
  readonly clock: LeaseClock
}

type Db = Kysely<Schema>

/** Of a work that nobody has claimed since it was made, and of one that was made first and then begun. */
const madeFence = 1
const begunFence = 2

const leaseUntil = (clock: LeaseClock) => sql<Date>`${clock()} + interval '60 seconds'`
const lapsed = (clock: LeaseClock) => sql<boolean>`(holder is null or lease_until < ${clock()})`

/**
 * Makes a work that its maker holds from the beginning. Null: this instant of it was claimed before, here or on another server. It waits for
 * whoever is claiming it at this moment.
 */
export async function claimInstant(
  trx: Db,
  { workId, kind, key, dueAt }: Omit<Claim, 'fence'>,
  { server, clock }: Holder,
): Promise<Claim | null> {
  const made = await trx
    .insertInto('due_work')
    .values({
      work_id: workId,
      kind,
      key,
      due_at: new Date(dueAt),
      holder: server,
      lease_until: leaseUntil(clock),
      fence: madeFence,
    })
    .onConflict((oc) => oc.columns(['kind', 'key', 'due_at']).doNothing())
    .returning('fence')
    .executeTakeFirst()
  return made ? { workId, kind, key, dueAt, fence: made.fence } : null
}

/** The same of several that stand each under its own id. Those that were claimed before are left out. */
export async function claimInstants(
  trx: Db,
  works: readonly Omit<Claim, 'fence'>[],
  { server, clock }: Holder,
): Promise<readonly Claim[]> {
  if (works.length === 0) return []
  const rows = await trx
    .insertInto('due_work')
    .values(
      works.map(({ workId, kind, key, dueAt }) => ({
        ...{ work_id: workId, kind, key, due_at: new Date(dueAt), holder: server },
        ...{ lease_until: leaseUntil(clock), fence: madeFence },
      })),
    )
    .onConflict((oc) => oc.doNothing())
    .returning(['work_id', 'kind', 'key', 'due_at', 'fence'])
    .execute()
  return rows.map(claimOf)
}

/** A work that nobody carries out. */
export interface LapsedWork {
  readonly workId: string
  /** Its holder gave it back, or is known to be gone; else its lease is over. */
  readonly isFree: boolean
}

/** Works whose holder was not heard of for the time of its lease, and those that have none. */
export async function lapsedWorks(db: Db, kinds: readonly string[], clock: LeaseClock): Promise<readonly LapsedWork[]> {
  const rows = await db
    .selectFrom('due_work')
    .select(['work_id', 'holder'])
    .where('ended_at', 'is', null)
    .where('kind', 'in', [...kinds])
    .where(lapsed(clock))
    .orderBy('due_at')
    .execute()
  return rows.map(({ work_id, holder }) => ({ workId: work_id, isFree: holder === null }))
}

/** How many works have not ended, by whether a server has the lease of them. */
export async function worksUnderWay(db: Db): Promise<{ readonly leased: number; readonly free: number }> {
  const { leased, free } = await db
    .selectFrom('due_work')
    .select(({ fn }) => [
      fn.countAll<string>().filterWhere(lapsed(databaseClock)).as('free'),
      fn
        .countAll<string>()
        .filterWhere(sql<boolean>`not ${lapsed(databaseClock)}`)
        .as('leased'),
    ])
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { leased: Number(leased), free: Number(free) }
}

/** Takes over those of them whose lease is over still. What another is taking over, or renewing, at this moment is left alone. */
export async function claimLapsed(db: Db, workIds: readonly string[], { server, clock }: Holder): Promise<readonly Claim[]> {
  const { rows } = await sql<ClaimRow>`
    with w as materialized (
      select work_id from due_work where work_id = any(${[...workIds]}::uuid[]) and ended_at is null and ${lapsed(clock)}
      order by due_at, work_id for update skip locked
    )
    update due_work set holder = ${server}, lease_until = ${leaseUntil(clock)}, fence = fence + 1 from w
    where due_work.work_id = w.work_id
    returning due_work.work_id, kind, key, due_at, fence`.execute(db)
  return rows.map(claimOf)
}

/** Says that these are still carried out, and answers those that are: the others were taken over, or ended by somebody else. */
export async function renewLeases(db: Db, claims: readonly Claim[], { server, clock }: Holder): Promise<ReadonlySet<string>> {
  // In order of id, so that two who lock the same works never wait for each other in a circle.
  const { rows } = await sql<{ work_id: string }>`
    with w as materialized (
      select work_id from due_work where work_id = any(${claims.map(({ workId }) => workId)}::uuid[]) and holder = ${server} and ended_at is null
      order by work_id for no key update
    )
    update due_work set lease_until = ${leaseUntil(clock)} from w where due_work.work_id = w.work_id
    returning due_work.work_id`.execute(db)
  return new Set(rows.map(({ work_id }) => work_id))
}

/** Whoever looks next may claim them at once; for who held them they are gone. */
export async function giveBackWorks(db: Db, workIds: readonly string[], { server }: Holder): Promise<void> {
  await sql`
    with w as materialized (
      select work_id from due_work where work_id = any(${[...workIds]}::uuid[]) and holder = ${server} and ended_at is null
      order by work_id for update
    )
    update due_work set holder = null, fence = fence + 1 from w where due_work.work_id = w.work_id`.execute(db)
}

/** For the only server of a database: whoever else held works in it is gone. */
export async function freeWorksOfOthers(db: Db, { server }: Holder): Promise<void> {
  await db
    .updateTable('due_work')
    .set(({ eb }) => ({ holder: null, fence: eb('fence', '+', 1) }))
    .where('ended_at', 'is', null)
    .where('holder', '<>', server)
    .execute()
}

/**
 * Claims a work that its maker stored before it began it. Null: another has taken it over. Once begun only its holder has it a second time;
 * `inLease`: while its lease lasts.
 */
export async function claimToBegin(
  trx: Db,
  workId: string,
  { isBegun, inLease }: { readonly isBegun: boolean; readonly inLease: boolean },
  { server, clock }: Holder,
): Promise<Claim | null> {
  const row = await trx
    .updateTable('due_work')
    .set({ holder: server, lease_until: leaseUntil(clock), fence: begunFence })
    .where('work_id', '=', workId)
    .where('ended_at', 'is', null)
    .where('fence', '=', isBegun ? begunFence : madeFence)
    .$if(isBegun, (qb) => qb.where('holder', '=', server))
    .$if(inLease, (qb) => qb.where(sql<boolean>`lease_until >= ${clock()}`))
    .returning(['work_id', 'kind', 'key', 'due_at', 'fence'])
    .executeTakeFirst()
  return row ? claimOf(row) : null
}

/**
 * Whether this claim still has the lease. Keeps it so until the transaction ends: whoever takes works over leaves it alone meanwhile, and its
 * lease is renewed past it.
 */
export async function hasLease(trx: Db, { workId, fence }: Pick<Claim, 'workId' | 'fence'>): Promise<boolean> {
  const row = await trx
    .selectFrom('due_work')
    .select('work_id')
    .where('work_id', '=', workId)
    .where('fence', '=', fence)
    .where('ended_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Ends what this claim still has the lease of; of what another has taken over that one says the end. */
export async function endWork(db: Db, { workId, fence }: Claim, outcome: string, at: number): Promise<void> {
  await db
    .updateTable('due_work')
    .set({ ended_at: new Date(at), outcome })
    .where('work_id', '=', workId)
    .where('fence', '=', fence)
    .where('ended_at', 'is', null)
    .execute()
}

/** Whoever has its lease: what it was about is over. */
export async function endWorkOf(trx: Db, work: { kind: string; key: string }, outcome: string, at: number): Promise<void> {
  await trx
    .updateTable('due_work')
    .set({ ended_at: new Date(at), outcome })
    .where('kind', '=', work.kind)
    .where('key', '=', work.key)
    .where('ended_at', 'is', null)
    .execute()
}

const rememberMs = 7 * 86_400_000

/** Forgets what ended so long ago that nobody comes to its instant again. */
export async function purgeEndedWork({ general }: Database, now: number): Promise<void> {
  await general
    .deleteFrom('due_work')
    .where('ended_at', '<', new Date(now - rememberMs))
    .execute()
}

interface ClaimRow {
  work_id: string
  kind: string
  key: string
  due_at: Date
  fence: number
}

const claimOf = (row: ClaimRow): Claim => ({
  workId: row.work_id,
  kind: row.kind,
  key: row.key,
  dueAt: row.due_at.getTime(),
  fence: row.fence,
})
