import type { commentWorkOrder, Reply, Request, updateWorkOrder, WorkOrder } from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import { actRefusal, rolesOf, withPriority } from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import { keepPhotos } from '../../store/photos/use.ts'
import { actOnOrder } from '../../store/workorder/act.ts'
import type { OrderRow } from '../../store/workorder/order.ts'
import { stateOf } from '../../store/workorder/order.ts'
import { stepOfOrder } from '../../store/workorder/step.ts'
import { addComment } from '../../store/workorder/write.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { OrderAccess } from './order-access.ts'
import { duesAfter } from './order-access.ts'
import { photosOwner } from './order-photos.ts'
import { isOpen, stepRecord } from './order-record.ts'
import { refuseUnlessDone } from './order-run.ts'
import { refusalOf, refuseWrong } from './order-words.ts'
import { phoneColumns } from './phone-times.ts'

/** What people write in an order, and about it. */
export function createOrderTexts({ database, clock }: WorkOrderDeps, access: OrderAccess) {
  return {
    async update(actor: Actor, body: Request<typeof updateWorkOrder>['body']): Promise<WorkOrder> {
      const found = await access.seen(actor, body.OrderID)
      // Who is in charge is no matter of this form.
      refuseWrong(body, '-')
      const [time, now] = [await access.time(found.project_id), clock()]
      const act = { id: body.ActID, actor: actor.accountId, version: body.Version, name: 'update' }
      const acted = await actOnOrder(database, { orderId: body.OrderID, act }, (row) => {
        const before = stateOf(row)
        const who = ['founder', 'administrator'] as const
        if (!isOpen(row)) throw new Refusal('order is open no more')
        if (!rolesOf(before, actor).some((role) => who.some((each) => each === role)))
          throw refusalOf({ key: 'order not yours', who })
        const clockNow = body.Priority === row.priority ? row.clock : withPriority(row.clock, body.Priority, now)
        const texts = {
          ...{ title: body.Title.trim(), description: body.Description.trim(), priority: body.Priority },
          ...{ valid_days: body.ValidDays, reminder_days: body.ReminderDays, working_days_only: body.WorkingDaysOnly },
        }
        const after = { ...before, priority: body.Priority, clock: clockNow }
        const by = { act: null, actor: actor.accountId, now }
        const { overdue_at, due } = duesAfter({ overdue_at: row.overdue_at, state: before }, after, texts, time, by)
        return {
          ...{ due, now },
          columns: { ...texts, clock: JSON.stringify(clockNow), overdue_at },
          step: {
            ...{ act_id: body.ActID, at: new Date(now), act: 'update', from_status: row.status, to_status: row.status },
            ...{ actor_id: actor.accountId, actor: access.nameOf(actor) },
          },
          hazard: null,
          audit: {
            ...access.auditOf(actor, 'workOrder.edit', row.project_id),
            ...{ subject: about('workOrder', body.OrderID), target: row.number },
            before: { title: row.title, description: row.description, priority: row.priority, validDays: row.valid_days },
            after: { title: texts.title, description: texts.description, priority: texts.priority, validDays: texts.valid_days },
          },
        }
      })
      if (refuseUnlessDone(acted)) access.published(found)
      return access.record(actor, body.OrderID)
    },

    async comment(
      actor: Actor,
      orderId: number,
      { ActID, Text, Photos = [], Arrived = false, Phone }: Request<typeof commentWorkOrder>['body'],
    ): Promise<Reply<typeof commentWorkOrder>> {
      const row = await access.seen(actor, orderId)
      const [now, act] = [clock(), Arrived ? 'arrive' : 'comment']
      const had = await stepOfOrder(database.general, orderId, ActID)
      if (Arrived && !had) refuseUnlessHasIt(row, actor)
      const made = await addComment(
        database,
        orderId,
        {
          ...{ act_id: ActID, at: new Date(now), act, from_status: row.status, to_status: row.status },
          ...{ actor_id: actor.accountId, actor: access.nameOf(actor) },
          reason: Text.trim(),
          ...phoneColumns(Phone, now),
        },
        {
          ...access.auditOf(actor, 'workOrder.comment', row.project_id),
          ...{ subject: about('workOrder', orderId), target: row.number },
          after: Photos.length === 0 ? Text.trim() : { text: Text.trim(), photos: Photos.length },
        },
        async (trx) => {
          const missing = Photos.length - (await keepPhotos(trx, photosOwner(orderId), ActID, Photos))
          if (missing > 0) throw new Refusal('photo missing', { count: missing })
        },
      )
      const step = await stepOfOrder(database.general, orderId, ActID)
      if (!made && (step?.actor_id !== actor.accountId || step.act !== act)) throw new Refusal('order act used')
      if (made) access.published(row)
      return step ? stepRecord(step) : null
    },
  }
}

/** Only whoever has an order that is under way can be on site for it. */
function refuseUnlessHasIt(row: OrderRow, actor: Actor): void {
  const refused = actRefusal(stateOf(row), 'process', actor, 0)
  if (refused) throw refusalOf(refused)
}
