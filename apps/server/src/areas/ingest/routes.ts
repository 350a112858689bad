import { ingestStatus, quarantine } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { IngestReports } from './service.ts'

export function ingestRoutes(serve: Serve, reports: IngestReports): void {
  serve(ingestStatus, () => reports.status())
  serve(quarantine, ({ query }) => reports.quarantine(query.Page ?? 1, query.Size ?? 10))
}
