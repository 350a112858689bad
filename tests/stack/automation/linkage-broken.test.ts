import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import {
  deleteGateway,
  deleteLinkage,
  deleteScene,
  getLinkage,
  insertScene,
  linkageLog,
  queryLinkages,
  switchLinkage,
  takeLinkage,
  transferGateways,
  updateLinkage,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LinkageBody, LinkageHouse } from '../../kit/linkage-house.ts'
import { above, at, does, eventually, linkagePlan, startLinkageHouse } from '../../kit/linkage-house.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { signedIn } from '../../kit/stack.ts'

// Linkages that name a line or scene which is in their project no more: the platform refuses to take such a thing away, so they come with a
// database that was restored, or from before it did. A project with several cabinets, of which each test takes one away.
const [project, other] = linkagePlan
const [cabinet] = project?.gateways ?? []
const breaker = cabinet?.devices[0]
if (!project || !other || !cabinet || !breaker) throw new Error('the plan has a gateway with a breaker')
const more = ['C', 'D', 'E', 'F', 'G'].map((letter) => ({
  ...{ ...cabinet, number: `GW-${letter}`, name: `${letter}柜` },
  devices: [
    {
      ...{ ...breaker, controllerId: `${letter}-T1` },
      lines: breaker.lines.slice(0, 2).map((line) => ({ ...line, name: `${letter}线${line.lineNo}` })),
    },
  ],
}))
let house: LinkageHouse
beforeAll(async () => {
  house = await startLinkageHouse({ plan: [{ ...project, gateways: [cabinet, ...more] }, other] })
})
afterAll(() => house?.stack.close())

const of = (device: string) => `${device}-T1`
const on = (device: string, lineNo: number) => ({ ...above(lineNo), ControllerID: of(device) })
const trips = (device: string, lineNo: number) => ({ ...does('trip', lineNo), ControllerID: of(device) })
const gatewayId = (device: string) => house.stack.server.plant.deviceByControllerId.get(of(device))?.gateway.id ?? 0

async function stores(text: string): Promise<void> {
  const client = await house.stack.server.database.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
/** Something is taken away that these linkages name, which is refused while they are there. */
async function without(linkageIds: readonly number[], work: () => Promise<unknown>): Promise<void> {
  const these = `where linkage_id in (${linkageIds.join(', ')})`
  await stores(`update linkage set removed_at = now() ${these}`)
  await work()
  await stores(`update linkage set removed_at = null ${these}`)
}
async function gatewayRemoved(device: string): Promise<void> {
  await house.stack.fleet.gatewayOf(of(device)).close()
  await house.stack.client.call(deleteGateway, { body: { DeviceID: gatewayId(device) } })
}
/** Every five seconds linkages are read again. */
async function looked(): Promise<void> {
  await house.reported(6_000)
  await house.engine().tick()
  await house.stack.server.ingest.drained()
}
const becomes = (LinkageID: number, fact: object) =>
  eventually(async () => {
    await looked()
    expect(await house.stored(LinkageID)).toMatchObject(fact)
  })
const broken = { Mark: 'halted', HaltedWhy: 'broken' }
const alarmsOf = (lineNo: number) =>
  [...(house.stack.server.plant.lineAt('A-T1', lineNo)?.alarms.values() ?? [])].map(({ key }) => key)
const refusedFor = (zh: string, en?: string) => ({
  message: 'linkage broken',
  problem: { failure: { Detail: { missing: { zh, ...(en && { en }) } } } },
})
const switched = async (client: Client, LinkageID: number, Mode: Request<typeof switchLinkage>['body']['Mode']) => {
  const { Version } = await house.stored(LinkageID)
  return client.call(switchLinkage, { body: { LinkageID, Version, Mode } })
}
const saved = async (LinkageID: number, own: Partial<LinkageBody>) => {
  const { Version, Name } = await house.stored(LinkageID)
  const { HouseID: _, ...form } = house.form(Name, own)
  return house.stack.client.call(updateLinkage, { body: { LinkageID, Version, ...form } })
}

let number = 13_800_000_000
/** Somebody who manages linkages, and sees the whole project or one cabinet of it. */
async function person(device: string | null = null): Promise<Client> {
  const { accounts, database } = house.stack.server
  const userName = String(number++)
  const privileges = ['devmon', 'devmon.realtime', 'linkage.list', 'linkage.log']
  const roleId = await accounts.createRole({
    ...{ number: userName, name: userName, privileges, buttons: ['lineSwitch', 'manageScene'] },
  })
  const who = { userName, password: 'Duty-7391' }
  await accounts.createAccount({ ...who, kind: 'sub', roleId, projectIds: device === null ? [house.houseOf()] : [] })
  const found = database.general.selectFrom('account').select('account_id').where('user_name', '=', userName)
  const { account_id } = await found.executeTakeFirstOrThrow()
  if (device !== null)
    await database.general
      .insertInto('account_gateway')
      .values({ account_id, gateway_id: gatewayId(device) })
      .execute()
  return signedIn(house.stack.url, who, house.now)
}

const smoke = { Kind: 'state', ...at(0, 'A-Y1'), Key: 'smoke.alarm', Op: '=', Value: 1, ForS: 0 } as const

test('a linkage of which a line was removed stops itself, once, and says what for; for a danger that is left it still trips', async () => {
  const { LinkageID } = await house.made('两柜', {
    ...{ Match: 'any', Conditions: [on('C', 1), above(3), smoke], Actions: [does('trip', 1), trips('C', 2)] },
  })
  await house.reported()
  expect(await outcomeOf(gatewayRemoved('C'))).toBe('linkages contain equipment')
  await without([LinkageID], () => gatewayRemoved('C'))
  await becomes(LinkageID, broken)
  expect(await house.stored(LinkageID)).toMatchObject({
    ...{ Whole: true, Orphan: false, State: 'unknown' },
    Conditions: [
      { Gone: true, LineName: 'C线1', Last: null, State: 'unknown' },
      { Gone: false, LineName: 'A线3' },
      { Gone: false },
    ],
    Actions: [
      { Gone: false, LineName: 'A线1' },
      { Gone: true, LineName: 'C线2', LineNo: 2 },
    ],
  })
  await eventually(async () => {
    await looked()
    expect(alarmsOf(3)).toContain('linkage.halted')
  })
  for (let look = 0; look < 3; look++) await looked()
  const { items } = await house.stack.client.call(linkageLog, { body: { LinkageID, Near: true, Why: 'broken', Ran: false } })
  expect(items.map(({ Why, State, Whole }) => [Why, State, Whole])).toEqual([['broken', null, true]])

  await house.currentOf(3, 60)
  expect(await house.logOf(LinkageID)).toEqual([])
  house.gateway().detector('A-Y1').forcedStates.set('smoke.alarm', 'alarm')
  await house.reported()
  await house.stands(1, 'open')
  const [run] = await house.logOf(LinkageID)
  expect(run?.Lines.map(({ LineName, State }) => [LineName, State])).toEqual([['A线1', 'ordered']])
  expect(await house.stored(LinkageID)).toMatchObject(broken)

  house.gateway().detector('A-Y1').forcedStates.delete('smoke.alarm')
  house.line(1).position = 'closed'
  await house.currentOf(3, 1)
  await house.gone(LinkageID)
})

test('whoever sees what is left mends it: disables it, takes out what is gone, deletes it; nobody enables it before', async () => {
  const own = {
    ...{ Match: 'any' as const, Conditions: [on('D', 1), above(3)], Actions: [does('trip', 1), trips('D', 2)] },
  }
  const { LinkageID } = await house.made('可修', own)
  const unseen = await house.made('另有一柜', { Conditions: [on('D', 1), above(3)], Actions: [trips('G', 1)] })
  const [whole, part] = [await person(), await person('A')]
  expect(await outcomeOf(switched(part, LinkageID, 'disable'))).toBe('linkage seen in part')
  await without([LinkageID, unseen.LinkageID], () => gatewayRemoved('D'))
  for (const id of [LinkageID, unseen.LinkageID]) await becomes(id, broken)

  const missing = refusedFor('线路「D线1」、线路「D线2」', 'line “D线1”, line “D线2”')
  for (const Mode of ['clear', 'live', 'enable'] as const)
    await expect(switched(house.stack.client, LinkageID, Mode)).rejects.toMatchObject(missing)
  const { Version } = await house.stored(LinkageID)
  await expect(whole.call(takeLinkage, { body: { LinkageID, Version } })).rejects.toMatchObject(missing)
  // As it was called, and as it is called now that its name is free again.
  const [gone] = (await house.stored(LinkageID)).Conditions
  for (const ControllerID of ['D-T1', gone?.ControllerID ?? ''])
    await expect(saved(LinkageID, { ...own, Conditions: [{ ...above(1), ControllerID }, above(3)] })).rejects.toMatchObject({
      message: 'linkage broken',
    })

  // Whoever did not see that cabinet does not learn what it had; and what is there and unseen is still not theirs.
  expect(await part.call(getLinkage, { params: { LinkageID } })).toMatchObject({
    ...{ Whole: true, Conditions: [{ Gone: true, LineName: '', ControllerID: null }, { LineName: 'A线3' }] },
  })
  await expect(switched(part, LinkageID, 'clear')).rejects.toMatchObject(refusedFor('2 条线路', '2 lines'))
  expect(await outcomeOf(switched(part, unseen.LinkageID, 'disable'))).toBe('linkage seen in part')
  expect(await outcomeOf(switched(part, LinkageID, 'disable'))).toBe('done')
  await expect(switched(part, LinkageID, 'enable')).rejects.toMatchObject({ message: 'linkage broken' })

  const mended = await saved(LinkageID, { Conditions: [above(3)], Actions: [does('trip', 1)] })
  expect(mended).toMatchObject({ Mark: 'live', HaltedWhy: null, Conditions: [{ Gone: false }], Actions: [{ Gone: false }] })
  expect(await outcomeOf(switched(whole, unseen.LinkageID, 'disable'))).toBe('done')
  await eventually(async () => {
    await looked()
    expect(alarmsOf(3)).not.toContain('linkage.halted')
  })
  await house.currentOf(3, 60)
  await house.stands(1, 'open')
  house.line(1).position = 'closed'
  await house.currentOf(3, 1)
  for (const id of [LinkageID, unseen.LinkageID]) await house.gone(id)
})

test('of a line in another project a linkage reads nothing and does nothing to it; back again it counts once somebody clears it', async () => {
  const raises = { ...does('raise', 1), ControllerID: of('E') }
  const own = { Match: 'any' as const, Conditions: [above(3), on('E', 1)], Actions: [does('trip', 1), trips('E', 2), raises] }
  const { LinkageID } = await house.made('搬走', own)
  house.line(2, of('E')).position = 'closed'
  await house.reported()
  await house.currentOf(3, 60)
  await house.stands(1, 'open')
  const raised = () => [...(house.stack.server.plant.lineAt(of('E'), 1)?.alarms.values() ?? [])].map(({ key }) => key)
  await eventually(async () => {
    await looked()
    expect(raised()).toContain('linkage.raised')
  })
  const moved = (to: string) =>
    house.stack.client.call(transferGateways, { body: { DeviceIDs: [gatewayId('E')], HouseID: house.houseOf(of(to)) } })
  expect(await outcomeOf(moved('B'))).toBe('linkages contain equipment')
  await without([LinkageID], () => moved('B'))
  await becomes(LinkageID, broken)
  // What it had raised there ends, though what it was raised for goes on.
  await eventually(async () => {
    await looked()
    expect(raised()).not.toContain('linkage.raised')
  })
  house.line(1).position = 'closed'
  house.line(2, of('E')).position = 'closed'
  await house.currentOf(3, 1, 61_000)
  house.line(1, of('E')).forced.set('current.a', 60)
  await house.reported()
  expect(await house.stored(LinkageID)).toMatchObject({
    Conditions: [{ Gone: false }, { Gone: true, LineName: 'E线1', ControllerID: 'E-T1', Last: null, State: 'unknown' }],
  })
  const whole = await person()
  expect(await whole.call(getLinkage, { params: { LinkageID } })).toMatchObject({
    ...{ Whole: true, Conditions: [{ LineName: 'A线3' }, { Gone: true, LineName: '', ControllerID: null, LineNo: null }] },
    Actions: [{ LineName: 'A线1' }, { Gone: true, LineName: null, ControllerID: null, LineNo: null }, { Gone: true }],
  })
  await expect(switched(whole, LinkageID, 'clear')).rejects.toMatchObject(refusedFor('2 条线路'))
  await expect(saved(LinkageID, own)).rejects.toMatchObject({ message: 'linkage broken' })
  expect(await house.logOf(LinkageID)).toHaveLength(1)

  // A linkage of another project keeps nobody from moving it.
  await moved('A')
  house.line(1, of('E')).forced.set('current.a', 1)
  await looked()
  await switched(house.stack.client, LinkageID, 'clear')
  await house.reported()
  expect(await house.stored(LinkageID)).toMatchObject({ Mark: 'live', Conditions: [{}, { Gone: false, Last: 1 }] })
  house.line(1, of('E')).forced.set('current.a', 60)
  await house.reported()
  await house.stands(1, 'open')
  await eventually(() => expect(house.line(2, of('E')).position).toBe('open'))
  await house.gone(LinkageID)
  house.line(1).position = 'closed'
  await house.reported()
})

test('a linkage whose lines are all gone is there for whoever sees the project whole, and for nobody else', async () => {
  const { LinkageID } = await house.made('全无', { Conditions: [on('F', 1)], Actions: [trips('F', 2)] })
  const [whole, part] = [await person(), await person('A')]
  await without([LinkageID], () => gatewayRemoved('F'))
  await becomes(LinkageID, broken)
  for (const client of [house.stack.client, whole]) {
    const { items } = await client.call(queryLinkages, { body: { Mark: 'halted' } })
    expect(items.map((each) => each.LinkageID)).toEqual([LinkageID])
  }
  expect(await outcomeOf(part.call(getLinkage, { params: { LinkageID } }))).toBe('linkage not exists')
  expect((await part.call(queryLinkages, { body: {} })).items).toEqual([])
  const { Version } = await house.stored(LinkageID)
  expect(await outcomeOf(part.call(deleteLinkage, { body: { LinkageID, Version } }))).toBe('linkage not exists')
  expect(await outcomeOf(whole.call(deleteLinkage, { body: { LinkageID, Version } }))).toBe('done')
})

test('a linkage that runs a scene which was removed stops itself as well, and is not saved with it', async () => {
  const scene = await house.stack.client.call(insertScene, {
    body: {
      ...{ HouseID: house.houseOf(), Name: '夜间', Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [{ ...at(2), Action: 'trip', Order: 0 }],
    },
  })
  const { SceneID } = scene
  const runs = { Kind: 'scene', SceneID, DelayS: 0 } as const
  const { LinkageID } = await house.made('执行场景', { Conditions: [above(3)], Actions: [does('trip', 1), runs] })
  await without([LinkageID], () => house.stack.client.call(deleteScene, { body: { SceneID, Version: scene.Version } }))
  await becomes(LinkageID, broken)
  expect(await house.stored(LinkageID)).toMatchObject({
    Whole: true,
    Actions: [{ Gone: false }, { Gone: true, SceneName: '夜间' }],
  })
  const missing = refusedFor('场景「夜间」', 'scene “夜间”')
  await expect(switched(house.stack.client, LinkageID, 'clear')).rejects.toMatchObject(missing)
  await expect(saved(LinkageID, { Conditions: [above(3)], Actions: [does('trip', 1), runs] })).rejects.toMatchObject(missing)
  await saved(LinkageID, { Conditions: [above(3)], Actions: [does('trip', 1)] })
  expect(await house.stored(LinkageID)).toMatchObject({ Mark: 'live' })
  await house.gone(LinkageID)
})

test('what it was about to close when it stops itself is withdrawn; its trips go on', async () => {
  const scene = await house.stack.client.call(insertScene, {
    body: {
      ...{ HouseID: house.houseOf(), Name: '将删', Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [{ ...at(2), Action: 'trip', Order: 0 }],
    },
  })
  const { SceneID, Version } = scene
  const { LinkageID } = await house.made('在途合闸', {
    ...{ Conditions: [above(3)], Actions: [does('trip', 1), { Kind: 'scene', SceneID, DelayS: 0 }] },
  })
  await stores(`with run as (insert into automation_run (run_id, source, source_id, project_id, name, claimed_at, state, actor)
      values (gen_random_uuid(), 'linkage', ${LinkageID}, ${house.houseOf()}, '', now(), 'running', '') returning run_id)
    insert into operation_run (run_id, action, actor, reason, stagger_ms, started_at, automation_run_id)
      select gen_random_uuid(), action, '', '', 1000, now(), run_id from run, (values ('trip'), ('close')) as made (action)`)
  await without([LinkageID], () => house.stack.client.call(deleteScene, { body: { SceneID, Version } }))
  await becomes(LinkageID, broken)
  const rows = await house.stack.server.database.general
    .selectFrom('operation_run as o')
    .innerJoin('automation_run as r', 'r.run_id', 'o.automation_run_id')
    .select(['o.action', 'o.revoked_at'])
    .where('r.source', '=', 'linkage')
    .where('r.source_id', '=', LinkageID)
    .orderBy('o.action')
    .execute()
  expect(rows.map(({ action, revoked_at }) => [action, revoked_at !== null])).toEqual([
    ['close', true],
    ['trip', false],
  ])
  await house.gone(LinkageID)
})

test('the fault of a halt is raised at the next line when the line that has it is removed', async () => {
  const { LinkageID } = await house.made('故障在柜', { Conditions: [on('G', 1), above(3)], Actions: [does('trip', 1)] })
  await stores(`update linkage set halted_at = now(), halted_why = 'maxPerDay' where linkage_id = ${LinkageID}`)
  const faults = () =>
    [house.stack.server.plant.lineAt(of('G'), 1), house.stack.server.plant.lineAt('A-T1', 3)].map(
      (line) => [...(line?.alarms.values() ?? [])].filter(({ key }) => key === 'linkage.halted').length,
    )
  const stand = (...counts: readonly number[]) =>
    eventually(async () => {
      await looked()
      expect(faults()).toEqual(counts)
    })
  await stand(1, 0)
  await without([LinkageID], () => gatewayRemoved('G'))
  await stand(0, 1)
  expect(await house.stored(LinkageID)).toMatchObject({ HaltedWhy: 'maxPerDay', Conditions: [{ Gone: true }, {}] })
  await house.gone(LinkageID)
  await stand(0, 0)
})
