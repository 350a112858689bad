import type { GroupLineState } from '@linewarden/rules/control'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Claim, Holder } from '../jobs/due-work.ts'
import { claimToBegin, endWorkOf } from '../jobs/due-work.ts'
import type { GroupLineRefusal, GroupOperation } from './group-operation.ts'
import { groupOperationKind } from './group-operation.ts'

/** Which sign-ins end: some sessions and remembered devices, or all of an account, over for long or not, but one and those on its device. */
export type SignIns =
  | { readonly accountId: string; readonly but?: { readonly sessionId: string; readonly rememberId: string | null } }
  | { readonly sessionIds: readonly string[]; readonly rememberIds: readonly string[] }

/**
 * Sign-ins are ended because somebody wants it: what was started from them closes and tests no further line, from the moment this commits
 * and whichever server carries it out. What cuts the power goes on, and what a timer does was started from none.
 */
export async function revokeGroupOperations(trx: Kysely<Schema>, signIns: SignIns): Promise<void> {
  const from =
    'accountId' in signIns
      ? sql`account_id = ${signIns.accountId} and (automation_run_id is null or session_id is not null)
          and (session_id = ${signIns.but?.sessionId ?? null}::bigint or remember_id = ${signIns.but?.rememberId ?? null}::bigint) is not true`
      : sql`(session_id = any(${[...signIns.sessionIds]}::bigint[]) or remember_id = any(${[...signIns.rememberIds]}::bigint[]))`
  // In order of id, as below, so that two who lock the same rows never wait for each other in a circle.
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
export async function groupOperationsGoingOn(
  { control }: Database,
  operationIds: readonly string[],
): Promise<readonly Pick<GroupOperation, 'id' | 'action'>[]> {
  const { rows } = await sql<Pick<GroupOperation, 'id' | 'action'>>`
    select run_id as id, action from operation_run where run_id = any(${[...operationIds]}::uuid[])
      and case action when 'trip' then stopped_by is null else ended_at is null and revoked_at is null end`.execute(control)
  return rows
}

/**
 * Begins what was stored, once, on whichever server: a trip for whoever asks, another for the session that it was started from and while its
 * lease lasts. Null: another carries it, or may begin it still. `missed`: nobody began it, and nobody may any more.
 */
export async function beginGroupOperation(
  { control }: Database,
  operationId: string,
  sessionId: string,
  holder: Holder,
): Promise<Claim | 'missed' | null> {
  return control.transaction().execute(async (trx) => {
    const operation = await trx
      .selectFrom('operation_run')
      .select(['action', 'session_id', 'revoked_at', 'begun_at'])
      .where('run_id', '=', operationId)
      .where('ended_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!operation) return null
    const isTrip = operation.action === 'trip'
    const isBegun = operation.begun_at !== null
    const isRevoked = !isTrip && operation.revoked_at !== null
    if (!isTrip && !isRevoked && operation.session_id !== sessionId) return null
    const claim = isRevoked ? null : await claimToBegin(trx, operationId, { isBegun, inLease: !isTrip }, holder)
    if (!claim) return isBegun ? null : 'missed'
    await trx
      .updateTable('operation_run')
      .set({ begun_at: sql<Date>`clock_timestamp()` })
      .where('run_id', '=', operationId)
      .execute()
    return claim
  })
}

/** Who started a group operation, and what it does. */
export function groupOperationHead(
  { control }: Database,
  operationId: string,
): Promise<Pick<GroupOperation, 'id' | 'action' | 'actor'>> {
  return control
    .selectFrom('operation_run')
    .select(['run_id as id', 'action', 'actor'])
    .where('run_id', '=', operationId)
    .executeTakeFirstOrThrow()
}

/** How a group operation ends, and what becomes of the lines that had no turn. */
export interface GroupOperationEnd {
  readonly rest: 'missed' | 'stopped'
  readonly at: number
  readonly stoppedBy: string | null
  /** Said of each missed line when the sign-in was ended that it was started from. */
  readonly whenRevoked: GroupLineRefusal | null
  /** What the log tells of the lines that had no turn. */
  readonly audits: (lineIds: readonly number[], refusal: GroupLineRefusal | null) => readonly AuditEntry[]
}

/**
 * Ends a group operation, once: lines that had no turn never get one, and the log says so. A command that left says itself that its line had
 * a turn. Its own row is locked first and no fence is taken, so that it and `authorise` never wait for each other in a circle.
 */
export async function endGroupOperation({ control }: Database, operationId: string, end: GroupOperationEnd): Promise<void> {
  const work = { kind: groupOperationKind, key: operationId }
  await control.transaction().execute(async (trx) => {
    const operation = await trx
      .updateTable('operation_run')
      .set({ ended_at: new Date(end.at), stopped_by: end.stoppedBy })
      .where('run_id', '=', operationId)
      .where('ended_at', 'is', null)
      .returning('revoked_at')
      .executeTakeFirst()
    if (!operation) return endWorkOf(trx, work, 'over', end.at)
    const refusal = operation.revoked_at === null ? null : end.whenRevoked
    const { rows } = await sql<{ line_id: number; state: GroupLineState }>`
      update operation_run_line l set state = ended.state, refusal = case when ended.state = 'ordered' then null else ended.refusal end
      from (
        select position, ${refusal && storableJson(refusal)}::jsonb as refusal,
          case when exists (select from command where command.command_id = w.command_id) then 'ordered' else ${end.rest} end as state
        from operation_run_line w where w.run_id = ${operationId} and w.state = 'waiting'
      ) ended
      where l.run_id = ${operationId} and l.position = ended.position and l.state = 'waiting'
      returning l.line_id, l.state`.execute(trx)
    const left = rows.flatMap(({ line_id, state }) => (state === end.rest ? line_id : []))
    await endWorkOf(trx, work, left.length > 0 ? end.rest : 'done', end.at)
    for (const audit of end.audits(left, refusal)) await appendAudit(trx, audit)
  })
}
