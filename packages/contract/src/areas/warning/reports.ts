import { reportKind } from '../../terms/report-kind.ts'

export const reports = {
  warnings: reportKind('故障预警', 'Early warnings', {
    ...{ page: 'devmon.faultalarm', formats: ['xlsx', 'csv'], sends: ['exportWarnings'] },
  }),
} as const
