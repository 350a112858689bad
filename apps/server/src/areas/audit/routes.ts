import { listJournal, verifyJournal } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { createAuditTrail } from './service.ts'

export function auditRoutes(serve: Serve, trail: ReturnType<typeof createAuditTrail>): void {
  serve(listJournal, ({ body, actor }) => trail.list(actor, body))
  serve(verifyJournal, () => trail.verify())
}
