import type { AlarmKind, Priority } from '@linewarden/equipment'
import type { HazardAct, HazardSource, HazardState } from '@linewarden/rules/hazard'
import type { Verification } from '@linewarden/rules/workorder'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** The tables of `hazard` as Kysely sees them. In those of what was counted 0 stands for no gateway, project, device or line. */
export interface HazardTables {
  hazard: HazardTable
  hazard_source: HazardSourceTable
  hazard_step: HazardStepTable
  event_place: EventPlaceTable
  event_ten: TenCounts & OfPlace
  event_day: DayCounts & OfPlace & { active_ms: string }
  event_ack: AckCounts & OfPlace
  event_ten_sum: TenCounts & OfAll
  event_day_sum: DayCounts & OfAll & { key: string }
  event_ack_sum: AckCounts & OfAll
  event_counted: EventCountedTable
  event_step_due: { event_id: string; step_id: string | null }
  event_recount: { gateway_id: number; project_id: number }
  gateway_day: { day: number; gateway_id: number; lines: number; line_hours: number }
}

interface EventPlaceTable {
  place_id: number
  gateway_id: number
  project_id: number
  device_id: number
  line_id: number
  key: string
  kind: AlarmKind
  priority: Priority
}

interface OfPlace {
  gateway_id: number
  project_id: number
  place_id: number
}

interface OfAll {
  kind: AlarmKind
  priority: Priority
}

interface TenCounts {
  ten: number
  announced: number
  folded: number
}

interface DayCounts {
  day: number
  raised: number
  announced: number
  folded: number
  bursts: number
  fleeting: number
  unjustified: number
  over_day: number
}

interface AckCounts {
  day: number
  seconds: number
  times: number
}

interface EventCountedTable extends OfPlace {
  event_id: string
  step_id: string
  at: Date
  day: number
  priority: Priority
  counted: number
  since: Date | null
}

interface HazardTable {
  hazard_id: GeneratedAlways<number>
  project_id: number
  /** Null: at a named place, or of the project as a whole. */
  gateway_id: number | null
  place: Generated<string>
  device_id: number | null
  line_id: number | null
  key: string
  label_zh: string
  label_en: string
  level: Priority
  source: HazardSource
  state: HazardState
  first_seen: Date
  last_seen: Date
  count: Generated<number>
  risk_until: Date | null
  /** How far it is proved, while no order sees to it. */
  verification: ColumnType<Verification | null, string | null, string | null>
  version: Generated<number>
}

/** What showed a hazard, each once. */
interface HazardSourceTable {
  hazard_id: number
  source: HazardSource
  source_id: string
  /** When it showed itself by it last. */
  at: Date
  level: Priority
}

interface HazardStepTable {
  step_id: GeneratedAlways<string>
  hazard_id: number
  act_id: string | null
  at: Date
  act: HazardAct
  from_state: HazardState | null
  to_state: HazardState
  /** Null: the platform. */
  actor_id: string | null
  actor: string | null
  reason: Generated<string>
  until: Date | null
  source: HazardSource | null
  source_id: string | null
  order_id: number | null
}
