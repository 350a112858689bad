import type { AutomationRun } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import { automationSources } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import { groupOperationSeenBy } from '../../access/group-operation-seen.ts'
import { by } from '../../audit/audited.ts'
import type { StoredExecution } from '../../store/automation/execution.ts'
import { executionById, operationIdsOf, stopExecution } from '../../store/automation/execution.ts'
import { groupOperationById } from '../../store/control/group-operation.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { groupOperationRecord } from '../control/group-operation-records.ts'
import type { AutomationDeps } from './deps.ts'
import type { TimerDispatcher } from './dispatcher.ts'
import { traceSeen } from './linkage-trace.ts'

/** Runs of timers, scenes and linkages, as far as somebody sees them. */
export function createExecutions(
  { database, plant, clock }: Pick<AutomationDeps, 'database' | 'plant' | 'clock'>,
  dispatcher: Pick<TimerDispatcher, 'stop' | 'finish'>,
) {
  return {
    get,

    /** Stopping makes things safer: whoever may switch one of its lines may. */
    async stop(actor: Actor, executionId: string): Promise<AutomationRun> {
      const before = await get(actor, executionId)
      if (!permits('lineSwitch', actor) || before.Lines.length === 0) throw new Refusal('access denied')
      const tenant = plant.projects.get(before.HouseID)?.ownerId ?? null
      const audit = {
        ...by(actor, clock(), 'automationRun.stop', tenant),
        subject: { kind: 'automationRun', id: executionId } as const,
        target: before.Name,
      }
      const isStopped = await stopExecution(database, executionId, actor.userName, audit)
      // Once it is stored by whom: whoever carries it ends it from here on.
      dispatcher.stop(executionId)
      if (isStopped) await dispatcher.finish(executionId)
      return get(actor, executionId)
    },
  }

  async function get(actor: Actor, executionId: string): Promise<AutomationRun> {
    const execution = await withRowSecurity(database, actor.scope, ({ general }) => executionById(general, executionId))
    if (!execution) throw new Refusal('automation run not exists')
    const ids = await operationIdsOf(database.general, executionId)
    const operations = await Promise.all(ids.map((id) => groupOperationById(database, id)))
    const seen = operations.flatMap((operation) =>
      operation ? [groupOperationSeenBy(actor, plant, groupOperationRecord(plant, operation))] : [],
    )
    const { trace, whole } = traceSeen(execution.trace, (lineId) => {
      const line = plant.lines.get(lineId)
      return line !== undefined && actor.seesGateway(line.device.gateway)
    })
    return {
      ...executionRecord(execution),
      Cause: [...execution.cause],
      Trace: trace,
      Whole: whole && seen.every(({ Whole }) => Whole),
      Lines: seen.flatMap(({ Action, Lines }) => Lines.map((line) => ({ Action, ...line }))),
    }
  }
}

export const executionRecord = (execution: StoredExecution) => ({
  RunID: execution.executionId,
  Source: execution.source,
  SourceID: execution.sourceId,
  HouseID: execution.projectId,
  Name: execution.name,
  PointNo: execution.pointNo,
  DueAt: execution.dueAt,
  ClaimedAt: execution.claimedAt,
  EndedAt: execution.endedAt,
  State: execution.state,
  Why: execution.why,
  Actor: execution.actor,
  StoppedBy: execution.stoppedBy,
  ParentRunID: execution.parentId,
  FiredBy: firedBy(execution.trace),
  SceneName: typeof execution.trace.scene === 'string' ? execution.trace.scene : null,
})

/** As `sceneOfRun` writes it. */
function firedBy({ firedBy: by }: StoredExecution['trace']): AutomationRun['FiredBy'] {
  if (typeof by !== 'object' || by === null || !('source' in by && 'id' in by && 'name' in by)) return null
  const Source = automationSources.find((each) => each === by.source)
  return Source ? { Source, SourceID: Number(by.id), Name: String(by.name) } : null
}
