import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const alarmPages: ConsolePages = {
  '/hazard/alarmList': async () => (await import('./alarm-list-page.tsx')).AlarmListPage,
  [paths.rationale]: async () => (await import('./rationale-page.tsx')).RationalePage,
}
