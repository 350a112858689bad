import type { Client } from '@linewarden/client'
import { md5Hex } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import {
  deleteLinkage,
  getAutomationRun,
  getLinkage,
  grantControl,
  insertLinkage,
  insertScene,
  linkageLog,
  linkageOperation,
  linkagePermit,
  linkageRunOperation,
  queryLinkages,
  querySwitch,
  runLinkage,
  simulateLinkage,
  switchLinkage,
  takeLinkage,
  takeOrphanedLinkages,
  updateLinkage,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LinkageHouse } from '../../kit/linkage-house.ts'
import { above, at, does, eventually, linkagePlan, startLinkageHouse } from '../../kit/linkage-house.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { signedIn } from '../../kit/stack.ts'

// Who sees a linkage, who changes it, and who answers for what it does. The project has two cabinets; some people see one of them only.
const [project] = linkagePlan
const [cabinet] = project?.gateways ?? []
if (!project || !cabinet) throw new Error('the plan has a gateway')
const second = {
  ...{ ...cabinet, number: 'GW-C', name: 'C柜' },
  devices: cabinet.devices.map((device) => ({ ...device, controllerId: device.controllerId.replace('A-', 'C-') })),
}
let house: LinkageHouse
beforeAll(async () => {
  house = await startLinkageHouse({ plan: [{ ...project, gateways: [cabinet, second] }] })
  house.line(1, 'C-T1').position = 'closed'
  await house.reported()
})
afterAll(() => house?.stack.close())

const gatewayId = (device: string) => house.stack.server.plant.deviceByControllerId.get(device)?.gateway.id ?? 0
let number = 13_900_000_000
interface Who {
  readonly buttons?: readonly string[]
  readonly kind?: 'sub' | 'shared'
  readonly sees?: 'project' | 'A'
  readonly controlPassword?: string
}
async function person({ buttons = ['lineSwitch', 'manageScene'], kind = 'sub', sees = 'project', controlPassword }: Who) {
  const { accounts, database } = house.stack.server
  const userName = String(number++)
  const privileges = ['devmon', 'devmon.realtime', 'linkage.list', 'linkage.log', 'timer', 'timer.log']
  const roleId = await accounts.createRole({ number: userName, name: userName, privileges, buttons: [...buttons] })
  const who = { userName, password: 'Duty-7391' }
  const account = await accounts.createAccount({
    ...{ ...who, kind, roleId, projectIds: sees === 'project' ? [house.houseOf()] : [] },
    ...(controlPassword && { controlPassword }),
  })
  const id = (
    await database.general.selectFrom('account').select('account_id').where('user_name', '=', userName).executeTakeFirstOrThrow()
  ).account_id
  if (sees === 'A')
    await database.general
      .insertInto('account_gateway')
      .values({ account_id: id, gateway_id: gatewayId('A-T1') })
      .execute()
  void account
  return { client: await signedIn(house.stack.url, who, house.now), id, userName }
}

const trips = (name: string, ...actions: Request<typeof insertLinkage>['body']['Actions']) =>
  house.form(name, { Conditions: [above(3)], Actions: actions })
const version = async (LinkageID: number) => (await house.stored(LinkageID)).Version
const removed = (LinkageID: number) => house.gone(LinkageID)

test('whoever may not manage scenes, or not switch, or does not see all of it, changes nothing; a shared account reads', async () => {
  const { LinkageID } = await house.made('两柜', {
    Conditions: [above(3)],
    Actions: [{ ...does('trip', 1), ControllerID: 'C-T1' }],
  })
  const reading = await person({ buttons: [] })
  const switching = await person({ buttons: ['lineSwitch'] })
  const managing = await person({ buttons: ['manageScene'] })
  const partly = await person({ sees: 'A' })
  const shared = await person({ kind: 'shared' })
  const changes = async ({ client }: { client: Client }) => {
    const own = { LinkageID, Version: await version(LinkageID) }
    const { HouseID: _, ...form } = trips('两柜', does('trip', 1))
    return [
      await outcomeOf(client.call(insertLinkage, { body: trips('新', does('trip', 1)) })),
      await outcomeOf(client.call(updateLinkage, { body: { ...own, ...form } })),
      await outcomeOf(client.call(switchLinkage, { body: { ...own, Mode: 'disable' } })),
      await outcomeOf(client.call(takeLinkage, { body: own })),
      await outcomeOf(client.call(deleteLinkage, { body: own })),
    ]
  }
  const all = (key: string) => Array(5).fill(key)
  expect(await changes(reading)).toEqual(all('access denied'))
  expect(await changes(switching)).toEqual(all('access denied'))
  expect(await changes(managing)).toEqual(all('linkage needs device control'))
  expect(await changes(shared)).toEqual(all('access denied'))
  // Of what it sees, one who sees a part makes something of its own; the whole is not theirs.
  const [made, ...rest] = await changes(partly)
  expect(made).toBe('done')
  expect(rest).toEqual(Array(4).fill('linkage seen in part'))
  for (const { client } of [reading, switching, managing, partly, shared]) {
    const seen = await client.call(getLinkage, { params: { LinkageID } })
    expect([seen.Whole, seen.Actions.length]).toEqual(client === partly.client ? [false, 0] : [true, 1])
    expect(seen.OwnerName === null).toBe(client === shared.client)
    expect(await outcomeOf(client.call(takeOrphanedLinkages, { body: { HouseID: house.houseOf() } }))).toMatch(
      /access denied|orphans need administrator|project not exists/,
    )
  }
  const { items } = await house.stack.client.call(queryLinkages, { body: { Name: '新' } })
  for (const each of [LinkageID, ...items.map((item) => item.LinkageID)]) await removed(each)
})

test('the lines of its scene are lines of a linkage: who does not see them neither enables nor removes it, nor learns of them', async () => {
  const { SceneID } = await house.stack.client.call(insertScene, {
    body: {
      ...{ HouseID: house.houseOf(), Name: 'C柜断电', Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [{ ...at(1, 'C-T1'), Action: 'trip', Order: 0 }],
    },
  })
  const { LinkageID } = await house.made('场景', { Conditions: [above(3)], Actions: [{ Kind: 'scene', SceneID, DelayS: 0 }] })
  const { client, id } = await person({ sees: 'A' })
  const seen = await client.call(getLinkage, { params: { LinkageID } })
  expect([seen.Whole, seen.Actions]).toEqual([false, []])
  expect(JSON.stringify(seen)).not.toContain('C柜断电')
  const own = { LinkageID, Version: seen.Version }
  expect([
    await outcomeOf(client.call(switchLinkage, { body: { ...own, Mode: 'disable' } })),
    await outcomeOf(client.call(switchLinkage, { body: { ...own, Mode: 'enable' } })),
    await outcomeOf(client.call(deleteLinkage, { body: own })),
    await outcomeOf(client.call(runLinkage, { body: { ...own, RunID: crypto.randomUUID(), Reason: '测试' } })),
  ]).toEqual(Array(4).fill('linkage seen in part'))
  // Of an owner who does not see them any more it is without one.
  const { general } = house.stack.server.database
  await general.updateTable('linkage').set({ owner_id: id }).where('linkage_id', '=', LinkageID).execute()
  expect((await house.stored(LinkageID)).Orphan).toBe(true)
  // Nor is it found by a line that the asker does not see.
  await removed(LinkageID)
  const other = await house.made('另柜', { Conditions: [above(3)], Actions: [{ ...does('trip', 1), ControllerID: 'C-T1' }] })
  const found = (who: Client) => who.call(queryLinkages, { body: { ControllerID: 'C-T1' } })
  expect([(await found(client)).total, (await found(house.stack.client)).total]).toEqual([0, 1])
  await removed(other.LinkageID)
})

test('of a run everybody is told as much as they see, by whichever call', async () => {
  const outside = { ...above(1), ControllerID: 'C-T1' }
  const { LinkageID } = await house.made('迹', {
    ...{ Match: 'any', Conditions: [above(3), outside], Actions: [does('trip', 1)], MaxPerHour: 20 },
  })
  await house.reported()
  await house.currentOf(3, 60)
  await eventually(() => expect(house.line(1).position).toBe('open'))
  const [run] = await house.logOf(LinkageID)
  const { client } = await person({ sees: 'A' })
  const params = { RunID: run?.RunID ?? '' }
  const conditions = async (who: Client) => {
    const { Trace, Whole } = await who.call(getAutomationRun, { params })
    return [(Trace.conditions as unknown[]).length, Whole]
  }
  expect(await conditions(house.stack.client)).toEqual([2, true])
  expect(await conditions(client)).toEqual([1, false])
  const [own] = (await client.call(linkageLog, { body: { LinkageID } })).items
  expect([own?.Conditions.length, own?.Whole]).toEqual([1, false])
  await removed(LinkageID)
  house.line(1).position = 'closed'
  await house.currentOf(3, 1)
})

test('saving, enabling, taking over and running ask for the control password; disabling and removing do not', async () => {
  const { client, userName } = await person({ controlPassword: 'Ctrl-2580' })
  const grant = async (Operation: string) =>
    (await client.call(grantControl, { body: { Password: md5Hex('Ctrl-2580'), Operation } })).Grant
  const form = trips('密码', does('trip', 1))
  expect(await outcomeOf(client.call(insertLinkage, { body: form }))).toBe('control grant missing')
  const other = await grant(linkageOperation({ LinkageID: null, ...form, Name: '别的' }))
  expect(await outcomeOf(client.call(insertLinkage, { body: { ...form, Grant: other } }))).toBe('control grant over')
  const Grant = await grant(linkageOperation({ LinkageID: null, ...form }))
  const made = await client.call(insertLinkage, { body: { ...form, Grant } })
  const { LinkageID } = made
  expect(made.OwnerName).toBe(userName)
  const { HouseID: _, ...same } = form
  const own = async () => ({ LinkageID, Version: await version(LinkageID) })
  expect(await outcomeOf(client.call(updateLinkage, { body: { ...(await own()), ...same } }))).toBe('control grant missing')
  const off = await client.call(switchLinkage, { body: { ...(await own()), Mode: 'disable' } })
  expect(off.Mark).toBe('disabled')
  for (const Mode of ['enable', 'live', 'clear'] as const)
    expect(await outcomeOf(client.call(switchLinkage, { body: { ...(await own()), Mode } }))).toBe('control grant missing')
  // As the platform has it: the release is filled in.
  const saved = linkageOperation({ LinkageID, ...form, Conditions: form.Conditions.map((each) => ({ ...each, Release: 5 })) })
  const proved = async () => ({ ...(await own()), Grant: await grant(saved) })
  await house.turned(LinkageID, 'enable')
  expect((await house.stored(LinkageID)).OwnerName).toBe(house.stack.admin.userName)
  expect(await outcomeOf(client.call(takeLinkage, { body: await own() }))).toBe('control grant missing')
  expect((await client.call(takeLinkage, { body: await proved() })).OwnerName).toBe(userName)
  await house.currentOf(3, 60)
  const RunID = crypto.randomUUID()
  const onlyTrips = [{ Action: 'trip' }] as const
  const run = async (more: { Grant?: string } = {}) => {
    const now = await own()
    return client.call(runLinkage, { body: { ...now, RunID, Reason: '立即', ...more } })
  }
  const before = (await house.logOf(LinkageID)).length
  expect(await outcomeOf(run())).toBe('control grant missing')
  expect(await outcomeOf(run({ Grant: await grant(linkageRunOperation(crypto.randomUUID(), await own(), onlyTrips)) }))).toBe(
    'control grant over',
  )
  await run({ Grant: await grant(linkageRunOperation(RunID, await own(), onlyTrips)) })
  // Sent again it uses up no second grant.
  expect((await run()).RunID).toBe(RunID)
  await eventually(() => expect(house.line(1).position).toBe('open'))
  expect((await house.logOf(LinkageID)).length - before).toBe(1)
  expect(await outcomeOf(client.call(deleteLinkage, { body: await own() }))).toBe('done')
  house.line(1).position = 'closed'
  await house.currentOf(3, 1)
})

test('wrong control passwords keep nobody from running what only trips, and by its grant nothing runs that closes', async () => {
  const { client } = await person({ controlPassword: 'Ctrl-2580' })
  const grant = async (Operation: string, password = 'Ctrl-2580') =>
    (await client.call(grantControl, { body: { Password: md5Hex(password), Operation } })).Grant
  for (let wrong = 0; wrong < 5; wrong++) await outcomeOf(grant('close:A-T1/1', 'no'))
  await house.currentOf(3, 60)
  const made = (name: string, ...Actions: Request<typeof insertLinkage>['body']['Actions']) =>
    house.made(name, { Conditions: [above(3)], Actions, MayClose: true })
  const only = await made('只断', does('trip', 1))
  // What may close only watches until it is told to act.
  const shadow = await made('先断后合', does('trip', 2), does('close', 1, 30))
  const closing = await house.turned(shadow.LinkageID, 'live')
  await house.reported()
  const run = async ({ LinkageID, Version }: typeof only, ...does: readonly ('trip' | 'close')[]) => {
    const RunID = crypto.randomUUID()
    const items = does.map((Action) => ({ Action }))
    const Grant = await grant(linkageRunOperation(RunID, { LinkageID, Version }, items))
    return client.call(runLinkage, { body: { LinkageID, Version, RunID, Reason: '立即', Grant } })
  }
  expect([await outcomeOf(run(closing, 'trip', 'close')), await outcomeOf(run(closing, 'trip'))]).toEqual([
    'control locked',
    'control grant over',
  ])
  expect(await outcomeOf(run(only, 'trip'))).toBe('done')
  await eventually(() => expect(house.line(1).position).toBe('open'))
  expect([house.line(2).position, await house.logOf(closing.LinkageID)]).toEqual(['closed', []])
  for (const { LinkageID } of [only, closing]) await removed(LinkageID)
  house.line(1).position = 'closed'
  await house.currentOf(3, 1)
})

test('what a linkage would do is said before a person has it run: lines of its scenes, delays, what it may not close', async () => {
  const { SceneID } = await house.stack.client.call(insertScene, {
    body: {
      ...{ HouseID: house.houseOf(), Name: '合四', Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [{ ...at(4), Action: 'close', Order: 0 }],
    },
  })
  house.line(4).position = 'open'
  await house.reported()
  const { LinkageID, Version } = await house.made('问', {
    Conditions: [above(3)],
    Actions: [does('trip', 1), { Kind: 'scene', SceneID, DelayS: 0 }, does('raise', 5), does('trip', 2, 30)],
    MayClose: true,
  })
  await house.reported()
  const asked = (client: Client) => client.call(linkagePermit, { params: { LinkageID } })
  expect((await asked(house.stack.client)).Closes?.Lines).toBe(1)
  await house.stack.server.database.general
    .updateTable('linkage')
    .set({ may_close: false })
    .where('linkage_id', '=', LinkageID)
    .execute()
  const permit = await asked(house.stack.client)
  expect(permit).toMatchObject({ LinkageID, Version, State: 'false', Raises: ['A线5'], DisabledScenes: [], Closes: null })
  expect(permit.Items.map(({ LineNo, Action, DelayS, Unmet }) => [LineNo, Action, DelayS, Unmet.map(({ Key }) => Key)])).toEqual([
    [1, 'trip', 0, []],
    [4, 'close', 0, ['linkage may not close']],
    [2, 'trip', 30, []],
  ])
  expect(permit.Trips?.Lines).toBe(2)
  expect(await outcomeOf(asked((await person({ sees: 'A', buttons: [] })).client))).toBe('done')
  await removed(LinkageID)
})

test('whom a linkage would have trip many lines confirms their number, and it does nothing before', async () => {
  const tripped = [1, 2, 4, 5, 6, 7]
  const positions = () => new Set(tripped.map((lineNo) => house.line(lineNo).position))
  for (const lineNo of tripped) house.line(lineNo).position = 'closed'
  await house.currentOf(3, 60)
  const { LinkageID, Version } = await house.made('全停', {
    ...{ Conditions: [above(3)], Actions: tripped.map((lineNo) => does('trip', lineNo)) },
  })
  await house.reported()
  const run = (more: { Confirmed?: number }) =>
    house.stack.client.call(runLinkage, {
      body: { LinkageID, Version, RunID: crypto.randomUUID(), Reason: '立即', ...more },
    })
  expect((await house.stack.client.call(linkagePermit, { params: { LinkageID } })).Confirm).toBe(6)
  for (const more of [{}, { Confirmed: 5 }]) expect(await outcomeOf(run(more))).toBe('confirmation needed')
  expect([positions(), (await house.logOf(LinkageID)).length]).toEqual([new Set(['closed']), 0])
  await run({ Confirmed: 6 })
  await eventually(() => expect(positions()).toEqual(new Set(['open'])))
  await removed(LinkageID)
  for (const lineNo of tripped) house.line(lineNo).position = 'closed'
  await house.currentOf(3, 1)
})

test('an administrator takes over what nobody answers for, all of a project at once; the night says that it is so', async () => {
  const { id } = await person({})
  const { general } = house.stack.server.database
  const ids: number[] = []
  for (const name of ['无主一', '无主二']) {
    const { LinkageID } = await house.made(name, { Conditions: [above(3)], Actions: [does('trip', 1)] })
    await general.updateTable('linkage').set({ owner_id: id }).where('linkage_id', '=', LinkageID).execute()
    ids.push(LinkageID)
  }
  const kept = await house.made('有主', { Conditions: [above(3)], Actions: [does('trip', 1)] })
  await general.updateTable('account').set({ disabled: true }).where('account_id', '=', id).execute()
  const checked = async () => {
    house.pass(6_000)
    await house.stack.server.automation.checks.tick()
    await house.stack.server.ingest.drained()
    return general
      .selectFrom('event')
      .select('state')
      .where('key', '=', 'automation.orphaned')
      .orderBy('raised_at', 'desc')
      .execute()
  }
  await eventually(async () => expect((await checked())[0]?.state).toBe('active'))
  const orphans = async () => (await house.stack.client.call(queryLinkages, { body: { Orphan: true } })).total
  expect(await orphans()).toBe(2)
  const HouseID = house.houseOf()
  const { OrphansOf } = (await house.stack.client.call(queryLinkages, { body: {} })).about
  expect(OrphansOf).toEqual([{ HouseID, Name: project.name, Count: 2 }])
  expect(await house.stack.client.call(takeOrphanedLinkages, { body: { HouseID } })).toEqual({ Taken: 2, Left: 0 })
  expect(await house.stack.client.call(takeOrphanedLinkages, { body: { HouseID } })).toEqual({ Taken: 0, Left: 0 })
  expect(await orphans()).toBe(0)
  for (const each of ids) expect((await house.stored(each)).OwnerName).toBe(house.stack.admin.userName)
  await eventually(async () => expect((await checked())[0]?.state).not.toBe('active'))
  for (const each of [...ids, kept.LinkageID]) await removed(each)
})

test('what contains a line names the linkages that read it, act on it or run a scene that does', async () => {
  const { SceneID } = await house.stack.client.call(insertScene, {
    body: {
      ...{ HouseID: house.houseOf(), Name: '合五', Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [{ ...at(5), Action: 'close', Order: 0 }],
    },
  })
  const ids = [
    await house.made('乙读', { Conditions: [above(5)], Actions: [does('raise', 6)] }),
    await house.made('甲断', { Conditions: [above(3)], Actions: [does('trip', 5)] }),
    await house.made('丙景', { Conditions: [above(3)], Actions: [{ Kind: 'scene', SceneID, DelayS: 0 }], MayClose: true }),
    await house.made('丁别', { Conditions: [above(3)], Actions: [does('trip', 6)] }),
  ].map(({ LinkageID }) => LinkageID)
  const { items } = await house.stack.client.call(querySwitch, { query: at(5) })
  const linkages = items.filter(({ Kind }) => Kind === 'linkage')
  expect(new Map(linkages.map(({ Name, NextAction, Blocks }) => [Name, [NextAction, Blocks]]))).toEqual(
    new Map([
      ['乙读', [null, false]],
      ['甲断', ['trip', false]],
      ['丙景', ['close', false]],
    ]),
  )
  const { client } = await person({ sees: 'A', buttons: [] })
  expect((await client.call(querySwitch, { query: at(5) })).items.some(({ Kind }) => Kind === 'linkage')).toBe(true)
  expect(await outcomeOf(client.call(simulateLinkage, { body: trips('试', does('trip', 1)) }))).toBe('done')
  for (const each of ids) await removed(each)
})

test('a line that this server does not know, though it is there, is not gone: whoever may not see it neither sees nor changes it', async () => {
  const { LinkageID, Version } = await house.made('隔柜', {
    Conditions: [above(3), { ...above(1), ControllerID: 'C-T1' }],
    Actions: [does('raise', 3), { ...does('trip', 1), ControllerID: 'C-T1' }],
  })
  const { client } = await person({ sees: 'A' })
  const { client: all } = await person({})
  const { lines } = house.stack.server.plant
  const unknown = [...lines].filter(([, line]) => line.device.controllerId === 'C-T1')
  for (const [id] of unknown) lines.delete(id)
  try {
    const seen = await client.call(getLinkage, { params: { LinkageID } })
    expect(seen).toMatchObject({ Whole: false, Conditions: [{ LineName: 'A线3' }], Actions: [{ Kind: 'raise' }] })
    const disables = (by: Client) => by.call(switchLinkage, { body: { LinkageID, Version, Mode: 'disable' } })
    expect(await outcomeOf(disables(client))).toBe('linkage seen in part')
    expect(await all.call(getLinkage, { params: { LinkageID } })).toMatchObject({ Whole: true })
    await disables(all)
  } finally {
    for (const [id, line] of unknown) lines.set(id, line)
  }
  await removed(LinkageID)
})
