import { links } from '@linewarden/rules/alarm'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact } from '../../core/schemas.ts'
import { DeviceName } from './devices.ts'
import { GatewayNumber, GatewayTarget, oneGateway } from './gateway-record.ts'

const forAnySession = { area: 'site', permission: 'session' } as const

const GatewayName = Type.Object(
  {
    DeviceID: Type.Integer(),
    Number: Type.String(),
    GatewayName: Type.String(),
    HouseID: Type.Integer(),
    HouseName: Type.String(),
    Link: Type.Enum(links),
  },
  exact,
)

export const allGateways = call({
  ...forAnySession,
  name: 'allGateways',
  method: 'GET',
  path: '/devices/all',
  scope: { kind: 'own' },
  shows: ['site'],
  summary: 'Names of every gateway I see, for pickers',
  datas: GatewayName,
})

export const gatewaysWithDevices = call({
  ...forAnySession,
  name: 'gatewaysWithDevices',
  method: 'GET',
  path: '/devices/self/hx',
  scope: { kind: 'own' },
  summary: 'Gateways of my own organisation with what stands behind each, for pickers',
  datas: Type.Object({ ...GatewayName.properties, Devices: Type.Array(DeviceName) }, exact),
})

export const searchGateways = call({
  ...forAnySession,
  name: 'searchGateways',
  method: 'GET',
  path: '/devices/list/search',
  scope: { kind: 'own' },
  summary: 'Gateways I see, by part of their name or number; at most 50',
  query: Type.Object({ GatewayName: Type.String({ minLength: 1, maxLength: 64 }) }, exact),
  datas: GatewayName,
})

export const searchLines = call({
  ...forAnySession,
  name: 'searchLines',
  method: 'GET',
  path: '/devices/list/search_line',
  scope: { kind: 'own' },
  summary: 'Lines I see, by part of their name; at most 50',
  query: Type.Object({ LineName: Type.String({ minLength: 1, maxLength: 64 }) }, exact),
  datas: Type.Object(
    {
      LineID: Type.Integer(),
      LineNo: Type.Integer(),
      LineName: Type.String(),
      ControllerID: Type.String(),
      DeviceID: Type.Integer(),
      GatewayName: Type.String(),
      HouseID: Type.Integer(),
      HouseName: Type.String(),
    },
    exact,
  ),
})

export const gatewayByNumber = call({
  ...forAnySession,
  name: 'gatewayByNumber',
  method: 'GET',
  path: '/devices/number/:Number',
  scope: { kind: 'own' },
  summary: 'The gateway whose number somebody scanned: mine, not added yet, or in use elsewhere',
  params: Type.Object({ Number: GatewayNumber }, exact),
  data: GatewayName,
})

export const devicesOfGateway = call({
  ...forAnySession,
  name: 'devicesOfGateway',
  method: 'GET',
  path: '/devices/:DeviceID/list',
  scope: oneGateway,
  summary: 'What stands behind one gateway',
  params: GatewayTarget,
  datas: DeviceName,
})
