import type { Text } from '@linewarden/equipment'
import { sql } from 'kysely'
import type { AuditEntry } from './audit.ts'
import { appendAudit } from './audit.ts'
import { commandOf, type StoredCommand } from './command.ts'
import type { Database } from './database.ts'

export type RunAction = 'trip' | 'close' | 'selfTest'
export type RunLineState = 'waiting' | 'ordered' | 'refused' | 'missed' | 'stopped'

export interface RunRefusal {
  readonly key: string
  readonly text: Text
}

/** Several lines operated as one intent. */
export interface StoredRun {
  readonly id: string
  readonly action: RunAction
  readonly accountId: string | null
  readonly actor: string
  readonly reason: string
  readonly staggerMs: number
  readonly startedAt: number
  readonly endedAt: number | null
  readonly stoppedBy: string | null
  readonly lines: readonly StoredRunLine[]
}

export interface StoredRunLine {
  readonly lineId: number
  readonly commandId: string
  readonly state: RunLineState
  readonly refusal: RunRefusal | null
  readonly command: StoredCommand | null
}

/** Saves a run and its audit entries. False when the id is taken. */
export async function insertRun(
  { control }: Database,
  run: Omit<StoredRun, 'endedAt' | 'stoppedBy'>,
  audits: readonly AuditEntry[],
): Promise<boolean> {
  return control.transaction().execute(async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('operation_run')
      .values({
        run_id: run.id,
        action: run.action,
        account_id: run.accountId,
        actor: run.actor,
        reason: run.reason,
        stagger_ms: run.staggerMs,
        started_at: new Date(run.startedAt),
      })
      .onConflict((oc) => oc.column('run_id').doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) return false
    await trx
      .insertInto('operation_run_line')
      .values(
        run.lines.map(({ lineId, commandId, state }, position) => ({
          run_id: run.id,
          position,
          line_id: lineId,
          command_id: commandId,
          state,
          refusal: null,
        })),
      )
      .execute()
    for (const audit of audits) await appendAudit(trx, audit)
    return true
  })
}

export async function runById({ control }: Database, runId: string): Promise<StoredRun | null> {
  const run = await control.selectFrom('operation_run').selectAll().where('run_id', '=', runId).executeTakeFirst()
  if (!run) return null
  const lines = await control
    .selectFrom('operation_run_line')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute()
  const commands = await control.selectFrom('command').selectAll().where('run_id', '=', runId).execute()
  const byId = new Map(commands.map((row) => [row.command_id, commandOf(row)]))
  return {
    id: run.run_id,
    action: run.action,
    accountId: run.account_id,
    actor: run.actor,
    reason: run.reason,
    staggerMs: run.stagger_ms,
    startedAt: run.started_at.getTime(),
    endedAt: run.ended_at?.getTime() ?? null,
    stoppedBy: run.stopped_by,
    lines: lines.map((row) => ({
      lineId: row.line_id,
      commandId: row.command_id,
      state: row.state,
      refusal: row.refusal as RunRefusal | null,
      command: byId.get(row.command_id) ?? null,
    })),
  }
}

/** What became of a line's turn. */
export async function saveRunLine(
  { control }: Database,
  runId: string,
  commandId: string,
  state: RunLineState,
  refusal: RunRefusal | null,
): Promise<void> {
  await control
    .updateTable('operation_run_line')
    .set({ state, refusal: refusal && JSON.stringify(refusal) })
    .where('run_id', '=', runId)
    .where('command_id', '=', commandId)
    .execute()
}

/** Ends a run: lines that had no turn never get one. A command that left says itself that its line had a turn. */
export async function endRun(
  { control }: Database,
  runId: string,
  rest: 'missed' | 'stopped',
  at: number,
  stoppedBy: string | null,
  audits: readonly AuditEntry[],
): Promise<void> {
  await control.transaction().execute(async (trx) => {
    await trx
      .updateTable('operation_run_line')
      .set({
        state: sql<RunLineState>`case when exists (select from command where command.command_id = operation_run_line.command_id)
          then 'ordered' else ${rest} end`,
      })
      .where('run_id', '=', runId)
      .where('state', '=', 'waiting')
      .execute()
    await trx
      .updateTable('operation_run')
      .set({ ended_at: new Date(at), stopped_by: stoppedBy })
      .where('run_id', '=', runId)
      .where('ended_at', 'is', null)
      .execute()
    for (const audit of audits) await appendAudit(trx, audit)
  })
}

/** Runs that the server left unfinished. */
export async function openRuns({ control }: Database): Promise<readonly string[]> {
  return (await control.selectFrom('operation_run').select('run_id').where('ended_at', 'is', null).execute()).map(
    ({ run_id }) => run_id,
  )
}
