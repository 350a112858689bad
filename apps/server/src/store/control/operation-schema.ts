import type { GroupAction, GroupLineState, TagKind, TestResult } from '@linewarden/rules/control'
import type { Generated } from 'kysely'
import type { Json } from '../core/columns.ts'

/** The tables of operating equipment as Kysely sees them. */
export interface OperationTables {
  command_step: { command_id: string; step_no: number; state: string; at: Date; evidence: Json<Record<string, unknown>> }
  tag: TagTable
  inspection: InspectionTable
  self_test: SelfTestTable
  detection_plan: DetectionPlanTable
  quiet_hours: QuietHoursTable
  operation_run: GroupOperationTable
  operation_run_line: GroupOperationLineTable
  reclosure: ReclosureTable
  trip: TripTable
}

interface TagTable {
  tag_id: string
  /** Exactly one of these three: what it hangs on. */
  line_id: number | null
  device_id: number | null
  gateway_id: number | null
  kind: TagKind
  account_id: string | null
  holder: string
  reason: string
  photo: Buffer | null
  photo_type: string | null
  placed_at: Date
  expected_end: Date | null
  removed_at: Date | null
  removed_by: string | null
  removed_reason: string | null
}

interface InspectionTable {
  inspection_id: string
  gateway_id: number
  controller_id: string | null
  account_id: string | null
  actor: string
  started_at: Date
  until: Date
}

interface SelfTestTable {
  command_id: string
  line_id: number
  at: Date
  actor: string
  result: TestResult
  trip_ms: number | null
  limit_ms: number
  residual_ma: number | null
  model: string
}

interface DetectionPlanTable {
  line_id: number
  enabled: boolean
  every_days: number
  version: Generated<number>
  changed_at: Date
  changed_by: string
}

interface QuietHoursTable {
  quiet_id: Generated<string>
  project_id: number
  days: number
  from_minute: number
  to_minute: number
}

export interface GroupOperationTable {
  run_id: string
  action: GroupAction
  account_id: string | null
  actor: string
  reason: string
  stagger_ms: number
  started_at: Date
  begun_at: Generated<Date | null>
  ended_at: Date | null
  stopped_by: string | null
  session_id: string | null
  remember_id: string | null
  revoked_at: Date | null
  /** The run of a timer, scene or linkage that it is part of; null: a person's own. */
  automation_run_id: Generated<string | null>
  /** Of a scene that a timer or a linkage runs: their run. */
  outer_run_id: Generated<string | null>
}

interface GroupOperationLineTable {
  run_id: string
  position: number
  line_id: number
  command_id: string
  state: GroupLineState
  refusal: Json<Record<string, unknown>> | null
}

interface ReclosureTable {
  line_id: number
  enabled: boolean
  delays_s: number[]
  account_id: string | null
  actor: string
  attempts: Generated<number>
  next_at: Date | null
  last_try_at: Date | null
  last_try_id: string | null
  locked_out_at: Date | null
  locked_out_why: 'tries_used' | 'person_tripped' | 'outcome_unknown' | 'policy_broken' | null
  version: Generated<number>
  changed_at: Date
}

interface TripTable {
  line_id: number
  trip_no: number
  cause: string
  at: Date
  explained: string | null
  explained_at: Date | null
}
