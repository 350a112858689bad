import type { Priority } from '@linewarden/equipment'
import type { ActiveHours, Comparison, ConditionKind, LineStands, LinkageActionKind, MetBy } from '@linewarden/rules/automation'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json } from '../core/columns.ts'

/** A work order as a linkage asks for it. */
export interface WantedOrder {
  /** Empty: as the linkage is called. */
  readonly title: string
  readonly priority: Priority
  /** Null: it is nobody’s yet. */
  readonly personId: string | null
  readonly personName: string
}
export type HaltedWhy = 'maxPerHour' | 'maxPerDay' | 'closesPerHour' | 'broken'
export type LinkageMode = 'shadow' | 'live'

/** The tables of linkages as Kysely sees them. */
export interface LinkageTables {
  linkage: LinkageTable
  linkage_condition: LinkageConditionTable
  linkage_action: LinkageActionTable
  linkage_state: LinkageStateTable
  linkage_due: LinkageDueTable
  linkage_raised: { linkage_id: number; line_id: number; run_id: string; at: Date }
  linkage_near: LinkageNearTable
  linkage_order: LinkageOrderTable
}

export interface LinkageTable {
  linkage_id: GeneratedAlways<number>
  project_id: number
  name: string
  enabled: boolean
  mode: LinkageMode
  match: 'all' | 'any'
  active_hours: Json<readonly ActiveHours[]>
  cooldown_s: number
  max_per_hour: number
  max_per_day: number
  may_close: boolean
  halted_at: Date | null
  halted_why: HaltedWhy | null
  cleared_at: Date | null
  shadow_since: Date | null
  owner_id: string | null
  owner_name: string
  version: Generated<number>
  changed_at: Date
  changed_by: string
  removed_at: Date | null
}

export interface LinkageConditionTable {
  linkage_id: number
  position: number
  kind: ConditionKind
  line_id: number
  key: string
  op: Comparison
  value: number
  release: number
  for_s: number
}

export interface LinkageActionTable {
  linkage_id: number
  position: number
  kind: LinkageActionKind
  line_id: number | null
  scene_id: number | null
  delay_s: number
  work_order: Json<WantedOrder> | null
}

export interface LinkageStateTable {
  linkage_id: number
  version: number
  rises: Generated<number>
  rose_at: Date | null
  rose_by: Json<StoredRise> | null
  state: Json<Readonly<Record<string, unknown>>>
  at: Date
  /** Grows with each write. */
  turn: Generated<number>
  /** What an older server has written over; null: it is part of `state`. */
  beside: Json<Readonly<Record<string, unknown>>> | null
}

/** How far a line had come by a moment, in what is ordered and in what is noted of it: what comes later has a greater number, by whatever clock. */
export interface LineMarks {
  readonly fence: number
  readonly event: number
}

/** A line that a linkage closes later, as it stood when the linkage fired. */
export interface LineBefore extends LineStands, LineMarks {
  readonly lineId: number
}

/** By which values a version of a linkage rose. */
export interface StoredRise {
  readonly version: number
  readonly metBy: MetBy
}

export interface LinkageDueTable {
  run_id: string
  linkage_id: number
  parent_run_id: string
  version: number
  position: number
  kind: LinkageActionKind
  line_id: number | null
  scene_id: number | null
  may_close: boolean
  due_at: Date
  /** Of the lines that it closes; null: it closes none, or that was not kept. */
  before: Json<readonly LineBefore[]> | null
  work_order: Json<WantedOrder> | null
}

export interface LinkageOrderTable {
  run_id: string
  line_id: number
  linkage_id: number
  project_id: number
  name: string
  owner_id: string | null
  wanted: Json<WantedOrder>
  at: Date
  /** Null: not yet. */
  outcome: 'made' | 'joined' | 'refused' | null
  why: 'owner' | 'gone' | null
  order_id: number | null
  /** Why it could not be made when it was tried last; null: it was not tried, or is made. */
  failed: string | null
  next_try_at: Date | null
}

export interface LinkageNearTable {
  linkage_id: number
  project_id: number
  why: string
  slot: string
  at: Date
  name: string
  mode: LinkageMode
  trace: Json<Readonly<Record<string, unknown>>>
}
