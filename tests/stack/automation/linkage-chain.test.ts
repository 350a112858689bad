import { insertScene, operateLine } from '@linewarden/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LinkageBody, LinkageHouse } from '../../kit/linkage-house.ts'
import { above, at, does, eventually, startLinkageHouse } from '../../kit/linkage-house.ts'
import { verified } from '../../kit/verified.ts'

// What led to what: nothing is closed by itself after a danger, over however many linkages, and none fires from itself.
let house: LinkageHouse
const made: number[] = []
beforeAll(async () => {
  house = await startLinkageHouse()
})
afterAll(() => house?.stack.close())
beforeEach(async () => {
  for (const lineNo of [1, 4, 5, 6, 7, 8]) house.line(lineNo).position = 'closed'
  for (const lineNo of [2, 3]) house.line(lineNo).position = 'open'
  for (const lineNo of [1, 7, 8]) house.line(lineNo).forced.set('current.a', 1)
  // What the test before did is no cause of anything any more, and a line that has just opened is not closed for ten seconds.
  house.pass(120_000)
  await house.reported(15_000)
})
afterEach(async () => {
  house.gateway().detector('A-Y1').forcedStates.delete('smoke.alarm')
  for (const LinkageID of made.splice(0)) await house.gone(LinkageID)
})

const smoke = { Kind: 'state', ...at(0, 'A-Y1'), Key: 'smoke.alarm', Op: '=', Value: 1, ForS: 0 } as const
const opened = (lineNo: number, ForS = 0) => ({ Kind: 'state', ...at(lineNo), Key: 'position', Op: '=', Value: 0, ForS }) as const
const noCurrent = (lineNo: number) =>
  ({ Kind: 'point', ...at(lineNo), Key: 'current.a', Op: '<', Value: 0.5, Release: 0.2, ForS: 0 }) as const

/** A linkage that orders from now on, also where it closes. */
async function links(
  Name: string,
  Conditions: LinkageBody['Conditions'],
  Actions: LinkageBody['Actions'],
  own: Partial<LinkageBody> = {},
): Promise<number> {
  const MayClose = Actions.some(({ Kind }) => Kind === 'close')
  const { LinkageID, Mode } = await house.made(Name, { Conditions, Actions, MayClose, ...own })
  made.push(LinkageID)
  if (Mode === 'shadow') await house.turned(LinkageID, 'live')
  return LinkageID
}
async function smokes(): Promise<void> {
  house.gateway().detector('A-Y1').forcedStates.set('smoke.alarm', 'alarm')
  await house.reported()
}
async function opens(lineNo: number): Promise<void> {
  await house.stands(lineNo, 'open')
  await verified(house.stack.client, at(lineNo))
  await house.reported()
}
const operates = (lineNo: number, attr: 'trip' | 'close') =>
  house.stack.client.call(operateLine, {
    params: { ...at(lineNo), attr },
    body: { CommandID: crypto.randomUUID(), Reason: '检修' },
  })
/** Time goes on in small steps until it has run; what became of each line of it by then. */
async function run(LinkageID: number) {
  for (let step = 0; step < 60 && (await house.logOf(LinkageID)).length === 0; step++) {
    await house.reported(2_000)
    await house.engine().tick()
  }
  const [last] = await house.logOf(LinkageID)
  return (last?.Lines ?? []).map(({ LineNo, Action, Refusal }) => [LineNo, Action, Refusal?.Key ?? null])
}
const nothingClosed = [[2, 'close', 'linkage may not close']]
/** Nothing stands against it; a machine that stood still in between may have made it late. */
const isTheirs = expect.toBeOneOf([null, 'late', 'unobserved'])

test('what a danger has opened for a minute closes nothing', async () => {
  await links('火警', [smoke], [does('trip', 1)])
  const next = await links('转供', [opened(1, 60)], [does('close', 2)])
  await house.reported()
  await smokes()
  await opens(1)
  expect(await run(next)).toEqual(nothingClosed)
  expect(house.line(2).position).toBe('open')
})

test('what a person has opened for a minute does: nothing but their word led to it', async () => {
  const next = await links('转供', [opened(1, 60)], [does('close', 2)])
  await house.reported()
  await operates(1, 'trip')
  await opens(1)
  expect(await run(next)).toEqual([[2, 'close', isTheirs]])
})

test('what a person has closed after a danger, and opens again, is theirs', async () => {
  await links('火警', [smoke], [does('trip', 1)])
  await house.reported()
  await smokes()
  await opens(1)
  house.gateway().detector('A-Y1').forcedStates.delete('smoke.alarm')
  // A line that has just opened is not closed for ten seconds; half a minute after the trip is not over by then.
  await house.reported(11_000)
  await operates(1, 'close')
  await house.stands(1, 'closed')
  await house.reported()
  const next = await links('转供', [opened(1)], [does('close', 2)])
  await house.reported()
  await operates(1, 'trip')
  await opens(1)
  expect(await run(next)).toEqual([[2, 'close', isTheirs]])
})

test('a delay in between makes no way from a danger to a close', async () => {
  await links('火警', [smoke], [does('trip', 1)])
  const between = await links('延时断', [opened(1)], [does('trip', 4, 5)])
  const next = await links('转供', [opened(4)], [does('close', 2)])
  await house.reported()
  await smokes()
  await opens(1)
  await run(between)
  house.pass(5_000)
  await house.engine().tick()
  await opens(4)
  expect(await run(next)).toEqual(nothingClosed)
  // By both: what was done later has the causes of the run that it belongs to.
  expect((await house.logOf(next))[0]?.Cause).toHaveLength(2)
  expect(house.line(2).position).toBe('open')
})

test('nor does a scene, nor a report that comes a minute later, nor that somebody else was opening the line', async () => {
  const { SceneID } = await house.stack.client.call(insertScene, {
    body: {
      ...{ HouseID: house.houseOf(), Name: '断一', Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [{ ...at(1), Action: 'trip', Order: 0 }],
    },
  })
  const fire = await links('火警', [smoke], [{ Kind: 'scene', SceneID, DelayS: 0 }, does('trip', 8)])
  const byScene = await links('场景后', [opened(1)], [does('close', 2)])
  const byCurrent = await links('无电流', [noCurrent(8)], [does('close', 3)])
  await house.reported()
  const { behaviour } = house.gateway()
  Object.assign(behaviour, { acknowledge: false, move: false })
  await operates(8, 'trip')
  await smokes()
  await eventually(async () => {
    const [first] = await house.logOf(fire)
    expect(first?.Lines.find(({ LineNo }) => LineNo === 8)?.Refusal?.Key).toBe('underWay')
  })
  Object.assign(behaviour, { acknowledge: true, move: true })
  for (const lineNo of [1, 8]) house.line(lineNo).position = 'open'
  await house.reported()
  expect(await run(byScene)).toEqual(nothingClosed)
  await house.currentOf(8, 0, 50_000)
  expect(await run(byCurrent)).toEqual([[3, 'close', 'linkage may not close']])
  expect([2, 3].map((lineNo) => house.line(lineNo).position)).toEqual(['open', 'open'])
})

test('nor do lines that are fed by what a danger has opened, or that feed it', async () => {
  const { plant, database } = house.stack.server
  const idOf = (lineNo: number) => plant.lineAt('A-T1', lineNo)?.id ?? 0
  const feeds = (lineNo: number, fed_by: number | null) =>
    database.general.updateTable('line').set({ fed_by }).where('line_id', '=', idOf(lineNo)).execute()
  await feeds(7, idOf(1))
  await feeds(1, idOf(8))
  await links('火警', [smoke], [does('trip', 1)])
  const behind = await links('下级无电流', [noCurrent(7)], [does('close', 2)])
  const before = await links('上级无电流', [noCurrent(8)], [does('close', 3)])
  await house.reported()
  await smokes()
  await opens(1)
  house.line(7).forced.set('current.a', 0)
  await house.currentOf(8, 0)
  expect(await run(behind)).toEqual(nothingClosed)
  expect(await run(before)).toEqual([[3, 'close', 'linkage may not close']])
  // What this line feeds tells nothing of who else is in the chain: trips do not wait for that.
  const causes = await Promise.all([behind, before].map(async (id) => (await house.logOf(id))[0]?.Cause.length))
  expect(causes).toEqual([1, 0])
  for (const lineNo of [1, 7]) await feeds(lineNo, null)
})

test('two that trip one another after a delay end as a chain', async () => {
  const first = await links('甲', [above(8)], [does('trip', 4, 5)], { CooldownS: 60 })
  const second = await links('乙', [opened(4)], [does('trip', 8, 5)])
  await house.reported()
  await house.currentOf(8, 60)
  house.pass(5_000)
  await house.engine().tick()
  await opens(4)
  await run(second)
  house.pass(5_000)
  await house.engine().tick()
  await opens(8)
  await house.currentOf(8, 1)
  await house.currentOf(8, 60)
  const near = (await house.logOf(first, true)).filter(({ RunID }) => RunID === null)
  expect(near.map(({ Why }) => Why)).toEqual(['chain'])
})

test('what is closed later is not closed where the conditions are over by then', async () => {
  const own = await links('延时合', [above(8)], [does('close', 2, 60)])
  await house.reported()
  await house.currentOf(8, 60)
  await house.currentOf(8, 1, 30_000)
  house.pass(31_000)
  await house.engine().tick()
  // A machine that stood still in between may have made it late.
  expect((await house.logOf(own)).map(({ Why }) => Why)).toEqual([expect.toBeOneOf(['conditionOver', 'late']), null])
  expect(house.line(2).position).toBe('open')
})
