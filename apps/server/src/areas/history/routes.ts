import { exportHistory, history } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { History } from './service.ts'

export function historyRoutes(serve: Serve, service: History): void {
  serve(history, ({ actor, body }) => service.read(actor, body))
  serve(exportHistory, ({ actor, body }) => service.export(actor, body))
}
