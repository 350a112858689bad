import type { RunLine, RunState } from '@linewarden/rules/automation'
import { isOver, outerRunEnd, sceneRunEnd } from '@linewarden/rules/automation'
import type { GroupLineState } from '@linewarden/rules/control'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { GroupLineRefusal } from '../control/group-operation.ts'
import type { Schema } from '../core/schema.ts'

/** A scene that a timer or a linkage runs: a run of its own, with the rights of the owner of the one that fires it. */
export interface NewSceneOfRun {
  readonly executionId: string
  /** The run that fires it. */
  readonly outerId: string
  readonly sceneId: number
  readonly projectId: number
  readonly name: string
  readonly accountId: string | null
  readonly actor: string
  /** What the one that fires it is called. */
  readonly reason: string
  readonly trace: Readonly<Record<string, unknown>>
  /** Trips first. One whose lines all have their outcome is over at once. */
  readonly operations: readonly SceneOperation[]
}

export interface SceneOperation {
  readonly operationId: string
  readonly action: 'trip' | 'close'
  readonly staggerMs: number
  readonly lines: readonly {
    readonly lineId: number
    readonly commandId: string
    readonly state: Extract<GroupLineState, 'waiting' | 'refused' | 'missed' | 'skipped'>
    readonly refusal: GroupLineRefusal | null
  }[]
}

/**
 * Stores scenes as they begin to run, after the runs that fire them and in their transaction. Whoever fires them carries them out under its own
 * claim; they end when each of their lines has its outcome, and the run that fired them not before they do.
 */
export async function insertScenesOfRuns(trx: Kysely<Schema>, scenes: readonly NewSceneOfRun[], now: number): Promise<void> {
  if (scenes.length === 0) return
  const at = new Date(now)
  await trx
    .insertInto('automation_run')
    .values(
      scenes.map((scene) => ({
        ...{ run_id: scene.executionId, source: 'scene' as const, source_id: scene.sceneId, project_id: scene.projectId },
        ...{
          name: scene.name,
          point_no: null,
          due_at: null,
          claimed_at: at,
          ended_at: null,
          state: 'running' as const,
          why: null,
        },
        ...{ account_id: scene.accountId, actor: scene.actor, stopped_by: null, parent_run_id: scene.outerId },
        trace: storableJson(scene.trace),
      })),
    )
    .execute()
  const operations = scenes.flatMap((scene) => scene.operations.map((operation) => ({ scene, operation })))
  // Whoever removes the equipment of a scene leaves it without lines.
  if (operations.length === 0) return
  await trx
    .insertInto('operation_run')
    .values(
      operations.map(({ scene, operation }) => ({
        ...{ run_id: operation.operationId, action: operation.action, account_id: scene.accountId, actor: scene.actor },
        ...{ reason: scene.reason, stagger_ms: operation.staggerMs, started_at: at, begun_at: at },
        ended_at: operation.lines.some(({ state }) => state === 'waiting') ? null : at,
        ...{ automation_run_id: scene.executionId, outer_run_id: scene.outerId },
      })),
    )
    .execute()
  const lines = operations.flatMap(({ operation }) =>
    operation.lines.map(({ lineId, commandId, state, refusal }, position) => ({
      ...{ run_id: operation.operationId, position, line_id: lineId, command_id: commandId, state, refusal },
    })),
  )
  // As one value: of hundreds of lines there are more parameters than a statement has.
  await sql`insert into operation_run_line (run_id, position, line_id, command_id, state, refusal)
    select run_id, position, line_id, command_id, state, refusal from jsonb_to_recordset(${storableJson(lines)}::jsonb)
      as l (run_id uuid, position int, line_id int, command_id uuid, state text, refusal jsonb)`.execute(trx)
}

/** What a run did to lines, itself and by the scenes that it ran: a condition on a group operation that is called `o`. */
export const operationsOfRuns = (executionIds: readonly string[]) =>
  sql<boolean>`(o.automation_run_id = any(${[...executionIds]}::uuid[]) or o.outer_run_id = any(${[...executionIds]}::uuid[]))`

/** Whether a line of a run, called `l`, was left out on purpose; one that stood as meant already was not. */
export const isLeftOut = sql<boolean>`l.state = 'skipped' and coalesce(l.refusal->>'key', '') not in ('alreadySo', 'scene already so')`

const hasLeftOut = (executionId: string) => sql<boolean>`exists (
  select from operation_run o join operation_run_line l using (run_id)
  where ${operationsOfRuns([executionId])} and ${isLeftOut})`

/** Ends a run of a scene whose lines are over, once. Null: it goes on, or was ended before. Its row, and that of whatever fired it, are locked. */
export async function endSceneLocked(trx: Kysely<Schema>, executionId: string, at: number): Promise<RunState | null> {
  const operations = await trx
    .selectFrom('operation_run')
    .select(['ended_at', 'stopped_by'])
    .where('automation_run_id', '=', executionId)
    .execute()
  if (operations.some(({ ended_at }) => ended_at === null)) return null
  const lines = await runLines(trx, executionId)
  if (!lines.every(isOver)) return null
  const state = sceneRunEnd(lines)
  const stopped_by = operations.find(({ stopped_by }) => stopped_by !== null)?.stopped_by ?? null
  await trx
    .updateTable('automation_run')
    .set({ ended_at: new Date(at), state, stopped_by, left_out: hasLeftOut(executionId) })
    .where('run_id', '=', executionId)
    .where('ended_at', 'is', null)
    .execute()
  return state
}

/**
 * Ends a run that is locked and has given its lines all their turns, with the scenes that it ran, and by what became of both. False: a scene
 * still waits for what its equipment reports, and ends it then.
 */
export async function endOuterLocked(trx: Kysely<Schema>, outerId: string, at: number): Promise<boolean> {
  const scenes = await trx
    .selectFrom('automation_run')
    .select(['run_id', 'ended_at'])
    .where('parent_run_id', '=', outerId)
    .where('source', '=', 'scene')
    // In order of id, so that two who lock the same rows never wait for each other in a circle.
    .orderBy('run_id')
    .forNoKeyUpdate()
    .execute()
  let isAnyOpen = false
  for (const { run_id, ended_at } of scenes)
    if (ended_at === null && (await endSceneLocked(trx, run_id, at)) === null) isAnyOpen = true
  if (isAnyOpen) return false
  const own = await trx
    .selectFrom('operation_run')
    .leftJoin('operation_run_line', 'operation_run_line.run_id', 'operation_run.run_id')
    .select(['ended_at', 'operation_run_line.state'])
    .where('automation_run_id', '=', outerId)
    .execute()
  // Its own lines still have their turns: whoever gives them ends it.
  if (own.some(({ ended_at }) => ended_at === null)) return false
  const lines = (await Promise.all(scenes.map(({ run_id }) => runLines(trx, run_id)))).flat()
  const state = outerRunEnd(
    own.flatMap(({ state }) => state ?? []),
    lines,
  )
  await trx
    .updateTable('automation_run')
    .set({ ended_at: new Date(at), state, left_out: hasLeftOut(outerId) })
    .where('run_id', '=', outerId)
    .where('ended_at', 'is', null)
    .execute()
  return true
}

/** Locks a run and, before it, whatever fired it, so that two who end both never wait for each other in a circle. Null: it is over. */
export async function lockRun(
  trx: Kysely<Schema>,
  executionId: string,
): Promise<{ readonly outerId: string | null; readonly isScene: boolean } | null> {
  const known = await trx
    .selectFrom('automation_run')
    .select(['source', 'parent_run_id'])
    .where('run_id', '=', executionId)
    .executeTakeFirst()
  if (!known) return null
  const outerId = known.source === 'scene' ? known.parent_run_id : null
  if (outerId !== null)
    await trx.selectFrom('automation_run').select('run_id').where('run_id', '=', outerId).forNoKeyUpdate().execute()
  const open = await trx
    .selectFrom('automation_run')
    .select('run_id')
    .where('run_id', '=', executionId)
    .where('ended_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return open ? { outerId, isScene: known.source === 'scene' } : null
}

async function runLines(db: Kysely<Schema>, executionId: string): Promise<readonly RunLine[]> {
  const { rows } = await sql<RunLine>`
    select l.state, c.state as command
    from operation_run o join operation_run_line l on l.run_id = o.run_id left join command c on c.command_id = l.command_id
    where o.automation_run_id = ${executionId}`.execute(db)
  return rows
}
