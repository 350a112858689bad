import type { BypassState } from '@linewarden/rules/settings'
import type { Generated } from 'kysely'
import type { CommandTable } from '../control/schema.ts'
import type { Json } from '../core/columns.ts'

/** The tables of `settings` as Kysely sees them. */
export interface SettingsTables {
  line_setting: { line_id: number; key: string; reported: number; reported_at: Date }
  setting_change: SettingChangeTable
  setting_step: { command_id: string; step_no: number; state: string; at: Date; evidence: Json<Record<string, unknown>> }
  setting_desired: { line_id: number; key: string; value: number; command_id: string }
  setting_off: SettingOffTable
  setting_template: SettingTemplateTable
  gateway_fence: { gateway_id: number; fence: string }
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
  state: BypassState
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
