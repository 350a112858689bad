import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { insertLinkage, insertScene, linkageLog, queryLinkages, queryScenes, switchScene } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// How scenes, and what linkages did, are found among many.
let stack: Stack
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
  calm(stack)
})
afterAll(() => stack?.close())

const at = (LineNo: number, ControllerID = 'A-T1') => ({ ControllerID, LineNo })
const trip = (LineNo: number) => ({ ...at(LineNo), Action: 'trip' as const, Order: 0 })
const house = () => stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0
const made = (Name: string, LineNo: number, client: Client = stack.client) =>
  client.call(insertScene, {
    body: { HouseID: house(), Name, Icon: 'scene', Items: [trip(LineNo)], IfRefused: 'goOn', Enabled: true },
  })

test('scenes are found by a line or a place of theirs, by whether they are enabled, and by whether anybody answers for them', async () => {
  const one = await made('查找一', 2)
  const two = await made('查找二', 3)
  const off = { SceneID: two.SceneID, RunID: crypto.randomUUID(), Reason: 'x', Mode: 'disable' as const, Version: two.Version }
  await stack.client.call(switchScene, { body: off })
  const who = { userName: '13800000106', password: 'Duty-7391' }
  const { accounts, database } = stack.server
  const role = {
    number: who.userName,
    name: who.userName,
    privileges: ['timer', 'scene.list'],
    buttons: ['manageScene', 'lineSwitch'],
  }
  const roleId = await accounts.createRole(role)
  const accountId = await accounts.createAccount({ ...who, kind: 'sub', roleId, projectIds: [house()] })
  const client = await signedIn(stack.url, who)
  const three = await made('查找三', 2, client)
  expect(three.Orphan).toBe(false)
  // Their rights of now are asked, not those of then.
  await database.general.deleteFrom('account_project').where('account_id', '=', accountId).execute()
  const found = async (body: Request<typeof queryScenes>['body']) =>
    (await stack.client.call(queryScenes, { body: { Name: '查找', ...body } })).items.map(({ Name }) => Name)
  const gateway = stack.server.plant.deviceByControllerId.get('A-T1')?.gateway
  const LineID = stack.server.plant.lineAt('A-T1', 3)?.id ?? 0
  const elsewhere = stack.server.plant.deviceByControllerId.get('B-T1')?.gateway.id ?? 0
  expect(await found({})).toEqual(['查找一', '查找三', '查找二'].toSorted())
  expect(await found({ ...at(2) })).toEqual(['查找一', '查找三'])
  expect(await found({ LineID })).toEqual(['查找二'])
  expect(await found({ DeviceID: gateway?.id ?? 0, CityID: gateway?.project.cityId ?? 0 })).toHaveLength(3)
  expect(await found({ DeviceID: elsewhere })).toEqual([])
  expect(await found({ Enabled: false })).toEqual(['查找二'])
  expect(await found({ Enabled: true })).toEqual(['查找一', '查找三'])
  expect(await found({ Orphan: true })).toEqual(['查找三'])
  expect(await found({ Orphan: false, Enabled: true })).toEqual(['查找一'])
  // By the name of a line in it as well.
  expect(
    (await stack.client.call(queryScenes, { body: { Name: 'A线3', Enabled: false } })).items.map(({ Name }) => Name),
  ).toContain('查找二')
  expect(one.Items[0]).toMatchObject({ LineName: 'A线2', GatewayName: 'A柜' })
})

test('a page of scenes is of those that the reader sees, in the order of their names', async () => {
  for (const name of ['翻页甲', '翻页丙', '翻页乙']) await made(name, 4)
  const page = async (Page: number, client: Client = stack.client) =>
    client.call(queryScenes, { body: { Name: '翻页', Page, Size: 2 } })
  const [first, second] = [await page(1), await page(2)]
  expect([first.total, second.total]).toEqual([3, 3])
  const names = [...first.items, ...second.items].map(({ Name }) => Name)
  expect(names.toSorted()).toEqual(['翻页丙', '翻页乙', '翻页甲'].toSorted())
  expect((await page(3)).items).toEqual([])
  const elsewhere = await subUser('13800000107', 'B-T1')
  expect(await page(1, elsewhere)).toMatchObject({ items: [], total: 0 })
  expect((await page(1, await subUser('13800000108', 'A-T1'))).total).toBe(3)
})

test('what linkages did is narrowed by place and outcome, each counted, and names the runs that led to it', async () => {
  const [line, other] = [stack.server.plant.lineAt('A-T1', 1), stack.server.plant.lineAt('A-T1', 2)]
  const { LinkageID } = await stack.client.call(insertLinkage, {
    body: {
      ...{ HouseID: house(), Name: '过载分闸', Enabled: false, Mode: 'live', Match: 'all', ActiveHours: [], MayClose: false },
      ...{ CooldownS: 300, MaxPerHour: 6, MaxPerDay: 24 },
      Conditions: [{ Kind: 'point', ...at(1), Key: 'power.total', Op: '>', Value: 260, Release: 13, ForS: 0 }],
      Actions: [{ Kind: 'trip', ...at(2), DelayS: 0 }],
    },
  })
  const [ran, shadow, later] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const then = Date.now() - 600_000
  const trace = { at: then, mode: 'live', match: 'all', version: 1, conditions: [], wouldHave: [] }
  const db = await stack.server.database.connect()
  const add = (id: string, minutes: number, state: string, why: string | null, cause: string[], parent: string | null) =>
    db.query(
      `insert into automation_run (run_id, source, source_id, project_id, name, claimed_at, ended_at, state, why, actor, cause, parent_run_id, trace)
       values ($1, 'linkage', $2, $3, '过载分闸', $4, $4, $5, $6, 'admin', $7, $8, $9)`,
      [id, LinkageID, house(), new Date(then + minutes * 60_000), state, why, cause, parent, trace],
    )
  await add(ran, 0, 'done', null, [], null)
  await add(shadow, 1, 'skipped', 'shadow', [ran], null)
  await add(later, 2, 'partly', null, [], ran)
  for (const [why, slot] of [
    ['cooldown', 1],
    ['cooldown', 2],
    ['blind', 1],
  ] as const)
    await db.query(
      `insert into linkage_near (linkage_id, project_id, why, slot, at, name, mode, trace) values ($1, $2, $3, $4, $5, '过载分闸', 'live', $6)`,
      [LinkageID, house(), why, slot, new Date(then), trace],
    )
  await db.end()
  const log = (body: Request<typeof linkageLog>['body'], client: Client = stack.client) =>
    client.call(linkageLog, { body: { LinkageID, Size: 50, ...body } })
  const ids = async (body: Request<typeof linkageLog>['body']) => (await log(body)).items.map(({ RunID }) => RunID)
  const whole = await log({})
  expect(whole.items.map(({ RunID }) => RunID)).toEqual([later, shadow, ran])
  expect(whole.about).toEqual({
    States: expect.toSatisfy((states: unknown[]) => states.length === 2),
    Shadow: 1,
    Near: [
      { Why: 'cooldown', Count: 2 },
      { Why: 'blind', Count: 1 },
    ],
  })
  expect(whole.items[0]?.Chain).toEqual([{ RunID: ran, Name: '过载分闸', At: then }])
  expect(whole.items[1]?.Chain).toEqual([{ RunID: ran, Name: '过载分闸', At: then }])
  expect(await ids({ States: ['partly', 'skipped'], Shadow: false })).toEqual([later])
  expect(await ids({ Shadow: true })).toEqual([shadow])
  expect((await log({ Near: true })).total).toBe(6)
  expect((await log({ Near: true, Ran: false })).items.map(({ Why }) => Why).toSorted()).toEqual([
    'blind',
    'cooldown',
    'cooldown',
  ])
  expect((await log({ Near: true, Ran: false, Why: 'blind' })).total).toBe(1)
  // By a line that it names, and by one that it does not.
  expect((await log({ LineID: other?.id ?? 0 })).total).toBe(3)
  expect((await log({ LineID: stack.server.plant.lineAt('A-T1', 7)?.id ?? 0 })).total).toBe(0)
  const listed = async (body: Request<typeof queryLinkages>['body']) =>
    (await stack.client.call(queryLinkages, { body })).items.map((each) => each.LinkageID)
  expect(await listed({ LineID: line?.id ?? 0 })).toEqual([LinkageID])
  expect(await listed({ DeviceID: stack.server.plant.deviceByControllerId.get('B-T1')?.gateway.id ?? 0 })).toEqual([])
  // What never ran comes last either way; what needs somebody comes first by itself, and last where that is asked.
  const shadowed = await stack.client.call(insertLinkage, {
    body: {
      ...{ HouseID: house(), Name: '按序试运行', Enabled: true, Mode: 'shadow', Match: 'all', ActiveHours: [], MayClose: false },
      ...{ CooldownS: 300, MaxPerHour: 6, MaxPerDay: 24 },
      Conditions: [{ Kind: 'point', ...at(3), Key: 'power.total', Op: '>', Value: 260, Release: 13, ForS: 0 }],
      Actions: [{ Kind: 'trip', ...at(4), DelayS: 0 }],
    },
  })
  const inTurn = [LinkageID, shadowed.LinkageID]
  for (const Sort of ['Last', '-Last', '-Mark', '-Name'] as const) expect([Sort, await listed({ Sort })]).toEqual([Sort, inTurn])
  for (const Sort of ['Mark', 'Name'] as const) expect([Sort, await listed({ Sort })]).toEqual([Sort, inTurn.toReversed()])
  const elsewhere = await log({ Near: true }, await subUser('13800000109', 'B-T1'))
  expect(elsewhere).toMatchObject({ items: [], total: 0, about: { States: [], Shadow: 0, Near: [] } })
})

/** A sub-user who reads scenes and linkages, and sees the project of one device. */
async function subUser(userName: string, controllerId: string): Promise<Client> {
  const { accounts, plant } = stack.server
  const privileges = ['timer', 'scene.list', 'linkage.list', 'linkage.log']
  const roleId = await accounts.createRole({ number: userName, name: userName, privileges, buttons: [] })
  const projectId = plant.deviceByControllerId.get(controllerId)?.gateway.project.id ?? 0
  const who = { userName, password: 'Duty-7391' }
  await accounts.createAccount({ ...who, kind: 'sub', roleId, projectIds: [projectId] })
  return signedIn(stack.url, who)
}
