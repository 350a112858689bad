import { CallError } from '@linewarden/client'
import { commentWorkOrder, pauseWorkOrder, processWorkOrder, takeWorkOrder } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { api } from '../../../../app/net/api.ts'
import { touched } from '../../../../app/net/touched.ts'
import type { Sender } from '../../../../app/offline/outbox.ts'
import { fetchOrderAfter } from './kept-orders.ts'
import type { OrderEntry } from './order-entries.ts'
import { orderIdOf } from './order-entries.ts'

const timeoutMs = 30_000

const movedText: Text = {
  zh: '您操作之后，别人改动了这张工单（见经过），这一项没有生效。请看最新工单，再决定是否重新提交',
  en: 'Somebody else moved this order after you had read it (see its history), so this did not count. Read it as it is now, then decide whether to submit again',
}

/** Acts on an order, one after the other. Sent again after an answer was lost each is the same act. */
export const orderSender: Sender = {
  most: 1,
  async send([entry]) {
    if (!entry) return []
    const { id, rev } = entry
    try {
      await sendAct(entry as OrderEntry)
      await showNow(entry as OrderEntry)
      return [{ id, rev, became: 'held' }]
    } catch (error) {
      if (!(error instanceof CallError && error.refused)) throw error
      // Whoever reads why it was refused reads beside it how the order stands.
      await showNow(entry as OrderEntry)
      if (error.message !== 'changed meanwhile') throw error
      return [{ id, rev, became: 'refused', why: movedText }]
    }
  },
}

async function showNow(entry: OrderEntry): Promise<void> {
  await fetchOrderAfter(orderIdOf(entry))
  await touched(takeWorkOrder)
}

async function sendAct({ thing, body }: OrderEntry): Promise<unknown> {
  const { ActID, PhoneTime, Version, SeenStep } = body
  const OrderID = orderIdOf({ thing })
  const times = { PhoneTime, Now: Date.now() }
  const asked = { OrderID, Version, ActID, Phone: { ...times, SeenStep } }
  switch (body.Does) {
    case 'take':
      return api.call(takeWorkOrder, { body: asked }, { timeoutMs })
    case 'pause': {
      const { Until, Why, Reason } = body
      return api.call(pauseWorkOrder, { body: { ...asked, Until, Why, Reason } }, { timeoutMs })
    }
    case 'resume':
      return api.call(pauseWorkOrder, { body: { ...asked, Until: null } }, { timeoutMs })
    case 'process': {
      const { Cause, Done, Parts, LabourMin } = body
      const written = { Cause, Done, Parts, ...(LabourMin !== null && { LabourMin }) }
      return api.call(processWorkOrder, { body: { ...asked, ...written } }, { timeoutMs })
    }
    default: {
      const Arrived = body.Does === 'arrive'
      const note = { ActID, Text: body.Text, ...(Arrived && { Arrived }), Phone: times }
      return api.call(commentWorkOrder, { params: { OrderID }, body: note }, { timeoutMs })
    }
  }
}
