import type { ReportFormat, ReportScope } from '@linewarden/contract'
import type { Generated } from 'kysely'
import type { Json } from '../core/columns.ts'

/** The tables of `report` as Kysely sees them. */
export interface ReportTables {
  report_schedule: {
    schedule_id: Generated<number>
    project_id: number
    owner_id: string | null
    kind: string
    name: string
    scope: Json<ReportScope>
    period: 'day' | 'week' | 'month'
    cron: string
    format: ReportFormat
    enabled: boolean
    made_by: string | null
    next_at: Date | null
    version: Generated<number>
    removed_at: Date | null
  }
  report_recipient: {
    recipient_id: Generated<number>
    schedule_id: number
    project_id: number
    account_id: string | null
    address: string | null
    language: 'CN' | 'EN'
    token: string
    asked_at: Date | null
    agreed_at: Date | null
    left_at: Date | null
    removed_at: Date | null
  }
  report_run: {
    run_id: Generated<number>
    schedule_id: number
    project_id: number
    first_day: number
    end_day: number
    due_at: Date
    state: 'waiting' | 'made' | 'done' | 'failed' | 'missed'
    tries: Generated<number>
    look_at: Date | null
    lease_until: Date | null
    made_at: Date | null
    known: number | null
    why: Json<{ readonly zh: string; readonly en: string }> | null
  }
  report_file: {
    run_id: number
    project_id: number
    language: 'CN' | 'EN'
    subject: string
    body: string
    html: string
    file_name: string
    type: string
    bytes: Buffer | null
  }
  report_delivery: {
    delivery_id: Generated<number>
    run_id: number
    project_id: number
    recipient_id: number
    address: string
    language: 'CN' | 'EN'
    token: string
    state: Generated<'queued' | 'sending' | 'sent' | 'refused' | 'unknown'>
    tries: Generated<number>
    handed_over: Generated<boolean>
    next_at: Date | null
    lease_until: Date | null
    at: Date | null
    code: number | null
    answer: Generated<string>
  }
}
