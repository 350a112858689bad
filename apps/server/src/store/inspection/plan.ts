import type { Expression, Kysely, Selectable, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Order, SortOf } from '../core/in-order.ts'
import { inOrder, missingLast, named } from '../core/in-order.ts'
import type { Schema } from '../core/schema.ts'
import { containsText } from '../core/tenant.ts'

type Db = Kysely<Schema>

export type PlanRow = Selectable<Schema['inspection_plan']>

/** A plan that was not taken out. */
export const planById = (db: Db, planId: number): Promise<PlanRow | undefined> =>
  db.selectFrom('inspection_plan').selectAll().where('plan_id', '=', planId).where('removed_at', 'is', null).executeTakeFirst()

/** The same with its row locked: nobody makes a round of it, or edits it, until the transaction ends. */
export const lockedPlan = (trx: Db, planId: number): Promise<PlanRow | undefined> =>
  trx
    .selectFrom('inspection_plan')
    .selectAll()
    .where('plan_id', '=', planId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

export interface PlanFilter {
  /** Whole projects; null: everything. */
  readonly projectIds: readonly number[] | null
  readonly planId: number | null
  readonly text: string
}

const order = {
  columns: { NextDue: missingLast('next_due'), Name: named('name') },
  ties: ['plan_id'],
} satisfies Order<string>

export async function listPlans(
  db: Db,
  filter: PlanFilter,
  asked: { readonly sort: SortOf<typeof order> | undefined; readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly PlanRow[]; readonly total: number }> {
  const matching = db.selectFrom('inspection_plan').where(({ and }) => and([...conditions(filter)]))
  const rows = await inOrder(matching.selectAll(), asked.sort, order, (own) =>
    own.orderBy(sql`next_due is null, next_due`).orderBy('plan_id'),
  )
    .limit(asked.size)
    .offset((asked.page - 1) * asked.size)
    .execute()
  const { total } = await matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

function* conditions({ projectIds, planId, text }: PlanFilter): Generator<Expression<SqlBool>> {
  yield sql<SqlBool>`removed_at is null`
  if (projectIds !== null) yield sql<SqlBool>`project_id = any(${[...projectIds]}::int[])`
  if (planId !== null) yield sql<SqlBool>`plan_id = ${planId}`
  if (text.trim() !== '') yield containsText('name', text)
}

/** Plans that make rounds, of some projects or of all. */
export const plansMaking = (db: Db, projectIds: readonly number[] | null): Promise<readonly PlanRow[]> =>
  db
    .selectFrom('inspection_plan')
    .selectAll()
    .where('removed_at', 'is', null)
    .where('next_due', 'is not', null)
    .$if(projectIds !== null, (query) => query.where(sql<boolean>`project_id = any(${[...(projectIds ?? [])]}::int[])`))
    .orderBy('plan_id')
    .limit(2_000)
    .execute()

/** Plans of which the window of a due date has opened. */
export const plansDue = async (db: Db, now: number): Promise<readonly number[]> => {
  const rows = await db
    .selectFrom('inspection_plan')
    .select('plan_id')
    .where('removed_at', 'is', null)
    .where('next_at', '<=', new Date(now))
    .orderBy('next_at')
    .limit(500)
    .execute()
  return rows.map(({ plan_id }) => plan_id)
}

/** The newest round of each plan. */
export async function newestRounds(db: Db, planIds: readonly number[]) {
  if (planIds.length === 0) return new Map<number, { round_id: string; state: string; due_day: number | null }>()
  const { rows } = await sql<{ plan_id: number; round_id: string; state: string; due_day: number | null }>`
    select distinct on (plan_id) plan_id, round_id, state, due_day from inspection_round
    where plan_id = any(${[...planIds]}::int[]) order by plan_id, created_at desc, number desc`.execute(db)
  return new Map(rows.map((row) => [row.plan_id, row]))
}

/** Plan names, for the audit trail. */
export const planNames = (db: Db, planIds: readonly number[]) =>
  db
    .selectFrom('inspection_plan')
    .select(['plan_id as planId', 'name', 'project_id as projectId'])
    .where(sql<boolean>`plan_id = any(${[...planIds]}::int[])`)
    .execute()
