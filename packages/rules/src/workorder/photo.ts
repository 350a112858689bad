import type { OrderActor, OrderState } from './order.ts'

/** A photo of an order as it was sent, unix ms. `senderId` null: that account is gone. */
export interface SentPhoto {
  readonly senderId: string | null
  readonly sentAt: number
}

/**
 * What stands against taking a photo back; null: nothing does. `reportedAt`: when the order was reported as done the last time, unix ms: what was
 * there then is part of the record. Another's photo only an administrator takes back.
 */
export function takeBackRefusal(
  { status }: Pick<OrderState, 'status'>,
  reportedAt: number | null,
  { senderId, sentAt }: SentPhoto,
  { accountId, administrator }: OrderActor,
): 'photo stays' | 'photo not yours' | null {
  const isOpen = status === 'undispatched' || status === 'dispatched'
  if (!isOpen || (reportedAt !== null && sentAt <= reportedAt)) return 'photo stays'
  return administrator || senderId === accountId ? null : 'photo not yours'
}
