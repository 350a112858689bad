import type { Sex } from '@linewarden/contract'
import type { Generated } from 'kysely'
import type { SignInTables } from './sign-in-schema.ts'

/** The tables of `account` as Kysely sees them. */
export interface AccountTables extends SignInTables {
  account: AccountTable
  session: SessionTable
  machine_key: MachineKeyTable
  nonce: { session_id: string; time_stamp: string; nonce: string }
  failed_attempt: { kind: 'login' | 'control' | 'second'; account: string; address: string; at: Date }
  control_grant: { grant_hash: string; session_id: string; operation: string; expires_at: Date }
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
  sex: Generated<Sex>
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
  last_announcement_id: Generated<string>
  remember_id: string | null
  proved_at: Date | null
  key_id: Generated<string | null>
}

interface MachineKeyTable {
  key_id: Generated<string>
  account_id: string
  name: string
  secret_hash: string
  operates: boolean
  project_ids: number[]
  made_at: Date
  expires_at: Date
  revoked_at: Date | null
  last_used_at: Date | null
  last_address: string | null
}
