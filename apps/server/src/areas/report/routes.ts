import {
  askReportRecipient,
  deviceData,
  downloadReport,
  exportDeviceData,
  insertReportSchedule,
  listReportRuns,
  listReportSchedules,
  removeReportSchedule,
  runReport,
  sendTestMail,
  updateReportSchedule,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Scheduled } from './scheduled.ts'
import type { Report } from './service.ts'

export function reportRoutes(serve: Serve, { scheduled, ...report }: Report & { readonly scheduled: Scheduled }): void {
  const { schedules, recipients } = scheduled
  serve(deviceData, ({ actor, body }) => report.deviceData(actor, body))
  serve(exportDeviceData, ({ actor, body }) => report.exportDeviceData(actor, body))
  serve(listReportSchedules, ({ actor, project }) => schedules.list(actor, project))
  serve(insertReportSchedule, ({ actor, project, body }) => schedules.insert(actor, project, body))
  serve(updateReportSchedule, ({ actor, project, body }) => schedules.update(actor, project, body))
  serve(removeReportSchedule, ({ actor, project, body }) => schedules.remove(actor, project, body))
  serve(runReport, ({ actor, project, body }) => schedules.run(actor, project, body))
  serve(listReportRuns, ({ actor, project, query }) => schedules.runs(actor, project, query))
  serve(downloadReport, ({ actor, project, body }) => scheduled.download(actor, project, body))
  serve(sendTestMail, ({ actor, project }) => recipients.test(actor, project))
  serve(askReportRecipient, ({ actor, project, body }) => recipients.ask(actor, project, body))
}
