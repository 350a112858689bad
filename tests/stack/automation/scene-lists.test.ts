import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { insertScene, queryScenes, switchScene } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// How scenes are found among many.
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
