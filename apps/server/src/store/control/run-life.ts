import type { RunLineState } from '@linewarden/rules/control'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { endWorkOf } from '../jobs/due-work.ts'
import type { RunRefusal, StoredRun } from './run.ts'
import { groupOperation } from './run.ts'

/** Which sign-ins end: some sessions and remembered devices, or all of an account, over for long or not, but one and those on its device. */
export type SignIns =
  | { readonly accountId: string; readonly but?: { readonly sessionId: string; readonly rememberId: string | null } }
  | { readonly sessionIds: readonly string[]; readonly rememberIds: readonly string[] }

/**
 * Sign-ins are ended because somebody wants it: what was started from them closes and tests no further line, from the moment this commits
 * and whichever server carries it out. What cuts the power goes on.
 */
export async function revokeRuns(trx: Kysely<Schema>, signIns: SignIns): Promise<void> {
  const from =
    'accountId' in signIns
      ? sql`account_id = ${signIns.accountId}
          and (session_id = ${signIns.but?.sessionId ?? null}::bigint or remember_id = ${signIns.but?.rememberId ?? null}::bigint) is not true`
      : sql`(session_id = any(${[...signIns.sessionIds]}::bigint[]) or remember_id = any(${[...signIns.rememberIds]}::bigint[]))`
  // In order of id, as below, so that two who lock the same runs never wait for each other in a circle.
  await sql`with r as materialized (
      select run_id from operation_run where ended_at is null and revoked_at is null and action <> 'trip' and ${from}
      order by run_id for no key update
    )
    update operation_run set revoked_at = now() from r where operation_run.run_id = r.run_id`.execute(trx)
}

/**
 * Which of these go on, whoever holds them: neither ended nor revoked. A trip goes on until a person stops it: one that another server ended,
 * because it had not heard from this one, still makes its lines safe.
 */
export async function runsGoingOn(
  { control }: Database,
  runIds: readonly string[],
): Promise<readonly Pick<StoredRun, 'id' | 'action'>[]> {
  const { rows } = await sql<Pick<StoredRun, 'id' | 'action'>>`
    select run_id as id, action from operation_run where run_id = any(${[...runIds]}::uuid[])
      and case action when 'trip' then stopped_by is null else ended_at is null and revoked_at is null end`.execute(control)
  return rows
}

/** Whether somebody who asks for it again may have it begun: a trip always, another from the session that it was started from. */
export async function mayBegin({ control }: Database, runId: string, sessionId: string): Promise<boolean> {
  const run = await control
    .selectFrom('operation_run')
    .select('run_id')
    .where('run_id', '=', runId)
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('action', '=', 'trip'), eb.and([eb('session_id', '=', sessionId), eb('revoked_at', 'is', null)])]))
    .executeTakeFirst()
  return run !== undefined
}

/** Who started a run, and what it does. */
export function runHead({ control }: Database, runId: string): Promise<Pick<StoredRun, 'id' | 'action' | 'actor'>> {
  return control
    .selectFrom('operation_run')
    .select(['run_id as id', 'action', 'actor'])
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
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
  const work = { kind: groupOperation, key: runId }
  await control.transaction().execute(async (trx) => {
    const run = await trx
      .updateTable('operation_run')
      .set({ ended_at: new Date(end.at), stopped_by: end.stoppedBy })
      .where('run_id', '=', runId)
      .where('ended_at', 'is', null)
      .returning('revoked_at')
      .executeTakeFirst()
    if (!run) return endWorkOf(trx, work, 'over', end.at)
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
    await endWorkOf(trx, work, left.length > 0 ? end.rest : 'done', end.at)
    for (const audit of end.audits(left, refusal)) await appendAudit(trx, audit)
  })
}
