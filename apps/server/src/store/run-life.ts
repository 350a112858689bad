import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from './audit.ts'
import { appendAudit } from './audit.ts'
import type { Database } from './database.ts'
import type { RunLineState, RunRefusal, StoredRun } from './run.ts'
import type { Schema } from './schema.ts'

/** How long a run is its server's after that server last said so. Then it is nobody's, and its remaining lines are missed. */
export const carriedFor = sql<Date>`now() + interval '15 seconds'`

/**
 * Whether a run gives no line its turn any more. Keeps it so until the transaction ends: whoever ends the run, on whichever server, comes
 * before this, and nothing of it leaves, or after, and finds the command that left.
 */
export async function isOver(trx: Kysely<Schema>, runId: string): Promise<boolean> {
  const run = await trx
    .selectFrom('operation_run')
    .select(['ended_at', 'revoked_at'])
    .where('run_id', '=', runId)
    .forShare()
    .executeTakeFirst()
  return !run || run.ended_at !== null || run.revoked_at !== null
}

/** Which sign-ins end: some sessions and remembered devices, or all of an account. */
export type SignIns =
  | { readonly accountId: string }
  | { readonly sessionIds: readonly string[]; readonly rememberIds: readonly string[] }

/**
 * Sign-ins are ended because somebody wants it: what was started from them closes and tests no further line, from the moment this commits
 * and whichever server carries it out. What cuts the power goes on.
 */
export async function revokeRuns(trx: Kysely<Schema>, signIns: SignIns): Promise<void> {
  const from =
    'accountId' in signIns
      ? sql`account_id = ${signIns.accountId}`
      : sql`(session_id = any(${[...signIns.sessionIds]}::bigint[]) or remember_id = any(${[...signIns.rememberIds]}::bigint[]))`
  await sql`update operation_run set revoked_at = now()
    where ended_at is null and revoked_at is null and action <> 'trip' and ${from}`.execute(trx)
}

/** Says that these are still carried out here, and answers those that shall go on: neither ended nor revoked, by whomever. */
export async function keepRuns({ control }: Database, runIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (runIds.length === 0) return new Set()
  const rows = await control
    .updateTable('operation_run')
    .set({ carried_until: carriedFor })
    .where('run_id', 'in', [...runIds])
    .where('ended_at', 'is', null)
    .returning(['run_id', 'revoked_at'])
    .execute()
  return new Set(rows.filter(({ revoked_at }) => revoked_at === null).map(({ run_id }) => run_id))
}

/** Open runs that no living server carries out. */
export async function abandonedRuns({ control }: Database): Promise<readonly Pick<StoredRun, 'id' | 'action' | 'actor'>[]> {
  return control
    .selectFrom('operation_run')
    .select(['run_id as id', 'action', 'actor'])
    .where('ended_at', 'is', null)
    .where(sql<boolean>`coalesce(carried_until < now(), true)`)
    .orderBy('started_at')
    .execute()
}

/** How a run ends, and what becomes of the lines that had no turn. */
export interface RunEnd {
  readonly rest: 'missed' | 'stopped'
  readonly at: number
  readonly stoppedBy: string | null
  /** Said of each missed line when the sign-in was ended that it was started from. */
  readonly whenRevoked: RunRefusal | null
  /** What the log tells of the lines that had no turn. */
  readonly audits: (lineIds: readonly number[], refusal: RunRefusal | null) => readonly AuditEntry[]
}

/**
 * Ends a run, once: lines that had no turn never get one, and the log says so. A command that left says itself that its line had a turn. The
 * run's own row is locked first and no fence is taken, so that it and `authorise` never wait for each other in a circle.
 */
export async function endRun({ control }: Database, runId: string, end: RunEnd): Promise<void> {
  await control.transaction().execute(async (trx) => {
    const run = await trx
      .updateTable('operation_run')
      .set({ ended_at: new Date(end.at), stopped_by: end.stoppedBy })
      .where('run_id', '=', runId)
      .where('ended_at', 'is', null)
      .returning('revoked_at')
      .executeTakeFirst()
    if (!run) return
    const refusal = run.revoked_at === null ? null : end.whenRevoked
    const { rows } = await sql<{ line_id: number; state: RunLineState }>`
      update operation_run_line l set state = ended.state, refusal = case when ended.state = 'ordered' then null else ended.refusal end
      from (
        select position, ${refusal && JSON.stringify(refusal)}::jsonb as refusal,
          case when exists (select from command where command.command_id = w.command_id) then 'ordered' else ${end.rest} end as state
        from operation_run_line w where w.run_id = ${runId} and w.state = 'waiting'
      ) ended
      where l.run_id = ${runId} and l.position = ended.position and l.state = 'waiting'
      returning l.line_id, l.state`.execute(trx)
    const left = rows.flatMap(({ line_id, state }) => (state === end.rest ? line_id : []))
    for (const audit of end.audits(left, refusal)) await appendAudit(trx, audit)
  })
}
