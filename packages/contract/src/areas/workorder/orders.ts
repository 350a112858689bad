import { priorities } from '@linewarden/equipment'
import { orderStatuses, orderTypes } from '@linewarden/rules/workorder'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { asFile, FileTicket, maxExportedRows } from '../../core/file-ticket.ts'
import { PhotoHash, PhotoReceived, photoBodyBytes, photoPiece, photoTypes } from '../../core/photo.ts'
import {
  ControllerID,
  exact,
  id,
  maybe,
  optional,
  orNull,
  ownUuid,
  paging,
  requiredText,
  sorting,
  uuid,
} from '../../core/schemas.ts'
import { EventRecord } from '../alarm/alarm.ts'
import {
  actFields,
  Helpers,
  maxCommentPhotos,
  OrderID,
  OrderPhoto,
  OrderStep,
  orderDays,
  orderDescription,
  orderPhotoRoles,
  orderTitle,
  PhoneTimes,
  WorkOrder,
} from './order.ts'

const workorder = { area: 'workorder', permission: 'hazard.workorder', scope: { kind: 'own' } } as const
const changes = { ...workorder, audited: true, movesEquipment: false, touches: ['workOrders', 'hazards'] } as const
const anOrder = [{ kind: 'workOrder', id: 'OrderID' }] as const

/** Filters of the list that are one press. */
export const orderViews = ['mine', 'undispatched', 'overdue', 'toAccept', 'watching'] as const
export type OrderView = (typeof orderViews)[number]

const countsOf = <const K extends string>(keys: readonly K[]) =>
  Type.Object(Object.fromEntries(keys.map((key) => [key, Type.Integer()])) as Record<K, Type.TInteger>, exact)

/** Which orders: each field narrows it further. */
const orderFilter = {
  CityID: optional(id),
  HouseID: optional(id),
  DeviceID: optional(id),
  ControllerID: optional(ControllerID),
  LineID: optional(id),
  View: optional(
    Type.Enum([...orderViews], {
      description: 'mine: I am in charge or help. toAccept: processed. watching: accepted in the last days, the value is watched',
    }),
  ),
  Status: optional(Type.Enum([...orderStatuses])),
  Type: optional(Type.Enum([...orderTypes])),
  Priority: optional(Type.Enum([...priorities])),
  PersonID: optional({ ...uuid, description: 'Who is in charge' }),
  Text: optional(maybe(64, 'Part of its number, title or description')),
} as const
const orderSorting = sorting('Clock', 'Number', 'Priority', 'CreatedAt', 'Status')
const inProject = { kind: 'project', id: 'HouseID', optional: true, part: true } as const

export const queryWorkOrders = call({
  ...workorder,
  name: 'queryWorkOrders',
  method: 'POST',
  path: '/workorders/query',
  reads: true,
  scope: inProject,
  shows: ['workOrders'],
  summary: 'Work orders that I see, those first whose clock runs out first',
  body: Type.Object(
    {
      ...orderFilter,
      Board: optional(
        Type.Boolean({ description: 'Of each status its first `Size`, one status after the other; there is no second page' }),
      ),
      ...orderSorting,
      ...paging,
    },
    exact,
  ),
  datas: WorkOrder,
  about: Type.Object(
    {
      Statuses: countsOf(orderStatuses),
      Views: countsOf(orderViews),
      Columns: countsOf(orderStatuses),
    },
    {
      ...exact,
      description:
        'How many there are of each status and view, under the other filters; of each status under all of them (`Columns`)',
    },
  ),
})

export const exportWorkOrders = call({
  ...workorder,
  name: 'exportWorkOrders',
  method: 'POST',
  path: '/workorders/report',
  reads: true,
  scope: inProject,
  summary: `Prepare a file of work orders, ${maxExportedRows} at most; its one-use ticket starts the download at /downloads/{Ticket}`,
  body: Type.Object({ ...orderFilter, ...orderSorting, ...asFile }, exact),
  data: FileTicket,
})

export const getWorkOrder = call({
  ...workorder,
  name: 'getWorkOrder',
  method: 'GET',
  path: '/workorders/:OrderID',
  shows: ['workOrders'],
  summary: 'One work order, with its alarms, its history and what was written about it',
  params: Type.Object({ OrderID }, exact),
  data: Type.Object(
    {
      Order: WorkOrder,
      Events: Type.Array(EventRecord),
      Steps: Type.Array(OrderStep, { description: 'The oldest first' }),
      Photos: Type.Array(OrderPhoto, { description: 'The oldest first' }),
    },
    exact,
  ),
})

/** Somebody who can take an order. */
const OrderTaker = Type.Object(
  { AccountID: Type.String(), Name: Type.String(), JobName: Type.String(), Open: Type.Integer(), Overdue: Type.Integer() },
  exact,
)
export type OrderTaker = Type.Static<typeof OrderTaker>

export const workOrderPeople = call({
  ...workorder,
  name: 'workOrderPeople',
  method: 'GET',
  path: '/workorders/people',
  scope: { kind: 'project', id: 'HouseID', part: true },
  shows: ['workOrders', 'users'],
  summary: 'Who can be in charge of an order in a project: they see the place and may open the page',
  query: Type.Object({ HouseID: id, DeviceID: optional({ ...id, description: 'A gateway of the project' }) }, exact),
  datas: OrderTaker,
})

export const insertWorkOrder = call({
  ...changes,
  name: 'insertWorkOrder',
  method: 'POST',
  path: '/workorders/insert',
  scope: { kind: 'project', id: 'HouseID', part: true },
  subject: [
    { kind: 'project', id: 'HouseID' },
    { called: 'Title' },
    { kind: 'hazard', id: 'HazardID' },
    { kind: 'gatewayId', id: 'DeviceID' },
    { kind: 'device', id: 'ControllerID' },
  ],
  summary: 'Make a work order: of an alarm, of a hazard, of a place. Where its hazard has an open one it joins that',
  body: Type.Object(
    {
      HouseID: id,
      ActID: ownUuid,
      Type: Type.Enum([...orderTypes]),
      Title: orderTitle,
      Description: orderDescription,
      Priority: Type.Enum([...priorities]),
      PersonInCharge: optional(uuid),
      Helpers: optional(Helpers),
      EventID: optional(
        Type.String({ pattern: '^[0-9]{1,18}$', description: 'The alarm it is made from: its place is where that was raised' }),
      ),
      HazardID: optional({ ...id, description: 'The hazard it is made from: its place is where that is' }),
      DeviceID: optional(id),
      ControllerID: optional(ControllerID),
      LineNo: optional(Type.Integer({ minimum: 0, maximum: 9_999, description: 'With its device; 0: the device itself' })),
      ...orderDays,
      Dispatch: optional(Type.Boolean({ description: 'At once to whoever is in charge' })),
    },
    exact,
  ),
  data: Type.Object(
    { Order: WorkOrder, Joined: Type.Boolean({ description: 'There was an open one: nothing else was made' }) },
    exact,
  ),
})

export const updateWorkOrder = call({
  ...changes,
  name: 'updateWorkOrder',
  method: 'PUT',
  path: '/workorders/update',
  subject: anOrder,
  summary: 'Write an open order anew: its founder, or an administrator',
  body: Type.Object(
    { ...actFields, Title: orderTitle, Description: orderDescription, Priority: Type.Enum([...priorities]), ...orderDays },
    exact,
  ),
  data: WorkOrder,
})

export const commentWorkOrder = call({
  ...changes,
  name: 'commentWorkOrder',
  method: 'POST',
  path: '/workorders/:OrderID/comments',
  subject: anOrder,
  summary: 'Write something about an order, for whoever sees it; nothing that was written is changed or taken back',
  params: Type.Object({ OrderID }, exact),
  body: Type.Object(
    {
      ActID: ownUuid,
      Text: requiredText(1_000),
      Photos: optional(
        Type.Array(PhotoHash, {
          ...{ maxItems: maxCommentPhotos, uniqueItems: true },
          description: 'Photos that were sent for it before, with its ActID',
        }),
      ),
      Arrived: optional(Type.Boolean({ description: 'It says that whoever has the order is on site; nobody else says so' })),
      Phone: optional(PhoneTimes),
    },
    exact,
  ),
  data: orNull(OrderStep),
})

const OrderPhotoTarget = Type.Object({ OrderID, Hash: PhotoHash }, exact)

export const sendOrderPhoto = call({
  ...changes,
  name: 'sendOrderPhoto',
  method: 'PUT',
  path: '/workorders/:OrderID/photos/:Hash',
  subject: anOrder,
  maxBodyBytes: photoBodyBytes,
  summary:
    'A piece of a photo of an order: it is the order’s once all of it is here. The same again changes nothing; of a comment it stays once that has come',
  params: OrderPhotoTarget,
  body: Type.Object(
    {
      Role: Type.Enum([...orderPhotoRoles]),
      ActID: optional({ ...ownUuid, description: 'Of the comment that it is for' }),
      ...photoPiece,
    },
    exact,
  ),
  data: PhotoReceived,
})

export const takeBackOrderPhoto = call({
  ...changes,
  name: 'takeBackOrderPhoto',
  method: 'DELETE',
  path: '/workorders/:OrderID/photos/:Hash',
  subject: anOrder,
  summary:
    'Take back a photo that should not be there: whoever sent it, or an administrator, until the order is reported as done. One of a comment stays',
  params: OrderPhotoTarget,
})

export const getOrderPhoto = call({
  ...workorder,
  name: 'getOrderPhoto',
  method: 'GET',
  path: '/workorders/:OrderID/photos/:Hash',
  shows: [],
  summary: 'A photo of an order, as it is',
  params: OrderPhotoTarget,
  file: photoTypes,
})
