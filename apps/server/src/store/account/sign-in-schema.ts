import type { AuditAction } from '@linewarden/contract'
import type { Generated } from 'kysely'

/** Tables of signing in and of whose installation it is, as Kysely sees them. */
export interface SignInTables {
  remember: {
    remember_id: Generated<string>
    account_id: string
    handle_hash: string
    created_at: Date
    used_at: Date
    expires_at: Date
    address: string
  }
  remember_spent: { handle_hash: string; remember_id: string }
  second_factor: { account_id: string; sealed_key: string; last_step: Generated<string>; begun_at: Date }
  pepper: { version: number; fingerprint: string; first_at: Date }
  recovery_code: { account_id: string; code_hash: string }
  sign_in_step: {
    step_hash: string
    account_id: string
    wants: 'second' | 'session'
    action: AuditAction
    remember: boolean
    expires_at: Date
  }
  branding: {
    one: Generated<boolean>
    name_zh: string | null
    name_en: string | null
    title_zh: string | null
    title_en: string | null
    provider_host: string | null
    provider_name: string | null
    provider_url: string | null
    logo: Buffer | null
    logo_type: string | null
    logo_hash: string | null
    version: Generated<number>
  }
}
