import type { acceptWorkOrders, dispatchWorkOrders, List, OrderOutcome, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Verification } from '@linewarden/rules/workorder'
import { isProved } from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import type { OrderRow } from '../../store/workorder/order.ts'
import type { CloseOut } from './close-out.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { OrderAccess } from './order-access.ts'
import type { Asked, PersonStep } from './order-run.ts'
import { createOrderRun } from './order-run.ts'
import { unproved } from './order-words.ts'

/** What one press does to several orders: each for itself, and of each what became of it. */
export function createSeveral(deps: WorkOrderDeps, access: OrderAccess, closeOut: CloseOut) {
  const { runSeveral } = createOrderRun(deps, access)
  return {
    async dispatch(actor: Actor, body: Request<typeof dispatchWorkOrders>['body']): Promise<List<OrderOutcome>> {
      const { PersonInCharge, Helpers, Reason = '' } = body
      const fit = await access.fitPeople([PersonInCharge, ...(Helpers ?? [])])
      return each(actor, body, (row) => {
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
      })
    },

    accept(actor: Actor, body: Request<typeof acceptWorkOrders>['body']): Promise<List<OrderOutcome>> {
      const reason = (body.Unverified ?? '').trim()
      return each(actor, body, () => {
        let verification: Verification = { state: 'none' }
        return {
          ...{ act: 'accept', step: { act: 'accept' }, note: { reason } },
          async check(row, trx, now) {
            verification = await closeOut.verificationOf(trx, row, row.dealt_at?.getTime() ?? now, now)
            if (isProved(verification)) return
            if (!actor.administrator || reason === '') throw new Refusal('order unverified', { why: unproved(verification) })
          },
          columns: () => ({ verification: JSON.stringify(verification) }),
          isVerified: () => verification.state === 'verified',
        }
      })
    },
  }

  /** Of a single one what refuses it is the answer; of several each says what became of it. */
  async function each(
    actor: Actor,
    { ActID, Orders }: { ActID: string; Orders: readonly Omit<Asked, 'ActID'>[] },
    given: (row: OrderRow) => PersonStep,
  ): Promise<List<OrderOutcome>> {
    const refused = new Map<number, Refusal>()
    for (const portion of inPortions(Orders)) {
      const refusals = await togetherOrOneByOne(portion, (orders) =>
        runSeveral(
          actor,
          orders.map((order) => ({ asked: { ...order, ActID }, given })),
        ),
      )
      for (const [index, refusal] of refusals.entries()) {
        if (refusal && Orders.length === 1) throw refusal
        if (refusal) refused.set(portion[index]?.OrderID ?? 0, refusal)
      }
    }
    const records = await access.records(
      actor,
      Orders.map(({ OrderID }) => OrderID),
    )
    const shown = new Map(records.map((record) => [record.OrderID, record]))
    const items = Orders.map(({ OrderID }) => {
      const refusal = refused.get(OrderID)
      return {
        OrderID,
        Refusal: refusal ? { Key: refusal.key, Text: refusal.envelope().Text } : null,
        Order: shown.get(OrderID) ?? null,
      }
    })
    return { items, total: items.length }
  }
}

/** So many orders are locked at once: nobody who acts on one of them waits for all that one press is about. */
const atOnce = 50

/** In the order in which they were asked for, none of them twice in one portion. */
function inPortions<T extends Pick<Asked, 'OrderID'>>(orders: readonly T[]): readonly (readonly T[])[] {
  const portions: T[][] = []
  for (const order of orders) {
    const last = portions.at(-1)
    const fits = last && last.length < atOnce && !last.some(({ OrderID }) => OrderID === order.OrderID)
    if (fits) last.push(order)
    else portions.push([order])
  }
  return portions
}

/** One that the database does not take keeps none of the others from its turn: then each is tried for itself, and nothing of any is done twice. */
async function togetherOrOneByOne<T>(
  orders: readonly T[],
  act: (orders: readonly T[]) => Promise<readonly (Refusal | null)[]>,
): Promise<readonly (Refusal | null)[]> {
  try {
    return await act(orders)
  } catch (error) {
    if (orders.length === 1) throw error
    const refusals: (Refusal | null)[] = []
    for (const order of orders) refusals.push(...(await act([order])))
    return refusals
  }
}
