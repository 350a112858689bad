import { reportKind } from '../../terms/report-kind.ts'

export const reports = {
  healthCheck: reportKind('设备体检', 'Health check', {
    ...{ page: 'hazard.devTest', formats: ['xlsx', 'csv'], sends: ['exportHealthCheckLines'] },
  }),
} as const
