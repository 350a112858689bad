import type { Request, switchScene } from '@linewarden/contract'
import { about, Refusal, sceneRunOperation } from '@linewarden/contract'
import type { SceneAction } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { StoredExecution } from '../../store/automation/execution.ts'
import { executionById } from '../../store/automation/execution.ts'
import type { StoredScene } from '../../store/automation/scene.ts'
import { insertSceneRun } from '../../store/automation/scene-run.ts'
import type { NewGroupOperation } from '../../store/control/group-operation.ts'
import { refuseUnlessOffered } from '../control/interlock-check.ts'
import type { LinesBegun } from '../control/lines-begun.ts'
import { linesBegun, positionsNow } from '../control/lines-begun.ts'
import { minStaggerMs } from '../control/stagger.ts'
import type { AutomationDeps } from './deps.ts'
import type { SceneAccess } from './scene-access.ts'
import { operationsOf } from './scene-operations.ts'
import { createSceneTurns } from './scene-turns.ts'

type SwitchBody = Request<typeof switchScene>['body']

/** Stores a run of a scene and has it carried out. Asked for again, it operates nothing twice. */
export function createSceneStarts(deps: AutomationDeps, scenes: SceneAccess, changed: (executionId: string) => void) {
  const { database, plant, runner, control, clock } = deps
  const { closingRules } = createSceneTurns(deps)
  return { start }

  async function start(actor: Actor, body: SwitchBody): Promise<void> {
    const known = await executionById(database.control, body.RunID)
    if (known) return again(actor, known, body.SceneID)
    const scene = await scenes.seen(actor, body.SceneID)
    scenes.refuseUnlessWhole(actor, scene)
    if (!scene.enabled) throw new Refusal('scene disabled')
    if (body.Version !== scene.version) throw new Refusal('changed meanwhile')
    const parts = partsOf(actor, scene)
    const begun = await linesBegun(
      database,
      parts.flatMap(({ lines }) => lines),
    )
    for (const { action, lines } of parts) for (const line of lines) refuseUnlessOffered(line, action)
    const linesTo = (action: SceneAction) => parts.find((each) => each.action === action)?.lines ?? []
    await scenes.refuseUnlessConfirmed(linesTo('trip'), linesTo('close'), body.Confirmed ?? null)
    await control.redeemGrant(actor, body.Grant ?? null, operationOf(body.RunID, scene))
    const now = clock()
    const project = plant.projects.get(scene.projectId)
    const run = {
      ...{ executionId: body.RunID, sourceId: scene.sceneId, projectId: scene.projectId, name: scene.name, claimedAt: now },
      ...{ accountId: actor.accountId, actor: actor.userName },
      version: scene.version,
      trace: { version: scene.version, ifRefused: scene.ifRefused, reason: body.Reason },
    }
    const audit = {
      ...by(actor, now, 'scene.run', project?.ownerId ?? actor.tenant),
      ...{ subject: about('scene', scene.sceneId), target: scene.name },
      after: {
        ...{ executionId: body.RunID, reason: body.Reason },
        ...(body.Confirmed && { confirmed: body.Confirmed }),
        lines: parts.flatMap(({ action, lines }) => lines.map((line) => `${line.device.controllerId}/${line.lineNo} ${action}`)),
      },
    }
    const operations = parts.map(({ action, lines }) => newOperation(actor, action, lines, body.Reason, now))
    const saved = await insertSceneRun(database, run, operations, [audit], runner.holder)
    if (saved === 'session over') throw new Refusal('session expired')
    if (saved === 'busy') throw new Refusal('scene running')
    if (saved === 'changed') throw new Refusal('changed meanwhile')
    await begin(actor, body.RunID, begun)
  }

  /** Asked for again: it operates nothing twice, and what was stored and not begun begins now. */
  async function again(actor: Actor, run: StoredExecution, sceneId: number): Promise<void> {
    if (run.accountId !== actor.accountId || run.source !== 'scene' || run.sourceId !== sceneId)
      throw new Refusal('scene run id used')
    if (run.endedAt === null) await begin(actor, run.executionId, null)
  }

  /** `then`: how its lines stood when it was asked for, and what had been ordered of them; null: as they stand now. */
  async function begin(actor: Actor, executionId: string, then: LinesBegun | null): Promise<void> {
    const run = await executionById(database.control, executionId)
    const operations = await operationsOf(database, executionId)
    const trips = operations.find(({ action }) => action === 'trip') ?? null
    const stopsCloses = run?.trace.ifRefused === 'stopCloses'
    const lines = operations.flatMap((operation) => operation.lines.flatMap(({ lineId }) => plant.lines.get(lineId) ?? []))
    const rules = { tripsId: trips?.id ?? null, stopsCloses, ...(then ?? { before: positionsNow(lines) }) }
    changed(executionId)
    for (const { id, action } of operations)
      await control.groupOperations.beginStored(
        id,
        actor,
        action === 'trip' ? { source: 'scene' } : closingRules({ closesId: id, ...rules }),
      )
  }

  /** Trips, then closes; each in its order. */
  function partsOf(actor: Actor, scene: StoredScene) {
    return (['trip', 'close'] as const)
      .map((action) => ({ action, lines: scenes.linesFor(actor, scene, action) }))
      .filter(({ lines }) => lines.length > 0)
  }
}

const operationOf = (operationId: string, { sceneId, version, items }: StoredScene): string =>
  sceneRunOperation(
    operationId,
    { SceneID: sceneId, Version: version },
    items.map(({ action }) => ({ Action: action })),
  )

const newOperation = (
  actor: Actor,
  action: SceneAction,
  lines: readonly PlantLine[],
  reason: string,
  now: number,
): NewGroupOperation => ({
  id: crypto.randomUUID(),
  action,
  accountId: actor.accountId,
  sessionId: actor.sessionId,
  actor: actor.userName,
  reason,
  staggerMs: minStaggerMs,
  startedAt: now,
  lines: lines.map(({ id }) => ({ lineId: id, commandId: crypto.randomUUID(), state: 'waiting', refusal: null, command: null })),
})
