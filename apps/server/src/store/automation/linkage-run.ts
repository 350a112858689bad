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
  const endedAt = run.state === 'running' ? null : at
  const lines = run.operations.flatMap(({ operationId, lines }) =>
    lines.map(({ lineId, commandId, state, refusal }, position) => ({
      ...{ run_id: operationId, position, line_id: lineId, command_id: commandId, state, refusal },
    })),
  )
  const operations = run.operations.map(({ operationId, action }) => ({ run_id: operationId, action }))
  // One statement: a trip waits for each answer of the database.
  const { rows } = await sql`
    with made as (
      insert into automation_run (run_id, source, source_id, project_id, name, claimed_at, ended_at, state, why, account_id, actor,
        cause, parent_run_id, after_danger, trace)
      values (${run.executionId}, 'linkage', ${linkage.linkageId}, ${linkage.projectId}, ${linkage.name}, ${at}, ${endedAt}, ${run.state},
        ${run.why}, ${linkage.ownerId}, ${linkage.ownerName}, ${[...run.cause]}::uuid[], ${run.parentId}, ${run.afterDanger},
        ${storableJson(run.trace)}::jsonb)
      on conflict do nothing returning run_id),
    operation as (
      insert into operation_run (run_id, action, account_id, actor, reason, stagger_ms, started_at, begun_at, ended_at, automation_run_id)
      select o.run_id, o.action, ${linkage.ownerId}::uuid, ${linkage.ownerName}, ${linkage.name}, 1000, ${at}::timestamptz, ${at}::timestamptz,
        ${endedAt}::timestamptz, made.run_id
      from made, jsonb_to_recordset(${storableJson(operations)}::jsonb) as o (run_id uuid, action text)),
    line as (
      insert into operation_run_line (run_id, position, line_id, command_id, state, refusal)
      select l.run_id, l.position, l.line_id, l.command_id, l.state, l.refusal
      from made, jsonb_to_recordset(${storableJson(lines)}::jsonb)
        as l (run_id uuid, position int, line_id int, command_id uuid, state text, refusal jsonb))
    select from made`.execute(trx)
  if (rows.length === 0) return null
  await insertScenesOfRuns(trx, run.scenes, run.at)
  if (run.state !== 'running') return null
  const work = { workId: run.executionId, kind: executionKind, key: run.executionId, dueAt: run.at }
  const [claim] = await claimInstants(trx, [work], holder)
  return claim ?? null
}

/** With whose authority a line is tripped whose linkage has lost its owner: the project's administrator, else whoever runs the installation. */
export async function administratorOf(db: Kysely<Schema>, projectId: number): Promise<string | null> {
  const { rows } = await sql<{ account_id: string }>`
    select coalesce(owner_id, (select account_id from account where kind = 'platform' order by user_name limit 1)) as account_id
    from project where project_id = ${projectId}`.execute(db)
  return rows[0]?.account_id ?? null
}
