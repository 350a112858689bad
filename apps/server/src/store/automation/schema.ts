import type { SceneIcon } from '@linewarden/contract'
import type {
  AutomationSource,
  ConflictKey,
  DayClass,
  IfRefused,
  RunState,
  SceneAction,
  Schedule,
  TimerAction,
  TimerFunction,
} from '@linewarden/rules/automation'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json } from '../core/columns.ts'
import type { LinkageTables } from './linkage-schema.ts'

/** The tables of `automation` as Kysely sees them. */
export interface AutomationTables extends LinkageTables {
  automation_run: AutomationRunTable
  timer: TimerTable
  timer_line: { timer_id: number; position: number; line_id: number }
  /** The lines of a timer: its own, or those of its scene. */
  timer_acts: { timer_id: number; line_id: number }
  timer_due: TimerDueTable
  day_class: DayClassTable
  owner_day_class: OwnerDayClassTable
  line_override: LineOverrideTable
  scene: SceneTable
  scene_item: SceneItemTable
  timer_check: TimerCheckTable
  timer_check_mark: { mark_id: GeneratedAlways<string>; project_id: number }
  timer_conflict: { timer_id: number; keys: ConflictKey[]; checked_at: Date }
}

interface TimerCheckTable {
  project_id: number
  due_at: Date
  checked_at: Date | null
  generation: Generated<number>
  orphan_owners: Generated<string[]>
}

export interface AutomationRunTable {
  run_id: string
  source: AutomationSource
  source_id: number
  project_id: number
  name: string
  point_no: number | null
  due_at: Date | null
  claimed_at: Date
  ended_at: Date | null
  state: RunState
  why: string | null
  account_id: string | null
  actor: string
  stopped_by: string | null
  cause: Generated<string[]>
  parent_run_id: string | null
  /** Of a linkage: a danger led to it. Null: that was not kept. */
  after_danger: boolean | null
  /** Lines of it were left out on purpose. */
  left_out: Generated<boolean>
  trace: Json<Readonly<Record<string, unknown>>>
}

export interface TimerTable {
  timer_id: GeneratedAlways<number>
  project_id: number
  name: string
  function: TimerFunction
  schedule: Json<StoredSchedule>
  scene_id: number | null
  keep_while_wanted: boolean
  enabled: boolean
  owner_id: string | null
  owner_name: string
  skip_since: Date | null
  skip_until: Date | null
  version: Generated<number>
  changed_at: Date
  changed_by: string
  removed_at: Date | null
}

/** A schedule without what people skip of it. */
export type StoredSchedule = Omit<Schedule, 'skipNext'>

export interface TimerDueTable {
  timer_id: number
  version: number
  time_zone: string
  point_no: number
  due_at: Date
  action: TimerAction
  skip: 'skipOnce' | 'noSun' | null
  merged: number[]
  changed_at: Generated<Date | null>
  line_ids: Generated<number[] | null>
  stale: Generated<boolean>
  zone_data: Generated<string>
  moved_from: Generated<Date | null>
}

interface DayClassTable {
  project_id: number
  /** `2026-11-24`. */
  day: string
  class: DayClass
  name: string
  origin: 'import' | 'person'
  is_public: boolean
  changed_at: Date
  changed_by: string
}

/** The same of all projects of an owner; null: of those that are the installation's own. */
interface OwnerDayClassTable extends Omit<DayClassTable, 'project_id'> {
  owner_id: string | null
}

interface LineOverrideTable {
  line_id: number
  kind: 'next' | 'until' | 'stay' | 'released'
  since: Date
  until: Date | null
  actor: string
  reason: string
  /** When it was said among the orders of the line. */
  fence: string
}

export interface SceneTable {
  scene_id: Generated<number>
  project_id: number
  name: string
  icon: SceneIcon
  if_refused: IfRefused
  enabled: boolean
  owner_id: string | null
  owner_name: string
  version: Generated<number>
  changed_at: Date
  removed_at: Date | null
}

export interface SceneItemTable {
  scene_id: number
  line_id: number
  action: SceneAction
  turn: number
  position: number
}
