import type { Core } from '../server-area.ts'
import { createRuns } from './runs.ts'

export type Automation = ReturnType<typeof createAutomation>

/** Timers, scenes and linkages: what operates lines by itself, or several at one press. */
export function createAutomation(core: Pick<Core, 'database' | 'plant'>) {
  return { runs: createRuns(core) }
}
