import { about } from '@linewarden/contract'
import type { DuePlan } from '@linewarden/rules/workorder'
import type { Insertable, Kysely } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { MonthlyNumber } from '../core/monthly-number.ts'
import { nextOfMonth } from '../core/monthly-number.ts'
import type { Schema } from '../core/schema.ts'
import type { ObservedHazard } from '../hazard/hazard.ts'
import { lockedHazard, moveHazards, openHazard } from '../hazard/hazard.ts'
import { planDues } from './due.ts'
import { linkEvent, linkSources, openOrderOf } from './hazard-order.ts'
import type { OrderRow } from './order.ts'
import type { NewStep } from './step.ts'
import { hazardBy, insertStep } from './step.ts'

type Trx = Kysely<Schema>

export interface NewOrder {
  readonly row: Omit<Insertable<Schema['work_order']>, 'number' | 'hazard_id'>
  /** Of an alarm: what it showed. Of a hazard: its number. */
  readonly hazard: ObservedHazard | number | null
  readonly eventId: string | null
  readonly number: MonthlyNumber
  readonly steps: readonly NewStep[]
  /** Where the hazard has an open order already. */
  readonly joins: NewStep
  readonly audit: { readonly add: AuditEntry; readonly join: AuditEntry }
  /** What is due of it, as of now. */
  readonly due: DuePlan
  readonly now: number
}

interface Inserted {
  readonly orderId: number
  readonly joined: boolean
}

/**
 * Makes an order, or joins the open one of its hazard. Null: the same intent did before, or at the same moment, or its gateway has moved; nothing
 * is done by this one.
 */
export async function insertOrder({ general }: Database, order: NewOrder): Promise<Inserted | null> {
  try {
    return await general.transaction().execute((trx) => insertOrJoin(trx, order))
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'work_order_step_made_once') return null
    throw error
  }
}

/** The same in the caller's transaction. */
export async function insertOrJoin(trx: Trx, order: NewOrder): Promise<Inserted | null> {
  if (!(await isStillThere(trx, order.row))) return null
  const hazardId = await hazardOf(trx, order)
  if (hazardId === undefined) return null
  const open = hazardId === null ? null : await openOrderOf(trx, hazardId)
  if (open !== null) return joinOrder(trx, open, hazardId, order)
  const { order_id } = await trx
    .insertInto('work_order')
    .values({ ...order.row, number: await nextNumber(trx, order.number), hazard_id: hazardId })
    .returning('order_id')
    .executeTakeFirstOrThrow()
  if (order.eventId !== null) await linkEvent(trx, order_id, order.eventId)
  if (hazardId !== null) {
    if (typeof order.hazard === 'number') await linkSources(trx, order_id, hazardId)
    await moveHazards(trx, [{ hazardId, state: 'ordered', by: hazardBy(order.joins, order_id) }])
  }
  for (const step of order.steps) await insertStep(trx, order_id, step)
  await planDues(trx, [{ orderId: order_id, due: order.due }], order.now)
  await appendAudit(trx, { ...order.audit.add, subject: about('workOrder', order_id) })
  return { orderId: order_id, joined: false }
}

/** Locked from here on. Undefined: it is gone by now, or at another project. */
async function hazardOf(trx: Trx, { hazard, row }: NewOrder): Promise<number | null | undefined> {
  if (hazard === null) return null
  if (typeof hazard !== 'number') return openHazard(trx, hazard)
  const found = await lockedHazard(trx, hazard)
  return found && found.state !== 'gone' && found.project_id === row.project_id ? hazard : undefined
}

/** A gateway that goes to another project takes its orders along: none is made behind it. Until this ends it stays where it is. */
async function isStillThere(trx: Trx, { gateway_id, project_id }: NewOrder['row']): Promise<boolean> {
  if (gateway_id === null || gateway_id === undefined) return true
  const gateway = await trx
    .selectFrom('gateway')
    .select('project_id')
    .where('gateway_id', '=', gateway_id)
    .forShare()
    .executeTakeFirst()
  return gateway?.project_id === project_id
}

/** A further one joins an open order of the same. Null: this intent did before. */
export async function joinOrder(
  trx: Trx,
  orderId: number,
  hazardId: number | null,
  { eventId, joins, audit }: NewOrder,
): Promise<Inserted | null> {
  const row = await lockedOrder(trx, orderId)
  const statuses = { from_status: row?.status ?? null, to_status: row?.status ?? joins.to_status }
  if ((await insertStep(trx, orderId, { ...joins, ...statuses })) === null) return null
  if (eventId !== null) await linkEvent(trx, orderId, eventId)
  else if (hazardId !== null) await linkSources(trx, orderId, hazardId)
  await appendAudit(trx, { ...audit.join, subject: about('workOrder', orderId) })
  return { orderId, joined: true }
}

async function nextNumber(trx: Trx, number: MonthlyNumber): Promise<string> {
  const last = await nextOfMonth(trx, 'work_order_number', number)
  return `${number.month}-${String(last).padStart(5, '0')}`
}

/** Notes what somebody wrote, and in the same transaction what comes with it. False: this id was used before. */
export async function addComment(
  { general }: Database,
  orderId: number,
  step: NewStep,
  audit: AuditEntry,
  alsoStore: (trx: Trx) => Promise<void> = async () => {},
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const made = await insertStep(trx, orderId, step)
    if (!made) return false
    await alsoStore(trx)
    await appendAudit(trx, audit)
    return true
  })
}

const lockedOrder = (trx: Trx, orderId: number): Promise<OrderRow | undefined> =>
  trx.selectFrom('work_order').selectAll().where('order_id', '=', orderId).forNoKeyUpdate().executeTakeFirst()
