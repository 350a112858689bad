import type { OrderStep, Reply, WorkOrder } from '@linewarden/contract'
import { getWorkOrder } from '@linewarden/contract'
import { api } from '../../../../app/net/api.ts'
import { changeKept, keepThing, keptThing, keptThings, useKept } from '../../../../app/offline/kept.ts'
import { phoneId } from '../../../../app/offline/phone-id.ts'
import { askToPersist } from '../../../../app/offline/space.ts'
import { orderThing } from './order-entries.ts'

const kind = 'order'

/** An order as the server told it last, to be read where there is no signal. */
export interface KeptOrder {
  readonly order: WorkOrder
  readonly steps: readonly OrderStep[]
  /** Hashes of the photos that the server has of it. */
  readonly photos: readonly string[]
  /** By this phone's clock. */
  readonly fetchedAt: number
}

export type OrderDetails = Reply<typeof getWorkOrder>

const keepOrder = (kept: KeptOrder): Promise<void> => keepThing(kind, String(kept.order.OrderID), kept)
export const keptOrder = (orderId: number): Promise<KeptOrder | null> => keptThing<KeptOrder>(kind, String(orderId))
export const keptOrders = (): Promise<readonly KeptOrder[]> => keptThings<KeptOrder>(kind)

/** Takes an order down with the person. */
export async function fetchOrder(orderId: number): Promise<KeptOrder> {
  const details = await api.call(getWorkOrder, { params: { OrderID: orderId } }, { timeoutMs: 30_000 })
  return keepDetails(details, Date.now())
}

/** What the server told lies on this phone from now on; what it had told before of an order that has moved on since does not. */
export async function keepDetails({ Order, Steps, Photos }: OrderDetails, fetchedAt: number): Promise<KeptOrder> {
  // From now on there is something to forget on this phone.
  phoneId()
  const here = await keptOrder(Order.OrderID)
  if (here && (here.order.Version > Order.Version || here.steps.length > Steps.length)) return here
  const kept = { order: Order, steps: Steps, photos: Photos.map(({ Hash }) => Hash), fetchedAt }
  await keepOrder(kept)
  return kept
}

/** After an act was sent, or refused: how the order stands then. That nobody can tell now changes nothing of what became of the act. */
export async function fetchOrderAfter(orderId: number): Promise<void> {
  try {
    if (await keptOrder(orderId)) await fetchOrder(orderId)
  } catch {
    // It is fetched again with the list.
  }
}

/** Told anew after so long, even where its version is the same: comments change none. */
const againAfterMs = 300_000

/**
 * Has on this phone the orders that somebody has now, each as it is; what they no longer have leaves it, but for what is not sent yet. Throws
 * when one could not be fetched, once it has tried the others.
 */
export async function syncOrders(listed: readonly WorkOrder[]): Promise<void> {
  const kept = new Map((await keptOrders()).map((each) => [each.order.OrderID, each]))
  const failures: unknown[] = []
  for (const { OrderID, Version } of listed) {
    const here = kept.get(OrderID)
    if (here?.order.Version === Version && Math.abs(Date.now() - here.fetchedAt) < againAfterMs) continue
    await fetchOrder(OrderID).catch((error: unknown) => failures.push(error))
  }
  const theirs = new Set(listed.map(({ OrderID }) => OrderID))
  for (const { order } of kept.values())
    if (!theirs.has(order.OrderID) && !hasUnsentOf(order.OrderID)) await dropOrder(order.OrderID)
  if (listed.length > 0) void askToPersist()
  if (failures.length > 0) throw failures[0]
}

const hasUnsentOf = (orderId: number): boolean =>
  useKept.getState().entries.some(({ thing, state }) => thing === orderThing(orderId) && state !== 'held')

async function dropOrder(orderId: number): Promise<void> {
  await keepThing(kind, String(orderId), null)
  await changeKept((entries) => entries.filter(({ thing, state }) => thing !== orderThing(orderId) || state !== 'held'))
}
