import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { ControllerID, exact, id, orNull, ownUuid, requiredText, time } from '../../core/schemas.ts'
import { EventRecord } from '../alarm/alarm.ts'
import { CommandRecord, Confirmed } from '../control/control.ts'
import { LineDetails, LineSetting, LineState } from '../monitor/monitor.ts'

/**
 * The calls of each family of equipment (specification 7, "Scenes and equipment" and "Detectors"). Which family answers which call stands in
 * the family (`Family.calls`); a device of another family does not exist there. All of them read and operate in the same way.
 */

const LineNo = Type.Integer({ minimum: 1, maximum: 9999 })

/** A device with its lines; a detector is its own and only line, number 0. */
export const DeviceDetails = Type.Object(
  {
    ControllerID: Type.String(),
    DeviceName: Type.String(),
    Family: Type.String(),
    Model: Type.String(),
    /** `Values` of each line's state stand in this order. */
    Points: Type.Array(Type.Object({ Key: Type.String(), Unit: Type.String(), Precision: Type.Integer() }, exact)),
    Actions: Type.Array(Type.String()),
    Lines: Type.Array(LineDetails),
  },
  exact,
)
export type DeviceDetails = Type.Static<typeof DeviceDetails>

const order = {
  ControllerID,
  CommandID: { ...ownUuid, description: 'Made once per intent: sending it again never operates twice' },
  Reason: requiredText(200),
  Grant: Type.Optional(
    Type.String({
      secret: true,
      minLength: 1,
      maxLength: 128,
      description: 'From POST /users/control/grant, when a control password is set',
    }),
  ),
  Confirmed,
  DeadlineMs: Type.Optional(
    Type.Integer({ minimum: 1000, maximum: 30_000, description: 'As of PUT /lines/{ControllerID}/{LineNo}/{attr}' }),
  ),
} as const

const on = <const Spec extends string>(spec: Spec) => ({ kind: 'device', id: 'ControllerID', spec }) as const
const reads = { area: 'equipment', method: 'GET', permission: 'devmon.realtime' } as const
const operates = { area: 'equipment', method: 'PUT', permission: 'lineSwitch', data: CommandRecord } as const

const details = <const N extends string, const P extends string>(name: N, path: P, what: string) =>
  call({
    ...reads,
    name,
    path,
    scope: on(`GET ${path}`),
    summary: `${what}: values, states, settings and alarms as last reported`,
    query: Type.Object({ ControllerID }, exact),
    data: DeviceDetails,
  })

const realtime = <const N extends string, const P extends string>(name: N, path: P, what: string) =>
  call({
    ...reads,
    name,
    path,
    scope: on(`GET ${path}`),
    summary: `${what}: what it reports now`,
    silent: true,
    query: Type.Object({ ControllerID }, exact),
    data: LineState,
  })

const silencing = <const N extends string, const P extends string>(name: N, path: P, what: string) =>
  call({
    ...operates,
    name,
    path,
    scope: on(`PUT ${path}`),
    touches: ['commandHistory'],
    summary: `${what}: silence its sounder; the alarm itself stays until it is reset at the device`,
    body: Type.Object(order, exact),
  })

const detecting = <const N extends string, const P extends string>(name: N, path: P, what: string) =>
  call({
    ...operates,
    name,
    path,
    scope: on(`PUT ${path}`),
    touches: ['commandHistory'],
    summary: `${what}: silence its sounder, or let it test itself`,
    body: Type.Object({ ...order, Action: Type.Enum(['silence', 'selfTest']) }, exact),
  })

const switching = <const N extends string, const P extends string>(name: N, path: P, what: string) =>
  call({
    ...operates,
    name,
    path,
    scope: on(`PUT ${path}`),
    subject: [{ kind: 'line', device: 'ControllerID', line: 'LineNo' }],
    touches: ['commandHistory'],
    summary: `${what}: trip or close one of its lines, with every check of PUT /lines/{ControllerID}/{LineNo}/{attr}`,
    body: Type.Object({ ...order, LineNo, Action: Type.Enum(['trip', 'close']) }, exact),
  })

export const smokeDetails = call({ ...details('smokeDetails', '/smoke/details', 'Smoke detector'), silent: true })
export const smokeSilencing = silencing('smokeSilencing', '/smoke/silencing', 'Smoke detector')
export const gasDetails = details('gasDetails', '/gas/details', 'Combustible-gas detector')
export const gasRealtime = realtime('gasRealtime', '/gas/realtime', 'Combustible-gas detector')
export const gasSilencing = silencing('gasSilencing', '/gas/silencing', 'Combustible-gas detector')
export const infraredDetails = details('infraredDetails', '/infrared/details', 'Presence detector')
export const infraredRealtime = realtime('infraredRealtime', '/infrared/realtime', 'Presence detector')
export const waterImmersionDetails = details('waterImmersionDetails', '/waterimmersion/details/4g', 'Water-leak sensor')
export const nt8141Details = details('nt8141Details', '/nt8141/details/nb', 'NB-IoT smoke detector')
export const nt8141Silencing = silencing('nt8141Silencing', '/nt8141/silencing', 'NB-IoT smoke detector')
export const nt8117Details = details('nt8117Details', '/nt8117/details/lte', 'Smoke detector on 4G')
export const nt8117Silencing = silencing('nt8117Silencing', '/nt8117/silencing/lte', 'Smoke detector on 4G')
export const nt9141Details = details('nt9141Details', '/nt9141/details/lte', 'Gas detector on 4G')
export const nt9141Silencing = silencing('nt9141Silencing', '/nt9141/silencing/lte', 'Gas detector on 4G')
export const aespDetails = details('aespDetails', '/aesp/details', 'Current-limiting protector')
export const aespSilencing = silencing('aespSilencing', '/aesp/silencing', 'Current-limiting protector')
export const detectorDetails = details('detectorDetails', '/detector/details', 'Electrical-fire detector')
export const detectorRsDetails = details('detectorRsDetails', '/detector/details/rs', 'RS-485 fire detector')
export const detectorRsControl = detecting('detectorRsControl', '/detector/control/rs', 'RS-485 fire detector')
export const detectorLteDetails = details('detectorLteDetails', '/detector/details/lte', 'Fire detector on 4G')
export const detectorLteControl = detecting('detectorLteControl', '/detector/control/lte', 'Fire detector on 4G')
export const airDetails = details('airDetails', '/air/details', 'Air switch')
export const airUpdate = switching('airUpdate', '/air/update', 'Air switch')
export const ppsDetails = details('ppsDetails', '/pps/details', 'Power controller')
export const ppsControl = switching('ppsControl', '/pps/control', 'Power controller')
export const arcDetails = details('arcDetails', '/arcms/details/arcm620', 'Arc-fault detector')

export const aespList = call({
  ...reads,
  name: 'aespList',
  path: '/aesp/list',
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  summary: 'Every current-limiting protector of a project, or of all my projects',
  query: Type.Object({ HouseID: Type.Optional(id) }, exact),
  datas: DeviceDetails,
})

export const ppsList = call({
  ...reads,
  name: 'ppsList',
  path: '/pps/list',
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  summary: 'Every power controller of a project, or of all my projects, with what each of its ways reports',
  query: Type.Object({ HouseID: Type.Optional(id) }, exact),
  datas: DeviceDetails,
})

/** An arc fault, and how much it arced: the most half-cycles in one second that were reported around it; null: no values from then. */
export const ArcRecord = Type.Object({ ...EventRecord.properties, HalfCycles: Type.Union([Type.Integer(), Type.Null()]) }, exact)
export type ArcRecord = Type.Static<typeof ArcRecord>

export const arcRecord = call({
  ...reads,
  name: 'arcRecord',
  path: '/arc/record',
  scope: on('GET /arc/record'),
  summary: 'Arc faults a detector has found, newest first',
  query: Type.Object(
    {
      ControllerID,
      Page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Default 1' })),
      Size: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 10' })),
      From: Type.Optional(time('included')),
      To: Type.Optional(time('excluded')),
    },
    exact,
  ),
  datas: ArcRecord,
})

/** One part of what is known of a line; the parts that were not asked for are null. */
export const LinePart = Type.Object(
  {
    LineID: Type.Integer(),
    Realtime: orNull(LineState),
    Settings: orNull(Type.Array(LineSetting)),
    Events: orNull(Type.Object({ Datas: Type.Array(EventRecord), Total: Type.Integer() }, exact)),
  },
  exact,
)
export type LinePart = Type.Static<typeof LinePart>

/** The specification does not name the third segment: here it is `realtime`, `settings` or `events` (docs/adr/0019). */
export const linePart = call({
  ...reads,
  name: 'linePart',
  path: '/devices/:DeviceID/lines/:LineID/:third',
  scope: { kind: 'gateway', id: 'DeviceID' },
  summary: 'Of one line: what it reports now, its settings, or its events, newest first',
  params: Type.Object({ DeviceID: id, LineID: id, third: Type.Enum(['realtime', 'settings', 'events']) }, exact),
  query: Type.Object(
    {
      Page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Of events; default 1' })),
      Size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Of events; default 10' })),
    },
    exact,
  ),
  data: LinePart,
})

/** Grouped by what they do, for the one handler each group has. */
export const detailCalls = [
  smokeDetails,
  gasDetails,
  infraredDetails,
  waterImmersionDetails,
  nt8141Details,
  nt8117Details,
  nt9141Details,
  aespDetails,
  detectorDetails,
  detectorRsDetails,
  detectorLteDetails,
  airDetails,
  ppsDetails,
  arcDetails,
] as const
export const realtimeCalls = [gasRealtime, infraredRealtime] as const
export const silencingCalls = [
  smokeSilencing,
  gasSilencing,
  nt8141Silencing,
  nt8117Silencing,
  nt9141Silencing,
  aespSilencing,
] as const
export const detectorControlCalls = [detectorRsControl, detectorLteControl] as const
export const switchingCalls = [airUpdate, ppsControl] as const
