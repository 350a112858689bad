import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { LiveMessage } from '@linewarden/contract'
import { acknowledgeEvent, liveClose, livePath, liveTicket, logout, operateLine, userInfo } from '@linewarden/contract'
import type { LiveTopic } from '@linewarden/server/live-topics'
import { treeChanged } from '@linewarden/server/live-topics'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

let stack: Stack
let ahead = 0
const sockets: WebSocket[] = []

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate()
})
afterAll(() => stack?.close())

const address = (ticket: string) => `${stack.url.replace('http', 'ws')}${livePath}?ticket=${ticket}`
const ticketOf = async (client = stack.client) => (await client.call(liveTicket)).Ticket
const project = (name: string) => [...stack.server.plant.projects.values()].find((each) => each.name === name)?.id ?? 0

/** An open live socket and everything it has been told. */
async function open(ticket: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(address(ticket), { headers })
  sockets.push(socket)
  const received: LiveMessage[] = []
  const frames: LiveMessage[][] = []
  socket.on('message', (bytes) => {
    const frame = JSON.parse(String(bytes)) as LiveMessage[]
    frames.push(frame)
    received.push(...frame)
  })
  await once(socket, 'open')
  return {
    socket,
    received,
    /** As they came, each with what it brought at once. */
    frames,
    watch: (houses: number[], lines: number[] = []) => socket.send(JSON.stringify({ t: 'watch', houses, lines })),
  }
}

const refusedWith = async (ticket: string, headers: Record<string, string> = {}) => {
  const socket = new WebSocket(address(ticket), { headers })
  socket.on('error', () => {})
  sockets.push(socket)
  const [, response] = await once(socket, 'unexpected-response')
  return response.statusCode
}

const projectsOf = (received: LiveMessage[]) =>
  new Set(
    received.flatMap((each) =>
      each.t === 'line' ? [stack.server.plant.lines.get(each.state.LineID)?.device.gateway.project.name] : [],
    ),
  )

test('a ticket opens the socket once', async () => {
  const ticket = await ticketOf()
  await open(ticket)
  expect(await refusedWith(ticket)).toBe(401)
})

test('without a ticket, or with one that is too old, there is no socket', async () => {
  expect(await refusedWith('')).toBe(401)
  const ticket = await ticketOf()
  ahead += 31_000
  expect(await refusedWith(ticket)).toBe(401)
})

test("a page of another site is refused, the server's own is not", async () => {
  expect(await refusedWith(await ticketOf(), { Origin: 'https://example.com' })).toBe(403)
  await open(await ticketOf(), { Origin: stack.url })
})

test('who doubts the connection asks for a hello and has it; that is no use of the session', async () => {
  const { socket, received } = await open(await ticketOf())
  const hellos = () => received.filter(({ t }) => t === 'hello').length
  await vi.waitFor(() => expect(hellos()).toBe(1))
  const used = () => stack.server.database.general.selectFrom('session').select('last_used_at').orderBy('session_id').execute()
  const before = await used()
  ahead += 60_000
  for (let asked = 1; asked <= 3; asked++) {
    socket.send(JSON.stringify({ t: 'hello' }))
    await vi.waitFor(() => expect(hellos()).toBe(asked + 1))
  }
  expect(await used()).toEqual(before)
})

test('of many wishes to watch the newest counts', async () => {
  const { received, watch } = await open(await ticketOf())
  for (let times = 0; times < 40; times++) watch([project('项目B')])
  watch([project('项目A')])
  await vi.waitFor(() => expect(projectsOf(received).has('项目A')).toBe(true))
  received.length = 0
  await stack.fleet.gatewayOf('B-T1').report()
  await stack.fleet.gatewayOf('A-T1').report()
  await vi.waitFor(() => expect(projectsOf(received)).toEqual(new Set(['项目A'])))
})

test('who sends more than a person can is cut off', async () => {
  const { socket, watch } = await open(await ticketOf())
  for (let times = 0; times < 500; times++) watch([project('项目B')])
  await once(socket, 'close')
})

test('an eleventh socket of one session is refused, and again welcome when one is closed', async () => {
  const client = await signedIn(stack.url, stack.admin, () => Date.now() + ahead)
  const first = await open(await ticketOf(client))
  for (let more = 1; more < 10; more++) await open(await ticketOf(client))
  expect(await refusedWith(await ticketOf(client))).toBe(429)
  await open(await ticketOf())
  first.socket.close()
  await once(first.socket, 'close')
  await vi.waitFor(async () => void (await open(await ticketOf(client))))
})

test('what is watched is told at once, and what moves afterwards', async () => {
  const { received, watch } = await open(await ticketOf())
  watch([project('项目A')])
  await vi.waitFor(() => expect(projectsOf(received)).toEqual(new Set(['项目A'])))
  received.length = 0
  const gateway = stack.fleet.gatewayOf('A-T1')
  gateway.setPoint('A-T1', 1, 'current.a', 17.25)
  await gateway.report()
  await vi.waitFor(() => expect(received.some((each) => each.t === 'line' && each.state.Values[0] === 17.25)).toBe(true))
  expect(projectsOf(received)).toEqual(new Set(['项目A']))
})

test('a viewer cannot watch what it may not see, and hears no events of it', async () => {
  const { accounts } = stack.server
  const roleId = await accounts.createRole({ number: 'v', name: '查看', privileges: ['devmon', 'devmon.realtime'], buttons: [] })
  await accounts.createAccount({ userName: 'viewer', password: 'View-7391', kind: 'sub', roleId, projectIds: [project('项目A')] })
  const client = await signedIn(stack.url, { userName: 'viewer', password: 'View-7391' })
  const { received, watch } = await open(await ticketOf(client))
  const linesOfB = [...stack.server.plant.lines.values()]
    .filter((line) => line.device.gateway.project.name === '项目B')
    .map((line) => line.id)
  watch([project('项目A'), project('项目B')], linesOfB)
  stack.fleet.run('shortCircuit', { controllerId: 'B-T1', lineNo: 1 })
  stack.fleet.run('shortCircuit', { controllerId: 'A-T1', lineNo: 2 })
  const events = () => received.flatMap((each) => (each.t === 'event' && each.isNew ? [each.event.Where] : []))
  await vi.waitFor(() => expect(events()).toEqual([{ HouseName: '项目A', GatewayName: 'A柜', LineName: 'A线2' }]))
  await stack.fleet.gatewayOf('B-T1').report()
  await stack.fleet.gatewayOf('A-T1').report()
  expect(events()).toHaveLength(1)
  expect(projectsOf(received)).toEqual(new Set(['项目A']))
})

test('acknowledging is told to everybody, and is not new', async () => {
  const { received } = await open(await ticketOf())
  stack.fleet.run('leakageTrip', { controllerId: 'A-T1', lineNo: 3 })
  const event = await vi.waitFor(() => {
    const found = received.find((each) => each.t === 'event' && each.isNew && each.event.Key === 'trip.leakage')
    if (found?.t !== 'event') throw new Error('not told yet')
    return found.event
  })
  await stack.client.call(acknowledgeEvent, { params: { EventID: event.EventID }, query: {} })
  await vi.waitFor(() => {
    const last = received.filter((each) => each.t === 'event').at(-1)
    expect(last).toMatchObject({
      isNew: false,
      event: { EventID: event.EventID, State: 'acknowledged', AcknowledgedBy: 'admin' },
    })
  })
})

test('a line that trips is shown as the equipment reports it, never before', async () => {
  const { received, watch } = await open(await ticketOf())
  watch([project('项目A')])
  const positions = () =>
    received.flatMap((each) =>
      each.t === 'line' && each.state.LineID === stack.server.plant.lineAt('A-T1', 4)?.id ? [each.state.States.position] : [],
    )
  await vi.waitFor(() => expect(positions()).toContain('closed'))
  stack.fleet.run('leakageTrip', { controllerId: 'A-T1', lineNo: 4 })
  await vi.waitFor(() => expect(positions().at(-1)).toBe('open'))
})

test('a new position, an alarm and what is ordered come with their news, and wait for no other values', async () => {
  const { frames, watch } = await open(await ticketOf())
  watch([project('项目A')])
  const gateway = stack.fleet.gatewayOf('A-T1')
  const idOf = (no: number) =>
    [...stack.server.plant.lines.values()].find(({ device, lineNo }) => device.controllerId === 'A-T1' && lineNo === no)?.id ?? 0
  const statesIn = (frame: LiveMessage[]) => frame.flatMap((each) => (each.t === 'line' ? [each.state] : []))
  const frameWith = (what: (frame: LiveMessage[]) => boolean) =>
    vi.waitFor(() => frames.find(what) ?? expect.fail(`not told: ${JSON.stringify(frames).slice(-2_000)}`))

  // Everything of the gateway reports, and of one line a state moved, which is no event.
  gateway.line('A-T1', 6).forcedStates.set('selfTest', 'running')
  await gateway.report()
  const moved = await frameWith((frame) => statesIn(frame).some(({ States }) => States.selfTest === 'running'))
  expect(statesIn(moved)).toHaveLength(1)

  gateway.setPoint('A-T1', 7, 'temperature.a', 140)
  await gateway.report()
  ahead += 60_000
  await gateway.report()
  const alarmed = await frameWith((frame) =>
    frame.some((each) => each.t === 'event' && each.isNew && each.event.LineID === idOf(7)),
  )
  expect(statesIn(alarmed)).toMatchObject([{ LineID: idOf(7), Active: [{ Point: 'temperature.a' }] }])

  await stack.client.call(operateLine, {
    params: { ControllerID: 'A-T1', LineNo: 5, attr: 'trip' },
    body: { CommandID: randomUUID(), Reason: '检修' },
  })
  const ordered = await frameWith((frame) => frame.some((each) => each.t === 'command'))
  expect(statesIn(ordered)).toMatchObject([{ LineID: idOf(5), Pending: { Action: 'trip' } }])
})

const linesOf = (name: string) =>
  [...stack.server.plant.lines.values()].filter(({ device }) => device.gateway.project.name === name)

test('values that waited for the next frame are not told to whoever watches something else by then', async () => {
  const { socket, frames, received, watch } = await open(await ticketOf())
  watch([project('项目A')])
  await vi.waitFor(() => expect(projectsOf(received)).toEqual(new Set(['项目A'])))
  // The first of them leaves at once, if none left a moment ago; the second waits.
  for (let i = 0; i < 2; i++) stack.server.hub.publish({ lines: linesOf('项目A'), reports: [] })
  watch([project('项目B')])
  const turned = await vi.waitFor(() => {
    const first = frames.findIndex((frame) => projectsOf(frame).has('项目B'))
    return first >= 0 ? first : expect.fail('not told')
  })
  stack.server.hub.publish({ live: [treeChanged(project('项目B'))] })
  await vi.waitFor(() => expect(received.some(({ t }) => t === 'tree')).toBe(true))
  expect(projectsOf(frames.slice(turned).flat())).toEqual(new Set(['项目B']))
  expect(socket.readyState).toBe(socket.OPEN)
})

test('whoever reads slowly is told the newest positions and all the news, and is not dropped for positions that moved on', async () => {
  const { socket, received, watch } = await open(await ticketOf())
  watch([project('项目A')])
  await vi.waitFor(() => expect(projectsOf(received)).toEqual(new Set(['项目A'])))
  socket.pause()
  const lines = linesOf('项目A')
  const sent = 6_000
  for (let i = 0; i < sent; i++) {
    stack.server.hub.publish({ lines })
    if (i % 50 === 0) await new Promise(setImmediate)
  }
  stack.server.hub.publish({ live: [treeChanged(project('项目A'))] })
  socket.resume()
  await vi.waitFor(() => expect(received.some(({ t }) => t === 'tree')).toBe(true))
  expect(received.filter(({ t }) => t === 'line').length).toBeLessThan(sent * lines.length)
  expect(socket.readyState).toBe(socket.OPEN)
})

test('signing out ends the socket', async () => {
  const { accounts } = stack.server
  await accounts.createAccount({ userName: 'leaver', password: 'Leave-7391', kind: 'platform' })
  const client = await signedIn(stack.url, { userName: 'leaver', password: 'Leave-7391' })
  const { socket } = await open(await ticketOf(client))
  const closed = once(socket, 'close')
  await client.call(logout, { body: { UserID: (await client.call(userInfo)).UserID } })
  expect((await closed)[0]).toBe(liveClose.sessionEnded)
})

test.each([
  'nonsense',
  '{}',
  '{"t":"watch","houses":"all","lines":[]}',
  JSON.stringify({ t: 'watch', houses: Array(5_001).fill(1), lines: [] }),
])('a request that cannot be understood closes the socket: %.40s', async (text) => {
  const { socket } = await open(await ticketOf())
  const closed = once(socket, 'close')
  socket.send(text)
  expect((await closed)[0]).toBe(liveClose.badRequest)
})

test('whoever may open no page with lines is told of events and links, and of nothing that line or order reports', async () => {
  const { accounts } = stack.server
  const projectIds = [project('项目A')]
  const person = async (userName: string, privileges: string[]) => {
    const roleId = await accounts.createRole({ number: userName, name: userName, privileges, buttons: [] })
    await accounts.createAccount({ userName, password: 'Watcher-7391', kind: 'sub', roleId, projectIds })
    const opened = await open(
      await ticketOf(await signedIn(stack.url, { userName, password: 'Watcher-7391' }, () => Date.now() + ahead)),
    )
    opened.watch(projectIds)
    return opened
  }
  const watcher = await person('13900000021', ['devmon', 'devmon.realtime'])
  const clerk = await person('13900000022', ['system', 'system.log'])
  const [line] = stack.fleet.gatewayOf('A-T1').lines()
  stack.fleet.run('leakageTrip', line ?? { controllerId: '' })
  for (const { received } of [watcher, clerk]) await vi.waitFor(() => expect(received.some(({ t }) => t === 'event')).toBe(true))
  await vi.waitFor(() => expect(watcher.received.some(({ t }) => t === 'line')).toBe(true))
  expect(clerk.received.filter(({ t }) => t === 'line' || t === 'command' || t === 'setting')).toEqual([])
})

test('a client that does not read is dropped, and nobody else notices', async () => {
  const { socket, received, watch } = await open(await ticketOf())
  watch([project('项目A')])
  // A hand-made client that shakes hands and then never reads.
  const url = new URL(address(await ticketOf()).replace('ws', 'http'))
  const slow = connect(Number(url.port), url.hostname)
  await once(slow, 'connect')
  slow.write(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  )
  await once(slow, 'readable')
  slow.pause()
  const before = stack.server.viewers()
  const big = '线'.repeat(20_000)
  const event = {
    EventID: '1',
    Kind: 'journal',
    Priority: 'low',
    Key: 'x',
    Label: { zh: big, en: big },
    Point: null,
    Value: null,
    Limit: null,
    Unit: '',
    State: null,
    HouseID: project('项目A'),
    DeviceID: 1,
    LineID: null,
    ControllerID: null,
    LineNo: null,
    Where: { HouseName: null, GatewayName: null, LineName: null },
    RaisedAt: 1,
    LastRaisedAt: 1,
    Raises: 1,
    AddTime: 1,
    AcknowledgedAt: null,
    AcknowledgedBy: null,
    ReturnedAt: null,
    AcknowledgedUntil: null,
    Shelved: null,
    Suppressed: null,
    IncidentID: null,
    Role: null,
    Announced: 1,
    SeriesID: '1',
    Occurrences: 1,
    IsNewest: true,
    Chatter: null,
    Fleeting: false,
    Evidence: 'none',
    Historical: false,
  } as const
  const topic: LiveTopic = { to: { project: project('项目A') }, needs: null, message: { t: 'event', event, isNew: false } }
  // Whoever reads has read all of it before more comes: only for the other one it piles up.
  for (let due = 20; stack.server.viewers() === before; due += 20) {
    for (let i = 0; i < 20; i++) stack.server.hub.publish({ live: [topic] })
    await vi.waitFor(() => expect(received.filter(({ t }) => t === 'event').length).toBeGreaterThanOrEqual(due))
    if (due > 2_000) throw new Error('two hundred megabytes are kept for somebody who does not read')
  }
  expect(socket.readyState).toBe(socket.OPEN)
  slow.destroy()
  received.length = 0
  await stack.fleet.gatewayOf('A-T1').report()
  await vi.waitFor(() => expect(received.some((each) => each.t === 'line')).toBe(true))
})
