import type { Priority } from '@linewarden/equipment'
import type {
  AlarmAct,
  AlarmState,
  AlarmTiming,
  EventKind,
  IncidentKind,
  RationaleTexts,
  Suppression,
  TuningOffer,
} from '@linewarden/rules/alarm'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Json } from '../core/columns.ts'

/** The tables of `alarm` as Kysely sees them. */
export interface AlarmTables {
  /** Views of the list that a person keeps. */
  alarm_view: { account_id: string; view_id: string; name: string; address: string; kept_at: Date }
  alarm_rationale: AlarmRationaleTable
  alarm_rationale_change: AlarmRationaleChangeTable
  alarm_tuning: AlarmTuningTable
  alarm_tuning_change: AlarmTuningChangeTable
  announcement: AnnouncementTable
  /** One row. */
  announcement_forgotten: { up_to: string }
  event: EventTable
  /** Each time something was raised, as an event of that time. */
  event_occurrence: EventTable
  event_shelf: EventShelfTable
  event_photo: EventPhotoTable
  event_transition: EventTransitionTable
  evidence: EvidenceTable
  incident: IncidentTable
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
  /** Null: of the project as a whole. */
  gateway_id: number | null
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
  shelved_until: Date | null
  shelved_by: string | null
  shelved_reason: string | null
  acknowledged_until: Date | null
  suppressed: Suppression | null
  announced: Generated<number>
  /** The copy that has the evidence of the newest raise; null: none is made. */
  evidence_minute: Date | null
  /** Until when that is on its way; null: it is there. */
  evidence_due: Date | null
  /** The first event of its series; null: itself. */
  series_id: string | null
  /** Raises of its series up to its newest; null: as many as its own. */
  occurrences: number | null
  /** A newer event of its series is there. */
  superseded: Generated<boolean>
  chatter_since: Date | null
  chatter_at: Date | null
  /** Into which it was folded. */
  incident_id: string | null
  folded: Generated<boolean>
  /** Of the root that shows for it; null: that is of the whole project. */
  root_gateway_id: number | null
  /** The incident whose root it is. */
  root_of: string | null
  /** A notice of an order: for this account, and nobody else. Null: for whoever sees it. */
  for_account: string | null
  order_id: number | null
  /** Somebody took it out of an incident. */
  stands_alone: Generated<boolean>
}

/** What a line reported around the alarms of a minute. */
interface EvidenceTable {
  line_id: number
  minute: Date
  states: ColumnType<Record<string, string>, string, string>
  due_at: Date | null
  whole_at: Date
  revision: Generated<number>
  copied_at: Date | null
  samples: Generated<number>
  completed_at: Date | null
  content: Buffer | null
}

/** What one cause has brought about. */
interface IncidentTable {
  incident_id: GeneratedAlways<string>
  kind: IncidentKind
  /** Null: the whole installation. */
  project_id: number | null
  gateway_id: number | null
  line_id: number | null
  root_event_id: string | null
  opened_at: Date
  raised_at: Date
  ended_at: Date | null
  closed_at: Date | null
  emptied_at: Date | null
  folded: Generated<number>
}

/** What happened to an event, step by step; nothing of it is ever changed. */
interface EventTransitionTable {
  step_id: GeneratedAlways<string>
  event_id: string
  at: Date
  act: AlarmAct
  from_state: AlarmState | null
  to_state: AlarmState
  value: number | null
  limit_value: number | null
  actor: string | null
  reason: string | null
  comment_id: string | null
  merged_into: string | null
  incident_id: string | null
  /** Null: stored before it was noted, or by what announces nothing. */
  announced: boolean | null
}

/** Photos of comments. */
interface EventPhotoTable {
  comment_id: string
  event_id: string
  photo: Buffer
  photo_type: 'image/jpeg' | 'image/png' | 'image/webp'
}

/** Alarms of a place that somebody put on the shelf. */
interface EventShelfTable {
  shelf_id: GeneratedAlways<string>
  event_id: string
  gateway_id: number | null
  device_id: number | null
  line_id: number | null
  key: string
  point: string | null
  shelved_at: Date
  until: Date
  ended_at: Date | null
  actor: string
  reason: string
}

/** What is told to whoever polls, in the order in which it was committed. */
interface AnnouncementTable {
  announcement_id: Generated<string>
  event_id: string
  at: Date
  why: 'raise' | 'expire' | 'shelfEnd' | 'release' | 'alone'
}

/** What somebody wrote over the rationalisation sheet. */
interface AlarmRationaleTable {
  rationale_id: GeneratedAlways<number>
  owner_id: string | null
  /** Null: the default of a tenant. */
  project_id: number | null
  key: string
  in_force: boolean
  texts: Json<RationaleTexts>
  version: number
  changed_at: Date
  changed_by: string
}

/** What it was before a change and after it; nothing of it is ever changed. */
interface AlarmRationaleChangeTable {
  rationale_id: number
  version: number
  at: Date
  actor: string
  reason: string
  restored: boolean
  before: ColumnType<RationaleTexts | null, string | null, string | null>
  after: ColumnType<RationaleTexts | null, string | null, string | null>
}

/** How somebody tuned the alarm of one point of a line. */
interface AlarmTuningTable {
  tuning_id: GeneratedAlways<number>
  line_id: number
  key: string
  point: string
  in_force: boolean
  on_delay_ms: number
  off_delay_ms: number
  dead_band_share: number
  version: number
  changed_at: Date
  changed_by: string
}

/** A tuning as its history has it; `proof`: what of its past it was applied for. */
export interface NotedTuning extends AlarmTiming {
  readonly proof?: Pick<TuningOffer, 'before' | 'after' | 'longestDelayMs' | 'longestMissedMs'>
}

interface AlarmTuningChangeTable {
  tuning_id: number
  version: number
  at: Date
  actor: string
  reason: string
  restored: boolean
  before: Json<NotedTuning>
  after: Json<NotedTuning>
}
