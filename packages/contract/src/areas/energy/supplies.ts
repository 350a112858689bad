import {
  energySteps,
  maxBillingDay,
  maxSupplyMembers,
  maxSupplyTariffs,
  maxSupplyVa,
  powerFactorStandards,
} from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, maybe, orNull, Version } from '../../core/schemas.ts'
import { civilDate } from './tariff.ts'

const supply = {
  area: 'energy',
  scope: { kind: 'project', id: 'HouseID' },
} as const
const changes = {
  ...supply,
  permission: 'system.project',
  audited: true,
  movesEquipment: false,
  touches: ['supplies'],
} as const

const fields = {
  Name: called(60),
  AccountNo: maybe(40, 'Of the account at the utility (户号)'),
  Members: Type.Array(
    Type.Object({ LineID: id, Sign: Type.Enum([1, -1], { description: '1: it counts; -1: it is taken off' }) }, exact),
    { maxItems: maxSupplyMembers },
  ),
  CapacityVa: orNull(Type.Integer({ minimum: 1, maximum: maxSupplyVa, description: 'Whole VA; null: not known' })),
  DeclaredW: orNull(Type.Integer({ minimum: 1, maximum: maxSupplyVa, description: 'Declared demand, whole W; null: none' })),
  PowerFactorStandard: orNull(
    Type.Enum([...powerFactorStandards], { description: 'In hundredths; null: nothing is adjusted by power factor' }),
  ),
  BillingDay: Type.Integer({ minimum: 0, maximum: maxBillingDay, description: 'On which a period begins; 0: the natural month' }),
  EnergyStepWh: Type.Enum([...energySteps], { description: 'To what the utility rounds energy' }),
  From: civilDate('First date'),
  To: orNull(civilDate('Last date, included; null: it goes on')),
  Tariffs: Type.Array(
    Type.Object(
      { TariffID: id, From: orNull(civilDate('Null: from the beginning of the supply on, and only the first')) },
      exact,
    ),
    { maxItems: maxSupplyTariffs, description: 'Each date has exactly one; none at all: its energy has no price' },
  ),
} as const

export const Supply = Type.Object(
  {
    SupplyID: Type.Integer(),
    HouseID: Type.Integer(),
    ...fields,
    Members: Type.Array(
      Type.Object(
        {
          LineID: Type.Integer(),
          Sign: Type.Enum([1, -1]),
          Name: orNull(Type.String({ description: 'Null: the line is in the project no more, and its energy is lacking' })),
        },
        exact,
      ),
    ),
    Version: Type.Integer(),
  },
  exact,
)
export type Supply = Type.Static<typeof Supply>

export const listSupplies = call({
  ...supply,
  name: 'listSupplies',
  method: 'GET',
  path: '/energy/supplies',
  permission: 'energy.energy',
  shows: ['supplies'],
  summary: 'What the utility bills of a project: its supplies, those that are over too',
  query: Type.Object({ HouseID: id }, exact),
  datas: Supply,
})

export const insertSupply = call({
  ...changes,
  name: 'insertSupply',
  method: 'POST',
  path: '/energy/supplies',
  summary: 'Add a supply. No line counts twice for it, nor for two supplies on one date',
  body: Type.Object({ HouseID: id, ...fields }, exact),
  data: Supply,
})

export const updateSupply = call({
  ...changes,
  name: 'updateSupply',
  method: 'PUT',
  path: '/energy/supplies',
  summary: 'Write a supply anew; with a last date it ends',
  body: Type.Object({ HouseID: id, SupplyID: id, Version, ...fields }, exact),
  data: Supply,
})
