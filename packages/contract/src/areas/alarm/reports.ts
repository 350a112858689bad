import { reportKind } from '../../terms/report-kind.ts'

export const reports = {
  alarms: reportKind('报警列表', 'Alarm list', {
    ...{ page: 'hazard.alarmList', formats: ['xlsx', 'csv'], sends: ['exportEvents'] },
  }),
  alarmRationales: reportKind('报警合理化表', 'Alarm rationalisation', {
    ...{ page: 'hazard.rationale', formats: ['xlsx', 'csv'], of: 'project', sends: ['exportAlarmRationales'] },
  }),
} as const
