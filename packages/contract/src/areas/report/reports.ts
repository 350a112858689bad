import { reportKind } from '../../terms/report-kind.ts'

export const reports = {
  deviceData: reportKind('设备数据', 'Device data', {
    ...{ page: 'system.report', formats: ['xlsx', 'csv'], of: 'lines', sends: ['exportDeviceData', 'exportHistory'] },
  }),
} as const
