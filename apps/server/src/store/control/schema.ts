import type { ActionKey } from '@linewarden/equipment'
import type { CommandState } from '@linewarden/rules/control'
import type { OperationTables } from './operation-schema.ts'

/** The tables of `control` as Kysely sees them. */
export interface ControlTables extends OperationTables {
  command_fence: { line_id: number; fence: string }
  command: CommandTable
  project_turn: { project_id: number; turn_at: Date; taken_by: string }
}

export interface CommandTable {
  command_id: string
  line_id: number
  action: ActionKey
  state: CommandState
  outcome: string | null
  account_id: string | null
  actor: string
  source: string
  reason: string
  /** Null: a person wrote `reason`. */
  reason_en: string | null
  fence: string
  issued_at: Date
  deadline: Date
  sent_at: Date | null
  acknowledged_at: Date | null
  verified_at: Date | null
  ended_at: Date | null
  trip_ms: number | null
  position_after: 'open' | 'closed' | null
  run_id: string | null
}
