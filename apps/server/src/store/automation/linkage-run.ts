import type { GroupAction, GroupLineState } from '@linewarden/rules/control'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { GroupLineRefusal } from '../control/group-operation.ts'
import type { Schema } from '../core/schema.ts'
import type { Claim, Holder } from '../jobs/due-work.ts'
import { claimInstants } from '../jobs/due-work.ts'
import { executionKind } from './claim.ts'
import type { StoredLinkage } from './linkage.ts'
import type { LaterRun } from './linkage-later.ts'
import type { NewSceneOfRun } from './outer-run.ts'
import { insertScenesOfRuns } from './outer-run.ts'

/** A run of a linkage as it begins; one that orders nothing has ended at once. */
export interface NewLinkageRun {
  readonly executionId: string
  readonly at: number
  readonly state: 'running' | 'done' | 'skipped' | 'missed' | 'refused'
  readonly why: string | null
  readonly cause: readonly string[]
  readonly parentId: string | null
  /** Its conditions tell of a danger, or something that led to it did. Null: that is not known. */
  readonly afterDanger: boolean | null
  readonly trace: object
  readonly operations: readonly LinkageOperation[]
  /** The scenes that it runs, each a run of its own. */
  readonly scenes: readonly NewSceneOfRun[]
  /** What it does of a firing before; left out: it is the firing. Whoever takes it over closes nothing, so that it is not stored with it. */
  readonly later?: LaterRun
}

export interface LinkageOperation {
  readonly operationId: string
  readonly action: Extract<GroupAction, 'trip' | 'close'>
  readonly lines: readonly {
    readonly lineId: number
    readonly commandId: string
    readonly state: Extract<GroupLineState, 'waiting' | 'refused'>
    readonly refusal: GroupLineRefusal | null
  }[]
}

/** Closes of a project by automation are counted and stored one after the other. */
export const lockCloses = (trx: Kysely<Schema>, projectId: number) =>
  sql`select pg_advisory_xact_lock(hashtext('automatic closes'), ${projectId})`.execute(trx)

/** When automation has closed each of these lines, or is about to, within an hour before. */
export async function closesOf(
  trx: Kysely<Schema>,
  lineIds: readonly number[],
  at: number,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { rows } = await sql<{ line_id: number; at: Date }>`
    select l.line_id, o.started_at as at from operation_run_line l join operation_run o using (run_id)
      join automation_run r on r.run_id = o.automation_run_id
    where l.line_id = any(${[...lineIds]}::int[]) and o.action = 'close' and l.state in ('waiting', 'ordered')
      and (r.source <> 'scene' or r.parent_run_id is not null) and o.started_at > ${new Date(at - 3_600_000)}`.execute(trx)
  const found = new Map<number, number[]>()
  for (const { line_id, at: closedAt } of rows) found.set(line_id, [...(found.get(line_id) ?? []), closedAt.getTime()])
  return found
}

/** Stores a run and what it is to operate, for `holder` to carry out. Null: nothing is, or the run is there already. */
export async function insertLinkageRun(
  trx: Kysely<Schema>,
  linkage: Pick<StoredLinkage, 'linkageId' | 'projectId' | 'name' | 'ownerId' | 'ownerName'>,
  run: NewLinkageRun,
  holder: Holder,
): Promise<Claim | null> {
  const at = new Date(run.at)
  const made = await trx
    .insertInto('automation_run')
    .values({
      ...{ run_id: run.executionId, source: 'linkage', source_id: linkage.linkageId, project_id: linkage.projectId },
      ...{ name: linkage.name, point_no: null, due_at: null, claimed_at: at, ended_at: run.state === 'running' ? null : at },
      ...{ state: run.state, why: run.why, account_id: linkage.ownerId, actor: linkage.ownerName, stopped_by: null },
      ...{ cause: [...run.cause], parent_run_id: run.parentId, after_danger: run.afterDanger, trace: storableJson(run.trace) },
    })
    .onConflict((oc) => oc.doNothing())
    .returning('run_id')
    .executeTakeFirst()
  if (!made) return null
  for (const { operationId, action, lines } of run.operations) {
    await trx
      .insertInto('operation_run')
      .values({
        ...{ run_id: operationId, action, account_id: linkage.ownerId, actor: linkage.ownerName, reason: linkage.name },
        ...{ stagger_ms: 1_000, started_at: at, begun_at: at, ended_at: run.state === 'running' ? null : at },
        automation_run_id: run.executionId,
      })
      .execute()
    const rows = lines.map(({ lineId, commandId, state, refusal }, position) => ({
      ...{ run_id: operationId, position, line_id: lineId, command_id: commandId, state, refusal },
    }))
    await sql`insert into operation_run_line (run_id, position, line_id, command_id, state, refusal)
      select run_id, position, line_id, command_id, state, refusal from jsonb_to_recordset(${storableJson(rows)}::jsonb)
        as l (run_id uuid, position int, line_id int, command_id uuid, state text, refusal jsonb)`.execute(trx)
  }
  await insertScenesOfRuns(trx, run.scenes, run.at)
  if (run.state !== 'running') return null
  const work = { workId: run.executionId, kind: executionKind, key: run.executionId, dueAt: run.at }
  const [claim] = await claimInstants(trx, [work], holder)
  return claim ?? null
}

/** When a linkage has acted within a day before. */
export async function firedAt(trx: Kysely<Schema>, linkageId: number, at: number): Promise<readonly number[]> {
  const rows = await trx
    .selectFrom('automation_run')
    .select('claimed_at')
    .where('source', '=', 'linkage')
    .where('source_id', '=', linkageId)
    .where('parent_run_id', 'is', null)
    .where('claimed_at', '>', new Date(at - 86_400_000))
    .execute()
  return rows.map(({ claimed_at }) => claimed_at.getTime())
}

/** With whose authority a line is tripped whose linkage has lost its owner: the project's administrator, else whoever runs the installation. */
export async function administratorOf(db: Kysely<Schema>, projectId: number): Promise<string | null> {
  const { rows } = await sql<{ account_id: string }>`
    select coalesce(owner_id, (select account_id from account where kind = 'platform' order by user_name limit 1)) as account_id
    from project where project_id = ${projectId}`.execute(db)
  return rows[0]?.account_id ?? null
}
