import { reportKind } from '../../terms/report-kind.ts'

export const reports = {
  energy: reportKind('用电报告', 'Energy report', {
    ...{ page: 'energy.energy', formats: ['pdf', 'xlsx', 'csv'], sends: ['exportCost'] },
  }),
  statements: reportKind('电费结算单', 'Electricity statements', {
    ...{ page: 'system.report', formats: ['pdf', 'xlsx', 'csv'], of: 'project' },
    sends: ['exportStatements', 'printStatement'],
  }),
} as const
