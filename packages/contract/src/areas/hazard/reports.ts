import { reportKind } from '../../terms/report-kind.ts'

export const reports = {
  hazards: reportKind('隐患列表', 'Hazards', {
    ...{ page: 'hazard.workorder', formats: ['xlsx', 'csv'], sends: ['exportHazards'] },
  }),
  alarmStatistics: reportKind('隐患统计', 'Alarm statistics', {
    ...{ page: 'hazard.analysis', formats: ['xlsx', 'csv', 'pdf'], sends: ['exportAnalysis'] },
  }),
} as const
