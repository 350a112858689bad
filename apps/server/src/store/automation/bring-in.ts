import { storableJson } from '../../lib/storable-text.ts'
import type { NewGroupOperation } from '../control/group-operation.ts'
import { storeOperation } from '../control/group-operation.ts'
import type { Database } from '../core/database.ts'
import type { Holder } from '../jobs/due-work.ts'
import type { StoredLinkage } from './linkage.ts'

/** A run of a timer that was over before anything of it was stored. */
export interface BroughtInRun {
  readonly executionId: string
  readonly timerId: number
  readonly projectId: number
  readonly name: string
  readonly pointNo: number
  readonly dueAt: number
  readonly endedAt: number
  readonly accountId: string
  readonly actor: string
  readonly action: 'trip' | 'close'
  readonly timeZone: string
}

/** Writes a run that is over as the claim would have, with the group operation that it made; once. */
export function bringInRun(
  { general }: Pick<Database, 'general'>,
  run: BroughtInRun,
  operation: NewGroupOperation,
  holder: Holder,
): Promise<void> {
  return general.transaction().execute(async (trx) => {
    await trx
      .insertInto('automation_run')
      .values({
        run_id: run.executionId,
        ...{ source: 'timer', source_id: run.timerId, project_id: run.projectId, name: run.name, point_no: run.pointNo },
        ...{ due_at: new Date(run.dueAt), claimed_at: new Date(run.dueAt), ended_at: new Date(run.endedAt), state: 'done' },
        ...{ why: null, account_id: run.accountId, actor: run.actor, stopped_by: null, parent_run_id: null },
        trace: storableJson({ action: run.action, timeZone: run.timeZone, lateMs: 0, version: 1 }),
      })
      .onConflict((oc) => oc.doNothing())
      .execute()
    await storeOperation(trx, { ...operation, rememberId: null, automationRunId: run.executionId }, holder)
  })
}

/** The same of a linkage. */
export interface BroughtInLinkageRun {
  readonly executionId: string
  readonly linkage: Pick<StoredLinkage, 'linkageId' | 'projectId' | 'name' | 'ownerId' | 'ownerName'>
  readonly at: number
  readonly endedAt: number
  readonly state: 'done' | 'skipped'
  readonly why: string | null
  readonly trace: object
}

/** Writes a run of a linkage that is over, with the group operation that it made, if it made one; once. */
export function bringInLinkageRun(
  { general }: Pick<Database, 'general'>,
  run: BroughtInLinkageRun,
  made: { readonly operation: NewGroupOperation; readonly holder: Holder } | null = null,
): Promise<void> {
  const { executionId, linkage, at, endedAt, state, why, trace } = run
  return general.transaction().execute(async (trx) => {
    await trx
      .insertInto('automation_run')
      .values({
        ...{ run_id: executionId, source: 'linkage', source_id: linkage.linkageId, project_id: linkage.projectId },
        ...{ name: linkage.name, point_no: null, due_at: null, claimed_at: new Date(at), ended_at: new Date(endedAt) },
        ...{ state, why, account_id: linkage.ownerId, actor: linkage.ownerName, stopped_by: null, parent_run_id: null },
        trace: storableJson(trace),
      })
      .onConflict((oc) => oc.doNothing())
      .execute()
    if (made) await storeOperation(trx, { ...made.operation, rememberId: null, automationRunId: executionId }, made.holder)
  })
}
