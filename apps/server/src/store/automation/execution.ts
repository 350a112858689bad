import type { AutomationSource, RunState } from '@linewarden/rules/automation'
import type { GroupLineState } from '@linewarden/rules/control'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { GroupLineRefusal } from '../control/group-operation.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { endWorkOf } from '../jobs/due-work.ts'
import { executionKind } from './claim.ts'
import { endOuterLocked, hasLeftOut, operationsOfRuns } from './outer-run.ts'
import type { AutomationRunTable } from './schema.ts'

/** One run of a timer, a scene or a linkage; times Unix ms. */
export interface StoredExecution {
  readonly executionId: string
  readonly source: AutomationSource
  readonly sourceId: number
  readonly projectId: number
  readonly name: string
  readonly pointNo: number | null
  readonly dueAt: number | null
  readonly claimedAt: number
  readonly endedAt: number | null
  readonly state: RunState
  readonly why: string | null
  readonly accountId: string | null
  readonly actor: string
  readonly stoppedBy: string | null
  readonly cause: readonly string[]
  readonly parentId: string | null
  readonly trace: Readonly<Record<string, unknown>>
}

export async function executionById(db: Kysely<Schema>, executionId: string): Promise<StoredExecution | null> {
  const row = await db.selectFrom('automation_run').selectAll().where('run_id', '=', executionId).executeTakeFirst()
  return row ? executionOf(row) : null
}

/** The group operations that a run made, itself and by the scenes that it ran, trips first. */
export async function operationIdsOf(db: Kysely<Schema>, executionId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('operation_run as o')
    .select('run_id')
    .where(operationsOfRuns([executionId]))
    .orderBy(({ eb }) => eb('action', '=', 'trip'), 'desc')
    .execute()
  return rows.map(({ run_id }) => run_id)
}

export const executionOf = (row: Selectable<AutomationRunTable>): StoredExecution => ({
  executionId: row.run_id,
  source: row.source,
  sourceId: row.source_id,
  projectId: row.project_id,
  name: row.name,
  pointNo: row.point_no,
  dueAt: row.due_at?.getTime() ?? null,
  claimedAt: row.claimed_at.getTime(),
  endedAt: row.ended_at?.getTime() ?? null,
  state: row.state,
  why: row.why,
  accountId: row.account_id,
  actor: row.actor,
  stoppedBy: row.stopped_by,
  cause: row.cause,
  parentId: row.parent_run_id,
  trace: row.trace,
})

/** Ends an execution, once, by what became of its lines; what had no turn by now was missed before. */
export async function endExecution(
  { control }: Pick<Database, 'control'>,
  executionId: string,
  at: number,
  stateOf: (lines: readonly GroupLineState[]) => RunState,
): Promise<void> {
  await control.transaction().execute(async (trx) => {
    const run = await trx
      .selectFrom('automation_run')
      .select('run_id')
      .select(
        sql<boolean>`exists (select from automation_run s where s.parent_run_id = ${executionId} and s.source = 'scene')`.as(
          'scenes',
        ),
      )
      .where('run_id', '=', executionId)
      .where('ended_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    // A scene that still waits for what its equipment reports ends both.
    if (run?.scenes) await endOuterLocked(trx, executionId, at)
    else if (run) {
      const lines = await trx
        .selectFrom('operation_run_line')
        .innerJoin('operation_run', 'operation_run.run_id', 'operation_run_line.run_id')
        .select('operation_run_line.state')
        .where('automation_run_id', '=', executionId)
        .execute()
      await trx
        .updateTable('automation_run')
        .set({ ended_at: new Date(at), state: stateOf(lines.map(({ state }) => state)), left_out: hasLeftOut(executionId) })
        .where('run_id', '=', executionId)
        .execute()
    }
    await endWorkOf(trx, { kind: executionKind, key: executionId }, 'done', at)
  })
}

/** Somebody stops an execution, and the scenes that it runs with it; false: it is over. */
export async function stopExecution({ control }: Database, executionId: string, by: string, audit: AuditEntry): Promise<boolean> {
  return control.transaction().execute(async (trx) => {
    const run = await trx
      .updateTable('automation_run')
      .set({ stopped_by: by })
      .where('run_id', '=', executionId)
      .where('ended_at', 'is', null)
      .where('stopped_by', 'is', null)
      .returning('run_id')
      .executeTakeFirst()
    if (run) await appendAudit(trx, audit)
    return run !== undefined
  })
}

/**
 * A timer is changed, disabled or removed: what it has claimed closes and tests no further line, from the moment this commits and on whichever
 * server. What cuts the power goes on. Part of the transaction that changes it.
 */
export async function revokeExecutions(trx: Kysely<Schema>, timerId: number): Promise<void> {
  // Whoever is claiming it has ended by then, and what they claimed is found below.
  await trx.selectFrom('timer_due').select('timer_id').where('timer_id', '=', timerId).forUpdate().execute()
  await revokeCloses(trx, 'timer', timerId)
}

/** The same of a linkage; whoever stores a firing of it holds its row, which the transaction that changes it has locked by then. */
export const revokeLinkageRuns = (trx: Kysely<Schema>, linkageId: number): Promise<void> =>
  revokeCloses(trx, 'linkage', linkageId)

async function revokeCloses(trx: Kysely<Schema>, source: AutomationSource, sourceId: number): Promise<void> {
  // In order of id, as where sign-ins end, so that two who lock the same rows never wait for each other in a circle.
  await sql`with own as (
      select run_id from automation_run where source = ${source} and source_id = ${sourceId} and ended_at is null
    ), r as materialized (
      select run_id from operation_run
      where ended_at is null and revoked_at is null and action <> 'trip'
        and (automation_run_id in (select run_id from own) or outer_run_id in (select run_id from own))
      order by run_id for no key update
    )
    update operation_run set revoked_at = now() from r where operation_run.run_id = r.run_id`.execute(trx)
}

/** Which of these go on: neither ended nor stopped. */
export async function executionsGoingOn({ control }: Database, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await control
    .selectFrom('automation_run')
    .select('run_id')
    .where(sql<boolean>`run_id = any(${[...ids]}::uuid[])`)
    .where('ended_at', 'is', null)
    .where('stopped_by', 'is', null)
    .execute()
  return rows.map(({ run_id }) => run_id)
}

/** Why lines of an operation were not ordered at their turn, where that is no refusal. */
export async function skipLine(
  { control }: Database,
  commandId: string,
  state: Extract<GroupLineState, 'skipped' | 'missed'>,
  why: GroupLineRefusal,
): Promise<void> {
  await control
    .updateTable('operation_run_line')
    .set({ state, refusal: storableJson(why) })
    .where('command_id', '=', commandId)
    .where('state', '=', 'waiting')
    .execute()
}
