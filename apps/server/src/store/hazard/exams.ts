import { minuteMs } from '@linewarden/equipment'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

type Db = Kysely<Schema>

/** What failed is tried again after so long. */
const againMs = 10 * minuteMs

/** What a health check took from a line. */
export interface ExamDeduction {
  readonly project_id: number
  readonly gateway_id: number
  readonly line_id: number
  readonly key: string
  readonly deduct: number
  readonly text: { readonly zh: string; readonly en: string }
}

type Take<T> = (
  trx: Db,
  check: { readonly testId: number; readonly at: number },
  found: readonly ExamDeduction[],
) => Promise<readonly T[]>

export interface TakenExam<T> {
  readonly testId: number
  readonly taken: readonly T[]
  /** Why some of its lines could not be taken; null: all were, or it failed the same way before. */
  readonly newFailure: unknown
}

interface Asked {
  readonly least: number
  readonly now: number
}

/**
 * Takes a finished check whose deductions are not hazards yet; the transaction is its own, on one server. Null: there is none. Where it fails it
 * is taken line by line: what is wrong with one line keeps none of the others. Lines that were taken out, or went to another project, have none of it.
 */
export async function takeExam<T>({ general }: Database, asked: Asked, take: Take<T>): Promise<TakenExam<T> | null> {
  try {
    return await general.transaction().execute((trx) => takeNext(trx, asked, take, false))
  } catch {
    return general.transaction().execute((trx) => takeNext(trx, asked, take, true))
  }
}

interface DueCheck {
  readonly test_id: number
  readonly started_at: Date
  readonly hazards_failed: string | null
}

async function takeNext<T>(trx: Db, { least, now }: Asked, take: Take<T>, isByLine: boolean): Promise<TakenExam<T> | null> {
  const { rows } = await sql<DueCheck>`
    select test_id, started_at, hazards_failed from health_check
    where state = 'done' and hazards_at is null and coalesce(hazards_tried_at, '-infinity') <= ${new Date(now - againMs)}
    order by test_id limit 1 for no key update skip locked`.execute(trx)
  const [check] = rows
  if (!check) return null
  const found = await deductionsOf(trx, check.test_id, least)
  await lockThere(trx, found)
  const of = { testId: check.test_id, at: check.started_at.getTime() }
  if (!isByLine) {
    const taken = await take(trx, of, found)
    await ended(trx, check.test_id, { hazards_at: new Date(now), hazards_failed: null })
    return { testId: check.test_id, taken, newFailure: null }
  }
  const taken: T[] = []
  let failed: { readonly line: number; readonly error: unknown } | null = null
  for (const [line, own] of Map.groupBy(found, ({ line_id }) => line_id)) {
    await sql`savepoint line`.execute(trx)
    try {
      taken.push(...(await take(trx, of, own)))
      await sql`release savepoint line`.execute(trx)
    } catch (error) {
      await sql`rollback to savepoint line`.execute(trx)
      failed ??= { line, error }
    }
  }
  const why = failed && `line ${failed.line}: ${messageOf(failed.error)}`
  await ended(
    trx,
    check.test_id,
    why === null ? { hazards_at: new Date(now), hazards_failed: null } : { hazards_tried_at: new Date(now), hazards_failed: why },
  )
  return { testId: check.test_id, taken, newFailure: why === check.hazards_failed ? null : (failed?.error ?? null) }
}

/** Those that no hazard was ever shown by: what was taken before and is gone by now does not come back. */
async function deductionsOf(trx: Db, testId: number, least: number): Promise<readonly ExamDeduction[]> {
  const { rows } = await sql<ExamDeduction>`
    select gateway.project_id, gateway.gateway_id, line.line_id, item ->> 'key' as key, (item ->> 'deduct')::float8 as deduct,
      item -> 'text' as text
    from health_check_line examined join line using (line_id) join device using (device_id)
      join gateway on gateway.gateway_id = device.gateway_id and gateway.project_id = examined.project_id
      cross join lateral jsonb_array_elements(examined.found -> 'items') item
    where test_id = ${testId} and (item ->> 'deduct')::float8 >= ${least} and not exists (
      select from hazard_source known join hazard using (hazard_id)
      where known.source = 'exam' and known.source_id = ${testId}::text || ':' || (item ->> 'key') and hazard.line_id = line.line_id)
    order by line_id, key`.execute(trx)
  return rows
}

/** All of these lines at once and in the order of their numbers, before any is shown anew: as whoever acts on several orders of them does. */
const lockThere = (trx: Db, found: readonly ExamDeduction[]) =>
  sql`select from hazard where line_id = any(${found.map(({ line_id }) => line_id)}::int[]) and state <> 'gone'
    order by hazard_id for no key update`.execute(trx)

const ended = (
  trx: Db,
  testId: number,
  columns: { readonly hazards_at?: Date; readonly hazards_tried_at?: Date; readonly hazards_failed: string | null },
) => trx.updateTable('health_check').set(columns).where('test_id', '=', testId).execute()

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500)
