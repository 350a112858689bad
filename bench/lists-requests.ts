import type { Client } from '@linewarden/client'
import type { Call } from '@linewarden/contract'
import { allCalls } from '@linewarden/contract'
import { loadKinds } from '@linewarden/rules/energy'

/** What somebody looks at: a project, one of its gateways and lines. */
export interface Place {
  readonly HouseID: number
  readonly CityID: number
  readonly DeviceID: number
  readonly ControllerID: string
  readonly LineID: number
  readonly UserName: string
  readonly UserID: string
}

type Made = { readonly params?: object; readonly query?: object; readonly body?: object }

const Size = 20
const paged = (i: number) => ({ Page: 1 + (i % 5), Size })
const inBody =
  (...more: object[]) =>
  (_: Place, i: number): Made => ({ body: { ...paged(i), ...more[i % Math.max(1, more.length)] } })
const line = ({ ControllerID }: Place) => ({ ControllerID, LineNo: 1 })

/** How each list is asked for, another page or filter each time. */
const lists: Readonly<Record<string, (place: Place, i: number) => Made>> = {
  queryRoles: inBody({}, { Sort: '-Name' }),
  allRoles: () => ({}),
  listUsers: inBody({}, { Sort: 'NickName' }, { UserName: 'sub0000001' }, { Kind: 'sub' }, { Enabled: true }),
  listSessions: () => ({ query: {} }),
  switchSetting: ({ UserID }) => ({ query: { UserID } }),
  listJournal: inBody(
    {},
    { Sort: 'Actor' },
    { Sort: '-Action' },
    { Action: 'gateway' },
    { Actor: '1390000' },
    { Outcome: 'done' },
    { Target: 'GW0007' },
  ),
  queryGroups: inBody({}, { Sort: 'HouseCount' }),
  listProjects: ({ CityID }, i) => ({
    query: { ...paged(i), ...[{}, { HouseName: '项目 7' }, { CityID }, { Sort: 'Name' }][i % 4] },
  }),
  lookupProjects: () => ({ query: {} }),
  projectsOfUser: ({ UserName }) => ({ query: { UserName } }),
  projectsByGroup: () => ({}),
  listGateways: ({ HouseID }, i) => ({
    body: {
      ...paged(i),
      ...[{}, { HouseID }, { GatewayName: '网关 77' }, { Link: 'offline' }, { Enabled: true }, { Sort: '-GatewayName' }][i % 6],
    },
  }),
  announcedGateways: () => ({}),
  ownGateways: inBody({}, { Number: 'GW00' }),
  gatewaysSharedWithMe: inBody(),
  searchGateways: () => ({ query: { GatewayName: '网关 7' } }),
  searchLines: () => ({ query: { LineName: '线路 77' } }),
  devicesOfGateway: ({ DeviceID }) => ({ params: { DeviceID } }),
  listDevices: ({ HouseID }, i) => ({
    body: { ...paged(i), ...[{}, { HouseID }, { Name: '配电箱 GW007' }, { Sort: 'Name' }][i % 4] },
  }),
  equipmentLedger: ({ HouseID }, i) => ({
    body: { ...paged(i), ...[{}, { HouseID }, { Family: 'breaker3p' }, { Sort: '-GatewayName' }][i % 4] },
  }),
  snapshot: ({ HouseID }) => ({ query: { HouseID } }),
  lineCommands: (place) => ({ params: line(place), query: {} }),
  analyseStatus: (place) => ({ body: { Targets: [line(place)] } }),
  settingHistory: (place, i) => ({ body: { ...paged(i), Target: line(place), ...(i % 2 === 1 && { Sort: 'Actor' }) } }),
  queryTemplates: inBody(),
  aespList: ({ HouseID }, i) => ({ query: i % 2 === 0 ? {} : { HouseID } }),
  lineTags: (place) => ({ params: line(place) }),
  inspections: ({ DeviceID }) => ({ params: { DeviceID } }),
  lineSelfTests: (place) => ({ params: line(place) }),
  testsDue: ({ HouseID }) => ({ query: { HouseID } }),
  quietHours: ({ HouseID }) => ({ params: { HouseID } }),
  ledger: ({ HouseID }, i) => ({
    query: {
      ...paged(i),
      ...[
        {},
        { HouseID },
        { Actor: '1390000' },
        { LineName: '线路 77' },
        { State: 'verified' },
        { Sort: 'Actor' },
        { Sort: '-State' },
      ][i % 7],
    },
  }),
  listRuns: (_, i) => ({ query: { ...paged(i), ...(i % 2 === 1 && { Running: true }) } }),
  lineTrips: (place) => ({ params: line(place) }),
  lineRecordings: (place) => ({ params: line(place), query: { From: Date.now() - 86_400_000, To: Date.now() } }),
  operationPermits: (place) => ({ body: { Action: 'trip', Lines: [line(place)] } }),
  ppsList: ({ HouseID }, i) => ({ query: i % 2 === 0 ? {} : { HouseID } }),
  listCampaigns: inBody(),
  listEvents: ({ HouseID, LineID, ControllerID }, i) => ({
    body: {
      ...paged(i),
      ...[
        {},
        { HouseID },
        { LineID },
        { Open: true },
        { ControllerID, Sort: '-Priority' },
        { Text: '线路 77' },
        { Sort: 'RaisedAt' },
      ][i % 7],
    },
  }),
  listUnacknowledged: () => ({ body: {} }),
  quarantine: (_, i) => ({ query: paged(i) }),
  listPushes: ({ HouseID }) => ({ query: { HouseID } }),
  listLoad: ({ HouseID }, i) => ({
    body: { HouseID, From: '2026-01-01', To: '2026-02-01', Kind: loadKinds[i % loadKinds.length] },
  }),
}

/** These answer everything at once, for exports and pickers over the whole tenant: measured, and told apart from pages. */
const wholes: Readonly<Record<string, () => Made>> = {
  reportUsers: () => ({ query: {} }),
  reportProjects: () => ({ query: {} }),
  allGateways: () => ({}),
  gatewaysWithDevices: () => ({}),
}

/** What needs equipment or firmware that this organisation does not have, or is the tree's own figure. */
const elsewhere: ReadonlySet<string> = new Set([
  'arcRecord',
  'searchTree',
  'campaignUpgrades',
  'listFirmware',
  'projectUpgradeOutcomes',
  'projectUpgradeStatus',
  'upgradeCandidates',
])

/** Every list of the contract; a new one without a request here ends the bench. */
export function listRequests(): {
  call: Call
  whole: boolean
  ask: (client: Client, place: Place, i: number) => Promise<unknown>
}[] {
  const reading = allCalls.filter((call) => call.datas && (call.method === 'GET' || call.reads) && !elsewhere.has(call.name))
  return reading.map((call) => {
    const make = lists[call.name] ?? wholes[call.name]
    if (!make) throw new Error(`bench/lists-requests.ts has no request for ${call.name}`)
    return {
      call,
      whole: Object.hasOwn(wholes, call.name),
      ask: (client, place, i) => client.call(call as never, make(place, i) as never),
    }
  })
}
