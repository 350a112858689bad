import { deviceData, exportDeviceData } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Report } from './service.ts'

export function reportRoutes(serve: Serve, report: Report): void {
  serve(deviceData, ({ actor, body }) => report.deviceData(actor, body))
  serve(exportDeviceData, ({ actor, body }) => report.exportDeviceData(actor, body))
}
