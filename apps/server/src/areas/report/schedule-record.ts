import type { ReportRecipient, ReportRun, ReportSchedule } from '@linewarden/contract'
import { dateText } from '@linewarden/rules/automation'
import type { DeliveryRow } from '../../store/report/delivery.ts'
import type { MailAccount } from '../../store/report/recipient-account.ts'
import type { RunRow } from '../../store/report/run.ts'
import type { RecipientRow, ScheduleRow } from '../../store/report/schedule.ts'
import { kindOf } from './kinds.ts'

export function scheduleRecord(
  row: ScheduleRow,
  recipients: readonly RecipientRow[],
  accounts: ReadonlyMap<string, MailAccount>,
): ReportSchedule {
  return {
    ...{ ScheduleID: row.schedule_id, HouseID: row.project_id, Name: row.name, Kind: kindOf(row), Scope: row.scope },
    ...{ Period: row.period, Cron: row.cron, Format: row.format, Enabled: row.enabled, Version: row.version },
    Recipients: recipients.map((each) => recipientRecord(each, accounts)),
    MadeBy: (row.made_by === null ? null : accounts.get(row.made_by)?.name) ?? null,
    NextAt: row.next_at?.getTime() ?? null,
  }
}

function recipientRecord(row: RecipientRow, accounts: ReadonlyMap<string, MailAccount>): ReportRecipient {
  const account = row.account_id === null ? null : accounts.get(row.account_id)
  const isOfAccount = row.account_id !== null
  return {
    ...{ RecipientID: row.recipient_id, AccountID: row.account_id, Language: row.language, Name: account?.name ?? null },
    Address: (isOfAccount ? account?.email : row.address) || null,
    State: row.left_at !== null ? 'left' : isOfAccount ? 'account' : row.agreed_at === null ? 'asked' : 'agreed',
  }
}

export function runRecord(
  row: RunRow & { readonly name: string; readonly kind: string },
  deliveries: readonly Pick<DeliveryRow, 'address' | 'state' | 'tries' | 'at' | 'next_at' | 'answer'>[],
): ReportRun {
  return {
    ...{ RunID: row.run_id, ScheduleID: row.schedule_id, Name: row.name, Kind: kindOf(row) },
    ...{ From: dateText(row.first_day), To: dateText(row.end_day), DueAt: row.due_at.getTime(), State: row.state },
    ...{ MadeAt: row.made_at?.getTime() ?? null, Known: row.known, Why: row.why },
    Deliveries: deliveries.map(({ address, state, tries, at, next_at, answer }) => ({
      ...{ Address: address, State: state, Tries: tries, At: at?.getTime() ?? null },
      ...{ NextAt: next_at?.getTime() ?? null, Answer: answer },
    })),
  }
}
