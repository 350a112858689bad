import type { Client } from '@linewarden/client'
import { md5Hex } from '@linewarden/client'
import {
  grantControl,
  insertScene,
  listJournal,
  queryScenes,
  scenesAbout,
  switchScene,
  takeOrphanedScenes,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// Scenes whose owner is gone, and in which order a list of scenes comes.
let stack: Stack
let connection: ReturnType<Stack['server']['database']['connect']>
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
  calm(stack)
  connection = stack.server.database.connect()
})
afterAll(async () => {
  await (await connection)?.end()
  await stack?.close()
})

const house = (device = 'A-T1') => stack.server.plant.deviceByControllerId.get(device)?.gateway.project.id ?? 0
const made = (Name: string, client: Client = stack.client, device = 'A-T1') =>
  client.call(insertScene, {
    body: {
      ...{ HouseID: house(device), Name, Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [{ ControllerID: device, LineNo: 2, Action: 'trip', Order: 0 }],
    },
  })
const password = 'Duty-7391'

test('scenes whose owner is gone are counted by project and taken over at once, each with an entry in the log', async () => {
  const { accounts, database } = stack.server
  const accountId = await accounts.createAccount({ userName: 'left1', password, kind: 'platform' })
  const left = await signedIn(stack.url, { userName: 'left1', password })
  const names = ['无主一', '无主二']
  for (const name of names) await made(name, left)
  await made('别处无主', left, 'B-T1')
  const kept = await made('有主')
  await database.general.updateTable('account').set({ disabled: true }).where('account_id', '=', accountId).execute()
  // Their project is checked at once, and the alarm says that somebody is gone.
  await expect
    .poll(
      async () => {
        await stack.server.ingest.drained()
        const { rows } = await (await connection).query(
          "select count(distinct project_id)::int as count from event where key = 'automation.orphaned' and state = 'active'",
        )
        return rows[0].count
      },
      { timeout: 60_000 },
    )
    .toBe(2)
  const orphansOf = async (client: Client = stack.client, body = {}) =>
    (await client.call(scenesAbout, { body })).OrphansOf.map(({ HouseID, Count }) => [HouseID, Count])
  expect((await orphansOf()).toSorted()).toEqual([
    [house(), 2],
    [house('B-T1'), 1],
  ])
  expect(await orphansOf(stack.client, { HouseID: house('B-T1') })).toEqual([[house('B-T1'), 1]])

  // Whoever is no administrator takes over one by one, and counts what they see.
  const buttons = ['lineSwitch', 'manageScene']
  const roleId = await accounts.createRole({ number: 's', name: 's', privileges: ['timer', 'scene.list'], buttons })
  const who = { userName: '13800000161', password }
  await accounts.createAccount({ ...who, kind: 'sub', roleId, projectIds: [house()] })
  const sub = await signedIn(stack.url, who)
  expect(await orphansOf(sub)).toEqual([[house(), 2]])
  expect(await outcomeOf(sub.call(takeOrphanedScenes, { body: { HouseID: house() } }))).toBe('orphans need administrator')

  // With a control password it is asked for once, for all of the project.
  const careful = { userName: 'careful2', password }
  await accounts.createAccount({ ...careful, kind: 'platform', controlPassword: 'Ctrl-2580' })
  const client = await signedIn(stack.url, careful)
  const grant = async (Operation: string) =>
    (await client.call(grantControl, { body: { Password: md5Hex('Ctrl-2580'), Operation } })).Grant
  const take = (Grant?: string) =>
    client.call(takeOrphanedScenes, { body: { HouseID: house(), ...(Grant !== undefined && { Grant }) } })
  expect(await outcomeOf(take())).toBe('control grant missing')
  const other = await grant(`automation:scene:orphans:${house('B-T1')}`)
  expect(await outcomeOf(take(other))).toBe('control grant over')
  expect(await take(await grant(`automation:scene:orphans:${house()}`))).toEqual({ Taken: 2, Left: 0 })
  const { items } = await stack.client.call(queryScenes, { body: { HouseID: house() } })
  expect(new Map(items.map(({ Name, OwnerName, Orphan }) => [Name, [OwnerName, Orphan]]))).toEqual(
    new Map([
      ['无主一', ['careful2', false]],
      ['无主二', ['careful2', false]],
      ['有主', [stack.admin.userName, false]],
    ]),
  )
  // What nobody had to answer for anew is as it was, and so is another project.
  expect(items.find(({ Name }) => Name === '有主')?.Version).toBe(kept.Version)
  expect(await orphansOf()).toEqual([[house('B-T1'), 1]])
  const entries = (await stack.client.call(listJournal, { body: { Size: 20 } })).items.filter(
    ({ Action }) => Action === 'scene.owner',
  )
  expect(entries.map(({ Target, Actor }) => [Target, Actor]).toSorted()).toEqual(names.map((name) => [name, 'careful2']))
  expect(await stack.client.call(takeOrphanedScenes, { body: { HouseID: house() } })).toEqual({ Taken: 0, Left: 0 })
})

test('scenes come by their names, by when they were changed, or by when they were run last; what never ran comes last', async () => {
  const ran = await made('排序丙')
  await made('排序甲')
  const late = await made('排序乙')
  const listed = async (Sort?: 'Name' | '-Name' | 'Last' | '-Last' | 'Changed' | '-Changed', Orphan?: boolean) =>
    (
      await stack.client.call(queryScenes, {
        body: { Name: '排序', ...(Sort && { Sort }), ...(Orphan !== undefined && { Orphan }) },
      })
    ).items.map(({ Name }) => Name)
  const byName = await listed()
  expect(await listed('-Name')).toEqual(byName.toReversed())
  expect(await listed('Changed')).toEqual(['排序丙', '排序甲', '排序乙'])
  expect(await listed('-Changed')).toEqual(['排序乙', '排序甲', '排序丙'])
  const run = ({ SceneID, Version }: typeof ran) =>
    stack.client.call(switchScene, { body: { SceneID, RunID: crypto.randomUUID(), Reason: '排序', Version } })
  await run(late)
  await run(ran)
  expect(await listed('Last')).toEqual(['排序乙', '排序丙', '排序甲'])
  expect(await listed('-Last')).toEqual(['排序丙', '排序乙', '排序甲'])
  // Found by rights of now they come in the same order.
  expect(await listed('-Last', false)).toEqual(['排序丙', '排序乙', '排序甲'])
})
