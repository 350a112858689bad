import {
  cancelHealthCheck,
  exportHealthCheckLines,
  getHealthCheck,
  listHealthCheckLines,
  queryHealthChecks,
  startHealthCheck,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Health } from './service.ts'

export function healthRoutes(serve: Serve, health: Health): void {
  serve(startHealthCheck, ({ actor, project, body }) => health.start(actor, project, body))
  serve(queryHealthChecks, ({ actor, project, body }) => health.query(actor, project, body))
  serve(getHealthCheck, ({ actor, params }) => health.get(actor, params.TestID))
  serve(listHealthCheckLines, ({ actor, body }) => health.lines(actor, body))
  serve(exportHealthCheckLines, ({ actor, body }) => health.exportLines(actor, body))
  serve(cancelHealthCheck, ({ actor, params }) => health.cancel(actor, params.TestID))
}
