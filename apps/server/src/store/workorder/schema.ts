import type { Priority } from '@linewarden/equipment'
import type {
  ActNotice,
  CloseReason,
  OrderClock,
  OrderStatus,
  OrderType,
  PauseReason,
  Rota,
  Verification,
} from '@linewarden/rules/workorder'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Json } from '../core/columns.ts'

/** The tables of `workorder` as Kysely sees them. */
export interface WorkOrderTables {
  work_order: WorkOrderTable
  work_order_step: WorkOrderStepTable
  work_order_event: { order_id: number; event_id: string }
  work_order_due: WorkOrderDueTable
  order_rule: OrderRuleTable
  order_rule_event: OrderRuleEventTable
  work_order_number: { owner: string; month: string; last: number }
}

/** Somebody as an order names them. */
export interface NamedPerson {
  readonly id: string
  readonly name: string
}

interface WorkOrderTable {
  order_id: GeneratedAlways<number>
  number: string
  project_id: number
  gateway_id: number | null
  device_id: number | null
  line_id: number | null
  type: OrderType
  status: OrderStatus
  title: string
  description: string
  priority: Priority
  hazard_id: number | null
  founder_id: string | null
  founder_name: string
  person_id: string | null
  person_name: string
  helpers: Json<readonly NamedPerson[]>
  processor_id: string | null
  processor_name: Generated<string>
  closer_id: string | null
  closed_from: 'undispatched' | 'dispatched' | null
  alarm_at: Date | null
  created_at: Date
  dealt_at: Date | null
  accepted_at: Date | null
  closed_at: Date | null
  valid_days: number
  reminder_days: number
  working_days_only: boolean
  clock: Json<OrderClock>
  overdue_at: Date | null
  paused_why: PauseReason | null
  cause: Generated<string>
  done: Generated<string>
  parts: Generated<string>
  labour_min: number | null
  close_reason: CloseReason | null
  duplicate_of: number | null
  verification: ColumnType<Verification | null, string | null, string | null>
  returns: Generated<number>
  reopened: Generated<number>
  version: Generated<number>
  searched: GeneratedAlways<string>
}

interface WorkOrderDueTable {
  due_id: GeneratedAlways<string>
  order_id: number
  why: ActNotice | 'reminder' | 'overdue'
  /** Null: whoever is concerned once it is due. */
  account_id: string | null
  due_at: Date
}

interface WorkOrderStepTable {
  step_id: GeneratedAlways<string>
  order_id: number
  act_id: string | null
  at: Date
  act: string
  from_status: OrderStatus | null
  to_status: OrderStatus
  actor_id: string | null
  actor: string | null
  reason: Generated<string>
  person: string | null
  until: Date | null
  why: string | null
  phone_at: Date | null
  offset_ms: ColumnType<string | null, number | null | undefined, never>
}

interface OrderRuleTable {
  rule_id: GeneratedAlways<number>
  project_id: number
  name: string
  enabled: boolean
  enabled_at: Date | null
  keys: string[]
  priorities: Priority[]
  after_min: number
  type: OrderType
  priority: Priority | null
  person_id: string | null
  rota: ColumnType<Rota | null, string | null, string | null>
  valid_days: number
  reminder_days: number
  working_days_only: boolean
  owner_id: string | null
  owner_name: string
  changed_at: Date
  version: Generated<number>
}

interface OrderRuleEventTable {
  event_id: string
  project_id: number
  rule_id: number
  order_id: number
  outcome: 'made' | 'joined' | 'summary'
  at: Date
}
