import { sendPhoto } from '@linewarden/client'
import type { OrderPhoto } from '@linewarden/contract'
import { sendOrderPhoto } from '@linewarden/contract'
import { send } from '../../app/net/api.ts'
import type { ReadyPhoto } from '../../app/net/ready-photo.ts'

interface Sending {
  readonly orderId: number
  readonly role: OrderPhoto['Role']
  /** The comment that it is for. */
  readonly actId?: string
  /** Where it broke off before. */
  readonly from?: number
  readonly onReceived?: (received: number) => void
}

/**
 * Sends one photo of an order, and resolves once the server holds it. Whatever it fails of, the same photo is sent again from where it was, and is
 * there once. Nothing is read again after it.
 */
export const sendPhotoOfOrder = (
  { bytes, hash, takenAt }: ReadyPhoto,
  { orderId, role, actId, from, onReceived }: Sending,
): Promise<void> =>
  sendPhoto(
    bytes,
    (piece) =>
      send(sendOrderPhoto, {
        params: { OrderID: orderId, Hash: hash },
        body: { Role: role, ...(actId !== undefined && { ActID: actId }), TakenAt: takenAt, ...piece },
      }),
    { ...(from !== undefined && { from }), ...(onReceived && { onReceived }) },
  )
