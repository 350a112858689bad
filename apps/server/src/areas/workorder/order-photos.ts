import type { getOrderPhoto, OrderPhoto, Reply, Request, sendOrderPhoto } from '@linewarden/contract'
import { about, maxCommentPhotos, maxOrderPhotos } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { PhotoOwner, PhotoRow } from '../../store/photos/use.ts'
import type { StepRow } from '../../store/workorder/step.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { OrderAccess } from './order-access.ts'

/** What the photos of an order are read through. */
export const photosOwner = (orderId: number) => ({ kind: 'workOrder', id: String(orderId) }) as const satisfies PhotoOwner

/** Photos of orders, and of comments on them: whoever sees the order sees them, and sends more. */
export function createOrderPhotos({ photos }: Pick<WorkOrderDeps, 'photos'>, access: OrderAccess) {
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

    async getPhoto(
      actor: Actor,
      { OrderID, Hash }: Request<typeof getOrderPhoto>['params'],
    ): Promise<Reply<typeof getOrderPhoto>> {
      await access.seen(actor, OrderID)
      return photos.file(photosOwner(OrderID), Hash)
    },
  }
}

/** A photo as somebody is shown it, with the comment that it came with. */
export function photoRecord(row: PhotoRow, steps: readonly StepRow[]): OrderPhoto {
  const comment = row.note === '' ? undefined : steps.find(({ act_id }) => act_id === row.note)
  return {
    ...{ Hash: row.sent_hash, Role: row.role, StepID: comment?.step_id ?? null },
    ...{ Width: row.width, Height: row.height, Size: row.size },
    ...{ Actor: row.sender, SentAt: row.sent_at.getTime(), TakenAt: row.taken_at?.getTime() ?? null },
  }
}
