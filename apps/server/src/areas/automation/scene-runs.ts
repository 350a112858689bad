import type { Request, stopScene, switchScene } from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { Batched } from '../../lib/batched.ts'
import { every } from '../../lib/every.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import { appendAudit } from '../../store/audit/append.ts'
import { executionById } from '../../store/automation/execution.ts'
import { endSceneRun, openSceneRuns, scenesOfOperations } from '../../store/automation/scene-run.ts'
import type { AutomationDeps } from './deps.ts'
import type { SceneAccess } from './scene-access.ts'
import type { createSceneChanges } from './scene-changes.ts'
import type { createSceneLive } from './scene-live.ts'
import { operationsOf } from './scene-operations.ts'
import { createSceneStarts } from './scene-starts.ts'

const sweepMs = 5_000

/**
 * Runs of scenes: trips first, and once each of them has come to its end the closes, one after another in their order. Both are group
 * operations of the one runner: what its server did not finish is missed and never closed late.
 */
export function createSceneRuns(
  deps: AutomationDeps,
  scenes: SceneAccess,
  changes: ReturnType<typeof createSceneChanges>,
  live: ReturnType<typeof createSceneLive>,
) {
  const { database, plant, control, clock, log } = deps
  const { start } = createSceneStarts(deps, scenes, live.changed)
  const starting = new KeyedMutex()
  // Asked of whatever any group operates: of what timers do in a minute together.
  const ofOperations = new Batched<string, string | null>(
    async (ids) => {
      const found = await scenesOfOperations(database, ids)
      return ids.map((id) => found.get(id) ?? null)
    },
    { most: 200 },
  )
  const options = { log, failed: 'looking after runs of scenes failed; it is tried again', spaced: true }
  const sweeping = every(sweepMs, sweep, options)
  control.groupOperations.follow((operationId) => void moved(operationId))

  return {
    async switch(actor: Actor, body: Request<typeof switchScene>['body']): Promise<{ SceneID: number; RunID: string | null }> {
      const mode = body.Mode ?? 'run'
      if (mode === 'run') {
        // One press that goes out twice uses up one grant.
        await starting.run(body.RunID, () => start(actor, body))
        return { SceneID: body.SceneID, RunID: body.RunID }
      }
      const scene = await scenes.seen(actor, body.SceneID)
      scenes.refuseUnlessWhole(actor, scene)
      await changes.enable(actor, scene, body.Version, mode === 'enable', body.Grant ?? null)
      return { SceneID: body.SceneID, RunID: null }
    },

    /** Stopping makes things safer: whoever may switch one of the lines may, and whoever started it whatever they see by now. */
    async stop(actor: Actor, { RunID }: Request<typeof stopScene>['body']): Promise<null> {
      const run = await executionById(database.control, RunID)
      const operations = await operationsOf(database, RunID)
      const sees = operations.some(({ lines }) => lines.some(({ lineId }) => seesLine(actor, lineId)))
      if (run?.source !== 'scene' || !(actor.platform || run.accountId === actor.accountId || sees))
        throw new Refusal('automation run not exists')
      if (run.endedAt !== null) throw new Refusal('scene run over')
      // Closes before trips: what has not begun is to begin least.
      for (const { id } of operations.toReversed()) await control.groupOperations.stopStored(id, actor.userName)
      const project = plant.projects.get(run.projectId)
      await appendAudit(database.control, {
        ...by(actor, clock(), 'scene.stop', project?.ownerId ?? actor.tenant),
        ...{ subject: about('scene', run.sourceId), target: run.name, after: { executionId: RunID } },
      })
      await finish(RunID)
      return null
    },

    /** Ends runs whose lines are over, whichever server carried them; runs by itself every few seconds. */
    sweep: () => sweeping.tick(),

    async close(): Promise<void> {
      await sweeping.close()
      live.close()
    },
  }

  async function moved(operationId: string): Promise<void> {
    const executionId = await ofOperations.run(operationId).catch(() => null)
    if (executionId === null) return
    live.changed(executionId)
    // What is not ended now, the sweep ends.
    await finish(executionId).catch((error) =>
      log.warn({ err: error, run: executionId }, 'the end of a run was not stored; it is tried again'),
    )
  }

  async function finish(executionId: string): Promise<void> {
    if (await endSceneRun(database, executionId, clock())) live.changed(executionId)
  }

  async function sweep(): Promise<void> {
    for (const executionId of await openSceneRuns(database)) await finish(executionId)
  }

  function seesLine(actor: Actor, lineId: number): boolean {
    const line = plant.lines.get(lineId)
    return line !== undefined && actor.seesGateway(line.device.gateway)
  }
}
