import { byCountName } from '@linewarden/rules/alarm'
import { standards } from '@linewarden/rules/site'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact } from '../../core/schemas.ts'
import { DeviceLink, GatewayLink } from '../monitor/monitor.ts'

export const Line = Type.Object(
  {
    LineID: Type.Integer(),
    LineNo: Type.Integer({ description: '1..n; 0 is the device itself' }),
    LineName: Type.String(),
    RatedCurrentA: Type.Union([Type.Number(), Type.Null()]),
    LeakageTripMa: Type.Union([Type.Number(), Type.Null()], {
      description: 'Effective residual-current trip level; null without one',
    }),
    FedBy: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The line that feeds it, as registered; null: none, or one that the caller does not see',
    }),
    Settings: Type.Record(Type.String(), Type.Number(), {
      description: "A detector's effective settings by key; empty for the lines of a breaker, whose settings come with the line",
    }),
  },
  exact,
)
export const Device = Type.Object(
  {
    ControllerID: Type.String(),
    Name: Type.String(),
    Family: Type.String(),
    Model: Type.String(),
    Link: DeviceLink,
    Lines: Type.Array(Line),
  },
  exact,
)
export const Gateway = Type.Object(
  { DeviceID: Type.Integer(), Number: Type.String(), GatewayName: Type.String(), Link: GatewayLink, Devices: Type.Array(Device) },
  exact,
)
/** How much there is in a project, and how much of it is not normal. */
export const Counts = Type.Object(
  {
    Gateways: Type.Integer(),
    Away: Type.Integer({
      description:
        'Gateways that are offline or silent, and devices that are so behind a gateway that is not; not what was never heard',
    }),
    Lines: Type.Integer({ description: 'Lines, and detectors, which are listed like lines' }),
    Detectors: Type.Integer({ description: 'How many of these are detectors' }),
    ...byCountName((kind) => Type.Integer({ description: `Lines whose worst open event is of kind ${kind}` })),
  },
  exact,
)
export type Counts = Type.Static<typeof Counts>
export const Project = Type.Object(
  {
    HouseID: Type.Integer(),
    Name: Type.String(),
    TimeZone: Type.String(),
    Standard: Type.Enum(standards),
    Simulated: Type.Boolean({ description: 'Demo data: what stands in it comes from a simulator, its past too' }),
    Counts,
    Devices: Type.Array(Gateway, { description: 'Empty where only the projects were asked for' }),
  },
  exact,
)
export const Group = Type.Object(
  {
    CityID: Type.Integer(),
    Name: Type.String(),
    IsDefault: Type.Boolean({ description: 'The group that its owner has from the start' }),
    Houses: Type.Array(Project),
  },
  exact,
)
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
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['site'],
  summary: 'My equipment: groups, projects, gateways, devices and lines; of one project, or of all',
  query: Type.Object(
    {
      HouseID: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
      Depth: Type.Optional(Type.Enum(['projects', 'lines'], { description: '`projects`: no gateways, only their counts' })),
    },
    exact,
  ),
  data: Type.Object({ Groups: Type.Array(Group) }, exact),
})

export const SearchHit = Type.Object(
  {
    Kind: Type.Enum(['gateway', 'line']),
    HouseID: Type.Integer(),
    HouseName: Type.String(),
    DeviceID: Type.Integer(),
    GatewayName: Type.String(),
    Number: Type.String({ description: "The gateway's number" }),
    LineID: Type.Union([Type.Integer(), Type.Null()]),
    LineName: Type.String({ description: 'Empty for a gateway' }),
  },
  exact,
)
export type SearchHit = Type.Static<typeof SearchHit>

export const searchTree = call({
  name: 'searchTree',
  method: 'GET',
  path: '/tree/search',
  area: 'site',
  permission: 'session',
  scope: { kind: 'own' },
  shows: ['site'],
  summary: 'Gateways and lines of mine that are called so, by name or gateway number; gateways first, at most 200',
  query: Type.Object({ Text: Type.String({ minLength: 1, maxLength: 64 }) }, exact),
  datas: SearchHit,
})
