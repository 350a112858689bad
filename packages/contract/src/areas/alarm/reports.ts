import { reportKind } from '../../terms/report-kind.ts'

export const reports = {
  alarms: reportKind('报警列表', 'Alarm list', { page: 'hazard.alarmList', formats: ['xlsx', 'csv'] }),
} as const
