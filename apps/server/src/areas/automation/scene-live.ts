import { sceneLog } from '@linewarden/contract'
import { executionById } from '../../store/automation/execution.ts'
import type { AutomationDeps } from './deps.ts'

/** A run of hundreds of lines moves many times a second: whoever watches asks again less often than that. */
const spaceMs = 400

/** Says that a run went on, to whoever sees of its project and may read of runs. */
export function createSceneLive({ database, hub, log }: Pick<AutomationDeps, 'database' | 'hub' | 'log'>) {
  const waiting = new Map<string, NodeJS.Timeout>()
  return {
    changed(executionId: string): void {
      if (!waiting.has(executionId)) waiting.set(executionId, setTimeout(() => void publish(executionId), spaceMs).unref())
    },
    close(): void {
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }

  async function publish(executionId: string): Promise<void> {
    waiting.delete(executionId)
    const run = await executionById(database.control, executionId).catch((error) => {
      log.debug({ err: error, run: executionId }, 'a run could not be published')
      return null
    })
    if (!run) return
    const message = { t: 'sceneRun', RunID: executionId, SceneID: run.sourceId } as const
    hub.publish({ live: [{ to: { partOf: run.projectId }, needs: sceneLog, message }] })
  }
}
