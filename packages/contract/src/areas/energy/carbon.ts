import { carbonBases } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, orNull } from '../../core/schemas.ts'

const carbon = { area: 'energy', scope: { kind: 'project', id: 'HouseID' } } as const
const changes = {
  ...carbon,
  permission: 'system.project',
  audited: true,
  movesEquipment: false,
  touches: ['carbon'],
} as const

const Basis = Type.Enum([...carbonBases], {
  description:
    'average: of all that is generated; averageLessTraded: without what is sold as renewable; fossil: of coal and gas alone; market: as a contract says',
})
const Region = { ...called(40), description: 'As a notice names it; CN, CN-North and others come with the platform' }
const Year = Type.Integer({ minimum: 1990, maximum: 2199 })
const KgPerKwh = Type.String({ maxLength: 12, description: 'A decimal text of at most 8 places' })
const Version = Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'As it was read; 0: nobody has set it' })

export const CarbonFactorRecord = Type.Object(
  {
    Year,
    ...{ Region: Type.String(), Basis, KgPerKwh, Source: Type.String() },
    IsBuiltIn: Type.Boolean(),
    TypedBy: orNull(Type.String({ description: 'Null: it comes with the platform, or a guest asks' })),
    TypedAt: orNull(Type.Integer({ description: 'Unix ms' })),
    Version,
  },
  exact,
)
export type CarbonFactorRecord = Type.Static<typeof CarbonFactorRecord>

export const CarbonOfProject = Type.Object(
  {
    Region: orNull(Type.String({ description: 'By whose factors it goes; null: by none' })),
    Basis,
    IsSet: Type.Boolean({ description: 'False: nobody chose, and it goes by where it is' }),
    Version,
    Factors: Type.Array(CarbonFactorRecord, { description: 'All that it could go by, the latest year first' }),
  },
  exact,
)
export type CarbonOfProject = Type.Static<typeof CarbonOfProject>

export const getCarbon = call({
  ...carbon,
  permission: 'energy.energy',
  name: 'getCarbon',
  method: 'GET',
  path: '/energy/carbon',
  shows: ['carbon'],
  summary: 'By which carbon factors a project goes, and which there are',
  query: Type.Object({ HouseID: id }, exact),
  data: CarbonOfProject,
})

export const chooseCarbon = call({
  ...changes,
  name: 'chooseCarbon',
  method: 'PUT',
  path: '/energy/carbon',
  summary: 'Choose by which region and basis of carbon factors a project goes',
  body: Type.Object({ HouseID: id, Version, Region, Basis }, exact),
  data: CarbonOfProject,
})

export const saveCarbonFactor = call({
  ...changes,
  name: 'saveCarbonFactor',
  method: 'PUT',
  path: '/energy/carbon/factor',
  summary: 'Type a carbon factor of a year with its source, or take it out; it goes before one of the platform',
  body: Type.Object(
    {
      HouseID: id,
      ...{ Year, Region, Basis, Version },
      KgPerKwh: orNull({ ...KgPerKwh, description: 'Null: it is taken out' }),
      Source: Type.String({ maxLength: 300, description: 'The notice or contract that says so' }),
    },
    exact,
  ),
  data: CarbonOfProject,
})
