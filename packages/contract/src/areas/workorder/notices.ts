import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, optional } from '../../core/schemas.ts'
import { EventRecord } from '../alarm/alarm.ts'
import { OrderID } from './order.ts'

const notices = { area: 'workorder', permission: 'hazard.workorder', scope: { kind: 'own' } } as const

export const listOrderNotices = call({
  ...notices,
  name: 'listOrderNotices',
  method: 'GET',
  path: '/workorders/notices',
  shows: ['orderNotices'],
  summary:
    'What I was notified of about work orders that I have not opened since: of each order the newest, and how many orders these are',
  query: Type.Object({ Size: optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 50' })) }, exact),
  datas: EventRecord,
})

export const readOrderNotices = call({
  ...notices,
  name: 'readOrderNotices',
  method: 'PUT',
  path: '/workorders/notices/read',
  audited: true,
  movesEquipment: false,
  touches: ['orderNotices'],
  subject: [{ kind: 'workOrder', id: 'OrderID' }],
  summary: 'Say that I have opened an order: whatever I was notified of about it is acknowledged, for me alone',
  body: Type.Object({ OrderID }, exact),
  data: Type.Object({ Read: Type.Integer({ description: 'How many notices that were' }) }, exact),
})
