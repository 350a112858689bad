import { getAutomationRun } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Automation } from './service.ts'

export function automationRoutes(serve: Serve, automation: Automation): void {
  serve(getAutomationRun, ({ actor, params }) => automation.executions.get(actor, params.RunID))
}
