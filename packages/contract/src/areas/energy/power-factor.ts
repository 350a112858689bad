import { maxTypedEnergy } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, orNull } from '../../core/schemas.ts'

/** The bill that a power factor was typed from. */
const maxPowerFactorSource = 120

/** In which month a billing period begins. */
export const BillingMonth = Type.String({
  ...{ pattern: '^\\d{4}-\\d{2}$', maxLength: 7, description: 'In which the period begins, `2026-11`' },
})

const energy = (minimum: number, description: string) => orNull(Type.Integer({ minimum, maximum: maxTypedEnergy, description }))

const typed = {
  CosHundredths: orNull(Type.Integer({ minimum: 1, maximum: 100, description: 'Null: it is made of the two energies' })),
  ActiveWh: energy(1, 'By the active register of the period, whole Wh; null: the power factor itself was typed'),
  ReactiveVarh: energy(0, 'By its reactive register, whole varh'),
  Source: { ...called(maxPowerFactorSource), description: 'Which bill says so' },
} as const

export const PowerFactor = Type.Object(
  {
    ...typed,
    Cos: orNull(Type.Integer({ description: 'What a bill goes by, in hundredths' })),
    TypedAt: Type.Integer({ description: 'Unix ms' }),
    TypedBy: orNull(Type.String({ description: 'Null: a guest asks' })),
    Version: Type.Integer(),
  },
  exact,
)
export type PowerFactor = Type.Static<typeof PowerFactor>

export const setPowerFactor = call({
  name: 'setPowerFactor',
  method: 'PUT',
  path: '/energy/supplies/powerFactor',
  area: 'energy',
  permission: 'system.project',
  scope: { kind: 'project', id: 'HouseID' },
  audited: true,
  movesEquipment: false,
  touches: ['supplies'],
  summary: 'Type the power factor of a billing period as a bill has it, or take it out: the bill is adjusted by it',
  body: Type.Object(
    {
      HouseID: id,
      SupplyID: id,
      Month: BillingMonth,
      Version: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Of what stands there; 0: nothing does' }),
      Typed: orNull(Type.Object(typed, { ...exact, description: 'Itself or both energies; null: it is not known after all' })),
    },
    exact,
  ),
  data: orNull(PowerFactor),
})
