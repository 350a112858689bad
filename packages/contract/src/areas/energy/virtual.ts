import { maxVirtualFactor, maxVirtualTerms } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, orNull, Version } from '../../core/schemas.ts'
import { civilDate } from './tariff.ts'

const meter = {
  area: 'energy',
  scope: { kind: 'project', id: 'HouseID' },
} as const
const changes = {
  ...meter,
  permission: 'system.project',
  audited: true,
  movesEquipment: false,
  touches: ['virtualMeters'],
} as const

const Factor = Type.Number({
  ...{ minimum: -maxVirtualFactor, maximum: maxVirtualFactor },
  description: 'So many times its energy; below nought it is taken off',
})

const fields = {
  Name: called(60),
  Terms: Type.Array(
    Type.Object(
      { LineID: orNull(id), MeterID: orNull({ ...id, description: 'Another virtual meter; one of the two' }), Factor },
      exact,
    ),
    { maxItems: maxVirtualTerms },
  ),
  FloorsAtZero: Type.Boolean({ description: 'Each quarter of an hour that would be below nought is nought' }),
  From: civilDate('First date'),
  To: orNull(civilDate('Last date, included; null: it goes on')),
} as const

export const VirtualMeter = Type.Object(
  {
    MeterID: Type.Integer(),
    HouseID: Type.Integer(),
    ...fields,
    Terms: Type.Array(
      Type.Object(
        {
          LineID: orNull(Type.Integer()),
          MeterID: orNull(Type.Integer()),
          Factor: Type.Number(),
          Name: orNull(Type.String({ description: 'Null: it is in the project no more, and its energy is not known' })),
        },
        exact,
      ),
    ),
    Version: Type.Integer(),
  },
  exact,
)
export type VirtualMeter = Type.Static<typeof VirtualMeter>

export const listVirtualMeters = call({
  ...meter,
  name: 'listVirtualMeters',
  method: 'GET',
  path: '/energy/virtual',
  permission: 'energy.energy',
  shows: ['virtualMeters'],
  summary: 'The virtual meters of a project: lines and other virtual meters, added up or taken off',
  query: Type.Object({ HouseID: id }, exact),
  datas: VirtualMeter,
})

export const insertVirtualMeter = call({
  ...changes,
  name: 'insertVirtualMeter',
  method: 'POST',
  path: '/energy/virtual',
  summary: 'Add a virtual meter. None is made of itself, nor of more than eight on top of each other',
  body: Type.Object({ HouseID: id, ...fields }, exact),
  data: VirtualMeter,
})

export const updateVirtualMeter = call({
  ...changes,
  name: 'updateVirtualMeter',
  method: 'PUT',
  path: '/energy/virtual',
  summary: 'Write a virtual meter anew; with a last date it ends',
  body: Type.Object({ HouseID: id, MeterID: id, Version, ...fields }, exact),
  data: VirtualMeter,
})
