import type { AutomationSource, RunState } from '@linewarden/rules/automation'
import type { Generated } from 'kysely'
import type { Json } from '../core/columns.ts'

/** The tables of `automation` as Kysely sees them. */
export interface AutomationTables {
  automation_run: AutomationRunTable
}

export interface AutomationRunTable {
  run_id: string
  source: AutomationSource
  source_id: number
  project_id: number
  name: string
  point_no: number | null
  due_at: Date | null
  claimed_at: Date
  ended_at: Date | null
  state: RunState
  why: string | null
  account_id: string | null
  actor: string
  stopped_by: string | null
  cause: Generated<string[]>
  parent_run_id: string | null
  trace: Generated<Json<Readonly<Record<string, unknown>>>>
}
