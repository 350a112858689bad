import { links } from '@linewarden/rules/alarm'
import { addMethods, deviceTypes, dockingPlatforms } from '@linewarden/rules/site'
import * as Type from 'typebox'
import { call, largeBodyBytes } from '../../core/call.ts'
import { called, exact, id, maybe, orNull, paging, search, sorting, Text, time, VersionRead } from '../../core/schemas.ts'
import { DeviceName } from './devices.ts'

const gateway = { area: 'site', permission: 'system.geteway' } as const
const reading = { area: 'site', permission: 'session' } as const
const one = { kind: 'gateway', id: 'DeviceID' } as const
const GatewayTarget = Type.Object({ DeviceID: id }, exact)

/** A project holds at most this many. */
export const maxGateways = 200

export const GatewayRecord = Type.Object(
  {
    DeviceID: Type.Integer(),
    Number: Type.String(),
    Name: Type.String({ description: 'The same as `GatewayName`: the specification has both' }),
    GatewayName: Type.String(),
    IMEI: orNull(Type.String()),
    AddMethod: Type.Enum(addMethods),
    Platform: Type.Enum(dockingPlatforms),
    DeviceType: Type.Enum(deviceTypes),
    Remark: Type.String(),
    HouseID: Type.Integer(),
    HouseName: Type.String(),
    Enabled: Type.Boolean({ description: 'A disabled gateway cannot connect' }),
    Link: Type.Enum(links),
    Since: orNull(time('since when')),
    Signal: orNull(
      Type.Object(
        { Dbm: Type.Integer({ description: 'Received power, dBm' }), At: time('when it came') },
        { ...exact, description: 'As the gateway last said; null: it said none' },
      ),
    ),
    DeviceCount: Type.Integer(),
    LineCount: Type.Integer(),
    Tags: Type.Integer({
      description: 'Tags that hang on it or on anything behind it: while there are any it cannot be removed',
    }),
    Shared: Type.Boolean({ description: 'A shared account sees it: it cannot be migrated' }),
    AddedAt: time('when it was added'),
    Version: Type.Integer(),
  },
  exact,
)
export type GatewayRecord = Type.Static<typeof GatewayRecord>

/** What a gateway may be numbered: it is its user name too, and one level of its topics, as Sparkplug has it for an edge node id. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what a number must not hold.
export const gatewayNumber = /^(?!\s)[^+#/\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,64}(?<!\s)$/
const GatewayNumber = Type.String({ pattern: gatewayNumber.source })
const fields = {
  Number: GatewayNumber,
  Name: called(64),
  IMEI: Type.String({ pattern: '^[0-9]{15}$', description: '15 digits, the last a check digit' }),
  AddMethod: Type.Enum(addMethods),
  Platform: Type.Enum(dockingPlatforms),
  DeviceType: Type.Enum(deviceTypes),
  Remark: Type.Optional(maybe(200)),
}
const Secret = Type.String({
  description: 'For the gateway to connect with, user name = number. Shown this once and kept only as a hash',
})

export const addGateway = call({
  ...gateway,
  name: 'addGateway',
  method: 'POST',
  path: '/devices',
  audited: true,
  scope: { kind: 'project', id: 'HouseID' },
  touches: ['site', 'gateway'],
  summary: 'Add a gateway to a project, at most 200; answers its secret this once',
  body: Type.Object({ HouseID: id, ...fields }, exact),
  data: Type.Object({ Gateway: GatewayRecord, Secret }, exact),
})

/** A cell of an import holds at most this many characters. */
export const maxCell = 200
// One more is read, so that a longer one is named like any other bad cell.
const cell = Type.String({ maxLength: maxCell + 1 })

export const addGateways = call({
  ...gateway,
  name: 'addGateways',
  maxBodyBytes: largeBodyBytes,
  method: 'POST',
  path: '/devices/batch',
  audited: true,
  scope: { kind: 'project', id: 'HouseID' },
  touches: ['site', 'gateway'],
  summary: 'Add many gateways, all or none; every bad cell is named. `DryRun` only checks',
  body: Type.Object(
    {
      HouseID: id,
      DryRun: Type.Boolean(),
      Rows: Type.Array(
        Type.Object(
          { Number: cell, Name: cell, IMEI: cell, Platform: cell, DeviceType: cell, Remark: Type.Optional(cell) },
          exact,
        ),
        { minItems: 1, maxItems: maxGateways },
      ),
    },
    exact,
  ),
  data: Type.Object(
    {
      Added: Type.Integer({ description: '0 after a dry run, or when a row is bad' }),
      Problems: Type.Array(Type.Object({ Row: Type.Integer({ description: 'From 1' }), Column: Type.String(), Text }, exact)),
      Gateways: Type.Array(Type.Object({ DeviceID: Type.Integer(), Number: Type.String(), Secret }, exact)),
    },
    exact,
  ),
})

export const announcedGateways = call({
  name: 'announcedGateways',
  method: 'GET',
  path: '/devices/announced',
  area: 'site',
  permission: 'platform',
  scope: { kind: 'none' },
  shows: ['site'],
  summary: 'Numbers that try to connect and that nobody has added, whoever tried last first; at most 500',
  datas: Type.Object(
    {
      Number: Type.String(),
      FirstAt: time('first try'),
      LastAt: time('last try'),
      Tries: Type.Integer(),
      Address: Type.String({ description: 'From where it tried last; behind a proxy, the proxy' }),
      Mqtt5: Type.Boolean({ description: 'It tried MQTT 5 last: it must be set to MQTT 3.1.1' }),
    },
    exact,
  ),
})

export const dismissGateway = call({
  name: 'dismissGateway',
  subject: [{ called: 'Number' }],
  method: 'PUT',
  path: '/devices/announced/dismiss',
  audited: true,
  area: 'site',
  permission: 'platform',
  scope: { kind: 'none' },
  touches: ['site', 'gateway'],
  summary: 'Show such a number no more; it can still be added',
  body: Type.Object({ Number: GatewayNumber }, exact),
})

export const proposeNumbers = call({
  ...gateway,
  name: 'proposeNumbers',
  method: 'POST',
  path: '/devices/autonum',
  scope: { kind: 'own' },
  touches: [],
  summary: 'Free gateway numbers, each given out once',
  body: Type.Object({ Count: Type.Optional(Type.Integer({ minimum: 1, maximum: maxGateways })) }, exact),
  data: Type.Object({ Numbers: Type.Array(Type.String()) }, exact),
})

export const renameGateway = call({
  ...gateway,
  name: 'renameGateway',
  method: 'PUT',
  path: '/devices/:DeviceID/name',
  audited: true,
  scope: one,
  touches: ['site', 'gateway'],
  summary: 'Rename a gateway',
  params: GatewayTarget,
  body: Type.Object({ Name: called(64), Remark: Type.Optional(maybe(200)), Version: VersionRead }, exact),
  data: GatewayRecord,
})

export const renameLine = call({
  ...gateway,
  name: 'renameLine',
  method: 'PUT',
  path: '/devices/:DeviceID/lines/:LineID/name',
  audited: true,
  scope: one,
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
  ...gateway,
  name: 'deleteGateway',
  method: 'PUT',
  path: '/devices/delete',
  audited: true,
  scope: one,
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
  scope: one,
  touches: ['site', 'gateway'],
  summary: 'Enable a gateway, or disable it: its connection ends and it cannot come back',
  params: GatewayTarget,
  body: Type.Object({ Enabled: Type.Boolean() }, exact),
  data: GatewayRecord,
})

export const rotateSecret = call({
  ...gateway,
  name: 'rotateSecret',
  method: 'PUT',
  path: '/devices/:DeviceID/secret',
  audited: true,
  scope: one,
  touches: ['site', 'gateway'],
  summary: 'Give a gateway a new secret; its connection ends. Answers the secret this once',
  params: GatewayTarget,
  data: Type.Object({ Secret }, exact),
})

export const transferGateways = call({
  ...gateway,
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
  ...gateway,
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
  ...gateway,
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
  ...gateway,
  name: 'gatewaysSharedWithMe',
  method: 'POST',
  path: '/devices/other',
  reads: true,
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  summary: 'Gateways that another organisation shares with this account',
  body: ListBody,
  datas: GatewayRecord,
})

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
  ...reading,
  name: 'allGateways',
  method: 'GET',
  path: '/devices/all',
  scope: { kind: 'own' },
  shows: ['site'],
  summary: 'Names of every gateway I see, for pickers',
  datas: GatewayName,
})

export const gatewaysWithDevices = call({
  ...reading,
  name: 'gatewaysWithDevices',
  method: 'GET',
  path: '/devices/self/hx',
  scope: { kind: 'own' },
  summary: 'Gateways of my own organisation with what stands behind each, for pickers',
  datas: Type.Object({ ...GatewayName.properties, Devices: Type.Array(DeviceName) }, exact),
})

export const searchGateways = call({
  ...reading,
  name: 'searchGateways',
  method: 'GET',
  path: '/devices/list/search',
  scope: { kind: 'own' },
  summary: 'Gateways I see, by part of their name or number; at most 50',
  query: Type.Object({ GatewayName: Type.String({ minLength: 1, maxLength: 64 }) }, exact),
  datas: GatewayName,
})

export const searchLines = call({
  ...reading,
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

export const gatewayAccess = call({
  ...gateway,
  name: 'gatewayAccess',
  method: 'GET',
  path: '/devices/access',
  scope: { kind: 'own' },
  summary: 'Where gateways connect to',
  data: Type.Object(
    {
      Url: orNull(
        Type.String({
          description: 'As this installation has set it; null: the host this console is opened on',
        }),
      ),
      Port: Type.Integer({ description: 'On which this server listens for gateways' }),
      Tls: Type.Boolean({ description: 'Whether that port speaks TLS (mqtts://)' }),
    },
    exact,
  ),
})

export const gatewayByNumber = call({
  ...reading,
  name: 'gatewayByNumber',
  method: 'GET',
  path: '/devices/number/:Number',
  scope: { kind: 'own' },
  summary: 'The gateway whose number somebody scanned: mine, not added yet, or in use elsewhere',
  params: Type.Object({ Number: GatewayNumber }, exact),
  data: GatewayName,
})

export const gatewayDetails = call({
  ...reading,
  name: 'gatewayDetails',
  method: 'GET',
  path: '/devices/:DeviceID',
  scope: one,
  shows: ['gateway', 'tags'],
  summary: 'One gateway with what stands behind it',
  params: GatewayTarget,
  data: Type.Object(
    {
      ...GatewayRecord.properties,
      Devices: Type.Array(DeviceName),
      RefusedDevices: Type.Array(
        Type.Object(
          {
            ID: Type.String({ description: 'As its birth named it' }),
            Reason: Type.Enum(['device_birth', 'too_many_devices', 'too_many_lines']),
            Detail: Type.String({ description: 'What is wrong with its birth' }),
            Since: time('first birth that could not be taken'),
            Messages: Type.Integer({ description: 'What it said since and nobody took' }),
          },
          exact,
        ),
        { description: 'Devices behind it that were not recognised, in its present session' },
      ),
      SetAside: Type.Array(
        Type.Object(
          {
            Reason: Type.String({ description: 'As in the quarantine; docs/wire-protocol.md lists them' }),
            Text: Type.Object(
              { zh: Type.String(), en: Type.String() },
              { ...exact, description: 'What is wrong, and what to do about it' },
            ),
            Detail: Type.String({ description: 'What was wrong with the last one' }),
            LastAt: time('last such message'),
            Messages: Type.Integer({ description: 'How many there were since the server started' }),
          },
          exact,
        ),
        { description: 'What it said in the last day and could not be taken, one of each reason, the newest first' },
      ),
      Refused: orNull(
        Type.Object(
          { Reason: Type.Enum(['disabled', 'secret', 'mqtt5', 'shared']), At: time('when it tried'), Address: Type.String() },
          {
            ...exact,
            description:
              'Its last try to connect was refused; `mqtt5`: it must be set to MQTT 3.1.1; `shared`: two use this number and push each other out; null: it was let in since, or never tried',
          },
        ),
      ),
    },
    exact,
  ),
})

export const devicesOfGateway = call({
  ...reading,
  name: 'devicesOfGateway',
  method: 'GET',
  path: '/devices/:DeviceID/list',
  scope: one,
  summary: 'What stands behind one gateway',
  params: GatewayTarget,
  datas: DeviceName,
})
