import type { acceptWorkOrders, dispatchWorkOrders, List, OrderOutcome, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Verification } from '@linewarden/rules/workorder'
import { isProved } from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import type { CloseOut } from './close-out.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { OrderAccess } from './order-access.ts'
import type { Asked } from './order-run.ts'
import { createOrderRun } from './order-run.ts'
import { unproved } from './order-words.ts'

/** What one press does to several orders: each for itself, and of each what became of it. */
export function createSeveral(deps: WorkOrderDeps, access: OrderAccess, closeOut: CloseOut) {
  const { runQuietly } = createOrderRun(deps, access)
  return {
    async dispatch(actor: Actor, body: Request<typeof dispatchWorkOrders>['body']): Promise<List<OrderOutcome>> {
      const { PersonInCharge, Helpers, Reason = '' } = body
      const fit = await access.fitPeople([PersonInCharge, ...(Helpers ?? [])])
      return each(actor, body, (asked) =>
        runQuietly(actor, asked, (row) => {
          const person = fit(PersonInCharge, row)
          const helpers = (Helpers ?? []).map((id) => fit(id, row))
          return {
            ...{ act: 'dispatch', named: [person, ...helpers], note: { reason: Reason.trim(), person: person.name } },
            step: { act: 'dispatch', to: person.id, ...(Helpers && { helpers: Helpers }) },
            columns: () => ({ paused_why: null }),
            check(now) {
              const isTaken = now.status === 'dispatched' && now.person_id !== person.id
              if (isTaken && Reason.trim() === '') throw new Refusal('order reason missing')
            },
          }
        }),
      )
    },

    accept(actor: Actor, body: Request<typeof acceptWorkOrders>['body']): Promise<List<OrderOutcome>> {
      const reason = (body.Unverified ?? '').trim()
      return each(actor, body, (asked) => {
        let verification: Verification = { state: 'none' }
        return runQuietly(actor, asked, () => ({
          ...{ act: 'accept', step: { act: 'accept' }, note: { reason } },
          async check(row, trx, now) {
            verification = await closeOut.verificationOf(trx, row, row.dealt_at?.getTime() ?? now, now)
            if (isProved(verification)) return
            if (!actor.administrator || reason === '') throw new Refusal('order unverified', { why: unproved(verification) })
          },
          columns: () => ({ verification: JSON.stringify(verification) }),
          isVerified: () => verification.state === 'verified',
        }))
      })
    },
  }

  /** Of a single one what refuses it is the answer; of several each says what became of it. */
  async function each(
    actor: Actor,
    { ActID, Orders }: { ActID: string; Orders: readonly Omit<Asked, 'ActID'>[] },
    act: (asked: Asked) => Promise<void>,
  ): Promise<List<OrderOutcome>> {
    const refused = new Map<number, Refusal>()
    for (const order of Orders)
      try {
        await act({ ...order, ActID })
      } catch (error) {
        if (!(error instanceof Refusal) || Orders.length === 1) throw error
        refused.set(order.OrderID, error)
      }
    const records = await access.records(
      actor,
      Orders.map(({ OrderID }) => OrderID),
    )
    const items = Orders.map(({ OrderID }) => {
      const refusal = refused.get(OrderID)
      return {
        OrderID,
        Refusal: refusal ? { Key: refusal.key, Text: refusal.envelope().Text } : null,
        Order: records.find((record) => record.OrderID === OrderID) ?? null,
      }
    })
    return { items, total: items.length }
  }
}
