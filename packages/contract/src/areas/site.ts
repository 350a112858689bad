import * as Type from 'typebox'
import { call } from '../call.ts'
import { GatewayLink } from './monitor.ts'

const exact = { additionalProperties: false } as const

export const Line = Type.Object(
  {
    LineID: Type.Integer(),
    LineNo: Type.Integer({ description: '1..n; 0 is the device itself' }),
    LineName: Type.String(),
    RatedCurrentA: Type.Union([Type.Number(), Type.Null()]),
    LeakageTripMa: Type.Union([Type.Number(), Type.Null()], {
      description: 'Effective residual-current trip level; null without one',
    }),
  },
  exact,
)
export const Device = Type.Object(
  { ControllerID: Type.String(), Name: Type.String(), Family: Type.String(), Model: Type.String(), Lines: Type.Array(Line) },
  exact,
)
export const Gateway = Type.Object(
  { DeviceID: Type.Integer(), Number: Type.String(), GatewayName: Type.String(), Link: GatewayLink, Devices: Type.Array(Device) },
  exact,
)
export const Project = Type.Object(
  {
    HouseID: Type.Integer(),
    Name: Type.String(),
    TimeZone: Type.String(),
    Standard: Type.Enum(['GB', 'IEC']),
    Devices: Type.Array(Gateway),
  },
  exact,
)
export const Group = Type.Object({ CityID: Type.Integer(), Name: Type.String(), Houses: Type.Array(Project) }, exact)
export type Group = Type.Static<typeof Group>
export type Project = Type.Static<typeof Project>
export type Gateway = Type.Static<typeof Gateway>
export type Device = Type.Static<typeof Device>
export type Line = Type.Static<typeof Line>

export const tree = call({
  name: 'tree',
  method: 'GET',
  path: '/tree',
  area: 'site',
  permission: 'session',
  scope: { kind: 'own' },
  summary: 'My equipment: groups, projects, gateways, devices and lines',
  data: Type.Object({ Groups: Type.Array(Group) }, exact),
})
