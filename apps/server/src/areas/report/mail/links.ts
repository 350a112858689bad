import { basePath } from '@linewarden/contract'
import type { MailConfig } from '../../../lib/mail-setting.ts'

/** Where a recipient agrees and leaves, below the host. */
export const recipientPath = (token: string): string => `${basePath}/reports/mail/${token}`

/** Where links of a mail lead: to the address of the settings and nowhere else. */
export const leaveUrlOf = ({ publicUrl }: Pick<MailConfig, 'publicUrl'>, token: string): string =>
  publicUrl + recipientPath(token)

/** The page where a run stands, with its file, for whoever signs in. */
export const runUrlOf = ({ publicUrl }: Pick<MailConfig, 'publicUrl'>, projectId: number): string =>
  `${publicUrl}/system/report/schedules?at=house:${projectId}`
