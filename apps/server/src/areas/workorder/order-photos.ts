import type { getOrderPhoto, OrderPhoto, Reply, Request, sendOrderPhoto, takeBackOrderPhoto } from '@linewarden/contract'
import { about, maxCommentPhotos, maxOrderPhotos, Refusal } from '@linewarden/contract'
import { takeBackRefusal } from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import type { PhotoOwner, PhotoRow } from '../../store/photos/use.ts'
import { removePhotoUse } from '../../store/photos/use.ts'
import { lockedOrders } from '../../store/workorder/act.ts'
import type { OrderRow } from '../../store/workorder/order.ts'
import type { StepRow } from '../../store/workorder/step.ts'
import { reportedAt } from '../../store/workorder/step.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { OrderAccess } from './order-access.ts'

/** What the photos of an order are read through. */
export const photosOwner = (orderId: number) => ({ kind: 'workOrder', id: String(orderId) }) as const satisfies PhotoOwner

/** Photos of orders, and of comments on them: whoever sees the order sees them, and sends more. */
export function createOrderPhotos({ database, photos }: Pick<WorkOrderDeps, 'database' | 'photos'>, access: OrderAccess) {
  return {
    async sendPhoto(
      actor: Actor,
      { OrderID, Hash }: Request<typeof sendOrderPhoto>['params'],
      { Role, ActID, ...piece }: Request<typeof sendOrderPhoto>['body'],
    ): Promise<Reply<typeof sendOrderPhoto>> {
      const row = await access.seen(actor, OrderID)
      const owner = { ...photosOwner(OrderID), projectId: row.project_id }
      const isOfComment = ActID !== undefined
      const received = await photos.receive(
        actor,
        owner,
        { Hash, ...piece },
        {
          ...{ role: Role, note: ActID ?? '', kept: !isOfComment, most: isOfComment ? maxCommentPhotos : maxOrderPhotos },
          audit: {
            ...access.auditOf(actor, 'workOrder.photo', row.project_id),
            ...{ subject: about('workOrder', OrderID), target: row.number },
            after: { role: Role, hash: Hash, size: piece.Size },
          },
        },
      )
      if (received.Stored && !isOfComment) access.published(row)
      return received
    },

    async takeBackPhoto(actor: Actor, { OrderID, Hash }: Request<typeof takeBackOrderPhoto>['params']): Promise<null> {
      const row = await access.seen(actor, OrderID)
      const removed = await removePhotoUse(database, photosOwner(OrderID), Hash, async (trx, use) => {
        // Nobody reports it as done while this is decided.
        const locked = (await lockedOrders(trx, [OrderID])).get(OrderID)
        if (!locked) throw new Refusal('work order not exists')
        const refusal = takeBackRefusal(locked, await reportedAt(trx, OrderID), sentPhoto(use), actor)
        if (refusal) throw new Refusal(refusal)
        return {
          ...access.auditOf(actor, 'workOrder.photoBack', row.project_id),
          ...{ subject: about('workOrder', OrderID), target: row.number },
          before: { role: use.role, hash: Hash, sender: use.sender },
        }
      })
      if (!removed) throw new Refusal('photo not exists')
      access.published(row)
      return null
    },

    async getPhoto(
      actor: Actor,
      { OrderID, Hash }: Request<typeof getOrderPhoto>['params'],
    ): Promise<Reply<typeof getOrderPhoto>> {
      await access.seen(actor, OrderID)
      return photos.file(photosOwner(OrderID), Hash)
    },
  }
}

const sentPhoto = ({ sender_id, sent_at }: Pick<PhotoRow, 'sender_id' | 'sent_at'>) => ({
  senderId: sender_id,
  sentAt: sent_at.getTime(),
})

/** A photo of an order as somebody is shown it, with the comment that it came with. */
export function photoRecord(actor: Actor, order: Pick<OrderRow, 'status'>, steps: readonly StepRow[], row: PhotoRow): OrderPhoto {
  const reported = steps.findLast(({ act }) => act === 'process')?.at.getTime() ?? null
  const comment = row.note === '' ? undefined : steps.find(({ act_id }) => act_id === row.note)
  return {
    ...{ Hash: row.sent_hash, Role: row.role, StepID: comment?.step_id ?? null },
    ...{ Width: row.width, Height: row.height, Size: row.size },
    ...{ Actor: row.sender, SentAt: row.sent_at.getTime(), TakenAt: row.taken_at?.getTime() ?? null },
    MayTakeBack: row.note === '' && takeBackRefusal(order, reported, sentPhoto(row), actor) === null,
  }
}
