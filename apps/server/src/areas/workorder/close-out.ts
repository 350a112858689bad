import { about } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { Verification } from '@linewarden/rules/workorder'
import { afterStep, hazardAfter, isActOf, isWatched, notifiedAt, watchDays } from '@linewarden/rules/workorder'
import type { Kysely } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import { Loop } from '../../lib/every.ts'
import { inRounds } from '../../lib/rounds.ts'
import type { Schema } from '../../store/core/schema.ts'
import { actOnOrder } from '../../store/workorder/act.ts'
import { otherOpenOrder } from '../../store/workorder/hazard-order.ts'
import type { OrderColumns, OrderRow } from '../../store/workorder/order.ts'
import { columnsOf, stateOf } from '../../store/workorder/order.ts'
import type { OrderInCharge } from '../../store/workorder/verification.ts'
import { dispatchedOrders, processedOrders, saveVerification, watchedOrders } from '../../store/workorder/verification.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { OrderAccess } from './order-access.ts'
import { duesAfter } from './order-access.ts'
import { createProof } from './proof.ts'

export type CloseOut = ReturnType<typeof createCloseOut>

const everyMs = 60_000
/** A proof that goes on is stored so often. */
const storedEveryMs = 15 * 60_000

const idOf = ({ order_id }: { readonly order_id: number }) => order_id

const system = { userName: 'system', address: '' }

/** What happens to orders by itself: a proof goes on, a value comes back, whoever is in charge may not see the place any more. */
export function createCloseOut(deps: WorkOrderDeps, access: OrderAccess) {
  const { database, clock, log, actorNow } = deps
  const db = database.general
  const proof = createProof(deps)
  const rounds = {
    processed: inRounds((part) => processedOrders(db, part), idOf),
    watched: inRounds((part) => watchedOrders(db, clock() - watchDays * dayMs, part), idOf),
    dispatched: inRounds((part) => dispatchedOrders(db, part), idOf),
  }
  const loop = new Loop(everyMs, look, {
    ...{ log, failed: 'looking after work orders failed; it is tried again', spaced: true, unref: true },
  })
  return {
    start: () => loop.start(),
    close: () => loop.close(),
    look: loop.tickAnew,
    verificationOf: proof.verificationOf,
  }

  async function look(): Promise<void> {
    await rounds.processed((row) => tried(row.order_id, () => verifyOrder(row)))
    await rounds.watched((row) => tried(row.order_id, () => verifyOrder(row)))
    await giveBackOrphans()
  }

  /** What is wrong with one order keeps none of the others from its turn. */
  async function tried(orderId: number, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.error({ err: error, order: orderId }, 'a work order could not be looked after; it is tried again')
    }
  }

  async function verifyOrder(row: OrderRow): Promise<void> {
    const now = clock()
    const verification = await proof.verificationOf(db, row, row.dealt_at?.getTime() ?? now, now)
    if (verification.state === 'contradicted') {
      await byItself(row, 'contradict', { verification: null, paused_why: null }, isContradicted)
      return
    }
    if (!hasMoved(row.verification, verification)) return
    const noticeAt = notifiedAt(now, row.priority, await access.time(row.project_id))
    await saveVerification(database, row, verification, { now, noticeAt })
    access.published(row)
  }

  /** As it is with its row locked: somebody may have been quicker. */
  async function isContradicted(row: OrderRow, trx: Kysely<Schema>): Promise<boolean> {
    const now = clock()
    if (row.status === 'accepted' && !isWatched(stateOf(row), now)) return false
    if ((await otherOpenOrder(trx, row)) !== null) return false
    return (await proof.verificationOf(trx, row, row.dealt_at?.getTime() ?? now, now)).state === 'contradicted'
  }

  /** Orders of somebody whose account is gone, or who does not see the place any more, are nobody's again. */
  async function giveBackOrphans(): Promise<void> {
    const people = new Map<string, Actor | null>()
    await rounds.dispatched((order) =>
      tried(order.order_id, async () => {
        const { person_id: id } = order
        if (id !== null && !people.has(id)) people.set(id, await actorNow(id))
        const person = id === null ? null : (people.get(id) ?? null)
        if (!access.canBeInCharge(person, order)) await byItself(order, 'decline', {}, (now) => now.person_id === id)
      }),
    )
  }

  async function byItself(
    found: OrderInCharge,
    act: 'contradict' | 'decline',
    columns: OrderColumns,
    isSo: (row: OrderRow, trx: Kysely<Schema>) => Promise<boolean> | boolean,
  ): Promise<void> {
    const [time, now] = [await access.time(found.project_id), clock()]
    const acted = await actOnOrder(database, { orderId: found.order_id, act: null }, async (row, trx) => {
      const before = stateOf(row)
      if (!isActOf(before, act) || !(await isSo(row, trx))) return null
      const after = afterStep(before, { act }, null, now)
      const by = { act, actor: null, now }
      const { overdue_at, due } = duesAfter({ overdue_at: row.overdue_at, state: before }, after, row, time, by)
      return {
        ...{ due, now },
        columns: { ...columnsOf(row, after, []), ...columns, overdue_at },
        step: { at: new Date(now), act, from_status: row.status, to_status: after.status },
        hazard: hazardAfter(after.status, false),
        audit: {
          ...access.auditOf(system, `workOrder.${act}`, row.project_id),
          ...{ subject: about('workOrder', row.order_id), target: row.number },
          before: { status: row.status, person: row.person_name },
          after: { status: after.status },
        },
      }
    })
    if (acted === 'done') access.published(found)
  }
}

/** Whether it is worth storing: people read quarters of an hour. */
export function hasMoved(before: Verification | null, after: Verification): boolean {
  if (before?.state !== after.state) return true
  if (!('haveMs' in before) || !('haveMs' in after)) return false
  return before.missing !== after.missing || after.haveMs - before.haveMs >= storedEveryMs || after.haveMs < before.haveMs
}
