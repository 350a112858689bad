import { maxAccuracyPercent, maxMultiplier, maxRegisterKwh } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, maybe, optional, orNull, requiredText, time } from '../../core/schemas.ts'

const meter = {
  area: 'energy',
  scope: { kind: 'project', id: 'HouseID' },
} as const
const changes = {
  ...meter,
  permission: 'system.project',
  audited: true,
  movesEquipment: false,
  touches: ['meters'],
} as const

const register = (description: string) => orNull(Type.Number({ minimum: 0, maximum: maxRegisterKwh, description }))

const fields = {
  Serial: maybe(40, 'As it stands on the meter'),
  Multiplier: Type.Number({
    ...{ minimum: 0.0001, maximum: maxMultiplier },
    description: 'Current transformer times voltage transformer, at most 4 places: what the register shows counts so many times',
  }),
  AccuracyPercent: Type.Number({ minimum: 0.001, maximum: maxAccuracyPercent, description: 'Its class' }),
  RegisterMaxKwh: orNull(
    Type.Number({
      ...{ minimum: 0.001, maximum: maxRegisterKwh },
      description: 'Where its register begins at nought again; null: not known',
    }),
  ),
  StartRegisterKwh: register('What was read off when it was put in; null: nobody did'),
} as const

const EndRegisterKwh = register('What was read off when it was taken out; null: nobody did')

const Meter = Type.Object(
  {
    MeterID: Type.Integer(),
    From: orNull(Type.Integer({ description: 'Unix ms; null: it is the first one' })),
    To: orNull(Type.Integer({ description: 'Null: it is in use' })),
    ...fields,
    EndRegisterKwh,
    Reason: Type.String(),
    TypedAt: Type.Integer({ description: 'Unix ms' }),
    TypedBy: orNull(Type.String({ description: 'Null: a guest asks' })),
  },
  exact,
)
export type Meter = Type.Static<typeof Meter>

export const MetersOfLine = Type.Object(
  {
    LineID: Type.Integer(),
    Name: Type.String(),
    GatewayName: Type.String(),
    Since: orNull(Type.Integer({ description: 'Its first quarter of energy, Unix ms; null: it has none yet' })),
    Meters: Type.Array(Meter, { description: 'One after the other; none: what is reported is what was used' }),
    Due: Type.Boolean({ description: 'Energy of it is still made anew' }),
    Version: Type.Integer({ description: 'Of its meters; 0: there are none' }),
  },
  exact,
)
export type MetersOfLine = Type.Static<typeof MetersOfLine>

const ofLine = {
  HouseID: id,
  LineID: id,
  Version: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Of the line’s meters; another one is refused' }),
  Reason: requiredText(200, 'Why, as the log keeps it'),
}
const Anyway = optional(Type.Boolean({ description: 'The registers are right, although readings say otherwise' }))

export const listMeters = call({
  ...meter,
  name: 'listMeters',
  method: 'GET',
  path: '/energy/meters',
  permission: 'energy.energy',
  shows: ['meters'],
  summary: 'The meters of the lines of a project that count energy: multipliers, classes, registers, replacements',
  query: Type.Object({ HouseID: id }, exact),
  datas: MetersOfLine,
})

export const insertMeter = call({
  ...changes,
  name: 'insertMeter',
  method: 'POST',
  path: '/energy/meters',
  summary: 'Another meter of a line from an instant on; its energy since then is made anew',
  body: Type.Object(
    {
      ...ofLine,
      From: time('When it was put in'),
      ...fields,
      FormerEndKwh: register('What was read off the one before it; null: nobody did'),
      Anyway,
    },
    exact,
  ),
  data: MetersOfLine,
})

export const updateMeter = call({
  ...changes,
  name: 'updateMeter',
  method: 'PUT',
  path: '/energy/meters',
  summary: 'Correct a meter of a line, such as a wrong multiplier; its energy is made anew',
  body: Type.Object(
    {
      ...ofLine,
      MeterID: orNull({ ...id, description: 'Null: of a line without any, from the beginning on' }),
      From: orNull(time('When it was put in; null: it is the first one')),
      ...fields,
      EndRegisterKwh,
      Anyway,
    },
    exact,
  ),
  data: MetersOfLine,
})

export const removeMeter = call({
  ...changes,
  name: 'removeMeter',
  method: 'DELETE',
  path: '/energy/meters',
  summary: 'Take out a meter that was entered by mistake: its time is that of the one before it',
  body: Type.Object({ ...ofLine, MeterID: id }, exact),
  data: MetersOfLine,
})
