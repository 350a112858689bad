import type {
  closeWorkOrder,
  declineWorkOrder,
  pauseWorkOrder,
  processWorkOrder,
  Request,
  reopenWorkOrder,
  returnWorkOrder,
  takeWorkOrder,
  WorkOrder,
} from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { maxPauseMs } from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import { otherOpenOrder } from '../../store/workorder/hazard-order.ts'
import { orderById, stateOf } from '../../store/workorder/order.ts'
import { addComment } from '../../store/workorder/write.ts'
import type { CloseOut } from './close-out.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { OrderAccess } from './order-access.ts'
import { createOrderRun } from './order-run.ts'
import { phoneColumns } from './phone-times.ts'

/** What one person does to one order. */
export function createOrderActs(deps: WorkOrderDeps, access: OrderAccess, closeOut: CloseOut) {
  const { run } = createOrderRun(deps, access)
  return {
    take: (actor: Actor, body: Request<typeof takeWorkOrder>['body']): Promise<WorkOrder> =>
      run(actor, body, () => ({ act: 'take', step: { act: 'take' } })),

    decline: (actor: Actor, body: Request<typeof declineWorkOrder>['body']): Promise<WorkOrder> =>
      run(actor, body, () => ({ act: 'decline', step: { act: 'decline' }, note: { reason: body.Reason.trim() } })),

    pause,

    process,

    sendBack: (actor: Actor, body: Request<typeof returnWorkOrder>['body']): Promise<WorkOrder> =>
      run(actor, body, () => ({
        ...{ act: 'return', step: { act: 'return' }, note: { reason: body.Reason.trim() } },
        columns: () => ({ verification: null }),
      })),

    finish(actor: Actor, body: Request<typeof closeWorkOrder>['body']): Promise<WorkOrder> {
      const { Why, DuplicateOf, Reason } = body
      return run(actor, body, () => ({
        ...{ act: 'close', step: { act: 'close' }, note: { reason: Reason.trim(), why: Why } },
        columns: () => ({ close_reason: Why, duplicate_of: Why === 'duplicate' ? (DuplicateOf ?? null) : null }),
        async check(row, trx) {
          if (Why !== 'duplicate') return
          const former = DuplicateOf === undefined ? undefined : await orderById(trx, DuplicateOf)
          const isFit = former && former.order_id !== row.order_id && former.status !== 'closed'
          if (!isFit || former.project_id !== row.project_id || !access.sees(actor, former))
            throw new Refusal('order duplicate wrong')
        },
      }))
    },

    reopen: (actor: Actor, body: Request<typeof reopenWorkOrder>['body']): Promise<WorkOrder> =>
      run(actor, body, () => ({
        ...{ act: 'reopen', step: { act: 'reopen' }, note: { reason: body.Reason.trim() } },
        columns: () => ({ close_reason: null, duplicate_of: null, paused_why: null }),
        async check(row, trx) {
          const other = await otherOpenOrder(trx, row)
          if (other !== null) throw new Refusal('order has successor', { number: other })
        },
      })),
  }

  function pause(actor: Actor, body: Request<typeof pauseWorkOrder>['body']): Promise<WorkOrder> {
    const { Until, Why, Reason = '' } = body
    if (Until === null) return run(actor, body, () => ({ act: 'resume', step: { act: 'resume' } }))
    return run(actor, body, () => ({
      ...{ act: 'pause', step: { act: 'pause', until: Until } },
      note: { reason: Reason.trim(), until: new Date(Until), why: Why ?? null },
      columns: () => ({ paused_why: Why ?? null }),
      check(row, _, now) {
        const left = maxPauseMs(stateOf(row))
        if (Why === undefined || Until <= now || Until > now + left)
          throw new Refusal('order pause wrong', { days: Math.floor(left / dayMs) })
      },
    }))
  }

  async function process(actor: Actor, body: Request<typeof processWorkOrder>['body']): Promise<WorkOrder> {
    const { Cause, Done, Parts = '', LabourMin = null } = body
    const written = { cause: Cause.trim(), done: Done.trim(), parts: Parts.trim(), labour_min: LabourMin }
    try {
      return await run(actor, body, () => ({
        ...{ act: 'process', step: { act: 'process' }, note: { reason: written.done } },
        columns: async (row, trx, now) => ({
          ...{ ...written, dealt_at: new Date(now) },
          verification: JSON.stringify(await closeOut.verificationOf(trx, row, now, now)),
        }),
      }))
    } catch (error) {
      if (error instanceof Refusal) await keepWritten(deps, access, actor, body, error)
      throw error
    }
  }
}

/** Another has the order by now: what was written on site is not lost. */
async function keepWritten(
  { database, clock }: WorkOrderDeps,
  access: OrderAccess,
  actor: Actor,
  body: Request<typeof processWorkOrder>['body'],
  refusal: Refusal,
): Promise<void> {
  const keys: readonly string[] = ['order not yours', 'order state', 'changed meanwhile', 'order act used']
  if (!keys.includes(refusal.key)) return
  const row = await access.seen(actor, body.OrderID)
  const isOwn = row.person_id === actor.accountId || row.helpers.some(({ id }) => id === actor.accountId)
  if (isOwn || row.person_name === '') return
  const at = clock()
  await addComment(
    database,
    body.OrderID,
    {
      ...{ act_id: body.ActID, at: new Date(at), act: 'comment', from_status: row.status, to_status: row.status },
      ...{ actor_id: actor.accountId, actor: access.nameOf(actor) },
      ...phoneColumns(body.Phone, at),
      reason: [body.Cause.trim(), body.Done.trim(), (body.Parts ?? '').trim()].filter((text) => text !== '').join('\n'),
    },
    {
      ...access.auditOf(actor, 'workOrder.comment', row.project_id),
      ...{ subject: about('workOrder', body.OrderID), target: row.number, after: { cause: body.Cause, done: body.Done } },
    },
  )
  access.published(row)
  throw new Refusal('order has other person', { name: row.person_name })
}
