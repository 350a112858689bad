import type { ConsolePages } from '../console-area.ts'

export const alarmPages: ConsolePages = {
  '/hazard/alarmList': async () => (await import('./alarm-list-page.tsx')).AlarmListPage,
}
