import type { AutomationSource, RunState } from '@linewarden/rules/automation'
import type { Kysely, Selectable } from 'kysely'
import type { Schema } from '../core/schema.ts'
import type { AutomationRunTable } from './schema.ts'

/** One run of a timer, a scene or a linkage; times Unix ms. */
export interface StoredRun {
  readonly runId: string
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
  readonly parentRunId: string | null
  readonly trace: Readonly<Record<string, unknown>>
}

export async function runById(db: Kysely<Schema>, runId: string): Promise<StoredRun | null> {
  const row = await db.selectFrom('automation_run').selectAll().where('run_id', '=', runId).executeTakeFirst()
  return row ? runOf(row) : null
}

/** The group operations that a run made, trips first. */
export async function operationIdsOfRun(db: Kysely<Schema>, runId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('operation_run')
    .select('run_id')
    .where('automation_run_id', '=', runId)
    .orderBy(({ eb }) => eb('action', '=', 'trip'), 'desc')
    .execute()
  return rows.map(({ run_id }) => run_id)
}

const runOf = (row: Selectable<AutomationRunTable>): StoredRun => ({
  runId: row.run_id,
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
  parentRunId: row.parent_run_id,
  trace: row.trace,
})
