import type { HealthBand, HealthCost, LineExam } from '@linewarden/rules/health'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Json } from '../core/columns.ts'

/** The tables of `health` as Kysely sees them. */
export interface HealthTables {
  health_check: HealthCheckTable
  health_check_line: HealthCheckLineTable
  health_check_number: { owner: string; month: string; last: number }
}

/** What a finished check came to. */
export interface StoredHealthResult {
  readonly score: number | null
  readonly band: HealthBand | null
  readonly average: number | null
  readonly worstTenth: number | null
  readonly worstLines: number
  readonly scored: number
  readonly unscored: number
  readonly coverage: number
  readonly bands: Readonly<Record<HealthBand, number>>
  readonly costs: readonly HealthCost[]
  readonly hash: string
}

/** What was found on a line, beside what lists are sorted by. */
export interface StoredLineExam extends Omit<LineExam, 'score' | 'coverage'> {
  readonly controllerId: string
  readonly lineNo: number
  readonly gatewayId: number
  readonly model: string
  readonly ratedA: number | null
}

interface HealthCheckTable {
  test_id: GeneratedAlways<number>
  number: string
  project_id: number
  gateway_id: number | null
  line_id: number | null
  project_name: string
  gateway_name: string | null
  actor: string | null
  due_at: Date | null
  rule_version: string
  state: 'running' | 'done' | 'cancelled' | 'failed'
  started_at: Date
  ended_at: Date | null
  time_zone: string
  from_day: number
  to_day: number
  lines: number
  done: Generated<number>
  result: ColumnType<StoredHealthResult | null, string | null, string | null>
  before_id: number | null
  hazards_at: Date | null
  hazards_tried_at: Date | null
  hazards_failed: string | null
}

interface HealthCheckLineTable {
  test_id: number
  line_id: number
  project_id: number
  gateway_id: number | null
  line_name: string
  gateway_name: string
  score: number | null
  coverage: number
  found: Json<StoredLineExam>
}
