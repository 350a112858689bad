import { lineDetails, lineReadings, lineRecordings, snapshot, taggedLines } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Monitor } from './service.ts'

export function monitorRoutes(serve: Serve, monitor: Monitor): void {
  serve(snapshot, ({ actor, project }) => monitor.snapshot(actor, project))
  serve(taggedLines, ({ actor }) => monitor.tagged(actor))
  serve(lineDetails, ({ line }) => monitor.details(line))
  serve(lineReadings, ({ line, query }) => monitor.readings(line, query))
  serve(lineRecordings, ({ line, query }) => monitor.recordings(line, query))
}
