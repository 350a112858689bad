import type { Text } from '@linewarden/equipment'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from './audit.ts'
import { appendAudit } from './audit.ts'
import { commandOf, type StoredCommand } from './command.ts'
import type { Database } from './database.ts'
import type { Seen } from './event.ts'
import type { OperationRunTable } from './operation-schema.ts'

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
    ...headOf(run),
    lines: lines.map((row) => ({
      lineId: row.line_id,
      commandId: row.command_id,
      state: row.state,
      refusal: row.refusal as RunRefusal | null,
      command: byId.get(row.command_id) ?? null,
    })),
  }
}

export interface RunSummary extends Omit<StoredRun, 'lines'> {
  readonly counts: Readonly<Record<RunLineState, number>>
}

/**
 * Which groups lie wholly within somebody's sight (null: everything), newest first. Asked with the owner's rights, because under the row
 * policies the lines that decide against one would not be there.
 */
export async function runIdsWithin(
  { general }: Database,
  sight: Seen | null,
  { running, page, size }: { readonly running: boolean; readonly page: number; readonly size: number },
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  let query = general.selectFrom('operation_run')
  if (running) query = query.where('ended_at', 'is', null)
  if (sight !== null) {
    const gateways = (is: boolean) =>
      general
        .selectFrom('operation_run_line')
        .innerJoin('line', 'line.line_id', 'operation_run_line.line_id')
        .innerJoin('device', 'device.device_id', 'line.device_id')
        .innerJoin('gateway', 'gateway.gateway_id', 'device.gateway_id')
        .select('gateway.gateway_id')
        .where(sql<boolean>`operation_run_line.run_id = operation_run.run_id`)
        .where('gateway.removed_at', 'is', null)
        .where(
          sql<boolean>`(gateway.project_id = any(${[...sight.projectIds]}::int[]) or gateway.gateway_id = any(${[...sight.gatewayIds]}::int[])) = ${is}`,
        )
    query = query.where(({ exists }) => exists(gateways(true))).where(({ exists, not }) => not(exists(gateways(false))))
  }
  const { count } = await query.select(({ fn }) => fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  const rows = await query
    .select('run_id')
    .orderBy(sql`started_at desc, run_id`)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return { ids: rows.map(({ run_id }) => run_id), total: Number(count) }
}

/** Some groups with where their lines stand, newest first. */
export async function runSummaries({ general }: Database, ids: readonly string[]): Promise<readonly RunSummary[]> {
  if (ids.length === 0) return []
  const rows = await general
    .selectFrom('operation_run')
    .innerJoin('operation_run_line', 'operation_run_line.run_id', 'operation_run.run_id')
    .selectAll('operation_run')
    .select(({ fn }) => ['operation_run_line.state', fn.countAll<string>().as('count')])
    .where('operation_run.run_id', 'in', [...ids])
    .groupBy(['operation_run.run_id', 'operation_run_line.state'])
    .execute()
  const none = { waiting: 0, ordered: 0, refused: 0, missed: 0, stopped: 0 }
  return ids.flatMap((id) => {
    const states = rows.filter((row) => row.run_id === id)
    const [row] = states
    return row
      ? [{ ...headOf(row), counts: { ...none, ...Object.fromEntries(states.map((each) => [each.state, Number(each.count)])) } }]
      : []
  })
}

const headOf = (row: Selectable<OperationRunTable>): Omit<StoredRun, 'lines'> => ({
  id: row.run_id,
  action: row.action,
  accountId: row.account_id,
  actor: row.actor,
  reason: row.reason,
  staggerMs: row.stagger_ms,
  startedAt: row.started_at.getTime(),
  endedAt: row.ended_at?.getTime() ?? null,
  stoppedBy: row.stopped_by,
})

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

/**
 * Ends a run, once: lines that had no turn never get one, and the log says so. A command that left says itself that its line had a turn.
 */
export async function endRun(
  { control }: Database,
  runId: string,
  rest: 'missed' | 'stopped',
  at: number,
  stoppedBy: string | null,
  audits: (lineIds: readonly number[]) => readonly AuditEntry[],
): Promise<void> {
  await control.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('operation_run')
      .set({ ended_at: new Date(at), stopped_by: stoppedBy })
      .where('run_id', '=', runId)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const left = await trx
      .updateTable('operation_run_line')
      .set({
        state: sql<RunLineState>`case when exists (select from command where command.command_id = operation_run_line.command_id)
          then 'ordered' else ${rest} end`,
      })
      .where('run_id', '=', runId)
      .where('state', '=', 'waiting')
      .returning(['line_id', 'state'])
      .execute()
    for (const audit of audits(left.flatMap(({ line_id, state }) => (state === rest ? line_id : []))))
      await appendAudit(trx, audit)
  })
}

/** Runs that the server left unfinished. */
export async function openRuns({ control }: Database): Promise<readonly Pick<StoredRun, 'id' | 'action' | 'actor'>[]> {
  return control
    .selectFrom('operation_run')
    .select(['run_id as id', 'action', 'actor'])
    .where('ended_at', 'is', null)
    .orderBy('started_at')
    .execute()
}
