import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const reportPages: ConsolePages = {
  [paths.deviceData]: async () => (await import('./device-data-page.tsx')).DeviceDataPage,
  [paths.powerReport]: async () => (await import('./power-report-page.tsx')).PowerReportPage,
  [paths.reportSchedules]: async () => (await import('./schedules-page.tsx')).SchedulesPage,
}
