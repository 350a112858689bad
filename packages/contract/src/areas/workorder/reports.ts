import { reportKind } from '../../terms/report-kind.ts'

export const reports = {
  workOrders: reportKind('工单列表', 'Work orders', {
    ...{ page: 'hazard.workorder', formats: ['xlsx', 'csv'], sends: ['exportWorkOrders'] },
  }),
} as const
