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
import type { LeaseClock } from '../jobs/due-work.ts'
import { executionKind } from './claim.ts'
import { endOuterLocked, isLeftOut, operationsOfRuns } from './outer-run.ts'
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

interface ExecutionsEnd {
  /** By this server's clock. */
  readonly at: number
  /** By which runs are due. */
  readonly clock: LeaseClock
  /** What is written of each line that had no turn where what fired its run was changed meanwhile. */
  readonly whenRevoked: Readonly<Record<'timer' | 'linkage', GroupLineRefusal>>
  readonly stateOf: (lines: readonly GroupLineState[]) => RunState
}

/**
 * Ends executions, their group operations and those of the scenes that they run, each once, by what became of their lines: those that had no turn
 * were missed, or, where somebody stopped it, stopped. A command that left says itself that its line had a turn.
 */
export async function endExecutions(
  { control }: Pick<Database, 'control'>,
  executionIds: readonly string[],
  { at, clock, whenRevoked, stateOf }: ExecutionsEnd,
): Promise<void> {
  const ids = [...new Set(executionIds)]
  // Each kind of row in order of its id, so that two who end the same, or lock some of it, never wait for each other in a circle.
  await control.transaction().execute(async (trx) => {
    await endOperationsOf(trx, ids, at, whenRevoked)
    const { rows: runs } = await sql<EndingRun>`
      with r as materialized (
        select run_id from automation_run where run_id = any(${ids}::uuid[]) and ended_at is null order by run_id for no key update
      )
      select run_id, ${clock()} as now,
        exists (select from automation_run s where s.parent_run_id = r.run_id and s.source = 'scene') as scenes,
        array(select distinct l.state from operation_run o join operation_run_line l using (run_id)
          where o.automation_run_id = r.run_id) as lines,
        exists (select from operation_run o join operation_run_line l using (run_id)
          where o.automation_run_id = r.run_id and ${isLeftOut}) as left_out
      from r order by run_id`.execute(trx)
    // A scene that still waits for what its equipment reports ends both.
    for (const { run_id, now, scenes } of runs) if (scenes) await endOuterLocked(trx, run_id, now.getTime())
    const ended = runs.flatMap(({ run_id, now, lines, left_out, scenes }) =>
      scenes ? [] : { run_id, state: stateOf(lines), left_out, ended_at: now },
    )
    await sql`update automation_run r set ended_at = e.ended_at, state = e.state, left_out = e.left_out
      from jsonb_to_recordset(${storableJson(ended)}::jsonb) as e (run_id uuid, state text, left_out boolean, ended_at timestamptz)
      where r.run_id = e.run_id`.execute(trx)
    await sql`
      with w as materialized (
        select work_id from due_work where kind = ${executionKind} and key = any(${ids}::text[]) and ended_at is null
        order by work_id for no key update
      )
      update due_work d set ended_at = ${clock()}, outcome = 'done' from w where d.work_id = w.work_id`.execute(trx)
  })
}

interface EndingRun {
  readonly run_id: string
  readonly now: Date
  /** It runs scenes. */
  readonly scenes: boolean
  /** What became of its own lines. */
  readonly lines: GroupLineState[]
  readonly left_out: boolean
}

async function endOperationsOf(
  trx: Kysely<Schema>,
  executionIds: readonly string[],
  at: number,
  whenRevoked: ExecutionsEnd['whenRevoked'],
): Promise<void> {
  const { rows } = await sql<{ run_id: string }>`
    with o as materialized (
      select run_id from operation_run o where ${operationsOfRuns(executionIds)} and ended_at is null order by run_id for no key update
    )
    update operation_run u set ended_at = ${new Date(at)}, stopped_by = r.stopped_by
    from o, automation_run r where u.run_id = o.run_id and r.run_id = coalesce(u.outer_run_id, u.automation_run_id)
    returning u.run_id`.execute(trx)
  const operationIds = rows.map(({ run_id }) => run_id)
  if (operationIds.length === 0) return
  await sql`
    with w as materialized (
      select run_id, position, command_id from operation_run_line
      where run_id = any(${operationIds}::uuid[]) and state = 'waiting' order by run_id, position for no key update
    ), e as (
      select w.run_id, w.position,
        case when exists (select from command c where c.command_id = w.command_id) then 'ordered'
          when u.stopped_by is null then 'missed' else 'stopped' end as state,
        case when u.revoked_at is null then null when r.source = 'linkage' then ${storableJson(whenRevoked.linkage)}::jsonb
          else ${storableJson(whenRevoked.timer)}::jsonb end as refusal
      from w join operation_run u using (run_id) join automation_run r on r.run_id = coalesce(u.outer_run_id, u.automation_run_id)
    )
    update operation_run_line l set state = e.state, refusal = case when e.state = 'ordered' then null else e.refusal end
    from e where l.run_id = e.run_id and l.position = e.position`.execute(trx)
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
