import type { AutomationSource, RunState } from '@linewarden/rules/automation'
import type { CommandState, GroupAction, GroupLineState } from '@linewarden/rules/control'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { StoredCommand } from '../control/command.ts'
import { commandOf } from '../control/command.ts'
import type { GroupLineRefusal } from '../control/group-operation.ts'
import type { Schema } from '../core/schema.ts'
import { containsText } from '../core/tenant.ts'
import type { StoredExecution } from './execution.ts'
import { executionOf } from './execution.ts'
import { operationsOfRuns } from './outer-run.ts'

/** Of what runs are asked for; what is left out asks for all. Times Unix ms. */
export interface ExecutionFilter {
  readonly source: AutomationSource
  readonly projectIds?: readonly number[] | undefined
  readonly sourceId?: number | undefined
  readonly executionId?: string | undefined
  /** Part of what the timer, scene or linkage was called then. */
  readonly name?: string | undefined
  readonly states?: readonly RunState[] | undefined
  /** A run that had one of these lines. */
  readonly lineIds?: readonly number[] | undefined
  /** Claimed, or begun, in this stretch, the end not included. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Due within this stretch, the end not included. */
  readonly due?: { readonly from: number; readonly to: number } | undefined
}

export interface ExecutionPage {
  readonly page: number
  readonly size: number
  /** What was not done, or not whole, before what was; else the newest first. */
  readonly amissFirst?: boolean | undefined
}

/** A page of executions; for reading as somebody, under the row policies. */
export async function executionsWhere(
  db: Kysely<Schema>,
  filter: ExecutionFilter,
  { page, size, amissFirst = false }: ExecutionPage,
): Promise<readonly StoredExecution[]> {
  const rows = await executionsOf(db, filter)
    .selectAll()
    .$if(amissFirst, (qb) => qb.orderBy(amissRank))
    .orderBy('claimed_at', 'desc')
    // What an outage has left is claimed in one moment.
    .orderBy('due_at', (ob) => ob.desc().nullsLast())
    .orderBy('run_id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return rows.map(executionOf)
}

export async function countExecutions(db: Kysely<Schema>, filter: ExecutionFilter): Promise<number> {
  const { total } = await executionsOf(db, filter)
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** What goes on, then what somebody should look at, then what was done but for lines left out, then the rest; an index has it so. */
const amissRank = sql`case when state = 'running' then 0 when state in ('missed', 'partly', 'refused', 'skipped', 'stopped') then 1
  when left_out then 2 else 3 end`

/** What is said of all executions that pass the filter, whatever their state, and how many of them have a state that it asks for. */
export async function aboutExecutions(db: Kysely<Schema>, filter: ExecutionFilter) {
  const rows = await executionsOf(db, { ...filter, states: undefined })
    .select(({ fn }) => ['state', fn.countAll<string>().as('count')])
    .select(sql<string>`count(*) filter (where left_out and state = 'done')`.as('left_out'))
    .select(
      sql<
        string | null
      >`extract(epoch from max(claimed_at - due_at) filter (where state not in ('missed', 'skipped', 'merged'))) * 1000`.as(
        'late_ms',
      ),
    )
    .groupBy('state')
    .execute()
  const late = rows.flatMap(({ late_ms }) => (late_ms === null ? [] : Number(late_ms)))
  const states = rows.map(({ state, count }) => ({ state, count: Number(count) }))
  const asked = states.filter(({ state }) => filter.states === undefined || filter.states.includes(state))
  return {
    states,
    total: asked.reduce((sum, { count }) => sum + count, 0),
    leftOut: rows.reduce((sum, { left_out }) => sum + Number(left_out), 0),
    maxLateMs: late.length === 0 ? null : Math.max(0, Math.round(Math.max(...late))),
  }
}

/** How many timers are due for longer than this and were claimed by no server. */
export async function overdueTimers(
  db: Kysely<Schema>,
  { projectIds, sourceId }: Pick<ExecutionFilter, 'projectIds' | 'sourceId'>,
  before: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('timer_due')
    .innerJoin('timer', 'timer.timer_id', 'timer_due.timer_id')
    .where('due_at', '<', new Date(before))
    .$if(projectIds !== undefined, (qb) => qb.where(sql<boolean>`project_id = any(${[...(projectIds ?? [])]}::int[])`))
    .$if(sourceId !== undefined, (qb) => qb.where('timer.timer_id', '=', sourceId ?? 0))
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** All executions that pass the filter, in no order. */
export function executionsOf(db: Kysely<Schema>, filter: ExecutionFilter) {
  const { source, projectIds, sourceId, executionId, name, states, lineIds, from, to, due } = filter
  return db
    .selectFrom('automation_run')
    .where('source', '=', source)
    .$if(projectIds !== undefined, (qb) => qb.where(sql<boolean>`project_id = any(${[...(projectIds ?? [])]}::int[])`))
    .$if(sourceId !== undefined, (qb) => qb.where('source_id', '=', sourceId ?? 0))
    .$if(executionId !== undefined, (qb) => qb.where('run_id', '=', executionId ?? ''))
    .$if(name !== undefined, (qb) => qb.where(containsText('name', name ?? '')))
    .$if(states !== undefined, (qb) => qb.where('state', 'in', [...(states ?? [])]))
    .$if(lineIds !== undefined, (qb) => qb.where(hadLines(source, lineIds ?? [])))
    .$if(from !== undefined, (qb) => qb.where('claimed_at', '>=', new Date(from ?? 0)))
    .$if(to !== undefined, (qb) => qb.where('claimed_at', '<', new Date(to ?? 0)))
    .$if(due !== undefined, (qb) =>
      qb.where('due_at', '>=', new Date(due?.from ?? 0)).where('due_at', '<', new Date(due?.to ?? 0)),
    )
}

/**
 * Whether a run had one of these lines. Their runs are found first, once and by the lines, and then read by their ids: asked of each run of a
 * long log, it is asked of all of them.
 */
function hadLines(source: AutomationSource, lineIds: readonly number[]) {
  const lines = sql`any(${[...lineIds]}::int[])`
  // One that was missed or left out as a whole has no lines: then those count that its timer has now.
  const withoutLines = sql`union all
    select r.run_id from automation_run r
    where r.source = 'timer' and r.state in ('missed', 'skipped', 'refused', 'merged')
      and r.source_id in (select timer_id from timer_acts where line_id = ${lines})
      and not exists (select from operation_run o where o.automation_run_id = r.run_id)`
  return sql<boolean>`automation_run.run_id = any(array(
    select unnest(array[o.automation_run_id, o.outer_run_id]) from operation_run_line l join operation_run o using (run_id)
    where l.line_id = ${lines} ${source === 'timer' ? withoutLines : sql``}))`
}

/** The newest run of each of these timers, scenes or linkages. */
export async function lastExecutions(
  db: Kysely<Schema>,
  source: AutomationSource,
  sourceIds: readonly number[],
): Promise<ReadonlyMap<number, StoredExecution>> {
  if (sourceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('automation_run')
    .distinctOn('source_id')
    .selectAll()
    .where('source', '=', source)
    .where(sql<boolean>`source_id = any(${[...sourceIds]}::int[])`)
    .orderBy('source_id')
    .orderBy('claimed_at', 'desc')
    .orderBy('due_at', (ob) => ob.desc().nullsLast())
    .execute()
  return new Map(rows.map((row) => [row.source_id, executionOf(row)]))
}

/** When each of these was run last, Unix ms; one that never was is not there. */
export async function lastRunsAt(
  db: Kysely<Schema>,
  source: AutomationSource,
  sourceIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; claimed_at: Date }>`
    select asked.id, newest.claimed_at from unnest(${[...sourceIds]}::int[]) as asked (id), lateral (
      select claimed_at from automation_run where source = ${source} and source_id = asked.id
      order by claimed_at desc limit 1) newest`.execute(db)
  return new Map(rows.map(({ id, claimed_at }) => [id, claimed_at.getTime()]))
}

/** A line of a run, with what became of it. */
export interface ExecutionLine {
  readonly executionId: string
  readonly action: GroupAction
  readonly reason: string
  readonly lineId: number
  readonly state: GroupLineState
  readonly refusal: GroupLineRefusal | null
  readonly command: StoredCommand | null
}

/** The lines of these runs, trips before whatever else, in their order. */
export async function linesOfExecutions(db: Kysely<Schema>, executionIds: readonly string[]): Promise<readonly ExecutionLine[]> {
  if (executionIds.length === 0) return []
  const rows = await db
    .selectFrom('operation_run as o')
    .innerJoin('operation_run_line as l', 'l.run_id', 'o.run_id')
    .select([
      'o.automation_run_id',
      'o.outer_run_id',
      'o.action',
      'o.reason',
      'l.line_id',
      'l.command_id',
      'l.state',
      'l.refusal',
    ])
    .where(operationsOfRuns(executionIds))
    .orderBy(sql`o.action = 'trip'`, 'desc')
    .orderBy('l.position')
    .execute()
  const commands = await db
    .selectFrom('command')
    .selectAll()
    .where(sql<boolean>`command_id = any(${rows.map(({ command_id }) => command_id)}::uuid[])`)
    .execute()
  const byId = new Map(commands.map((row) => [row.command_id, commandOf(row)]))
  const asked = new Set(executionIds)
  return rows.map((row) => ({
    executionId: (asked.has(row.automation_run_id ?? '') ? row.automation_run_id : row.outer_run_id) ?? '',
    action: row.action,
    reason: row.reason,
    lineId: row.line_id,
    state: row.state,
    refusal: row.refusal as GroupLineRefusal | null,
    command: byId.get(row.command_id) ?? null,
  }))
}

/** Lines of a run that have the same outcome for the same reason, in the order of the run. */
export interface LineGroup {
  readonly executionId: string
  /** Of whoever ran it. */
  readonly reason: string
  readonly state: GroupLineState
  readonly refusal: GroupLineRefusal | null
  readonly command: CommandState | null
  readonly lineIds: readonly number[]
}

/** The lines of these runs by what became of them: of a page of runs with hundreds of lines each this is little to read. */
export async function lineGroupsOf(db: Kysely<Schema>, executionIds: readonly string[]): Promise<readonly LineGroup[]> {
  if (executionIds.length === 0) return []
  const { rows } = await sql<LineGroup>`
    select asked.run_id as "executionId", o.reason, l.state, l.refusal, c.state as command,
      array_agg(l.line_id order by o.action <> 'trip', l.position) as "lineIds"
    from unnest(${[...executionIds]}::uuid[]) as asked (run_id)
      join operation_run o on o.automation_run_id = asked.run_id or o.outer_run_id = asked.run_id
      join operation_run_line l on l.run_id = o.run_id left join command c on c.command_id = l.command_id
    group by asked.run_id, o.reason, l.state, l.refusal, c.state
    order by bool_and(o.action <> 'trip'), min(l.position)`.execute(db)
  return rows
}
