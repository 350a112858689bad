import { about } from '@linewarden/contract'
import type { Insertable, Kysely } from 'kysely'
import { sql } from 'kysely'
import type pg from 'pg'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { MonthlyNumber } from '../core/monthly-number.ts'
import { nextOfMonth } from '../core/monthly-number.ts'
import type { Schema } from '../core/schema.ts'
import type { Claim, Holder } from '../jobs/due-work.ts'
import { claimInstant, endWorkOf } from '../jobs/due-work.ts'
import type { StoredHealthResult, StoredLineExam } from './schema.ts'

/** What a health check is called among due work; its key is its number in the database. */
export const healthCheckKind = 'healthCheck'

export interface NewHealthCheck {
  readonly row: Omit<Insertable<Schema['health_check']>, 'number' | 'before_id' | 'state'>
  readonly workId: string
  readonly number: MonthlyNumber
  /** Null: it came by itself. */
  readonly audit: Omit<AuditEntry, 'subject'> | null
}

interface StartedCheck {
  readonly testId: number
  readonly claim: Claim
}

const oneByOne: ReadonlySet<string | undefined> = new Set(['health_check_running', 'health_check_monthly'])

/** Begins a check, held by who begins it. Null: one of the same scope is under way, or this instant of it was begun before. */
export async function insertHealthCheck(
  { general }: Database,
  check: NewHealthCheck,
  holder: Holder,
): Promise<StartedCheck | null> {
  try {
    return await general.transaction().execute((trx) => insert(trx, check, holder))
  } catch (error) {
    if (oneByOne.has((error as { constraint?: string }).constraint)) return null
    throw error
  }
}

/** Notes a check of an instant that cannot be carried out, as one that failed; one that was begun or noted before stays as it is. */
export async function skipHealthCheck(
  { general }: Database,
  { row, number }: Pick<NewHealthCheck, 'row' | 'number'>,
): Promise<void> {
  await general.transaction().execute(async (trx) => {
    await trx
      .insertInto('health_check')
      .values({ ...row, state: 'failed', ended_at: row.started_at, number: await nextNumber(trx, number) })
      .onConflict((conflict) => conflict.columns(['project_id', 'due_at']).where('due_at', 'is not', null).doNothing())
      .execute()
  })
}

async function insert(trx: Kysely<Schema>, { row, workId, number, audit }: NewHealthCheck, holder: Holder) {
  const before = await trx
    .selectFrom('health_check')
    .select('test_id')
    .where('project_id', '=', row.project_id)
    .where(sql<boolean>`gateway_id is not distinct from ${row.gateway_id ?? null}`)
    .where(sql<boolean>`line_id is not distinct from ${row.line_id ?? null}`)
    .where('state', '=', 'done')
    .orderBy('test_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { test_id } = await trx
    .insertInto('health_check')
    .values({ ...row, state: 'running', number: await nextNumber(trx, number), before_id: before?.test_id ?? null })
    .returning('test_id')
    .executeTakeFirstOrThrow()
  const dueAt = new Date(row.started_at).getTime()
  const claim = await claimInstant(trx, { workId, kind: healthCheckKind, key: String(test_id), dueAt }, holder)
  if (!claim) throw new Error(`health check ${test_id} was claimed before it was there`)
  if (audit) await appendAudit(trx, { ...audit, subject: about('healthCheck', test_id) })
  return { testId: test_id, claim }
}

async function nextNumber(trx: Kysely<Schema>, number: MonthlyNumber): Promise<string> {
  const last = await nextOfMonth(trx, 'health_check_number', number)
  return `T${number.month}-${String(last).padStart(4, '0')}`
}

/** Of which projects the monthly check of their instant was begun. */
export async function monthlyChecksSince({ general }: Database, from: number): Promise<ReadonlySet<string>> {
  const rows = await general
    .selectFrom('health_check')
    .select(['project_id', 'due_at'])
    .where('due_at', '>=', new Date(from))
    .execute()
  return new Set(rows.map(({ project_id, due_at }) => `${project_id} ${due_at?.getTime()}`))
}

/** What was found on one line. */
export interface NewHealthLine {
  readonly line_id: number
  readonly line_name: string
  readonly gateway_name: string
  readonly score: number | null
  readonly coverage: number
  readonly found: StoredLineExam
}

/** Whoever took a check over begins it anew: it reads only, and what was found half an hour ago is not how things are. */
export async function forgetHealthLines(client: pg.ClientBase, claim: Claim, testId: number): Promise<boolean> {
  return underLease(client, claim, testId, async () => {
    await client.query('delete from health_check_line where test_id = $1', [testId])
    await client.query('update health_check set done = 0 where test_id = $1', [testId])
  })
}

/** Stores what was found on some lines. False: it goes no further here, because it was cancelled or another server has it. */
export async function addHealthLines(
  client: pg.ClientBase,
  claim: Claim,
  testId: number,
  lines: readonly NewHealthLine[],
): Promise<boolean> {
  return underLease(client, claim, testId, async () => {
    await client.query(
      `insert into health_check_line (test_id, line_id, project_id, gateway_id, line_name, gateway_name, score, coverage, found)
       select c.test_id, l.line_id, c.project_id, c.gateway_id, l.line_name, l.gateway_name, l.score, l.coverage, l.found
       from health_check c, jsonb_to_recordset($2::jsonb) as l
         (line_id int, line_name text, gateway_name text, score smallint, coverage smallint, found jsonb)
       where c.test_id = $1`,
      [testId, JSON.stringify(lines)],
    )
    await client.query('update health_check set done = done + $2 where test_id = $1', [testId, lines.length])
  })
}

/** Ends it with what it came to. */
export async function endHealthCheck(
  client: pg.ClientBase,
  claim: Claim,
  testId: number,
  { result, at }: { readonly result: StoredHealthResult | null; readonly at: number },
): Promise<boolean> {
  return underLease(client, claim, testId, async () => {
    await client.query('update health_check set state = $2, result = $3, ended_at = $4 where test_id = $1', [
      ...[testId, result ? 'done' : 'failed', result && JSON.stringify(result), new Date(at)],
    ])
    if (!result) await client.query('delete from health_check_line where test_id = $1', [testId])
    await client.query('update due_work set ended_at = $2, outcome = $3 where work_id = $1', [
      ...[claim.workId, new Date(at), result ? 'done' : 'failed'],
    ])
  })
}

/** Under the lease of the work, and with the check locked: nobody ends or takes it over meanwhile. */
async function underLease(client: pg.ClientBase, claim: Claim, testId: number, work: () => Promise<void>): Promise<boolean> {
  await client.query('begin')
  try {
    const lease = await client.query(
      'select from due_work where work_id = $1 and fence = $2 and ended_at is null for key share',
      [claim.workId, claim.fence],
    )
    const check = await client.query(`select from health_check where test_id = $1 and state = 'running' for no key update`, [
      testId,
    ])
    const isLeased = lease.rowCount === 1 && check.rowCount === 1
    if (isLeased) await work()
    await client.query('commit')
    return isLeased
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Ends one that is under way, wherever it is carried out; nothing of it is kept. False: it is over. */
export async function cancelHealthCheck({ general }: Database, testId: number, at: number, audit: AuditEntry): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const cancelled = await trx
      .updateTable('health_check')
      .set({ state: 'cancelled', ended_at: new Date(at) })
      .where('test_id', '=', testId)
      .where('state', '=', 'running')
      .returning('test_id')
      .executeTakeFirst()
    if (!cancelled) return false
    await trx.deleteFrom('health_check_line').where('test_id', '=', testId).execute()
    await endWorkOf(trx, { kind: healthCheckKind, key: String(testId) }, 'cancelled', at)
    await appendAudit(trx, audit)
    return true
  })
}
