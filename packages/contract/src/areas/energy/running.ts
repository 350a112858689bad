import { maxRunningLines } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, optional, orNull } from '../../core/schemas.ts'

const instant = (description: string) => orNull(Type.Integer({ description: `${description}, Unix ms` }))

export const EnergyRunning = Type.Object(
  {
    Zone: Type.String(),
    At: Type.Integer({ description: 'Unix ms' }),
    Since: instant('Where the quarters end that are made; of several lines the earliest; null: nothing runs'),
    Until: instant('The last reading; of several lines the earliest of them'),
    Wh: orNull(
      Type.Number({
        description:
          'By what registers rose since, whole Wh: it still runs, is in no quarter and on no statement. Null: not known',
      }),
    ),
    Lines: Type.Integer({ minimum: 0, description: 'Lines that are in it' }),
    Of: Type.Integer({
      minimum: 0,
      description: `Lines that would be added: the others reported nothing lately. Of more than ${maxRunningLines} it is not added up`,
    }),
  },
  exact,
)
export type EnergyRunning = Type.Static<typeof EnergyRunning>

export const getRunning = call({
  name: 'getRunning',
  method: 'GET',
  path: '/energy/running',
  area: 'energy',
  permission: 'energy.energy',
  shows: ['meters'],
  scope: { kind: 'project', id: 'HouseID', optional: true },
  summary: 'Energy of a project, a gateway or a line since its last quarter, by the registers as they stand',
  query: Type.Object({ HouseID: optional(id), DeviceID: optional(id), LineID: optional(id) }, exact),
  data: EnergyRunning,
})
