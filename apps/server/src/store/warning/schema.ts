import type { Priority } from '@linewarden/equipment'
import type { AlarmState } from '@linewarden/rules/alarm'
import type { Evidence, RuleTargets, RuleValues, WarningLevel } from '@linewarden/rules/warning'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json } from '../core/columns.ts'
import type { LearntOf, StoredFollowed, StoredOutcomes } from './look.ts'

/** The tables of `warning` as Kysely sees them. */
export interface WarningTables {
  voltage_hour: { line_id: number; hour: Date; ten: (number | null)[] }
  line_day_due: { line_id: number; day: number }
  line_hours: LineHoursTable
  line_week: { line_id: number; sunday: number; peak_a: (number | null)[] }
  project_day: { project_id: number; day: number }
  line_day: LineDayTable
  line_look: LineLookTable
  warning_evidence: WarningEvidenceTable
  warning_baseline: WarningBaselineTable
  warning_rule: WarningRuleTable
  warning_rule_change: WarningRuleChangeTable
  line_live: { line_id: number; state: unknown; at: Date }
}

interface LineDayTable {
  line_id: number
  /** Days since 1970 in the project's own calendar. */
  day: number
  hours: number
  coverage: number
  opened: boolean
  leak_floor_ma: number | null
  leak_peak_ma: number | null
  i95_a: (number | null)[]
  peak_a: (number | null)[]
  excess_k: (number | null)[]
  excess_error_k: (number | null)[]
  unbalance_percent: number | null
  unbalance_2_min: number
  unbalance_4_min: number
  voltage_known_min: number
  voltage_outside_min: number
  arc_hours: number | null
  broken_a: (number | null)[]
  wear: number
  trip_ms: number[]
  online_s: number
  made_at: Date
}

/** Columns of little-endian 32-bit floats, one for each hour; NaN is not known. */
interface LineHoursTable {
  line_id: number
  day: number
  first_hour: number
  counts: number
  residual_ma: Buffer | null
  square_a2: Buffer
  max_a: Buffer
  terminal_c: Buffer
}

interface LineLookTable {
  line_id: number
  day: number
  at: Date
  learnt_from: number
  learnt_of: LearntOf
  wear: Generated<number>
  openings: Generated<number>
  reason: string | null
  outcomes: StoredOutcomes
  followed: StoredFollowed
  followed_before: StoredFollowed
}

interface WarningEvidenceTable {
  event_id: string
  severity: GeneratedAlways<number>
  /** Of the limit; null: there is none. */
  share: GeneratedAlways<number | null>
  level: WarningLevel
  evidence: Evidence
  coverage: number | null
  /** By which local day it was raised; null: it was found at once. */
  day: number | null
  /** Of which local day the proof is; null: of the moment it was found. */
  evidence_day: number | null
  rule_id: number | null
  rule_version: Generated<number>
  at: Date
  /** As in its event, for lists: the database itself keeps them the same. */
  seen_project_id: GeneratedAlways<number>
  seen_gateway_id: GeneratedAlways<number | null>
  seen_device_id: GeneratedAlways<number | null>
  seen_line_id: GeneratedAlways<number | null>
  seen_key: GeneratedAlways<string>
  seen_state: GeneratedAlways<AlarmState | null>
  seen_shelved_until: GeneratedAlways<Date | null>
}

interface WarningBaselineTable {
  baseline_id: GeneratedAlways<string>
  event_id: string
  line_id: number
  detector: string
  from_day: number
  reason: string
  actor: string
  at: Date
  undone_at: Date | null
  undone_by: string | null
  undone_reason: string | null
}

interface WarningRuleTable {
  rule_id: GeneratedAlways<number>
  owner_id: string | null
  /** Null: the default of a tenant. */
  project_id: number | null
  key: string
  in_force: boolean
  enabled: boolean
  params: Json<Readonly<Record<string, number>>>
  priority: Priority
  target: RuleTargets['kind']
  families: string[]
  line_ids: number[]
  except_line_ids: number[]
  version: number
  changed_at: Date
  changed_by: string
}

/** What a rule was before a change and after it; nothing of it is ever changed. */
interface WarningRuleChangeTable {
  rule_id: number
  version: number
  at: Date
  actor: string
  reason: string
  restored: boolean
  before: Json<RuleValues>
  after: Json<RuleValues>
}
