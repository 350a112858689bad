import { orderActs } from '@linewarden/rules/workorder'
import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Schema } from '../core/schema.ts'

export type StepRow = Selectable<Schema['work_order_step']>
export type NewStep = Omit<Insertable<Schema['work_order_step']>, 'order_id'>

/** Everything that happened to an order, the oldest first. */
export const stepsOf = (db: Kysely<Schema>, orderId: number): Promise<StepRow[]> =>
  db.selectFrom('work_order_step').selectAll().where('order_id', '=', orderId).orderBy('step_id').execute()

/** What was done by this intent, to whichever order. */
export const stepByAct = (db: Kysely<Schema>, actId: string): Promise<StepRow | undefined> =>
  db.selectFrom('work_order_step').selectAll().where('act_id', '=', actId).orderBy('step_id').limit(1).executeTakeFirst()

/** The same of one order. */
export const stepOfOrder = (db: Kysely<Schema>, orderId: number, actId: string): Promise<StepRow | undefined> =>
  db.selectFrom('work_order_step').selectAll().where('act_id', '=', actId).where('order_id', '=', orderId).executeTakeFirst()

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
