import type { AlarmKind, Priority } from '@linewarden/equipment'

/** The tables of `hazard` as Kysely sees them. In them 0 stands for no gateway, project, device or line. */
export interface HazardTables {
  event_ten: EventTenTable
  event_day: EventDayTable
  event_counted: EventCountedTable
  event_step_due: { event_id: string; step_id: string | null }
  event_recount: { gateway_id: number; project_id: number }
  gateway_day: { day: number; gateway_id: number; lines: number; line_hours: number }
}

interface CountedTable {
  gateway_id: number
  project_id: number
  device_id: number
  line_id: number
  key: string
  kind: AlarmKind
  priority: Priority
  announced: number
  folded: number
}

interface EventTenTable extends CountedTable {
  ten: number
}

interface EventDayTable extends CountedTable {
  day: number
  raised: number
  bursts: number
  fleeting: number
  unjustified: number
  active_ms: string
  over_day: number
  ack_seconds: number[]
}

interface EventCountedTable {
  event_id: string
  step_id: string
  at: Date
  day: number
  priority: Priority
  counted: number
  since: Date | null
}
