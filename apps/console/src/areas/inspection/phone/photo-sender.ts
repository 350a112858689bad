import { CallError, sendPhoto } from '@linewarden/client'
import { sendOrderPhoto, sendRoundPhoto } from '@linewarden/contract'
import { api } from '../../../app/net/api.ts'
import type { Entry } from '../../../app/offline/entry.ts'
import { photoOf } from '../../../app/offline/kept.ts'
import type { Sender } from '../../../app/offline/outbox.ts'
import type { PhotoBody } from './acts.ts'
import { isOfOrder, orderIdOf } from './orders/order-entries.ts'
import { received, receivedOf } from './photo-pieces.ts'

/** A piece of 256 kB on a network that is hardly one. */
const pieceTimeoutMs = 90_000

/** One photo in pieces; where it broke off it goes on. It leaves the phone once the server has all of it. */
export const photoSender: Sender = {
  most: 1,
  async send([entry]) {
    if (!entry) return []
    const { id, rev, thing, body } = entry as Entry<PhotoBody>
    const bytes = await photoOf(body.Hash)
    // Its bytes are gone, or cannot be read any more: nobody can send it, and the person must know.
    if (!bytes) return [{ id, rev, became: 'refused', why: lostText }]
    const { Hash, TakenAt, Role = 'other' } = body
    const timeoutMs = pieceTimeoutMs
    const sendPiece = (piece: { readonly Size: number; readonly Offset: number; readonly Bytes: string }) =>
      isOfOrder(entry)
        ? api.call(
            sendOrderPhoto,
            { params: { OrderID: orderIdOf(entry), Hash }, body: { ...piece, TakenAt, Role } },
            { timeoutMs },
          )
        : api.call(
            sendRoundPhoto,
            { params: { RoundID: thing.slice('round:'.length), Hash }, body: { ...piece, TakenAt } },
            { timeoutMs },
          )
    try {
      await sendPhoto(new Uint8Array(bytes), sendPiece, {
        from: receivedOf(body.Hash),
        onReceived: (sofar) => received(body.Hash, sofar),
      })
    } catch (error) {
      if (error instanceof CallError) throw error
      // The server takes its pieces and never has the whole: it is tried again later.
      return [{ id, rev, became: 'later' }]
    }
    return [{ id, rev, became: 'held' }]
  },
}

const lostText = {
  zh: '这张照片在本机上已读不出来，请重新拍',
  en: 'This photo can no longer be read on this phone: take it again',
}
