import { once } from 'node:events'
import type { Client } from '@linewarden/client'
import type { LiveMessage } from '@linewarden/contract'
import {
  acknowledgeEvent,
  addRole,
  addSubAccount,
  allGateways,
  closePermit,
  downloadPath,
  editUser,
  exportHistory,
  history,
  isNewMessage,
  lineDetails,
  listEvents,
  listRuns,
  livePath,
  liveTicket,
  operateLine,
  searchLines,
  snapshot,
  startRun,
  tree,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { outcomeOf } from './refused.ts'
import { smallPlan } from './small-plan.ts'
import type { Stack } from './stack.ts'
import { signedIn, startStack } from './stack.ts'
import { subOf } from './two-owners.ts'

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
  const privileges = ['devmon', 'devmon.realtime', 'devmon.hisdata', 'system.geteway']
  roleId = (
    await stack.client.call(addRole, { body: { Number: 'd', Name: '值班', Privileges: privileges, Buttons: ['lineSwitch'] } })
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
  const told: LiveMessage[] = []
  socket.on('message', (bytes) => told.push(...(JSON.parse(String(bytes)) as LiveMessage[])))
  await once(socket, 'open')
  const linesOfB = [...stack.server.plant.lines.values()]
    .filter((line) => line.device.gateway.number === 'GW-B')
    .map(({ id }) => id)
  socket.send(JSON.stringify({ t: 'watch', houses, lines: linesOfB }))
  return { socket, told }
}

const heardOf = (told: readonly LiveMessage[]) =>
  numbersOf(told.flatMap((each) => (each.t === 'line' ? [each.state.LineID] : [])))

test('sees its gateway in tree, snapshot, search and pickers, and not the one beside it', async () => {
  const { Groups } = await sub.call(tree, { query: {} })
  expect(Groups.flatMap(({ Houses }) => Houses.flatMap(({ Devices }) => Devices.map((each) => each.Number)))).toEqual(['GW-A'])
  for (const query of [{}, { HouseID: house() }]) {
    const { items } = await sub.call(snapshot, { query })
    expect(numbersOf(items.map(({ LineID }) => LineID))).toEqual(new Set(['GW-A']))
  }
  expect((await sub.call(allGateways)).items.map((each) => each.Number)).toEqual(['GW-A'])
  expect((await sub.call(searchLines, { query: { LineName: '线1' } })).items.map(({ LineName }) => LineName)).toEqual(['A线1'])
})

test('finds nothing of the other, and moves nothing there', async () => {
  expect(await outcomeOf(sub.call(lineDetails, { params: theirs }))).toBe('device not exists')
  expect(await outcomeOf(sub.call(closePermit, { params: theirs }))).toBe('device not exists')
  const body = { CommandID: crypto.randomUUID(), Reason: 'x' }
  expect(await outcomeOf(sub.call(operateLine, { params: { ...theirs, attr: 'trip' }, body }))).toBe('device not exists')
  expect(stack.fleet.executed).toEqual([])
  expect(await outcomeOf(sub.call(lineDetails, { params: { ControllerID: 'A-T1', LineNo: 1 } }))).toBe('done')
})

test('of group operations they see those whose lines are all theirs', async () => {
  const start = (Lines: { ControllerID: string; LineNo: number }[]) =>
    stack.client.call(startRun, { body: { RunID: crypto.randomUUID(), Action: 'trip', Lines, Reason: '检修' } })
  const own = await start([{ ControllerID: 'A-T1', LineNo: 7 }])
  const mixed = await start([{ ControllerID: 'A-T1', LineNo: 8 }, theirs])
  const seen = async (client: Client) => (await client.call(listRuns, { query: {} })).items.map(({ RunID }) => RunID)
  expect(await seen(sub)).toEqual([own.RunID])
  expect(new Set(await seen(stack.client))).toEqual(new Set([own.RunID, mixed.RunID]))
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
  await sub.call(isNewMessage)
  const { socket, told } = await listen(sub, [house()])
  stack.fleet.run('shortCircuit', { controllerId: 'B-T1', lineNo: 1 })
  stack.fleet.run('shortCircuit', { controllerId: 'A-T1', lineNo: 2 })
  const heard = () => told.flatMap((each) => (each.t === 'event' && each.isNew ? [each.event.DeviceID] : []))
  await vi.waitFor(() => expect(heard()).toContain(gateway('GW-A')))
  await vi.waitFor(async () => {
    const { items } = await stack.client.call(listEvents, { body: {} })
    expect(items.map(({ ControllerID }) => ControllerID)).toContain('B-T1')
  })
  await stack.fleet.gatewayOf('B-T1').report()
  await stack.fleet.gatewayOf('A-T1').report()
  await vi.waitFor(() => expect(heardOf(told)).toEqual(new Set(['GW-A'])))
  expect(new Set(heard())).toEqual(new Set([gateway('GW-A')]))
  for (const body of [{}, { HouseID: house() }]) {
    const { items, total } = await sub.call(listEvents, { body })
    expect([new Set(items.map(({ DeviceID }) => DeviceID)), total]).toEqual([new Set([gateway('GW-A')]), items.length])
  }
  const polled = (await sub.call(isNewMessage)).Events
  expect(new Set(polled.map(({ DeviceID }) => DeviceID))).toEqual(new Set([gateway('GW-A')]))
  const other = (await stack.client.call(listEvents, { body: {} })).items.find((each) => each.DeviceID === gateway('GW-B'))
  expect(await outcomeOf(sub.call(acknowledgeEvent, { params: { EventID: other?.EventID ?? '0' } }))).toBe('event not exists')
  socket.terminate()
})

test('given another gateway instead, an open socket hears of that one at once and of the former no more', async () => {
  const { socket, told } = await listen(sub, [house()])
  await vi.waitFor(() => expect(heardOf(told)).toEqual(new Set(['GW-A'])))
  const Assigned = { HouseIDs: [], DeviceIDs: [gateway('GW-B')] }
  await stack.client.call(editUser, { body: { AccountID: accountId, Version: 1, Assigned } })
  await vi.waitFor(() => expect(told.some((each) => each.t === 'tree')).toBe(true))
  told.length = 0
  await stack.fleet.gatewayOf('A-T1').report()
  await stack.fleet.gatewayOf('B-T1').report()
  await vi.waitFor(() => expect(heardOf(told)).toEqual(new Set(['GW-B'])))
  socket.terminate()
})
