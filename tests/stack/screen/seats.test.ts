import { once } from 'node:events'
import type { Client } from '@linewarden/client'
import {
  allCalls,
  editScreen,
  listEvents,
  listScreenSeats,
  liveClose,
  livePath,
  liveTicket,
  openScreen,
  revokeScreen,
  screenBeat,
  snapshot,
} from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { exampleOf } from '../../kit/example.ts'
import { offenders } from '../../kit/offenders.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { sendRaw } from '../../kit/send-raw.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'
import type { Wall } from '../../kit/walls.ts'
import { linkOf, newLink, nobody, openWall } from '../../kit/walls.ts'

// What a wall may that a link opened, and when it may no more.
let stack: Stack
let ahead = 0
const now = () => Date.now() + ahead
let houseA = 0
let houseB = 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: now, fleet: { now, ticking: false } })
  calm(stack)
  const houseOf = (device: string) => stack.server.plant.lineAt(device, 1)?.device.gateway.project.id ?? 0
  houseA = houseOf('A-T1')
  houseB = houseOf('B-T1')
})
afterAll(() => stack?.close())

/** The administrator, as signed in now: time moves on by days. */
const admin = (): Promise<Client> => signedIn(stack.url, stack.admin, now)
const wallOf = async (HouseIDs = [houseA], more: Parameters<typeof linkOf>[1] = {}) => {
  const link = await newLink(await admin(), HouseIDs, { MostSeats: 3, ...more })
  return { ...link, ...(await openWall(stack.url, { Key: link.Key }, now)) }
}
const opens = (body: Parameters<typeof openWall>[1]) => outcomeOf(nobody(stack.url, now).call(openScreen, { body }))
const beat = { Build: 'b1', HeapMb: 31, LateMs: 4, DataAt: null, Page: '/bigScreen' }
const asks = ({ client }: Pick<Wall, 'client'>) => outcomeOf(client.call(snapshot, { query: { HouseID: houseA } }))

describe('a wall', () => {
  test('makes six calls and no other of the contract', { timeout: 120_000 }, async () => {
    const { session, client } = await wallOf()
    const own = ['snapshot', 'listEvents', 'liveTicket', 'screenBeat', 'screenView']
    const others = allCalls.filter(({ name, permission }) => permission !== 'public' && !own.includes(name))
    expect(others.length).toBeGreaterThan(300)
    const wrong = await offenders(
      others.map((call) => [`${call.method} ${call.path}`, call] as const),
      async (_, call) => {
        const given = { HouseID: houseA, HouseIDs: [houseA], ControllerID: 'A-T1', LineNo: 1 }
        const timeStamp = Math.floor(now() / 1_000)
        const { status, envelope } = await sendRaw(stack.url, session, {
          method: call.method,
          timeStamp,
          ...exampleOf(call, given),
        })
        expect([status, envelope.Message]).toEqual([403, 'access denied'])
      },
    )
    expect(wrong).toEqual([])
    expect(await outcomeOf(client.call(screenBeat, { body: beat }))).toBe('done')
  })

  test('sees what its link shows, and of other projects not that they exist', async () => {
    await raiseEvents(stack, [{}, { controllerId: 'B-T1' }])
    const { client } = await wallOf()
    expect((await client.call(snapshot, { query: { HouseID: houseA } })).items.length).toBeGreaterThan(0)
    for (const HouseID of [houseB, 99_999])
      expect(await outcomeOf(client.call(snapshot, { query: { HouseID } }))).toBe('project not exists')
    const { items } = await client.call(listEvents, { body: { Size: 200 } })
    expect(new Set(items.map(({ HouseID }) => HouseID))).toEqual(new Set([houseA]))
  })

  test('shows something else as soon as its link does', async () => {
    const { client, Screen } = await wallOf()
    const body = { ...linkOf([houseB]), ScreenID: Screen.ScreenID, MostSeats: 3, Version: 1 }
    await (await admin()).call(editScreen, { body })
    expect(await outcomeOf(client.call(snapshot, { query: { HouseID: houseA } }))).toBe('project not exists')
    expect(await outcomeOf(client.call(snapshot, { query: { HouseID: houseB } }))).toBe('done')
  })

  test('names nobody, unless its link says so', async () => {
    await raiseEvents(stack, [{}])
    const { general } = stack.server.database
    await general
      .updateTable('event')
      .set({ state: 'acknowledged', acknowledged_by: '王工', acknowledged_at: new Date() })
      .execute()
    const named = async (NamesOfPeople: boolean) => {
      const { client } = await wallOf([houseA], { NamesOfPeople })
      return JSON.stringify(await client.call(listEvents, { body: { Size: 200 } })).includes('王工')
    }
    expect([await named(false), await named(true)]).toEqual([false, true])
  })

  test('is one of so many: the next browser is refused, and let in when an administrator ends one', async () => {
    const { Key, Screen, opened } = await wallOf([houseA], { MostSeats: 1 })
    expect(await opens({ Key })).toBe('screen in use')
    const client = await admin()
    await client.call(revokeScreen, { body: { ScreenID: Screen.ScreenID, SeatID: opened.UserID } })
    expect(await opens({ Seat: opened.Seat ?? '' })).toBe('screen taken')
    expect(await opens({ Key })).toBe('done')
    const { items } = await client.call(listScreenSeats, { query: { ScreenID: Screen.ScreenID } })
    expect(items.map(({ EndedWhy }) => EndedWhy)).toEqual([null, 'taken'])
  })

  test('that opens by key and seat keeps its seat', async () => {
    const { Key, opened } = await wallOf([houseA], { MostSeats: 1 })
    const again = await openWall(stack.url, { Key, Seat: opened.Seat ?? '' }, now)
    expect(again.opened).toMatchObject({ UserID: opened.UserID, Seat: null })
  })
})

describe('the secret of a seat', () => {
  test('is replaced each day; the one before is good for a day, and then never again', async () => {
    const { opened } = await wallOf()
    const first = opened.Seat ?? ''
    ahead += 23 * hourMs
    // The answer is lost on its way: the wall comes again with what it has.
    expect((await openWall(stack.url, { Seat: first }, now)).opened.Seat).not.toBeNull()
    ahead += 22 * hourMs
    const third = (await openWall(stack.url, { Seat: first }, now)).opened.Seat ?? ''
    ahead += 3 * hourMs
    expect(await opens({ Seat: first })).toBe('screen key wrong')
    expect(await opens({ Seat: third })).toBe('done')
  })

  test('that was replaced opens nothing once the one after it was shown', async () => {
    const { opened } = await wallOf()
    const first = opened.Seat ?? ''
    ahead += dayMs
    const next = (await openWall(stack.url, { Seat: first }, now)).opened.Seat ?? ''
    expect((await openWall(stack.url, { Seat: next }, now)).opened.Seat).toBeNull()
    expect(await opens({ Seat: first })).toBe('screen key wrong')
  })

  test('opens another session, and the one before it is over', async () => {
    const wall = await wallOf()
    const again = await openWall(stack.url, { Seat: wall.opened.Seat ?? '' }, now)
    expect([await asks(wall), await asks(again)]).toEqual(['signature wrong', 'done'])
  })

  test('is needed each day: a session does not go on by itself', async () => {
    const wall = await wallOf()
    ahead += dayMs
    expect(await asks(wall)).toBe('session expired')
  })

  test('opens nothing after thirty days without a beat, and after months with them', async () => {
    const dead = await wallOf()
    const hanging = await wallOf()
    let Seat = hanging.opened.Seat ?? ''
    for (let days = 0; days < 40; days++) {
      ahead += dayMs
      Seat = (await openWall(stack.url, { Seat }, now)).opened.Seat ?? Seat
    }
    expect(await opens({ Seat: dead.opened.Seat ?? '' })).toBe('screen expired')
    expect(await opens({ Seat })).toBe('done')
  })

  test('ends with its link, where that is to end', async () => {
    const wall = await wallOf([houseA], { HardUntil: now() + hourMs })
    ahead += hourMs
    expect(await asks(wall)).toBe('session expired')
    expect(await opens({ Seat: wall.opened.Seat ?? '' })).toBe('screen expired')
    expect(await opens({ Key: wall.Key })).toBe('screen expired')
  })
})

describe('a link that is revoked', () => {
  const revoke = async (ScreenID: number) => (await admin()).call(revokeScreen, { body: { ScreenID } })
  const socketOf = async ({ client }: Pick<Wall, 'client'>) => {
    const { Ticket } = await client.call(liveTicket)
    return `${stack.url.replace('http', 'ws')}${livePath}?ticket=${Ticket}`
  }

  test('closes the sockets of its walls and nobody else’s, and opens nothing any more', async () => {
    const [wall, other] = [await wallOf(), await wallOf()]
    const addresses = [await socketOf(wall), await socketOf(other)] as const
    const [own, foreign] = [new WebSocket(addresses[0]), new WebSocket(addresses[1])]
    await Promise.all([once(own, 'open'), once(foreign, 'open')])
    const closed = once(own, 'close')
    await revoke(wall.Screen.ScreenID)
    expect((await closed)[0]).toBe(liveClose.sessionEnded)
    expect(foreign.readyState).toBe(WebSocket.OPEN)
    foreign.terminate()
    expect(await asks(wall)).toBe('session expired')
    expect(await opens({ Seat: wall.opened.Seat ?? '' })).toBe('screen revoked')
    expect(await opens({ Key: wall.Key })).toBe('screen revoked')
    expect(await asks(other)).toBe('done')
  })

  test('ends also a socket whose ticket was fetched before', async () => {
    const wall = await wallOf()
    const address = await socketOf(wall)
    await revoke(wall.Screen.ScreenID)
    const late = new WebSocket(address)
    expect((await once(late, 'close'))[0]).toBe(liveClose.sessionEnded)
  })
})

describe('who guesses', () => {
  test('is told of no key or secret whether it ever was, and after thirty tries nothing; who has one comes in', async () => {
    ahead += dayMs
    const { Key } = await newLink(await admin(), [houseA])
    const wrong = ['0'.repeat(26), 'Z'.repeat(26)].map((each) => ({ Key: each }))
    for (const each of [...wrong, { Seat: 'A'.repeat(43) }]) expect(await opens(each)).toBe('screen key wrong')
    await Promise.all(Array.from({ length: 27 }, () => opens({ Key: '1'.repeat(26) })))
    expect(await opens({ Key: '1'.repeat(26) })).toBe('too many requests')
    expect(await opens({ Key })).toBe('done')
    ahead += hourMs
    expect(await opens({ Key: '1'.repeat(26) })).toBe('screen key wrong')
  })

  test('replays nothing: a signed request is answered once', async () => {
    const { session } = await wallOf()
    const sent = { path: `/api/v1/monitor/lines?HouseID=${houseA}`, nonce: 'abc123', timeStamp: Math.floor(now() / 1_000) }
    expect((await sendRaw(stack.url, session, sent)).status).toBe(200)
    expect((await sendRaw(stack.url, session, sent)).envelope.Message).toBe('nonce replayed')
  })

  test('reads no key back from an answer, and no browser tells where it stood', async () => {
    const Key = 'k3y-of-nobody'
    const { envelope } = await sendRaw(
      stack.url,
      { userId: '', token: '' },
      {
        ...{ method: 'POST', path: '/api/v1/screens/open', body: JSON.stringify({ Key }), timeStamp: Math.floor(now() / 1_000) },
      },
    )
    expect(envelope.Message).toBe('invalid parameter')
    expect(JSON.stringify(envelope)).not.toContain(Key)
    const { headers } = await fetch(`${stack.url}/bigScreen`)
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
  })
})
