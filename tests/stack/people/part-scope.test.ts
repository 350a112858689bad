import { once } from 'node:events'
import type { Client } from '@linewarden/client'
import type { LiveMessage } from '@linewarden/contract'
import {
  acknowledgeEvent,
  addRole,
  addSubAccount,
  allGateways,
  closePermit,
  commandSteps,
  downloadPath,
  editUser,
  exportHistory,
  getRun,
  history,
  isNewMessage,
  ledger,
  lineDetails,
  lineFeed,
  lineTrips,
  listEvents,
  listProjects,
  listRuns,
  livePath,
  liveTicket,
  operateLine,
  placeTag,
  removeTag,
  reportProjects,
  searchLines,
  setFeed,
  snapshot,
  startRun,
  stopRun,
  tree,
  tripAnalysis,
} from '@linewarden/contract'
import { groupOperationTopic } from '@linewarden/server/group-operation-records'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { subOf } from '../../kit/two-owners.ts'

/** Somebody who was given one gateway of a project with two: A-T1's, and not B-T1's beside it. */
let stack: Stack
let sub: Client
let accountId: string
let roleId: number
const userName = '13300000001'
const gateway = (number: string) => stack.server.plant.gatewayByNumber.get(number)?.id ?? 0
const house = () => stack.server.plant.gatewayByNumber.get('GW-A')?.project.id ?? 0
const theirs = { ControllerID: 'B-T1', LineNo: 1 }

beforeAll(async () => {
  const [first, second] = smallPlan
  if (!first || !second) throw new Error('the small plan has two projects')
  stack = await startStack({ plan: [{ ...first, gateways: [...first.gateways, ...second.gateways] }] })
  const privileges = ['devmon', 'devmon.realtime', 'devmon.hisdata', 'devmon.ledger', 'system.geteway', 'system.project']
  roleId = (
    await stack.client.call(addRole, {
      body: { Number: 'd', Name: '值班', Privileges: privileges, Buttons: ['lineSwitch', 'tagLines'] },
    })
  ).RoleID
  const body = { ...subOf(userName), RoleID: roleId, Assigned: { HouseIDs: [], DeviceIDs: [gateway('GW-A')] } }
  accountId = (await stack.client.call(addSubAccount, { body })).AccountID
  sub = await signedIn(stack.url, { userName, password: `Pass-${userName}-7` })
})
afterAll(() => stack?.close())

const numbersOf = (ids: readonly number[]) =>
  new Set(ids.map((id) => stack.server.plant.lines.get(id)?.device.gateway.number ?? 'none'))

async function listen(client: Client, houses: number[]) {
  const { Ticket } = await client.call(liveTicket)
  const socket = new WebSocket(`${stack.url.replace('http', 'ws')}${livePath}?ticket=${Ticket}`)
  const received: LiveMessage[] = []
  socket.on('message', (bytes) => received.push(...(JSON.parse(String(bytes)) as LiveMessage[])))
  await once(socket, 'open')
  const linesOfB = [...stack.server.plant.lines.values()]
    .filter((line) => line.device.gateway.number === 'GW-B')
    .map(({ id }) => id)
  socket.send(JSON.stringify({ t: 'watch', houses, lines: linesOfB }))
  return { socket, received }
}

const gatewaysOf = (received: readonly LiveMessage[]) =>
  numbersOf(received.flatMap((each) => (each.t === 'line' ? [each.state.LineID] : [])))

test('sees its gateway in tree, snapshot, search and pickers, and not the one beside it', async () => {
  const { Groups } = await sub.call(tree, { query: {} })
  expect(Groups.flatMap(({ Houses }) => Houses.flatMap(({ Devices }) => Devices.map((each) => each.Number)))).toEqual(['GW-A'])
  for (const query of [{}, { HouseID: house() }]) {
    const { items } = await sub.call(snapshot, { query })
    expect(numbersOf(items.map(({ LineID }) => LineID))).toEqual(new Set(['GW-A']))
  }
  expect((await sub.call(allGateways)).items.map((each) => each.Number)).toEqual(['GW-A'])
  expect((await sub.call(searchLines, { query: { LineName: '线1' } })).items.map(({ LineName }) => LineName)).toEqual(['A线1'])
  for (const list of [listProjects, reportProjects])
    expect((await sub.call(list, { query: {} })).items.map(({ GatewayCount }) => GatewayCount)).toEqual([1])
})

test('finds nothing of the other, and moves nothing there', async () => {
  expect(await outcomeOf(sub.call(lineDetails, { params: theirs }))).toBe('device not exists')
  expect(await outcomeOf(sub.call(closePermit, { params: theirs }))).toBe('device not exists')
  const body = { CommandID: crypto.randomUUID(), Reason: 'x' }
  expect(await outcomeOf(sub.call(operateLine, { params: { ...theirs, attr: 'trip' }, body }))).toBe('device not exists')
  expect(stack.fleet.executed).toEqual([])
  expect(await outcomeOf(sub.call(lineDetails, { params: { ControllerID: 'A-T1', LineNo: 1 } }))).toBe('done')
})

test('reads and exports the history of its own lines, and of no others', async () => {
  const ask = (controllerId: string) => {
    const LineID = stack.server.plant.lineAt(controllerId, 1)?.id ?? 0
    const range = { From: Date.now() - 3_600_000, To: Date.now() + 60_000 }
    return { ...range, Points: [{ LineID, Point: 'voltage.a' }] }
  }
  await stack.fleet.gatewayOf('A-T1').report()
  await vi.waitFor(async () => {
    const { Series } = await sub.call(history, { body: { ...ask('A-T1'), Width: 100 } })
    expect(Series).toMatchObject([{ LineID: ask('A-T1').Points[0]?.LineID }])
  })
  const file = { Format: 'csv', Content: 'raw', Width: 100, Language: 'CN' } as const
  const { Ticket } = await sub.call(exportHistory, { body: { ...ask('A-T1'), ...file } })
  expect((await fetch(stack.url + downloadPath + Ticket)).status).toBe(200)
  expect(await outcomeOf(sub.call(history, { body: { ...ask('B-T1'), Width: 100 } }))).toBe('device not exists')
  expect(await outcomeOf(sub.call(exportHistory, { body: { ...ask('B-T1'), ...file } }))).toBe('device not exists')
})

test('hears and reads the events of its own gateway only, and acknowledges no others', async () => {
  await sub.call(isNewMessage, { query: {} })
  const { socket, received } = await listen(sub, [house()])
  stack.fleet.run('shortCircuit', { controllerId: 'B-T1', lineNo: 1 })
  stack.fleet.run('shortCircuit', { controllerId: 'A-T1', lineNo: 2 })
  const events = () => received.flatMap((each) => (each.t === 'event' && each.isNew ? [each.event.DeviceID] : []))
  await vi.waitFor(() => expect(events()).toContain(gateway('GW-A')))
  await vi.waitFor(async () => {
    const { items } = await stack.client.call(listEvents, { body: {} })
    expect(items.map(({ ControllerID }) => ControllerID)).toContain('B-T1')
  })
  await stack.fleet.gatewayOf('B-T1').report()
  await stack.fleet.gatewayOf('A-T1').report()
  await vi.waitFor(() => expect(gatewaysOf(received)).toEqual(new Set(['GW-A'])))
  expect(new Set(events())).toEqual(new Set([gateway('GW-A')]))
  for (const body of [{}, { HouseID: house() }]) {
    const { items, total } = await sub.call(listEvents, { body })
    expect([new Set(items.map(({ DeviceID }) => DeviceID)), total]).toEqual([new Set([gateway('GW-A')]), items.length])
  }
  const polled = (await sub.call(isNewMessage, { query: {} })).Events
  expect(new Set(polled.map(({ DeviceID }) => DeviceID))).toEqual(new Set([gateway('GW-A')]))
  const other = (await stack.client.call(listEvents, { body: {} })).items.find((each) => each.DeviceID === gateway('GW-B'))
  expect(await outcomeOf(sub.call(acknowledgeEvent, { params: { EventID: other?.EventID ?? '0' }, query: {} }))).toBe(
    'event not exists',
  )
  socket.terminate()
})

test('sees of what feeds a line, and of what it feeds, the lines of its own gateway only', async () => {
  const a = (LineNo: number) => ({ ControllerID: 'A-T1', LineNo })
  const b = (LineNo: number) => ({ ControllerID: 'B-T1', LineNo })
  // From the supply down: A3, B1, A1, and below that A2 and B2.
  for (const [fed, FedBy] of [
    [b(1), a(3)],
    [a(1), b(1)],
    [a(2), a(1)],
    [b(2), a(1)],
  ] as const)
    await stack.client.call(setFeed, { params: fed, body: { FedBy, Was: null } })
  // As if all equipment had been born the other way round.
  const { lines } = stack.server.plant
  for (const [id, line] of [...lines].reverse()) {
    lines.delete(id)
    lines.set(id, line)
  }
  const around = async (client: Client, of: (LineNo: number) => typeof theirs, LineNo: number) => {
    const { Upstream, FeederUnseen, Downstream } = await client.call(lineFeed, { params: of(LineNo) })
    const named = (lines: typeof Upstream) => lines.map(({ LineName }) => LineName)
    return [named(Upstream), FeederUnseen, named(Downstream)]
  }
  expect(await around(stack.client, a, 1)).toEqual([['B线1', 'A线3'], false, ['A线2', 'B线2']])
  expect(await around(sub, a, 1)).toEqual([['A线3'], true, ['A线2']])
  expect(await around(sub, a, 2)).toEqual([['A线1', 'A线3'], false, []])
  type Feeder = typeof theirs | null
  const feed = (LineNo: number, FedBy: Feeder, Was: Feeder | 'unseen' = null) =>
    outcomeOf(sub.call(setFeed, { params: a(LineNo), body: { FedBy, Was } }))
  expect(await feed(4, b(2))).toBe('line not exists')
  // Round by a line that is not seen.
  expect(await feed(3, a(2))).toBe('feeds itself')
  // Whoever read it before somebody set a line that they do not see takes that back no more than one that they see.
  expect(await feed(1, null)).toBe('changed meanwhile')
  expect(await feed(1, a(4), b(1))).toBe('changed meanwhile')
  expect(await feed(2, null)).toBe('changed meanwhile')
  expect(await feed(2, a(3), 'unseen')).toBe('changed meanwhile')
  expect(await around(stack.client, a, 1)).toEqual([['B线1', 'A线3'], false, ['A线2', 'B线2']])
  // Of two who read the same, one is told that the other was quicker; and knowingly it can be set.
  const both = await Promise.all([feed(2, a(3), a(1)), feed(2, a(3), a(1))])
  expect(both.toSorted()).toEqual(['changed meanwhile', 'done'])
  expect(await feed(2, a(1), a(3))).toBe('done')
  expect(await feed(1, a(4), 'unseen')).toBe('done')
  expect(await around(stack.client, a, 1)).toEqual([['A线4'], false, ['A线2', 'B线2']])
  await stack.client.call(setFeed, { params: a(1), body: { FedBy: b(1), Was: a(4) } })

  const { items } = await sub.call(lineTrips, { params: a(2) })
  const params = { ...a(2), EventID: items[0]?.EventID ?? '' }
  const named = async (client: Client) => (await client.call(tripAnalysis, { params })).Upstream.map(({ LineName }) => LineName)
  expect(await named(stack.client)).toEqual(['A线1', 'B线1', 'A线3'])
  expect(await named(sub)).toEqual(['A线1', 'A线3'])
})

test('reads of the ledger the commands of its own gateway only', async () => {
  const trip = async (ControllerID: string) => {
    const CommandID = crypto.randomUUID()
    const params = { ControllerID, LineNo: 5, attr: 'trip' } as const
    await stack.client.call(operateLine, { params, body: { CommandID, Reason: '检修' } })
    return CommandID
  }
  const [own, other] = [await trip('A-T1'), await trip('B-T1')]
  const read = async (client: Client, query: { ControllerID?: string; HouseID?: number }) => {
    const { items, total } = await client.call(ledger, { query })
    return [items.map(({ Command }) => Command.CommandID).toSorted(), total]
  }
  expect(await read(stack.client, {})).toEqual([[own, other].toSorted(), 2])
  for (const query of [{}, { HouseID: house() }, { ControllerID: 'A-T1' }]) expect(await read(sub, query)).toEqual([[own], 1])
  expect(await read(sub, { ControllerID: 'B-T1' })).toEqual([[], 0])
  const steps = (CommandID: string) => outcomeOf(sub.call(commandSteps, { params: { CommandID } }))
  expect([await steps(own), await steps(other)]).toEqual(['done', 'command not exists'])
})

test('of group operations they are told the lines that they see, and only that there are others', async () => {
  const start = (Lines: { ControllerID: string; LineNo: number }[]) =>
    stack.client.call(startRun, { body: { RunID: crypto.randomUUID(), Action: 'trip', Lines, Reason: '检修' } })
  const own = await start([{ ControllerID: 'A-T1', LineNo: 7 }])
  const mixed = await start([{ ControllerID: 'A-T1', LineNo: 8 }, theirs])
  const foreign = await start([{ ControllerID: 'B-T1', LineNo: 2 }])
  const listed = async (client: Client) =>
    new Map((await client.call(listRuns, { query: {} })).items.map(({ RunID, Total }) => [RunID, Total]))
  expect(await listed(sub)).toEqual(
    new Map([
      [own.RunID, 1],
      [mixed.RunID, 1],
    ]),
  )
  expect(await listed(stack.client)).toEqual(
    new Map([
      [own.RunID, 1],
      [mixed.RunID, 2],
      [foreign.RunID, 1],
    ]),
  )
  const part = { Whole: false, Lines: [{ ControllerID: 'A-T1', LineNo: 8 }] }
  expect(await sub.call(getRun, { params: { RunID: mixed.RunID } })).toMatchObject(part)
  expect(await outcomeOf(sub.call(getRun, { params: { RunID: foreign.RunID } }))).toBe('operation not exists')
  expect(await outcomeOf(sub.call(stopRun, { params: { RunID: foreign.RunID } }))).toBe('operation not exists')
  expect(await outcomeOf(sub.call(stopRun, { params: { RunID: mixed.RunID } }))).toBe('done')
  // So is whoever started it, whose sight it has left since, on an open socket.
  const { socket, received } = await listen(sub, [])
  stack.server.hub.publish({ live: [groupOperationTopic(stack.server.plant, mixed, accountId)] })
  await vi.waitFor(() => expect(received.flatMap((each) => (each.t === 'run' ? each.run : []))).toMatchObject([part]))
  socket.terminate()
})

test('given another gateway instead, an open socket hears of that one at once and of the former no more', async () => {
  const { socket, received } = await listen(sub, [house()])
  await vi.waitFor(() => expect(gatewaysOf(received)).toEqual(new Set(['GW-A'])))
  const Assigned = { HouseIDs: [], DeviceIDs: [gateway('GW-B')] }
  await stack.client.call(editUser, { body: { AccountID: accountId, Version: 1, Assigned } })
  await vi.waitFor(() => expect(received.some((each) => each.t === 'tree')).toBe(true))
  received.length = 0
  await stack.fleet.gatewayOf('A-T1').report()
  await stack.fleet.gatewayOf('B-T1').report()
  await vi.waitFor(() => expect(gatewaysOf(received)).toEqual(new Set(['GW-B'])))
  // Of tags as of everything else.
  for (const ControllerID of ['A-T1', 'B-T1']) {
    const body = { TagID: crypto.randomUUID(), Kind: 'tag', On: 'device', Reason: '检修' } as const
    await stack.client.call(placeTag, { params: { ControllerID, LineNo: 1 }, body })
    await stack.client.call(removeTag, { params: { ControllerID, LineNo: 1, TagID: body.TagID }, body: {} })
  }
  const hung = { t: 'tags', DeviceID: gateway('GW-B') }
  await vi.waitFor(() => expect(received.filter(({ t }) => t === 'tags')).toEqual([hung, hung]))
  socket.terminate()
})
