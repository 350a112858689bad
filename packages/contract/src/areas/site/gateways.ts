import { links } from '@linewarden/rules/alarm'
import { addMethods, deviceTypes, dockingPlatforms } from '@linewarden/rules/site'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, maybe, paging, search, sorting, VersionRead } from '../../core/schemas.ts'
import {
  GatewayNumber,
  GatewayRecord,
  GatewaySecret,
  GatewayTarget,
  maxGateways,
  oneGateway,
  toManageGateways,
} from './gateway-record.ts'

const fields = {
  Number: GatewayNumber,
  Name: called(64),
  IMEI: Type.String({ pattern: '^[0-9]{15}$', description: '15 digits, the last a check digit' }),
  AddMethod: Type.Enum(addMethods),
  Platform: Type.Enum(dockingPlatforms),
  DeviceType: Type.Enum(deviceTypes),
  Remark: Type.Optional(maybe(200)),
}

export const addGateway = call({
  ...toManageGateways,
  name: 'addGateway',
  method: 'POST',
  path: '/devices',
  audited: true,
  scope: { kind: 'project', id: 'HouseID' },
  touches: ['site', 'gateway'],
  summary: 'Add a gateway to a project, at most 200; answers its secret this once',
  body: Type.Object({ HouseID: id, ...fields }, exact),
  data: Type.Object({ Gateway: GatewayRecord, Secret: GatewaySecret }, exact),
})

export const renameGateway = call({
  ...toManageGateways,
  name: 'renameGateway',
  method: 'PUT',
  path: '/devices/:DeviceID/name',
  audited: true,
  scope: oneGateway,
  touches: ['site', 'gateway'],
  summary: 'Rename a gateway',
  params: GatewayTarget,
  body: Type.Object({ Name: called(64), Remark: Type.Optional(maybe(200)), Version: VersionRead }, exact),
  data: GatewayRecord,
})

export const renameLine = call({
  ...toManageGateways,
  name: 'renameLine',
  method: 'PUT',
  path: '/devices/:DeviceID/lines/:LineID/name',
  audited: true,
  scope: oneGateway,
  touches: ['site', 'gateway', 'lines'],
  summary: 'Rename a line: people trip and close by this name',
  params: Type.Object({ DeviceID: id, LineID: id }, exact),
  body: Type.Object(
    {
      LineName: called(64),
      Was: Type.Optional(
        Type.String({ maxLength: 256, description: 'The name as it was read; when it is another by now, the call is refused' }),
      ),
    },
    exact,
  ),
})

export const deleteGateway = call({
  ...toManageGateways,
  name: 'deleteGateway',
  method: 'PUT',
  path: '/devices/delete',
  audited: true,
  scope: oneGateway,
  touches: ['site'],
  summary: 'Take a gateway out; its connection ends, its history is kept, its number is free again',
  body: GatewayTarget,
})

export const enableGateway = call({
  area: 'site',
  permission: 'gatewayEnable',
  name: 'enableGateway',
  method: 'PUT',
  path: '/devices/:DeviceID/enabled',
  audited: true,
  scope: oneGateway,
  touches: ['site', 'gateway'],
  summary: 'Enable a gateway, or disable it: its connection ends and it cannot come back',
  params: GatewayTarget,
  body: Type.Object({ Enabled: Type.Boolean() }, exact),
  data: GatewayRecord,
})

export const rotateSecret = call({
  ...toManageGateways,
  name: 'rotateSecret',
  method: 'PUT',
  path: '/devices/:DeviceID/secret',
  audited: true,
  scope: oneGateway,
  touches: ['site', 'gateway'],
  summary: 'Give a gateway a new secret; its connection ends. Answers the secret this once',
  params: GatewayTarget,
  data: Type.Object({ Secret: GatewaySecret }, exact),
})

export const transferGateways = call({
  ...toManageGateways,
  name: 'transferGateways',
  method: 'PUT',
  path: '/devices/transfers',
  audited: true,
  scope: { kind: 'gateways', id: 'DeviceIDs', project: 'HouseID' },
  touches: ['site', 'gateway'],
  summary: 'Move gateways to another project, all or none; their history goes along',
  body: Type.Object({ DeviceIDs: Type.Array(id, { minItems: 1, maxItems: maxGateways }), HouseID: id }, exact),
})

const ListBody = Type.Object(
  {
    HouseID: Type.Optional(id),
    GatewayName: search,
    Number: search,
    Link: Type.Optional(Type.Enum(links)),
    Enabled: Type.Optional(Type.Boolean()),
    ...paging,
    ...sorting('GatewayName', 'Number', 'HouseName', 'Link', 'Enabled', 'DeviceCount', 'LineCount'),
  },
  exact,
)

export const listGateways = call({
  ...toManageGateways,
  name: 'listGateways',
  method: 'POST',
  path: '/devices/list',
  reads: true,
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['site', 'tags'],
  summary: 'Gateways I see, by project and number',
  body: ListBody,
  datas: GatewayRecord,
})

export const ownGateways = call({
  ...toManageGateways,
  name: 'ownGateways',
  method: 'POST',
  path: '/devices/Self',
  reads: true,
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  summary: 'Gateways of my own organisation',
  body: ListBody,
  datas: GatewayRecord,
})

export const gatewaysSharedWithMe = call({
  ...toManageGateways,
  name: 'gatewaysSharedWithMe',
  method: 'POST',
  path: '/devices/other',
  reads: true,
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  summary: 'Gateways that another organisation shares with this account',
  body: ListBody,
  datas: GatewayRecord,
})
