import type { Sender } from '../app/offline/outbox.ts'
import { orderSender } from '../areas/inspection/phone/orders/order-sender.ts'
import { photoSender } from '../areas/inspection/phone/photo-sender.ts'
import { answerSender, finishSender } from '../areas/inspection/phone/senders.ts'

/** Who carries what a phone keeps, by its kind. */
export const senders: ReadonlyMap<string, Sender> = new Map([
  ['answer', answerSender],
  ['photo', photoSender],
  ['finish', finishSender],
  ['order', orderSender],
])
