import type { Core } from '../server-area.ts'
import { createExecutions } from './executions.ts'

export type Automation = ReturnType<typeof createAutomation>

/** Timers, scenes and linkages: what operates lines by itself, or several at one press. */
export function createAutomation(core: Pick<Core, 'database' | 'plant'>) {
  return { executions: createExecutions(core) }
}
