import { closeReasons, pauseReasons } from '@linewarden/rules/workorder'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, maybe, optional, orNull, ownUuid, requiredText, Text, time, uuid, Version } from '../../core/schemas.ts'
import { actFields, Helpers, OrderID, PhoneAct, WorkOrder } from './order.ts'

const changes = {
  area: 'workorder',
  permission: 'hazard.workorder',
  scope: { kind: 'own' },
  method: 'PUT',
  audited: true,
  movesEquipment: false,
  touches: ['workOrders', 'hazards'],
} as const
const anOrder = [{ kind: 'workOrder', id: 'OrderID' }] as const

/** So many orders one press dispatches or accepts. */
export const maxOrdersAtOnce = 200

const Reason = requiredText(500)

const several = {
  ActID: ownUuid,
  Orders: Type.Array(Type.Object({ OrderID, Version }, exact), { minItems: 1, maxItems: maxOrdersAtOnce }),
} as const
const Outcome = Type.Object(
  {
    OrderID: Type.Integer(),
    Refusal: orNull(Type.Object({ Key: Type.String(), Text }, exact)),
    Order: orNull(WorkOrder),
  },
  { ...exact, description: 'Of each; of a single one what refuses it is the answer of the call' },
)
export type OrderOutcome = Type.Static<typeof Outcome>

export const dispatchWorkOrders = call({
  ...changes,
  name: 'dispatchWorkOrders',
  path: '/workorders/dispatch',
  subject: [{ kind: 'workOrder', id: 'Orders.OrderID' }],
  summary: 'Give orders to somebody: one that another has already needs a reason',
  body: Type.Object({ ...several, PersonInCharge: uuid, Helpers: optional(Helpers), Reason: optional(maybe(500)) }, exact),
  datas: Outcome,
})

export const takeWorkOrder = call({
  ...changes,
  name: 'takeWorkOrder',
  path: '/workorders/take',
  subject: anOrder,
  summary: 'Say that one is on it',
  body: Type.Object({ ...actFields, Phone: optional(PhoneAct) }, exact),
  data: WorkOrder,
})

export const declineWorkOrder = call({
  ...changes,
  name: 'declineWorkOrder',
  path: '/workorders/decline',
  subject: anOrder,
  summary: 'Give an order back, for a reason',
  body: Type.Object({ ...actFields, Reason }, exact),
  data: WorkOrder,
})

export const pauseWorkOrder = call({
  ...changes,
  name: 'pauseWorkOrder',
  path: '/workorders/hold',
  subject: anOrder,
  summary: 'Stop the clock of an order until an instant, at most 30 days in all; or let it go on',
  body: Type.Object(
    {
      ...actFields,
      Until: orNull(time('Until then; null: it goes on now')),
      Why: optional(Type.Enum([...pauseReasons])),
      Reason: optional(maybe(500)),
      Phone: optional(PhoneAct),
    },
    exact,
  ),
  data: WorkOrder,
})

export const processWorkOrder = call({
  ...changes,
  name: 'processWorkOrder',
  path: '/workorders/process',
  subject: anOrder,
  summary:
    'Report an order as dealt with: from then on it is verified. Refused because another has it, what was written stays as a comment',
  body: Type.Object(
    {
      ...actFields,
      Cause: requiredText(1_000),
      Done: requiredText(2_000),
      Parts: optional(maybe(500)),
      LabourMin: optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
      Phone: optional(PhoneAct),
    },
    exact,
  ),
  data: WorkOrder,
})

export const returnWorkOrder = call({
  ...changes,
  name: 'returnWorkOrder',
  path: '/workorders/return',
  subject: anOrder,
  summary: 'Send a processed order back to whoever had it, for a reason',
  body: Type.Object({ ...actFields, Reason }, exact),
  data: WorkOrder,
})

export const acceptWorkOrders = call({
  ...changes,
  name: 'acceptWorkOrders',
  path: '/workorders/accept',
  subject: [{ kind: 'workOrder', id: 'Orders.OrderID' }],
  summary: 'Accept processed orders: what is not verified only by an administrator, for a reason',
  body: Type.Object({ ...several, Unverified: optional(maybe(500, 'Why it is accepted without proof')) }, exact),
  datas: Outcome,
})

export const closeWorkOrder = call({
  ...changes,
  name: 'closeWorkOrder',
  path: '/workorders/close',
  subject: anOrder,
  summary: 'Close an order that is not to be dealt with',
  body: Type.Object(
    {
      ...actFields,
      Why: Type.Enum([...closeReasons]),
      DuplicateOf: optional({ ...OrderID, description: 'Of a duplicate: which order it repeats' }),
      Reason,
    },
    exact,
  ),
  data: WorkOrder,
})

export const reopenWorkOrder = call({
  ...changes,
  name: 'reopenWorkOrder',
  path: '/workorders/reopen',
  subject: anOrder,
  summary: 'Reopen an order that was closed in the last 30 days',
  body: Type.Object({ ...actFields, Reason }, exact),
  data: WorkOrder,
})
