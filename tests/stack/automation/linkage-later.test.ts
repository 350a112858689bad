import { insertScene, lineCommands, operateLine, releaseLine } from '@linewarden/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LinkageBody, LinkageHouse } from '../../kit/linkage-house.ts'
import { above, at, does, eventually, linkagePlan, startLinkageHouse } from '../../kit/linkage-house.ts'
import { verified } from '../../kit/verified.ts'

// A close after a delay is decided when it is due: by all that has been ordered and reported of the line since the linkage fired.
const second = {
  ...{ number: 'GW-A2', name: 'A柜2', secret: '', reportingPeriodMs: 60_000 },
  devices: [
    {
      ...{ controllerId: 'A-T2', family: 'breaker3p', model: '3PN', name: '备用柜' },
      lines: [{ lineNo: 1, name: 'A备用1', ratedCurrentA: 63, load: 'office' as const }],
    },
  ],
}
const plan = linkagePlan.map((project, index) =>
  index === 0 ? { ...project, gateways: [...project.gateways, second] } : project,
)
let house: LinkageHouse
const made: number[] = []
/** When each linkage has fired. */
const firedAt = new Map<number, number>()
beforeAll(async () => {
  house = await startLinkageHouse({ plan })
})
afterAll(() => house?.stack.close())
beforeEach(async () => {
  for (const lineNo of [1, 4, 5]) house.line(lineNo).position = 'closed'
  for (const lineNo of [7, 8]) house.line(lineNo).position = 'open'
  for (const lineNo of [1, 4, 5, 7, 8]) house.line(lineNo).tripCause = 'none'
  house.line(1, 'A-T2').position = 'open'
  await house.currentOf(3, 1)
  // What the test before did is no cause of anything any more, and a line that has just opened is not closed for ten seconds.
  await house.reported(40_000)
})
afterEach(async () => {
  Object.assign(house.gateway().behaviour, { move: true })
  house.gateway().detector('A-Y1').forcedStates.delete('smoke.alarm')
  for (const LinkageID of made.splice(0)) await house.gone(LinkageID)
})

const away = () => house.stack.fleet.gatewayOf('A-T2')
/** A linkage that orders by itself from now on. */
async function links(Name: string, own: Partial<LinkageBody>): Promise<number> {
  const { LinkageID, Mode } = await house.made(Name, { MayClose: true, ...own })
  made.push(LinkageID)
  if (Mode === 'shadow') await house.turned(LinkageID, 'live')
  await house.reported()
  return LinkageID
}
/** One that fires at once, for a current. */
async function fires(Name: string, Actions: LinkageBody['Actions']): Promise<number> {
  const LinkageID = await links(Name, { Conditions: [above(3)], Actions })
  await house.currentOf(3, 60)
  const [run] = await house.logOf(LinkageID)
  if (!run) throw new Error('it did not fire')
  firedAt.set(LinkageID, run.At)
  return LinkageID
}
/** Time goes on in steps, and equipment reports, until so long after it has fired. */
async function until(LinkageID: number, s: number): Promise<void> {
  const left = () => (firedAt.get(LinkageID) ?? 0) + s * 1_000 - house.now()
  while (left() > 0) await house.reported(Math.min(left(), 20_000))
  await house.engine().tick()
}
/** What became of each close of it after a delay. */
async function closes(LinkageID: number) {
  let lines: unknown[] = []
  await eventually(async () => {
    await house.stack.server.automation.sceneRuns.sweep()
    const runs = (await house.logOf(LinkageID)).filter(({ ParentRunID }) => ParentRunID !== null)
    const later = runs.filter((run) => run.Lines.some(({ Action }) => Action === 'close'))
    expect(later.map(({ EndedAt }) => EndedAt)).toEqual(later.map(() => expect.any(Number)))
    lines = later
      .flatMap((run) => run.Lines)
      .flatMap((each) => (each.Action === 'close' ? [[each.LineNo, each.State, each.Refusal?.Key ?? null]] : []))
    expect(lines).not.toEqual([])
  })
  return lines
}
const operates = (lineNo: number, attr: 'trip' | 'close', Override?: { Kind: 'next' }) =>
  house.stack.client.call(operateLine, {
    params: { ...at(lineNo), attr },
    body: { CommandID: crypto.randomUUID(), Reason: '检修', ...(Override && { Override }) },
  })
const stores = async (text: string) => {
  const client = await house.stack.server.database.connect()
  await client.query(text).finally(() => client.end())
}
async function scene(Name: string, lineNo: number, Action: 'trip' | 'close') {
  const { SceneID } = await house.stack.client.call(insertScene, {
    body: {
      ...{ HouseID: house.houseOf(), Name, Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [{ ...at(lineNo), Action, Order: 0 }],
    },
  })
  return SceneID
}
/** What the linkage has ordered of a line stands so. */
const orderIs = (LinkageID: number, lineNo: number, states: readonly string[]) =>
  eventually(async () => {
    const { items } = await house.stack.client.call(lineCommands, { params: at(lineNo), query: {} })
    expect(items[0]?.RequestedAt).toBeGreaterThanOrEqual(firedAt.get(LinkageID) ?? 0)
    expect(items[0]?.State).toBeOneOf([...states])
  })

test('where nothing has been between, a line is closed when its delay is over', async () => {
  const own = await fires('延时投七', [does('close', 7, 60)])
  await until(own, 59)
  expect(house.line(7).position).toBe('open')
  await until(own, 60)
  expect(await closes(own)).toEqual([[7, 'ordered', null]])
  await house.stands(7, 'closed')
})

test('a line that a person trips between stays open, also where they let automation go on', async () => {
  const own = await fires('延时投七二', [does('close', 7, 60)])
  await until(own, 20)
  await operates(7, 'trip', { Kind: 'next' })
  await house.stands(7, 'open')
  await until(own, 60)
  expect(await closes(own)).toEqual([[7, 'refused', 'opened meanwhile']])
  expect(house.line(7).position).toBe('open')
})

test('a line that a linkage trips for a danger between stays open, and its log says so', async () => {
  const smoke = { Kind: 'state', ...at(0, 'A-Y1'), Key: 'smoke.alarm', Op: '=', Value: 1, ForS: 0 } as const
  const fire = await links('烟感断七', { Conditions: [smoke], Actions: [does('trip', 7)], MayClose: false })
  const own = await fires('延时投七三', [does('close', 7, 60)])
  await until(own, 30)
  house.gateway().detector('A-Y1').forcedStates.set('smoke.alarm', 'alarm')
  await house.reported()
  await eventually(async () => expect((await house.logOf(fire))[0]?.EndedAt).toEqual(expect.any(Number)))
  await verified(house.stack.client, at(7))
  house.gateway().detector('A-Y1').forcedStates.delete('smoke.alarm')
  await until(own, 60)
  expect(await closes(own)).toEqual([[7, 'refused', 'linkage may not close']])
  expect(house.line(7).position).toBe('open')
})

test('a line on which an alarm of a danger is open by then is not closed', async () => {
  house.line(6).position = 'open'
  const own = await fires('延时投六', [does('close', 6, 60)])
  await until(own, 20)
  house.line(6).forced.set('residual', 500)
  await until(own, 60)
  expect(house.stack.server.plant.lineAt('A-T1', 6)?.alarms.size).toBeGreaterThan(0)
  expect(await closes(own)).toEqual([[6, 'refused', 'linkage may not close']])
  house.line(6).forced.delete('residual')
})

test('a line that its own breaker opens between stays open, whether it was closed at the firing or since', async () => {
  house.line(8).position = 'closed'
  const own = await fires('延时投七和八', [does('close', 7, 60), does('close', 8, 60)])
  house.line(7).position = 'closed'
  await until(own, 20)
  for (const lineNo of [7, 8]) Object.assign(house.line(lineNo), { position: 'open', tripCause: 'overload' })
  await until(own, 60)
  expect((await closes(own)).toSorted()).toEqual([
    [7, 'refused', 'opened meanwhile'],
    [8, 'refused', 'opened meanwhile'],
  ])
  expect([7, 8].map((lineNo) => house.line(lineNo).position)).toEqual(['open', 'open'])
})

test.each([
  ['at once', '先断四', 0],
  ['after a delay of its own', '后断四', 10],
] as const)('where a trip of the same firing is not verified nothing is closed later: a trip %s', async (_name, Name, delayS) => {
  Object.assign(house.gateway().behaviour, { move: false })
  const own = await fires(Name, [does('trip', 4, delayS), does('close', 7, 60)])
  await until(own, delayS)
  // Time that is moved on before it is sent lets it expire.
  await orderIs(own, 4, ['sent', 'acknowledged'])
  await until(own, 50)
  await orderIs(own, 4, ['unknown', 'failed'])
  await until(own, 60)
  expect(await closes(own)).toEqual([[7, 'refused', 'linkage trip failed']])
  expect([4, 7].map((lineNo) => house.line(lineNo).position)).toEqual(['closed', 'open'])
})

test('a close that waits for a trip is not made where its conditions are over by its turn', async () => {
  Object.assign(house.gateway().behaviour, { move: false })
  const own = await fires('等断四再投七', [does('trip', 4, 60), does('close', 7, 60)])
  await until(own, 60)
  await orderIs(own, 4, ['sent', 'acknowledged'])
  await house.currentOf(3, 1)
  house.line(4).position = 'open'
  await house.reported()
  expect(await closes(own)).toEqual([[7, 'refused', 'linkage conditions over']])
  expect(house.line(7).position).toBe('open')
})

test('a trip of the same firing that was given up as too late lets nothing be closed later', async () => {
  const own = await fires('迟断四', [does('trip', 4, 10), does('close', 7, 120)])
  house.pass(80_000)
  await house.engine().tick()
  await until(own, 120)
  expect(await closes(own)).toEqual([[7, 'refused', 'linkage trip failed']])
})

test('what the same firing has tripped must still stand open: a person who closes it again keeps the other open', async () => {
  const own = await fires('断一投七', [does('trip', 1), does('close', 7, 60)])
  await house.stands(1, 'open')
  await until(own, 20)
  await operates(1, 'close')
  await house.stands(1, 'closed')
  await until(own, 60)
  expect(await closes(own)).toEqual([[7, 'refused', 'linkage trip failed']])
  expect(house.line(7).position).toBe('open')
})

test('a line that a scene of the firing trips is closed by a later one: it was no other that opened it', async () => {
  const [trips, back] = [await scene('断五', 5, 'trip'), await scene('合五', 5, 'close')]
  const own = await fires('断五再合', [
    { Kind: 'scene', SceneID: trips, DelayS: 0 },
    { Kind: 'scene', SceneID: back, DelayS: 60 },
  ])
  await house.stands(5, 'open')
  await until(own, 60)
  expect(await closes(own)).toEqual([[5, 'ordered', null]])
  await house.stands(5, 'closed')
})

test('nor does a later scene close a line that somebody else has opened', async () => {
  const SceneID = await scene('合八', 8, 'close')
  const own = await fires('延时场景合八', [{ Kind: 'scene', SceneID, DelayS: 60 }])
  await until(own, 20)
  await operates(8, 'trip', { Kind: 'next' })
  await house.stands(8, 'open')
  await until(own, 60)
  expect(await closes(own)).toEqual([[8, 'refused', 'opened meanwhile']])
})

test('where an older server did not keep how the line stood it is not closed', async () => {
  const own = await fires('旧服务器', [does('close', 7, 60)])
  await stores(`update linkage_due set before = null where linkage_id = ${own}`)
  await until(own, 60)
  expect(await closes(own)).toEqual([[7, 'refused', 'line position unknown']])
})

test.each([
  ['when the linkage fires', '触发时离线', true],
  ['when the close is due', '到时离线', false],
] as const)('a line of which nothing is known %s is not closed', async (_name, Name, isBefore) => {
  const isOnline = (online: boolean) =>
    eventually(() => expect(house.stack.server.plant.gatewayByNumber.get('GW-A2')?.link === 'online').toBe(online))
  const cut = async () => {
    away().disconnectAbruptly()
    await isOnline(false)
  }
  if (isBefore) await cut()
  const own = await fires(Name, [{ Kind: 'close', ...at(1, 'A-T2'), DelayS: 60 }])
  await until(own, 30)
  if (isBefore) {
    await away().reconnect()
    await isOnline(true)
  } else await cut()
  await until(own, 60)
  expect(await closes(own)).toEqual([[1, 'refused', 'line position unknown']])
  expect(house.line(1, 'A-T2').position).toBe('open')
  if (!isBefore) {
    await away().reconnect()
    await isOnline(true)
  }
})

test('a line whose cabinet was away between and is back is not closed: what was done to it then was not observed', async () => {
  const link = (online: boolean) =>
    eventually(() => expect(house.stack.server.plant.gatewayByNumber.get('GW-A2')?.link === 'online').toBe(online))
  const own = await fires('其间离线', [{ Kind: 'close', ...at(1, 'A-T2'), DelayS: 60 }])
  await until(own, 20)
  away().disconnectAbruptly()
  await link(false)
  await away().reconnect()
  await link(true)
  await until(own, 60)
  expect(house.line(1, 'A-T2').position).toBe('open')
  expect(await closes(own)).toEqual([[1, 'refused', 'line position unknown']])
})

test('a line that was tripped for a danger before a linkage fires is closed by none until a person closes or releases it', async () => {
  house.line(8).position = 'closed'
  await house.reported(15_000)
  const smoke = { Kind: 'state', ...at(0, 'A-Y1'), Key: 'smoke.alarm', Op: '=', Value: 1, ForS: 0 } as const
  await links('烟感断八', { Conditions: [smoke], Actions: [does('trip', 8)], MayClose: false })
  house.gateway().detector('A-Y1').forcedStates.set('smoke.alarm', 'alarm')
  await house.reported()
  await house.stands(8, 'open')
  house.gateway().detector('A-Y1').forcedStates.delete('smoke.alarm')
  await house.reported(20_000)
  const own = await fires('危险后投八', [does('close', 8, 60)])
  await until(own, 60)
  expect(await closes(own)).toEqual([[8, 'refused', 'linkage may not close']])
  await house.turned(own, 'disable')
  await house.stack.client.call(releaseLine, { params: at(8) })
  await house.currentOf(3, 1)
  const again = await fires('解除后投八', [does('close', 8, 60)])
  await until(again, 60)
  expect(await closes(again)).toEqual([[8, 'ordered', null]])
  await house.stands(8, 'closed')
})
