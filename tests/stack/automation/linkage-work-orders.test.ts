import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import {
  closeWorkOrder,
  getLinkage,
  getWorkOrder,
  insertLinkage,
  linkageLog,
  linkagePermit,
  queryWorkOrders,
  simulateLinkage,
} from '@linewarden/contract'
import { raisedKey } from '@linewarden/rules/automation'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LinkageHouse } from '../../kit/linkage-house.ts'
import { above, at, does, startLinkageHouse } from '../../kit/linkage-house.ts'
import { act } from '../../kit/order-house.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { signedIn } from '../../kit/stack.ts'

// A linkage has a work order made: once for each firing, after what it trips, and with the rights of whoever answers for it.
let house: LinkageHouse
beforeAll(async () => {
  house = await startLinkageHouse()
})
afterAll(() => house?.stack.close())

type Action = Request<typeof insertLinkage>['body']['Actions'][number]

const ordering = (LineNo: number, order: Partial<NonNullable<Action['Order']>> = {}, DelayS = 0): Action => ({
  ...{ Kind: 'workorder', ...at(LineNo), DelayS },
  Order: { Title: '', Priority: 'high', PersonInCharge: null, ...order },
})

let number = 13_800_000_000
async function person(nickName: string, { orders = true }: { orders?: boolean } = {}) {
  const { accounts, database } = house.stack.server
  const userName = String(number++)
  const privileges = [
    'devmon',
    'devmon.realtime',
    'linkage.list',
    'linkage.log',
    ...(orders ? ['hazard', 'hazard.workorder'] : []),
  ]
  const roleId = await accounts.createRole({
    number: userName,
    name: userName,
    privileges,
    buttons: ['lineSwitch', 'manageScene'],
  })
  const who = { userName, password: 'Duty-7391' }
  await accounts.createAccount({ ...who, kind: 'sub', roleId, projectIds: [house.houseOf()] })
  const row = await database.general
    .updateTable('account')
    .set({ nick_name: nickName })
    .where('user_name', '=', userName)
    .returning('account_id')
    .executeTakeFirstOrThrow()
  return { client: await signedIn(house.stack.url, who, house.now), id: row.account_id, roleId }
}

/** Its conditions come to be true, and what it asks for is made. */
async function fired(lineNo: number): Promise<void> {
  await house.currentOf(lineNo, 1, 61_000)
  await house.currentOf(lineNo, 60)
  await made()
}
const made = () => house.stack.server.workOrders.lookByLinkages()
const ordersOf = async (LinkageID: number, by: Client = house.stack.client) =>
  (await by.call(linkageLog, { body: { LinkageID, Size: 50 } })).items.map(({ Orders }) => Orders)
const orderOf = async (OrderID: number | undefined) =>
  house.stack.client.call(getWorkOrder, { params: { OrderID: OrderID ?? 0 } })

test('a firing has one order made, for whoever is named; the next joins it while it is open, and makes another once it is closed', async () => {
  const [owner, electrician] = [await person('周敏'), await person('王海峰')]
  const body = house.form('过流派单', {
    Conditions: [above(3)],
    Actions: [does('trip', 4), ordering(3, { Title: '过流，请查', PersonInCharge: electrician.id })],
  })
  const saved = await owner.client.call(insertLinkage, { body })
  expect(saved.Actions[1]).toMatchObject({
    ...{ Kind: 'workorder', LineNo: 3 },
    Order: { Title: '过流，请查', Priority: 'high', PersonInCharge: { AccountID: electrician.id, Name: '王海峰' } },
  })
  const { LinkageID } = saved
  await fired(3)
  await house.stands(4, 'open')
  // Looked at again, and by two at one moment, it is made once.
  await Promise.all([made(), made()])
  const [[first]] = (await ordersOf(LinkageID)) as [Awaited<ReturnType<typeof ordersOf>>[number]]
  expect(first).toMatchObject({
    LineNo: 3,
    Outcome: 'made',
    Why: null,
    Order: { Number: expect.stringMatching(/^20\d{4}-\d{5}$/) },
  })
  const { Order, Steps } = await orderOf(first?.Order?.OrderID)
  expect(Order).toMatchObject({
    ...{ Title: '过流，请查', Priority: 'high', Status: 'dispatched', LineNo: 3, ControllerID: 'A-T1' },
    ...{ Founder: { AccountID: owner.id, Name: '周敏' }, PersonInCharge: { AccountID: electrician.id, Name: '王海峰' } },
  })
  expect(Steps.map(({ Act, Actor }) => [Act, Actor])).toEqual([
    ['insert', null],
    ['dispatch', null],
  ])

  await fired(3)
  expect((await ordersOf(LinkageID))[0]).toMatchObject([{ Outcome: 'joined', Order: first?.Order }])
  const joined = await orderOf(Order.OrderID)
  expect(joined.Steps.map(({ Act }) => Act)).toEqual(['insert', 'dispatch', 'join'])
  await owner.client.call(closeWorkOrder, { body: { ...act(joined.Order), Why: 'cancelled', Reason: '已查' } })

  await fired(3)
  const [[again] = []] = await ordersOf(LinkageID)
  expect(again).toMatchObject({ Outcome: 'made' })
  expect(again?.Order?.OrderID).not.toBe(Order.OrderID)
  await house.gone(LinkageID)
})

test('after a delay it asks when that is due, as it raises its alarm then; what it would do is said before', async () => {
  const { LinkageID } = await house.made('延时派单', {
    Conditions: [above(5)],
    Actions: [ordering(5, {}, 120), does('raise', 5, 120)],
  })
  await house.currentOf(5, 1)
  await fired(5)
  expect(await ordersOf(LinkageID)).toEqual([[]])
  const permit = await house.stack.client.call(linkagePermit, { params: { LinkageID } })
  expect(permit).toMatchObject({ Items: [], Orders: [house.stack.server.plant.lineAt('A-T1', 5)?.name] })
  house.pass(121_000)
  await house.engine().tick()
  await made()
  await house.stack.server.ingest.drained()
  expect([...(house.stack.server.plant.lineAt('A-T1', 5)?.alarms.values() ?? [])].map(({ key }) => key)).toContain(raisedKey)
  const orders = (await ordersOf(LinkageID)).flat()
  // An order without a title is called as its linkage, and is nobody’s yet.
  expect(orders.map(({ Outcome }) => Outcome)).toEqual(['made'])
  const [order] = orders
  expect((await orderOf(order?.Order?.OrderID)).Order).toMatchObject({ Title: '延时派单', Status: 'undispatched' })
  await house.gone(LinkageID)
})

test('in shadow mode it makes none, and says what it would have done', async () => {
  const { LinkageID } = await house.made('试运行派单', { Mode: 'shadow', Conditions: [above(6)], Actions: [ordering(6)] })
  const before = (await house.stack.client.call(queryWorkOrders, { body: {} })).total
  await house.currentOf(6, 1)
  await fired(6)
  const [entry] = await house.logOf(LinkageID)
  expect(entry).toMatchObject({ Why: 'shadow', Orders: [], WouldHave: [{ Kind: 'workorder', LineNo: 6 }] })
  expect((await house.stack.client.call(queryWorkOrders, { body: {} })).total).toBe(before)
  await house.gone(LinkageID)
})

test('whoever may write no orders lets no linkage make any; once its owner may not, it trips on and makes none', async () => {
  const [without, owner] = [await person('无工单', { orders: false }), await person('原有工单')]
  const form = house.form('越权派单', { Conditions: [above(7)], Actions: [does('trip', 8), ordering(7)] })
  expect(await outcomeOf(without.client.call(insertLinkage, { body: form }))).toBe('linkage needs work orders')
  const { LinkageID } = await owner.client.call(insertLinkage, { body: form })
  const { general } = house.stack.server.database
  await general
    .updateTable('role')
    .set({ privileges: ['devmon', 'devmon.realtime', 'linkage.list', 'linkage.log'] })
    .where('role_id', '=', owner.roleId)
    .execute()
  await house.currentOf(7, 1)
  await fired(7)
  await house.stands(8, 'open')
  expect(await ordersOf(LinkageID)).toMatchObject([[{ Outcome: 'refused', Why: 'owner', Order: null }]])
  expect((await house.stack.client.call(getLinkage, { params: { LinkageID } })).Orphan).toBe(true)
  await house.gone(LinkageID)
})

test('who reads no work orders reads of none by name, and who cannot have one is not put in charge', async () => {
  const without = await person('只看联动', { orders: false })
  const own = { Conditions: [above(2)], Actions: [ordering(2, { PersonInCharge: without.id })] }
  expect(await outcomeOf(house.made('派错人', own))).toBe('order person unfit')
  const { LinkageID } = await house.made('有人看', { ...own, Actions: [ordering(2)] })
  await house.currentOf(2, 1)
  await fired(2)
  expect(await ordersOf(LinkageID, without.client)).toMatchObject([[{ Outcome: 'made', Order: null }]])
  // A line is asked for once by one linkage, and there has to be one.
  const twice = { Conditions: [above(2)], Actions: [ordering(2), ordering(2)] }
  expect(await outcomeOf(house.made('两张', twice))).toBe('definition wrong')
  const nowhere = { ...ordering(2), ControllerID: 'X-1' }
  expect(await outcomeOf(house.made('没有线路', { ...twice, Actions: [nowhere] }))).toBe('device not exists')
  const { ...form } = house.form('回放', { Conditions: [above(2)], Actions: [ordering(2)] })
  const simulated = await house.stack.client.call(simulateLinkage, { body: form })
  expect(simulated.Orders).toBe(simulated.Counts.find(({ Outcome }) => Outcome === 'fired')?.Count ?? 0)
  await house.gone(LinkageID)
})
