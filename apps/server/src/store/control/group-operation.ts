import type { Text } from '@linewarden/equipment'
import type { GroupAction, GroupLineState } from '@linewarden/rules/control'
import { groupLineStates } from '@linewarden/rules/control'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { Seen } from '../alarm/event-filter.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Claim, Holder } from '../jobs/due-work.ts'
import { claimInstant } from '../jobs/due-work.ts'
import { commandOf, type StoredCommand } from './command.ts'
import type { GroupOperationTable } from './operation-schema.ts'

export interface GroupLineRefusal {
  readonly key: string
  readonly text: Text
}

/** Several lines operated as one intent. */
export interface GroupOperation {
  readonly id: string
  readonly action: GroupAction
  readonly accountId: string | null
  readonly actor: string
  readonly reason: string
  readonly staggerMs: number
  readonly startedAt: number
  readonly endedAt: number | null
  readonly stoppedBy: string | null
  readonly lines: readonly GroupOperationLine[]
}

export interface GroupOperationLine {
  readonly lineId: number
  readonly commandId: string
  readonly state: GroupLineState
  readonly refusal: GroupLineRefusal | null
  readonly command: StoredCommand | null
}

export type NewGroupOperation = Omit<GroupOperation, 'endedAt' | 'stoppedBy'> & { readonly sessionId: string }

/** What a group operation is called among due work; it stands there under its own id. */
export const groupOperationKind = 'groupOperation'

/**
 * Saves a group operation that `holder` is about to begin, and its audit entries, unless the id is taken, or the session was ended since it was
 * asked: what is not a trip begins with its session or never. That session stays locked meanwhile, so that whoever ends it finds this; a trip
 * waits for nobody's.
 */
export async function insertGroupOperation(
  { control }: Database,
  operation: NewGroupOperation,
  audits: readonly AuditEntry[],
  holder: Holder,
): Promise<Claim | 'known' | 'session over'> {
  return control.transaction().execute(async (trx) => {
    const session = await sessionNow(trx, operation.sessionId, operation.action === 'trip')
    if (session === 'over') return 'session over'
    const claim = await storeOperation(trx, { ...operation, rememberId: session.rememberId, automationRunId: null }, holder)
    if (claim === 'known') return 'known'
    for (const audit of audits) await appendAudit(trx, audit)
    return claim
  })
}

/** The sign-in that a group is started from. What is no trip begins with it or never: it stays locked meanwhile; a trip waits for nobody's. */
export async function sessionNow(
  trx: Kysely<Schema>,
  sessionId: string,
  onlyTrips: boolean,
): Promise<{ readonly rememberId: string | null } | 'over'> {
  const session = await trx
    .selectFrom('session')
    .select('remember_id')
    .where('session_id', '=', sessionId)
    .$if(!onlyTrips, (qb) => qb.forKeyShare())
    .executeTakeFirst()
  if (session) return { rememberId: session.remember_id }
  return onlyTrips ? { rememberId: null } : 'over'
}

/** Stores a group operation with its lines, for `holder` to begin it. `known`: the id is taken. */
export async function storeOperation(
  trx: Kysely<Schema>,
  operation: NewGroupOperation & { readonly rememberId: string | null; readonly automationRunId: string | null },
  holder: Holder,
): Promise<Claim | 'known'> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('operation_run')
    .values({
      run_id: operation.id,
      action: operation.action,
      account_id: operation.accountId,
      actor: operation.actor,
      reason: operation.reason,
      stagger_ms: operation.staggerMs,
      started_at: new Date(operation.startedAt),
      begun_at: null,
      session_id: operation.sessionId,
      remember_id: operation.rememberId,
      automation_run_id: operation.automationRunId,
    })
    .onConflict((oc) => oc.column('run_id').doNothing())
    .executeTakeFirst()
  if (!numInsertedOrUpdatedRows) return 'known'
  await trx
    .insertInto('operation_run_line')
    .values(
      operation.lines.map(({ lineId, commandId, state }, position) => ({
        run_id: operation.id,
        position,
        line_id: lineId,
        command_id: commandId,
        state,
        refusal: null,
      })),
    )
    .execute()
  const work = { workId: operation.id, kind: groupOperationKind, key: operation.id, dueAt: operation.startedAt }
  return (await claimInstant(trx, work, holder)) ?? 'known'
}

export async function groupOperationById({ control }: Database, operationId: string): Promise<GroupOperation | null> {
  const operation = await control.selectFrom('operation_run').selectAll().where('run_id', '=', operationId).executeTakeFirst()
  if (!operation) return null
  const lines = await control
    .selectFrom('operation_run_line')
    .selectAll()
    .where('run_id', '=', operationId)
    .orderBy('position')
    .execute()
  const commands = await control.selectFrom('command').selectAll().where('run_id', '=', operationId).execute()
  const byId = new Map(commands.map((row) => [row.command_id, commandOf(row)]))
  return {
    ...headOf(operation),
    lines: lines.map((row) => ({
      lineId: row.line_id,
      commandId: row.command_id,
      state: row.state,
      refusal: row.refusal as GroupLineRefusal | null,
      command: byId.get(row.command_id) ?? null,
    })),
  }
}

export interface GroupOperationSummary extends Omit<GroupOperation, 'lines'> {
  readonly counts: Readonly<Record<GroupLineState, number>>
}

/** Lines of groups as far as somebody sees them; for `from` and further conditions. */
const seenLines = ({ projectIds, gatewayIds }: Seen) => sql`operation_run_line
  join line using (line_id) join device using (device_id) join gateway using (gateway_id)
  where gateway.removed_at is null
    and (gateway.project_id = any(${[...projectIds]}::int[]) or gateway.gateway_id = any(${[...gatewayIds]}::int[]))`

/**
 * Which groups somebody started, or sees a line of (null: everything), newest first. Asked with the owner's rights: under the row policies
 * every line there is would be judged for it.
 */
export async function operationIdsSeen(
  { general }: Database,
  { accountId, scope }: { readonly accountId: string; readonly scope: Seen | null },
  { running, page, size }: { readonly running: boolean; readonly page: number; readonly size: number },
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  const operations = sql`select run_id, started_at from operation_run
    where automation_run_id is null and ${running ? sql`ended_at is null` : sql`true`}`
  // Two questions and no `or`: then the planner begins with the open ones where they are few, and else with the lines.
  const found =
    scope === null
      ? operations
      : sql`${operations} and account_id = ${accountId} union
        ${operations} and exists (select from ${seenLines(scope)} and operation_run_line.run_id = operation_run.run_id)`
  const { rows } = await sql<{ ids: string[]; total: number }>`
    with found as (${found})
    select (select count(*)::int from found) as total,
      array(select run_id::text from found order by started_at desc, run_id limit ${size} offset ${(page - 1) * size}) as ids`.execute(
    general,
  )
  return rows[0] ?? { ids: [], total: 0 }
}

/** Some groups, in this order, with where the lines stand that somebody sees of them (null: all). */
export async function groupOperationSummaries(
  { general }: Database,
  ids: readonly string[],
  scope: Seen | null,
): Promise<readonly GroupOperationSummary[]> {
  if (ids.length === 0) return []
  const operations = await general
    .selectFrom('operation_run')
    .selectAll()
    .where('run_id', 'in', [...ids])
    .execute()
  const lines = scope === null ? sql`operation_run_line where true` : seenLines(scope)
  const { rows } = await sql<{ run_id: string; state: GroupLineState; count: number }>`
    select operation_run_line.run_id, operation_run_line.state, count(*)::int as count
    from ${lines} and operation_run_line.run_id = any(${[...ids]}::uuid[]) group by 1, 2`.execute(general)
  const none = Object.fromEntries(groupLineStates.map((state) => [state, 0])) as Record<GroupLineState, number>
  return ids.flatMap((id) => {
    const operation = operations.find(({ run_id }) => run_id === id)
    const states = rows.filter(({ run_id }) => run_id === id).map(({ state, count }) => [state, count])
    return operation ? [{ ...headOf(operation), counts: { ...none, ...Object.fromEntries(states) } }] : []
  })
}

const headOf = (row: Selectable<GroupOperationTable>): Omit<GroupOperation, 'lines'> => ({
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

/**
 * What became of a line's turn: `skipped` is left out by the automation that it is part of. Of a line whose operation was ended meanwhile the
 * end has said it, unless its command has left.
 */
export async function saveGroupOperationLine(
  { control }: Database,
  operationId: string,
  commandId: string,
  refusal: GroupLineRefusal | null,
  state: 'refused' | 'skipped' | 'missed' = 'refused',
): Promise<void> {
  const turn = control.updateTable('operation_run_line').where('run_id', '=', operationId).where('command_id', '=', commandId)
  if (refusal === null) await turn.set({ state: 'ordered', refusal: null }).execute()
  else
    await turn
      .set({ state, refusal: storableJson(refusal) })
      .where('state', '=', 'waiting')
      .execute()
}

/** What became of the turn of a line. */
export interface LineTurn {
  readonly operationId: string
  readonly commandId: string
  readonly state: 'ordered' | 'refused' | 'skipped' | 'missed'
  /** Null: it was ordered. */
  readonly refusal: GroupLineRefusal | null
}

/** The same of several lines, of whichever operations. */
export async function saveGroupOperationLines({ control }: Database, turns: readonly LineTurn[]): Promise<void> {
  const rows = turns.map(({ operationId, commandId, state, refusal }) => ({
    ...{ run_id: operationId, command_id: commandId, state, refusal },
  }))
  // In order of their operations, so that two who write the same lines never wait for each other in a circle.
  await sql`
    with t as materialized (
      select * from jsonb_to_recordset(${storableJson(rows)}::jsonb) as t (run_id uuid, command_id uuid, state text, refusal jsonb)
    ), w as materialized (
      select l.run_id, l.position, t.state, t.refusal from operation_run_line l join t using (run_id, command_id)
      where t.state = 'ordered' or l.state = 'waiting' order by l.run_id, l.position for no key update of l
    )
    update operation_run_line l set state = w.state, refusal = w.refusal from w
    where l.run_id = w.run_id and l.position = w.position and (w.state = 'ordered' or l.state = 'waiting')`.execute(control)
}
