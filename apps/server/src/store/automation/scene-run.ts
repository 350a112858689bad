import type { RunState } from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { NewGroupOperation } from '../control/group-operation.ts'
import { sessionNow, storeOperation } from '../control/group-operation.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Holder } from '../jobs/due-work.ts'
import type { StoredExecution } from './execution.ts'
import { endOuterLocked, endSceneLocked, lockRun } from './outer-run.ts'

export type NewSceneExecution = Pick<
  StoredExecution,
  'executionId' | 'sourceId' | 'projectId' | 'name' | 'claimedAt' | 'accountId' | 'actor' | 'trace'
> & {
  /** Of the scene as it was read. */
  readonly version: number
}

/**
 * Saves a run of a scene that somebody pressed, and the group operations it is made of, trips and closes, all or nothing. `known`: the id is
 * taken. `busy`: a run that goes on has one of the lines to be closed: which of the two is meant nobody could say. `changed`: the scene is
 * another by now, disabled or removed.
 */
export async function insertSceneRun(
  { control }: Database,
  run: NewSceneExecution,
  operations: readonly NewGroupOperation[],
  audits: readonly AuditEntry[],
  holder: Holder,
): Promise<'new' | 'known' | 'busy' | 'changed' | 'session over'> {
  return control.transaction().execute(async (trx) => {
    const [first] = operations
    if (!first) return 'known'
    const session = await sessionNow(
      trx,
      first.sessionId,
      operations.every(({ action }) => action === 'trip'),
    )
    if (session === 'over') return 'session over'
    // Two presses on lines in common come one after the other.
    await sql`select pg_advisory_xact_lock(hashtext('scene run'), ${run.projectId})`.execute(trx)
    if (await isKnown(trx, run.executionId)) return 'known'
    if (!(await isAsRead(trx, run))) return 'changed'
    const closes = operations.flatMap(({ action, lines }) => (action === 'close' ? lines.map(({ lineId }) => lineId) : []))
    if ((await runningScenesOf(trx, closes)).length > 0) return 'busy'
    await trx
      .insertInto('automation_run')
      .values({
        run_id: run.executionId,
        source: 'scene',
        source_id: run.sourceId,
        project_id: run.projectId,
        name: run.name,
        point_no: null,
        due_at: null,
        claimed_at: new Date(run.claimedAt),
        ended_at: null,
        state: 'running',
        why: null,
        account_id: run.accountId,
        actor: run.actor,
        stopped_by: null,
        parent_run_id: null,
        trace: storableJson(run.trace),
      })
      .execute()
    for (const operation of operations) {
      const stored = { ...operation, rememberId: session.rememberId, automationRunId: run.executionId }
      if ((await storeOperation(trx, stored, holder)) === 'known')
        throw new Error(`operation ${operation.id} of a new run is known`)
    }
    for (const audit of audits) await appendAudit(trx, audit)
    return 'new'
  })
}

/** Whether it is the scene that was read; it stays so until the transaction ends. */
async function isAsRead(trx: Kysely<Schema>, { sourceId, version }: NewSceneExecution): Promise<boolean> {
  const { rows } = await sql`select from scene
    where scene_id = ${sourceId} and version = ${version} and enabled and removed_at is null for share`.execute(trx)
  return rows.length > 0
}

const isKnown = async (trx: Kysely<Schema>, executionId: string): Promise<boolean> =>
  (await trx.selectFrom('automation_run').select('run_id').where('run_id', '=', executionId).executeTakeFirst()) !== undefined

/** Runs of scenes that go on and have one of these lines. `own`: a group operation whose own run is none of them, nor one that began after it. */
export async function runningScenesOf(
  db: Kysely<Schema>,
  lineIds: readonly number[],
  own: string | null = null,
): Promise<readonly { readonly executionId: string; readonly sceneId: number; readonly name: string }[]> {
  if (lineIds.length === 0) return []
  const { rows } = await sql<{ executionId: string; sceneId: number; name: string }>`
    select distinct r.run_id as "executionId", r.source_id as "sceneId", r.name
    from automation_run r join operation_run o on o.automation_run_id = r.run_id join operation_run_line l on l.run_id = o.run_id
    where r.ended_at is null and r.source = 'scene' and l.line_id = any(${[...lineIds]}::int[])
      and not exists (
        select from operation_run m join automation_run mine on mine.run_id = m.automation_run_id
        where m.run_id = ${own}::uuid and mine.source = 'scene' and (mine.claimed_at, mine.run_id) <= (r.claimed_at, r.run_id))`.execute(
    db,
  )
  return rows
}

/** Runs that were not ended yet. */
export async function openSceneRuns({ control }: Database): Promise<readonly string[]> {
  const rows = await control
    .selectFrom('automation_run')
    .select('run_id')
    .where('source', '=', 'scene')
    .where('ended_at', 'is', null)
    .execute()
  return rows.map(({ run_id }) => run_id)
}

/** Ends a run whose lines are over, once, and with it the one that fired it, where nothing else keeps that going. Null: it goes on, or was ended before. */
export async function endSceneRun({ control }: Database, executionId: string, at: number): Promise<RunState | null> {
  return control.transaction().execute(async (trx) => {
    const run = await lockRun(trx, executionId)
    if (!run?.isScene) return null
    const state = await endSceneLocked(trx, executionId, at)
    if (state && run.outerId !== null) await endOuterLocked(trx, run.outerId, at)
    return state
  })
}

/** Which run of a scene each of these group operations is part of; those of none are left out. */
export async function scenesOfOperations(
  { control }: Pick<Database, 'control'>,
  operationIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ run_id: string; execution_id: string }>`
    select o.run_id, r.run_id as execution_id from operation_run o join automation_run r on r.run_id = o.automation_run_id
    where o.run_id = any(${[...operationIds]}::uuid[]) and r.source = 'scene'`.execute(control)
  return new Map(rows.map(({ run_id, execution_id }) => [run_id, execution_id]))
}
