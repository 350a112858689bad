import { operationIdsOf } from '../../store/automation/execution.ts'
import type { GroupOperation } from '../../store/control/group-operation.ts'
import { groupOperationById } from '../../store/control/group-operation.ts'
import type { Database } from '../../store/core/database.ts'

/** The group operations of a run, trips first. */
export async function operationsOf(database: Database, executionId: string): Promise<readonly GroupOperation[]> {
  const ids = await operationIdsOf(database.control, executionId)
  return (await Promise.all(ids.map((id) => groupOperationById(database, id)))).filter((each) => each !== null)
}
