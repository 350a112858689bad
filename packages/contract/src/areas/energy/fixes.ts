import { fixMethods, maxRegisterKwh } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, orNull, requiredText, time, Version } from '../../core/schemas.ts'

const fix = {
  area: 'energy',
  scope: { kind: 'project', id: 'HouseID' },
} as const
const changes = {
  ...fix,
  permission: 'system.project',
  audited: true,
  movesEquipment: false,
  touches: ['energyFixes'],
} as const

const kwh = (description: string) => orNull(Type.Number({ minimum: 0, maximum: maxRegisterKwh, description }))

const fields = {
  From: time('The first quarter of an hour'),
  To: time('The end of the last one'),
  Method: Type.Enum([...fixMethods], {
    description:
      'register: two registers were read off; kwh: so much was used; both are spread evenly. profile: as the line usually goes, an estimate; zero: nothing was used',
  }),
  Kwh: kwh('Of `kwh`: what was used'),
  StartKwh: kwh('Of `register`: what it showed at From, before the multiplier'),
  EndKwh: kwh('Of `register`: what it showed at To'),
} as const

export const EnergyFix = Type.Object(
  {
    FixID: Type.Integer(),
    LineID: Type.Integer(),
    Name: Type.String(),
    GatewayName: Type.String(),
    ...fields,
    Wh: orNull(Type.Number({ description: 'What it comes to, whole Wh; null: nothing is usual there' })),
    Reason: Type.String(),
    TypedAt: Type.Integer({ description: 'Unix ms' }),
    TypedBy: orNull(Type.String({ description: 'Null: a guest asks' })),
    UndoneAt: orNull(Type.Integer({ description: 'Null: it counts' })),
    UndoneBy: orNull(Type.String()),
    Version: Type.Integer(),
  },
  exact,
)
export type EnergyFix = Type.Static<typeof EnergyFix>

export const listFixes = call({
  ...fix,
  name: 'listFixes',
  method: 'GET',
  path: '/energy/fixes',
  permission: 'energy.energy',
  shows: ['energyFixes'],
  summary: 'What somebody entered over the energy of lines of a project, the latest first, what was undone too',
  query: Type.Object({ HouseID: id }, exact),
  datas: EnergyFix,
})

export const insertFix = call({
  ...changes,
  name: 'insertFix',
  method: 'POST',
  path: '/energy/fixes',
  summary: 'Enter energy of a line over quarters of an hour; what was reported stays below it',
  body: Type.Object({ HouseID: id, LineID: id, ...fields, Reason: requiredText(200, 'Why, as the log keeps it') }, exact),
  data: EnergyFix,
})

export const undoFix = call({
  ...changes,
  name: 'undoFix',
  method: 'PUT',
  path: '/energy/fixes',
  summary: 'Undo what was entered: its quarters are made of what was reported again',
  body: Type.Object({ HouseID: id, FixID: id, Version, Reason: requiredText(200, 'Why, as the log keeps it') }, exact),
  data: EnergyFix,
})
