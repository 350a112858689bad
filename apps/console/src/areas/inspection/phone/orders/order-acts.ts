import { takeWorkOrder } from '@linewarden/contract'
import { newId } from '../../../../app/net/new-id.ts'
import { touched } from '../../../../app/net/touched.ts'
import type { KeptPhoto } from '../../../../app/offline/kept.ts'
import { useKept } from '../../../../app/offline/kept.ts'
import { keep } from '../../../../app/offline/outbox.ts'
import type { Act } from '../../../../app/offline/outbox-acts.ts'
import type { PhotoBody } from '../acts.ts'
import type { KeptOrder } from './kept-orders.ts'
import { fetchOrder } from './kept-orders.ts'
import type { OrderBody, OrderDeed, OrderEntry } from './order-entries.ts'
import { actsOn, offered, orderIdOf, orderThing } from './order-entries.ts'

/** Stores what somebody does to an order, and sends it when there is a network. */
export const act = (kept: Pick<KeptOrder, 'order' | 'steps'>, deed: OrderDeed): Promise<void> =>
  keep([actOf(kept, deed, Date.now())])

function actOf({ order, steps }: Pick<KeptOrder, 'order' | 'steps'>, deed: OrderDeed, doneAt: number): Act {
  const thing = orderThing(order.OrderID)
  const seen = { Version: order.Version, SeenStep: steps.at(-1)?.StepID ?? '0' }
  const body: OrderBody = { ...deed, ...seen, ActID: newId(), PhoneTime: doneAt }
  // That it is dealt with counts once its photos are there.
  return { id: `${thing}:act:${body.ActID}`, thing, kind: 'order', rank: deed.Does === 'process' ? 2 : 0, body }
}

/**
 * Does again, on the order as it is now, what the server did not take. It is another act: the former may have been kept as a comment. False:
 * the order as it is now does not allow it, and nothing was done.
 */
export async function actAgain({ id, thing, body }: OrderEntry): Promise<boolean> {
  const orderId = orderIdOf({ thing })
  const kept = await fetchOrder(orderId)
  await touched(takeWorkOrder)
  if (!offered(kept.order, actsOn(useKept.getState().entries, orderId)).includes(body.Does)) return false
  const { ActID: _, SeenStep: __, Version: ___, PhoneTime, ...deed } = body
  await keep([actOf(kept, deed, PhoneTime)], [], id)
  return true
}

export type PhotoRole = NonNullable<PhotoBody['Role']>

/** A photo of an order; it lies on the phone before it is shown. */
export function addPhoto(orderId: number, photo: KeptPhoto, role: PhotoRole, about: string): Promise<void> {
  const thing = orderThing(orderId)
  const body: PhotoBody = { Hash: photo.hash, Size: photo.bytes.byteLength, TakenAt: Date.now(), About: about, Role: role }
  return keep([{ id: `${thing}:photo:${photo.hash}`, thing, kind: 'photo', rank: 1, body }], [photo])
}
