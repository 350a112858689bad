import type { RunState, TimerAction } from '@linewarden/rules/automation'
import { maxLateMs } from '@linewarden/rules/automation'
import type { GroupAction, GroupLineState } from '@linewarden/rules/control'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { GroupLineRefusal } from '../control/group-operation.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Claim, Holder, LeaseClock } from '../jobs/due-work.ts'
import { claimInstants } from '../jobs/due-work.ts'
import { dueNext } from './due.ts'
import type { NewSceneOfRun } from './outer-run.ts'
import { insertScenesOfRuns } from './outer-run.ts'
import type { NextDue, StoredTimer } from './timer.ts'
import { replaceDue, replaceDues, timersWhere, zoneData } from './timer.ts'

/** What a timer is due for. */
export interface DuePoint {
  readonly pointNo: number
  /** Unix ms. */
  readonly dueAt: number
  readonly action: TimerAction
  readonly skip: 'skipOnce' | 'noSun' | null
  readonly merged: readonly number[]
  /** When the timer was changed after this became due; null: it was not. */
  readonly changedAt: number | null
}

export interface DueTimer {
  /** With the lines that it had when it became due. */
  readonly timer: StoredTimer
  readonly due: DuePoint
}

/** An execution as it begins, or, where nothing is done, as it ended at once. */
export interface NewExecution {
  readonly executionId: string
  readonly source: 'timer'
  readonly sourceId: number
  readonly projectId: number
  readonly name: string
  readonly pointNo: number
  readonly dueAt: number
  readonly state: RunState
  readonly why: string | null
  readonly accountId: string | null
  readonly actor: string
  readonly trace: Readonly<Record<string, unknown>>
}

export interface NewOperation {
  readonly operationId: string
  readonly action: GroupAction
  readonly staggerMs: number
  readonly lines: readonly {
    readonly lineId: number
    readonly commandId: string
    readonly state: Extract<GroupLineState, 'waiting' | 'skipped' | 'missed'>
    readonly refusal: GroupLineRefusal | null
  }[]
}

/** What becomes of a due point: the execution, its lines, and what the timer is due for next. */
export interface Decision {
  readonly execution: NewExecution
  readonly operation: NewOperation | null
  /** The scene that it runs; null: it runs none. */
  readonly scene: NewSceneOfRun | null
  /** What ends beside it: points of the same instant, and earlier instants that came too late. */
  readonly ended: readonly NewExecution[]
  readonly timer: StoredTimer
  readonly next: NextDue
}

/** A decision that this server is to carry out. */
export interface ClaimedExecution {
  readonly decision: Decision
  readonly claim: Claim
}

/** What executions are called among due work; each stands there under its own id. */
export const executionKind = 'automationRun'

/** So many a claim, that what is due does not wait for them. */
const madeAtOnce = 200

interface Options {
  readonly clock: LeaseClock
  readonly holder: Holder
  readonly limit: number
  /** Gateways that this server reaches: timers of others are left for a moment to whoever reaches them. */
  readonly gatewayIds: readonly number[]
  /** Timers that are left alone. */
  readonly except?: readonly number[]
  readonly graceMs: number
  readonly decide: (trx: Kysely<Schema>, due: readonly DueTimer[], now: number) => Promise<readonly Decision[]>
  /** What these are due for after now, by the zone that their project has. */
  readonly again: (trx: Kysely<Schema>, timers: readonly StoredTimer[], now: number) => Promise<readonly (NextDue | null)[]>
}

/** What was claimed, and what there is to look for next. */
export interface Claimed {
  readonly carried: readonly ClaimedExecution[]
  /** All that was decided, also what ended at once. */
  readonly decided: readonly Decision[]
  readonly taken: number
  readonly now: number
  /** When the next timer is due that is not due yet; null: none. */
  readonly next: number | null
}

/**
 * Claims what is due, the oldest first of what may still be done, and stores in one transaction what becomes of each: whoever is cut off in the midst of it has claimed
 * nothing. What another server is claiming is left alone. An instant that was claimed before, by a clock that was set back since, only moves on.
 */
export function claimDue({ control }: Database, options: Options): Promise<Claimed> {
  const { clock, holder, decide, again } = options
  return control.transaction().execute(async (trx) => {
    const { now, next } = await dueNext(trx, clock)
    await makeAgain(trx, now, again)
    const rows = await lockDues(trx, now, options)
    if (rows.length === 0) return { carried: [], decided: [], taken: 0, now, next }
    // Read after the rows are locked: whoever edits a timer from here on waits, and whoever did before is read.
    const timers = await timersWhere(trx, { timerIds: rows.map(({ timer_id }) => timer_id), removedToo: true })
    const byId = new Map(timers.map((timer) => [timer.timerId, timer]))
    const due = rows.flatMap((row): DueTimer[] => {
      const timer = byId.get(row.timer_id)
      if (!timer) return []
      const point = { pointNo: row.point_no, action: row.action, skip: row.skip, merged: row.merged }
      const due = { ...point, dueAt: row.due_at.getTime(), changedAt: row.changed_at?.getTime() ?? null }
      return [{ timer: { ...timer, lineIds: row.line_ids ?? timer.lineIds }, due }]
    })
    const decisions = await decide(trx, due, now)
    const all = decisions.flatMap(({ execution, ended }) => [execution, ...ended])
    const had = await instantsHad(trx, all)
    const isNew = await insertExecutions(
      trx,
      all.filter(({ sourceId, dueAt }) => !had.has(instantKey(sourceId, dueAt))),
      now,
    )
    const begun = decisions.filter(({ execution }) => isNew.has(execution.executionId))
    await insertOperations(trx, begun, now)
    await insertScenesOfRuns(
      trx,
      begun.flatMap(({ scene }) => scene ?? []),
      now,
    )
    const claims = await claimInstants(
      trx,
      begun.flatMap(({ execution: { executionId, dueAt, state } }) =>
        state === 'running' ? [{ workId: executionId, kind: executionKind, key: executionId, dueAt }] : [],
      ),
      holder,
    )
    await replaceDues(trx, decisions)
    const byWork = new Map(begun.map((decision) => [decision.execution.executionId, decision]))
    const carried = claims.flatMap((claim) => {
      const decision = byWork.get(claim.workId)
      return decision ? [{ decision, claim }] : []
    })
    return { carried, decided: decisions, taken: rows.length, now, next }
  })
}

/** What is due, the oldest first; what can be done no more by any action waits for what can. Each of both is found by the index, however much is due behind it. */
async function lockDues(trx: Kysely<Schema>, now: number, { limit, gatewayIds, except = [], graceMs }: Options) {
  const dueAt = (from: number | null, to: number, most: number) =>
    trx
      .selectFrom('timer_due')
      .selectAll()
      .where('due_at', '<=', new Date(to))
      .$if(from !== null, (qb) => qb.where('due_at', '>=', new Date(from ?? 0)))
      .where(sql<boolean>`timer_id <> all(${[...except]}::int[])`)
      .where((eb) =>
        eb.or([
          eb('due_at', '<=', new Date(now - graceMs)),
          sql<boolean>`exists (select from timer_acts join line using (line_id) join device using (device_id)
            where timer_acts.timer_id = timer_due.timer_id and gateway_id = any(${[...gatewayIds]}::int[]))`,
        ]),
      )
      .orderBy('due_at')
      // No trip waits for a close of its instant.
      .orderBy(({ eb }) => eb('action', '<>', 'trip'))
      .orderBy('timer_id')
      .limit(most)
      .forUpdate()
      .skipLocked()
      .execute()
  const inTime = await dueAt(now - maxLateMs.trip, now, limit)
  if (inTime.length >= limit) return inTime
  return [...inTime, ...(await dueAt(null, now - maxLateMs.trip - 1, limit - inTime.length))]
}

const instantKey = (timerId: number, dueAt: number): string => `${timerId} ${dueAt}`

/** Which of these were claimed before, also by a point that was called otherwise. */
async function instantsHad(trx: Kysely<Schema>, all: readonly NewExecution[]): Promise<ReadonlySet<string>> {
  const instants = storableJson(all.map(({ sourceId, dueAt }) => ({ source_id: sourceId, due_at: new Date(dueAt) })))
  const { rows } = await sql<{ source_id: number; due_at: Date }>`
    select source_id, due_at from automation_run
    join jsonb_to_recordset(${instants}::jsonb) as i (source_id int, due_at timestamptz) using (source_id, due_at)
    where source = 'timer'`.execute(trx)
  return new Set(rows.map(({ source_id, due_at }) => instantKey(source_id, due_at.getTime())))
}

/** Of projects whose zone was changed, and of other time zone data: what is not due yet is made anew. What is due stays. */
async function makeAgain(trx: Kysely<Schema>, now: number, again: Options['again']): Promise<void> {
  const rows = await trx
    .selectFrom('timer_due')
    .select(['timer_id', 'due_at', 'time_zone', 'zone_data'])
    .where('stale', '=', true)
    .where('due_at', '>', new Date(now))
    .orderBy('timer_id')
    .limit(madeAtOnce)
    .forUpdate()
    .skipLocked()
    .execute()
  if (rows.length === 0) return
  const timers = await timersWhere(trx, { timerIds: rows.map(({ timer_id }) => timer_id), enabled: true })
  const next = await again(trx, timers, now)
  const before = new Map(rows.map((row) => [row.timer_id, row]))
  for (const [index, timer] of timers.entries()) {
    const due = next[index]
    const was = before.get(timer.timerId)
    // Of a project whose zone was changed somebody did so; of other time zone data nobody knows.
    const isByZoneData = was !== undefined && was.zone_data !== zoneData && was.time_zone === due?.timeZone
    const movedFrom = isByZoneData && due.due && due.due.at !== was.due_at.getTime() ? { movedFrom: was.due_at.getTime() } : {}
    if (due) await replaceDue(trx, timer, { ...due, ...movedFrom })
    else await trx.updateTable('timer_due').set({ stale: false }).where('timer_id', '=', timer.timerId).execute()
  }
}

/** The ids of those that were not there before. */
async function insertExecutions(
  trx: Kysely<Schema>,
  executions: readonly NewExecution[],
  now: number,
): Promise<ReadonlySet<string>> {
  if (executions.length === 0) return new Set()
  const values = executions.map((each) => ({
    ...{ run_id: each.executionId, source: each.source, source_id: each.sourceId, project_id: each.projectId, name: each.name },
    ...{ point_no: each.pointNo, due_at: new Date(each.dueAt), state: each.state, why: each.why, account_id: each.accountId },
    ...{ ended_at: each.state === 'running' ? null : new Date(now), actor: each.actor, trace: each.trace },
  }))
  // As one value: of what an outage has left there are more parameters than a statement has.
  const { rows } = await sql<{ run_id: string }>`
    insert into automation_run (run_id, source, source_id, project_id, name, point_no, due_at, claimed_at, ended_at, state, why,
      account_id, actor, trace)
    select run_id, source, source_id, project_id, name, point_no, due_at, ${new Date(now)}, ended_at, state, why, account_id, actor, trace
    from jsonb_to_recordset(${storableJson(values)}::jsonb) as r (run_id uuid, source text, source_id int, project_id int, name text,
      point_no int, due_at timestamptz, ended_at timestamptz, state text, why text, account_id uuid, actor text, trace jsonb)
    on conflict do nothing returning run_id`.execute(trx)
  return new Set(rows.map(({ run_id }) => run_id))
}

async function insertOperations(trx: Kysely<Schema>, decisions: readonly Decision[], now: number): Promise<void> {
  const made = decisions.flatMap(({ execution, operation }) => (operation ? [{ execution, operation }] : []))
  if (made.length === 0) return
  await trx
    .insertInto('operation_run')
    .values(
      made.map(({ execution, operation }) => ({
        run_id: operation.operationId,
        action: operation.action,
        account_id: execution.accountId,
        actor: execution.actor,
        reason: execution.name,
        stagger_ms: operation.staggerMs,
        started_at: new Date(now),
        begun_at: new Date(now),
        ended_at: execution.state === 'running' ? null : new Date(now),
        automation_run_id: execution.executionId,
      })),
    )
    .execute()
  const lines = made.flatMap(({ operation }) =>
    operation.lines.map(({ lineId, commandId, state, refusal }, position) => ({
      ...{ run_id: operation.operationId, position, line_id: lineId, command_id: commandId, state, refusal },
    })),
  )
  // As one value: of hundreds of lines of many timers there are more parameters than a statement has.
  await sql`insert into operation_run_line (run_id, position, line_id, command_id, state, refusal)
    select run_id, position, line_id, command_id, state, refusal from jsonb_to_recordset(${storableJson(lines)}::jsonb)
      as l (run_id uuid, position int, line_id int, command_id uuid, state text, refusal jsonb)`.execute(trx)
}
