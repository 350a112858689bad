import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, uuid } from '../../core/schemas.ts'

/** How many views of the alarm list one account keeps. */
export const maxAlarmViews = 20

const View = {
  ViewID: { ...uuid, description: 'Made once by the caller; sent again, the view is replaced' },
  Name: called(40),
  Address: Type.String({
    maxLength: 2_000,
    pattern: '^[A-Za-z0-9%&=._~:*+,-]*$',
    description: 'What the address of the list says behind its question mark: place, filters, order',
  }),
}

export const AlarmView = Type.Object(View, exact)
export type AlarmView = Type.Static<typeof AlarmView>

const mine = { area: 'alarm', permission: 'hazard.alarmList', scope: { kind: 'own' } } as const

export const listAlarmViews = call({
  ...mine,
  name: 'listAlarmViews',
  method: 'GET',
  path: '/messages/views',
  shows: ['alarmViews'],
  summary: 'The views of the alarm list that I keep, by their names',
  datas: AlarmView,
})

export const keepAlarmView = call({
  ...mine,
  name: 'keepAlarmView',
  method: 'PUT',
  path: '/messages/views',
  movesEquipment: false,
  touches: ['alarmViews'],
  summary: `Keep a view of the alarm list; ${maxAlarmViews} at most`,
  body: AlarmView,
  data: AlarmView,
})

export const removeAlarmView = call({
  ...mine,
  name: 'removeAlarmView',
  method: 'PUT',
  path: '/messages/views/delete',
  movesEquipment: false,
  touches: ['alarmViews'],
  summary: 'Keep a view of the alarm list no longer',
  body: Type.Object({ ViewID: uuid }, exact),
})
