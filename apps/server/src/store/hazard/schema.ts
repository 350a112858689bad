import type { AlarmKind, Priority } from '@linewarden/equipment'

/** The tables of `hazard` as Kysely sees them. In them 0 stands for no gateway, project, device or line. */
export interface HazardTables {
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
