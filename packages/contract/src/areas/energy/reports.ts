import { reportKind } from '../../terms/report-kind.ts'

export const reports = {
  energy: reportKind('用电报告', 'Energy report', { page: 'energy.energy', formats: ['pdf', 'xlsx', 'csv'] }),
} as const
