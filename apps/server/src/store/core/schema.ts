import type { ActionKey, Priority } from '@linewarden/equipment'
import type { AlarmAct, AlarmState, EventKind } from '@linewarden/rules/alarm'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { SignInTables } from '../account/sign-in-schema.ts'
import type { OperationTables } from '../control/operation-schema.ts'
import type { FirmwareTables } from '../firmware/firmware-schema.ts'
import type { DueWorkTables } from '../jobs/due-work-schema.ts'

/** The tables as Kysely sees them; `migrations/` is their definition. `timestamptz` reads as Date. */
export interface Schema extends OperationTables, FirmwareTables, SignInTables, DueWorkTables {
  role: RoleTable
  account: AccountTable
  session: SessionTable
  nonce: { session_id: string; time_stamp: string; nonce: string }
  failed_attempt: { kind: 'login' | 'control' | 'second'; account: string; address: string; at: Date }
  control_grant: { grant_hash: string; session_id: string; operation: string; expires_at: Date }
  city: CityTable
  project: ProjectTable
  account_project: { account_id: string; project_id: number }
  account_gateway: { account_id: string; gateway_id: number }
  gateway: GatewayTable
  device: DeviceTable
  line: LineTable
  line_setting: { line_id: number; key: string; reported: number; reported_at: Date }
  line_state: {
    line_id: number
    states: Json<Record<string, string | null>>
    position_at: Date | null
    position_since: Date | null
    changed_at: Date
  }
  latest: { line_id: number; at: Date; received_at: Date; quality: number; reading: (number | null)[] }
  latest_watermark: { one: Generated<boolean>; received_at: Date }
  reading: { line_id: number; at: Date; received_at: Date; quality: number; counter: number | null } & ReadingSlots
  reading_hour: HourTable
  rollup_due: { hour: Date }
  reading_day: DayTable
  rollup_day_due: { time_zone: string; day: Date }
  recording: { line_id: number; key: string; at: Date; received_at: Date; samples: Buffer }
  event: EventTable
  /** Each time something was raised, as an event of that time. */
  event_occurrence: EventTable
  event_transition: EventTransitionTable
  command_fence: { line_id: number; fence: string }
  command: CommandTable
  setting_change: SettingChangeTable
  setting_step: { command_id: string; step_no: number; state: string; at: Date; evidence: Json<Record<string, unknown>> }
  setting_desired: { line_id: number; key: string; value: number; command_id: string }
  setting_off: SettingOffTable
  setting_template: SettingTemplateTable
  gateway_fence: { gateway_id: number; fence: string }
  audit: AuditTable
  audit_bring_over: AuditBringOverTable
  quarantine: QuarantineTable
  push: PushTable
  device_token: { token_hash: string; device_id: number; made_by: string; made_at: Date; revoked_at: Date | null }
  push_inbox: PushInboxTable
  announced_gateway: {
    number: string
    first_at: Date
    last_at: Date
    tries: number
    address: string
    dismissed: Generated<boolean>
  }
}

/** bigint columns come back from the driver as strings, because they may exceed what a number holds. */
type Json<T> = ColumnType<T, string, string>
type MeasureColumn = `v${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15}`
type ReadingSlots = { [K in MeasureColumn]: number | null }

interface RoleTable {
  role_id: Generated<number>
  number: string
  name: string
  description: Generated<string>
  privileges: Generated<string[]>
  buttons: Generated<string[]>
  owner_id: string | null
  version: Generated<number>
}

interface CityTable {
  city_id: Generated<number>
  name: string
  is_default: Generated<boolean>
  owner_id: string | null
  made_by: Generated<string | null>
  remark: Generated<string>
  version: Generated<number>
}

interface AccountTable {
  account_id: Generated<string>
  user_name: string
  nick_name: Generated<string>
  kind: 'platform' | 'project' | 'sub' | 'shared'
  role_id: number | null
  password_hash: string
  control_hash: string | null
  has_control_password: Generated<boolean>
  language: Generated<'CN' | 'EN'>
  alarm_sound: Generated<boolean>
  disabled: Generated<boolean>
  created_at: Generated<Date>
  owner_id: string | null
  mobile: Generated<string>
  email: Generated<string>
  sex: Generated<'male' | 'female' | 'unknown'>
  job_name: Generated<string>
  remark: Generated<string>
  last_login_at: Date | null
  removed_at: Date | null
  version: Generated<number>
  second_factor_at: Date | null
  sign_on: Generated<string | null>
  must_change_password: Generated<boolean>
}

interface SessionTable {
  session_id: Generated<string>
  account_id: string
  token: string
  created_at: Date
  last_used_at: Date
  address: string
  last_event_id: Generated<string>
  remember_id: string | null
  proved_at: Date | null
}

interface ProjectTable {
  project_id: Generated<number>
  city_id: number
  name: string
  time_zone: string
  currency: Generated<string>
  standard: Generated<'GB' | 'IEC'>
  owner_id: string | null
  number: Generated<string>
  person_in_charge: Generated<string>
  contact_phone: Generated<string>
  province: Generated<string>
  city: Generated<string>
  district: Generated<string>
  address: Generated<string>
  remark: Generated<string>
  ccid: Generated<string>
  created_at: Generated<Date>
  removed_at: Date | null
  version: Generated<number>
  quiet_version: Generated<number>
}

interface GatewayTable {
  gateway_id: Generated<number>
  project_id: number
  number: string
  name: string
  secret_hash: string
  disabled: Generated<boolean>
  reporting_period_ms: Generated<number>
  link: Generated<'online' | 'offline' | 'stale' | 'never'>
  link_since: Date | null
  link_reason: string | null
  bd_seq: number | null
  imei: string | null
  add_method: Generated<'manual' | 'scan' | 'batch' | 'auto'>
  platform: Generated<'sparkplug' | 'json'>
  device_type: Generated<'4G' | 'NB' | 'WiFi' | 'Ethernet'>
  remark: Generated<string>
  added_at: Generated<Date>
  removed_at: Date | null
  version: Generated<number>
  model: string | null
  firmware: string | null
  firmware_at: Date | null
  signal_dbm: number | null
  signal_at: Date | null
  keeps_period: Generated<boolean>
}

interface DeviceTable {
  device_id: Generated<number>
  gateway_id: number
  controller_id: string
  wire_id: string | null
  name: string
  family: string
  model: string
  firmware: string | null
  installed_on: ColumnType<Date | null, string | null, string | null>
  warranty_until: ColumnType<Date | null, string | null, string | null>
  service_years: number | null
  version: Generated<number>
  link: Generated<'online' | 'offline' | 'stale' | 'never'>
  link_since: Date | null
  link_reason: string | null
  reporting_period_ms: string | null
}

interface LineTable {
  line_id: Generated<number>
  device_id: number
  line_no: number
  name: string
  rated_current_a: number | null
  trip_latched: string | null
  trip_latches: Generated<number>
  inspection_until: Date | null
  fed_by: number | null
}

interface HourTable {
  line_id: number
  hour: Date
  count: number
  min: (number | null)[]
  mean: (number | null)[]
  max: (number | null)[]
  counter_used: number | null
  known: number[] | null
  quality: Generated<number>
}

interface DayTable {
  line_id: number
  day: Date
  count: number
  known: number[]
  min: (number | null)[]
  mean: (number | null)[]
  max: (number | null)[]
  counter_used: number | null
  quality: number
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

interface CommandTable {
  command_id: string
  line_id: number
  action: ActionKey
  state: 'authorised' | 'sent' | 'acknowledged' | 'verified' | 'refused' | 'expired' | 'unknown' | 'failed'
  outcome: string | null
  account_id: string | null
  actor: string
  source: string
  reason: string
  fence: string
  issued_at: Date
  deadline: Date
  sent_at: Date | null
  acknowledged_at: Date | null
  verified_at: Date | null
  ended_at: Date | null
  trip_ms: number | null
  position_after: 'open' | 'closed' | null
  run_id: string | null
}

interface SettingChangeTable {
  command_id: string
  batch_id: string
  gateway_id: number
  line_id: number | null
  wanted: Json<Record<string, number>>
  former: Json<Record<string, number | null>>
  state: CommandTable['state']
  outcome: string | null
  account_id: string | null
  actor: string
  source: 'console' | 'copy' | 'template' | 'undo' | 'expiry'
  reason: string
  template: string | null
  undoes: string | null
  off_until: Date | null
  fence: string
  issued_at: Date
  deadline: Date
  sent_at: Date | null
  acknowledged_at: Date | null
  verified_at: Date | null
  ended_at: Date | null
}

interface SettingOffTable {
  command_id: string
  key: string
  line_id: number
  former: number
  until: Date
  state: 'ordered' | 'standing' | 'restoring' | 'restored' | 'failed' | 'ended'
  restore_id: string | null
}

interface SettingTemplateTable {
  template_id: Generated<number>
  owner_id: string | null
  name: string
  family: string
  settings: Json<Record<string, number>>
  remark: Generated<string>
  changed_by: string
  changed_at: Date
  version: Generated<number>
}

interface AuditTable {
  audit_id: string
  at: Date
  actor: string
  address: string
  action: string
  target: string
  before: Json<unknown> | null
  after: Json<unknown> | null
  outcome: string
  previous_hash: string
  hash: string
  tree: string | null
  actor_key: GeneratedAlways<string>
  chain: number
  /** Null of an entry from before these columns, until it is brought over. */
  subject_kind: string | null
  subject_id: string | null
  gateway_id: number | null
  claimed: boolean
}

interface AuditBringOverTable {
  below: string
}

interface QuarantineTable {
  quarantine_id: Generated<string>
  received_at: Date
  gateway_number: string | null
  topic: string
  reason: string
  detail: string
  size: number
  payload: Buffer
  /** So many messages the row stands for. */
  messages: Generated<number>
}

interface PushTable {
  push_id: Generated<number>
  project_id: number
  platform: 'onenet' | 'ctwing'
  name: string
  secret: string
  aes_key: string | null
  products: Json<Readonly<Record<string, string>>>
  reporting_period_ms: number
  enabled: Generated<boolean>
  accepted: Generated<string>
  refused: Generated<string>
  duplicates: Generated<string>
  set_aside: Generated<string>
  last_at: Date | null
  last_refused_at: Date | null
  last_refusal: string | null
  owner_changed_at: Date | null
  removed_at: Date | null
  version: Generated<number>
}

interface PushInboxTable {
  inbox_id: Generated<string>
  push_id: number
  key: Buffer
  received_at: Date
  body: string | null
  done_at: Date | null
}
