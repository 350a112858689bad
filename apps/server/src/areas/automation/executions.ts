import type { AutomationRun } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { groupOperationSeenBy } from '../../access/group-operation-seen.ts'
import type { StoredExecution } from '../../store/automation/execution.ts'
import { executionById, operationIdsOf } from '../../store/automation/execution.ts'
import { groupOperationById } from '../../store/control/group-operation.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { groupOperationRecord } from '../control/group-operation-records.ts'
import type { Core } from '../server-area.ts'

/** Runs of timers, scenes and linkages, as far as somebody sees them. */
export function createExecutions({ database, plant }: Pick<Core, 'database' | 'plant'>) {
  return {
    async get(actor: Actor, executionId: string): Promise<AutomationRun> {
      const run = await withRowSecurity(database, actor.scope, (db) => executionById(db.general, executionId))
      if (!run) throw new Refusal('automation run not exists')
      const ids = await operationIdsOf(database.general, executionId)
      const operations = await Promise.all(ids.map((id) => groupOperationById(database, id)))
      const seen = operations.flatMap((operation) =>
        operation ? [groupOperationSeenBy(actor, plant, groupOperationRecord(plant, operation))] : [],
      )
      return {
        ...executionRecord(run),
        Cause: [...run.cause],
        Trace: { ...run.trace },
        Whole: seen.every(({ Whole }) => Whole),
        Lines: seen.flatMap(({ Action, Lines }) => Lines.map((line) => ({ Action, ...line }))),
      }
    },
  }
}

const executionRecord = (run: StoredExecution) => ({
  RunID: run.executionId,
  Source: run.source,
  SourceID: run.sourceId,
  HouseID: run.projectId,
  Name: run.name,
  PointNo: run.pointNo,
  DueAt: run.dueAt,
  ClaimedAt: run.claimedAt,
  EndedAt: run.endedAt,
  State: run.state,
  Why: run.why,
  Actor: run.actor,
  StoppedBy: run.stoppedBy,
  ParentRunID: run.parentId,
})
