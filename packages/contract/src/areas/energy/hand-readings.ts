import { maxRegisterKwh } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, orNull, requiredText, time, Version } from '../../core/schemas.ts'

const reading = {
  area: 'energy',
  scope: { kind: 'project', id: 'HouseID' },
} as const
const changes = {
  ...reading,
  permission: 'system.project',
  audited: true,
  movesEquipment: false,
  touches: ['energyFixes'],
} as const

const fields = {
  At: time('When it was read'),
  Kwh: Type.Number({ minimum: 0, maximum: maxRegisterKwh, description: 'What the register showed, before the multiplier' }),
} as const

export const HandReading = Type.Object(
  {
    ReadingID: Type.Integer(),
    LineID: Type.Integer(),
    Name: Type.String(),
    GatewayName: Type.String(),
    ...fields,
    Reason: Type.String(),
    TypedAt: Type.Integer({ description: 'Unix ms' }),
    TypedBy: orNull(Type.String({ description: 'Null: a guest asks' })),
    UndoneAt: orNull(Type.Integer({ description: 'Null: it counts' })),
    UndoneBy: orNull(Type.String()),
    Version: Type.Integer(),
  },
  exact,
)
export type HandReading = Type.Static<typeof HandReading>

export const listHandReadings = call({
  ...reading,
  name: 'listHandReadings',
  method: 'GET',
  path: '/energy/readings',
  permission: 'energy.energy',
  shows: ['energyFixes'],
  summary: 'Registers that somebody read off at the cabinet, the latest first, what was undone too',
  query: Type.Object({ HouseID: id }, exact),
  datas: HandReading,
})

export const insertHandReading = call({
  ...changes,
  name: 'insertHandReading',
  method: 'POST',
  path: '/energy/readings',
  summary: 'Enter what a register showed; the quarters around it are made of it, too',
  body: Type.Object({ HouseID: id, LineID: id, ...fields, Reason: requiredText(200, 'Why, as the log keeps it') }, exact),
  data: HandReading,
})

export const undoHandReading = call({
  ...changes,
  name: 'undoHandReading',
  method: 'PUT',
  path: '/energy/readings',
  summary: 'Undo what was read off: the quarters around it are made without it',
  body: Type.Object({ HouseID: id, ReadingID: id, Version, Reason: requiredText(200, 'Why, as the log keeps it') }, exact),
  data: HandReading,
})
