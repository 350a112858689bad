import { orderActs } from '@linewarden/rules/workorder'
import type { Insertable, Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

export type StepRow = Selectable<Schema['work_order_step']>
export type NewStep = Omit<Insertable<Schema['work_order_step']>, 'order_id'>

/** Everything that happened to an order, the oldest first. */
export const stepsOf = (db: Kysely<Schema>, orderId: number): Promise<StepRow[]> =>
  db.selectFrom('work_order_step').selectAll().where('order_id', '=', orderId).orderBy('step_id').execute()

/** When an order was last reported as done, unix ms; null: it never was. */
export async function reportedAt(db: Kysely<Schema>, orderId: number): Promise<number | null> {
  const { at } = await db
    .selectFrom('work_order_step')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('order_id', '=', orderId)
    .where('act', '=', 'process')
    .executeTakeFirstOrThrow()
  return at?.getTime() ?? null
}

/** What was done by this intent, to whichever order. */
export const stepByAct = (db: Kysely<Schema>, actId: string): Promise<StepRow | undefined> =>
  db.selectFrom('work_order_step').selectAll().where('act_id', '=', actId).orderBy('step_id').limit(1).executeTakeFirst()

/** What was done to these orders by these intents. */
export const stepsOfAct = (db: Kysely<Schema>, orderIds: readonly number[], actIds: readonly string[]): Promise<StepRow[]> =>
  db
    .selectFrom('work_order_step')
    .selectAll()
    .where(sql<boolean>`act_id = any(${[...actIds]}::uuid[])`)
    .where(sql<boolean>`order_id = any(${[...orderIds]}::int[])`)
    .execute()

export const stepOfOrder = async (db: Kysely<Schema>, orderId: number, actId: string): Promise<StepRow | undefined> =>
  (await stepsOfAct(db, [orderId], [actId]))[0]

/** Who moves a hazard by a step of its order. */
export const hazardBy = ({ at, actor_id = null, actor = null }: NewStep, orderId: number) => ({
  ...{ at: new Date(at), orderId, actorId: actor_id, actor },
})

/** What is noted of several orders; an intent that was noted before stays as it is. */
export const insertSteps = (db: Kysely<Schema>, steps: readonly Insertable<Schema['work_order_step']>[]) =>
  db
    .insertInto('work_order_step')
    .values(steps)
    .onConflict((conflict) => conflict.columns(['act_id', 'order_id']).doNothing())
    .execute()

/** Null: this intent was noted before. */
export async function insertStep(db: Kysely<Schema>, orderId: number, step: NewStep): Promise<StepRow | null> {
  const row = await db
    .insertInto('work_order_step')
    .values({ ...step, order_id: orderId })
    .onConflict((conflict) => conflict.columns(['act_id', 'order_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Whether anybody else has moved an order since a step of it: what was only written about it moves nothing. */
export async function wasMovedSince(
  db: Kysely<Schema>,
  { orderId, stepId, actorId }: { readonly orderId: number; readonly stepId: string; readonly actorId: string },
): Promise<boolean> {
  const moved = await db
    .selectFrom('work_order_step')
    .select('step_id')
    .where('order_id', '=', orderId)
    .where('step_id', '>', stepId)
    .where('act', 'in', orderActs)
    .where(({ or, eb }) => or([eb('actor_id', 'is', null), eb('actor_id', '!=', actorId)]))
    .limit(1)
    .executeTakeFirst()
  return moved !== undefined
}
