import type { AutomationSource, RunState } from '@linewarden/rules/automation'
import type { Kysely, Selectable } from 'kysely'
import type { Schema } from '../core/schema.ts'
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

/** The group operations that a run made, trips first. */
export async function operationIdsOf(db: Kysely<Schema>, executionId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('operation_run')
    .select('run_id')
    .where('automation_run_id', '=', executionId)
    .orderBy(({ eb }) => eb('action', '=', 'trip'), 'desc')
    .execute()
  return rows.map(({ run_id }) => run_id)
}

const executionOf = (row: Selectable<AutomationRunTable>): StoredExecution => ({
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
