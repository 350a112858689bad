import type { Priority } from '@linewarden/equipment'
import type { AlarmAct, AlarmState, EventKind } from '@linewarden/rules/alarm'
import type { Generated } from 'kysely'

/** The tables of `alarm` as Kysely sees them. */
export interface AlarmTables {
  event: EventTable
  /** Each time something was raised, as an event of that time. */
  event_occurrence: EventTable
  event_transition: EventTransitionTable
}

interface EventTable {
  event_id: Generated<string>
  kind: EventKind
  priority: Priority
  key: string
  label_zh: string
  label_en: string
  point: string | null
  value: number | null
  limit_value: number | null
  unit: Generated<string>
  state: AlarmState | null
  project_id: number
  gateway_id: number
  device_id: number | null
  line_id: number | null
  raised_at: Date
  stored_at: Date
  acknowledged_at: Date | null
  acknowledged_by: string | null
  returned_at: Date | null
  historical: Generated<boolean>
  raises: Generated<number>
  raised_again_at: Date | null
}

/** What happened to an event, step by step. */
interface EventTransitionTable {
  event_id: string
  at: Date
  act: AlarmAct | 'remove' | 'merge'
  from_state: AlarmState | null
  to_state: AlarmState
  value: number | null
  limit_value: number | null
  actor: string | null
  merged_into: string | null
}
