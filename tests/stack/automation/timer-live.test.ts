import { once } from 'node:events'
import type { Client } from '@linewarden/client'
import type { LiveMessage, TimerForm } from '@linewarden/contract'
import { insertTimer, livePath, liveTicket, logTimers, skipTimer } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// That runs of timers began and ended is published by itself, for whoever sees one of their lines.
let stack: Stack
let ahead = 0
const begun = Date.now()
/** A twentieth as fast as the wall: a machine that is busy makes nothing late. */
const now = () => begun + ahead + Math.floor((Date.now() - begun) / 20)
const sockets: WebSocket[] = []

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: now, fleet: { now } })
  calm(stack)
})
afterAll(() => {
  for (const socket of sockets) socket.terminate()
  return stack?.close()
})

const house = (device = 'A-T1') => stack.server.plant.deviceByControllerId.get(device)?.gateway.project.id ?? 0

/** Timers of which runs were published at a live socket. */
async function liveRuns(client: Client): Promise<number[][]> {
  const { Ticket } = await client.call(liveTicket)
  const socket = new WebSocket(`${stack.url.replace('http', 'ws')}${livePath}?ticket=${Ticket}`)
  sockets.push(socket)
  const timers: number[][] = []
  socket.on('message', (bytes) => {
    for (const message of JSON.parse(String(bytes)) as LiveMessage[]) if (message.t === 'timerRun') timers.push(message.TimerIDs)
  })
  await once(socket, 'open')
  return timers
}

async function reader(userName: string, privileges: string[], device: string): Promise<Client> {
  const { accounts } = stack.server
  const roleId = await accounts.createRole({ number: userName, name: userName, privileges, buttons: [] })
  const who = { userName, password: 'Duty-7391' }
  await accounts.createAccount({ ...who, kind: 'sub', roleId, projectIds: [house(device)] })
  return signedIn(stack.url, who, now)
}

/** Every day at this second. */
const daily = (Name: string, ms: number): TimerForm => ({
  ...{ Name, Function: 'switch', Type: 'weekly', Period: { Days: 127 }, Exceptions: [], KeepWhileWanted: true, Enabled: true },
  Points: [{ PointNo: 1, At: new Date(ms + 8 * 3_600_000).toISOString().slice(11, 19), Action: 'trip' }],
  Lines: [{ ControllerID: 'A-T1', LineNo: 1 }],
})

test('that a run began and ended is published, also of one that was left out, and to nobody who sees none of its lines or no timers', async () => {
  const here = await liveRuns(await reader('13800000301', ['timer', 'timer.list'], 'A-T1'))
  const elsewhere = await liveRuns(await reader('13800000302', ['timer', 'timer.list'], 'B-T1'))
  const without = await liveRuns(await reader('13800000303', ['devmon', 'devmon.realtime'], 'A-T1'))
  const due = Math.ceil(now() / 1_000) * 1_000 + 60_000
  const insert = (form: TimerForm) => stack.client.call(insertTimer, { body: { HouseID: house(), ...form } })
  const runs = await insert(daily('即时分闸', due))
  const skipped = await insert(daily('跳过一次', due + 1_000))
  const { TimerID, Version } = skipped
  await stack.client.call(skipTimer, { body: { TimerID, Version, Until: due + 1_000 } })
  for (let left = due + 1_500 - now(); left > 0; left -= 4_000) {
    ahead += Math.min(left, 4_000)
    await Promise.all([...stack.fleet.gateways.values()].map((each) => each.report()))
    await stack.server.ingest.drained()
  }
  await vi.waitFor(async () => {
    await stack.server.automation.tick()
    const { items } = await stack.client.call(logTimers, { body: { TimerID: runs.TimerID } })
    expect(items[0]?.State).toBe('done')
    expect(here.flat()).toEqual(expect.arrayContaining([runs.TimerID, skipped.TimerID]))
  })
  expect([elsewhere, without]).toEqual([[], []])
})
