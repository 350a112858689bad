import { randomUUID } from 'node:crypto'
import type { OrderOutcome, WorkOrder } from '@linewarden/contract'
import {
  acceptWorkOrders,
  closeWorkOrder,
  dispatchWorkOrders,
  pauseWorkOrder,
  processWorkOrder,
  takeWorkOrder,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrderPerson } from '../../kit/order-house.ts'
import { act, OrderHouse } from '../../kit/order-house.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { outcomeOf } from '../../kit/refused.ts'

// What one press does to many orders is what as many presses do to one each, whatever each of them is and whoever presses.
let house: OrderHouse
let founder: OrderPerson
let electrician: OrderPerson
let colleague: OrderPerson
let administrator: OrderPerson

beforeAll(async () => {
  house = await OrderHouse.start({ fleet: { ticking: false } })
  founder = await house.person('周敏', { projects: [house.houseOf('A'), house.houseOf('B')] })
  electrician = await house.person('王海峰', { projects: [house.houseOf('A'), house.houseOf('B')] })
  colleague = await house.person('李强')
  administrator = await house.administrator()
})
afterAll(() => house?.stack.close())

const done = { Cause: '接线盒进液', Done: '换密封接头' }
/** With the others more than fifty. */
const moreThanOnePortion = 42

type Case = (index: number) => Promise<Pick<WorkOrder, 'OrderID' | 'Version'>>

const undispatched: Case = () => house.made(founder, electrician, { Dispatch: false })
const ofAlarm = async (Dispatch: boolean) => {
  const [EventID = ''] = await raiseEvents(house.stack, [{ lineNo: 3, state: 'returned', raisedAt: house.now - 3_600_000 }])
  return house.made(founder, electrician, { EventID, Dispatch })
}
const processed = async (order: WorkOrder) =>
  electrician.client.call(processWorkOrder, {
    body: { ...act(await electrician.client.call(takeWorkOrder, { body: act(order) })), ...done },
  })

const toDispatch: readonly Case[] = [
  undispatched,
  async () =>
    founder.client.call(closeWorkOrder, {
      body: { ...act(await house.made(founder, electrician)), Why: 'cancelled', Reason: 'x' },
    }),
  () => house.made(founder, electrician),
  () => house.made(founder, colleague),
  async (index) => ({ ...(await undispatched(index)), Version: 99 }),
  () => house.made(founder, electrician, { HouseID: house.houseOf('B'), Dispatch: false }),
  async (index) => ({ OrderID: 2_000_000_000 + index, Version: 1 }),
  () => house.made(colleague, electrician, { Dispatch: false }),
  () => ofAlarm(false),
  async () => {
    const body = { ...act(await house.made(founder, colleague)), Until: house.now + 3_600_000, Why: 'parts' as const }
    return colleague.client.call(pauseWorkOrder, { body })
  },
  ...Array.from({ length: moreThanOnePortion }, () => undispatched),
]

const toAccept: readonly Case[] = [
  async () => processed(await house.made(founder, electrician)),
  async () => processed(await house.made(electrician, electrician)),
  undispatched,
  async () => processed(await ofAlarm(true)),
  async () => ({ ...(await processed(await house.made(founder, electrician))), Version: 1 }),
]

/** Of each case two orders that differ in nothing: one for each way. */
async function twins(cases: readonly Case[]) {
  const [together, each]: [Pick<WorkOrder, 'OrderID' | 'Version'>[], Pick<WorkOrder, 'OrderID' | 'Version'>[]] = [[], []]
  for (const [index, make] of cases.entries()) {
    together.push(await make(index * 2))
    each.push(await make(index * 2 + 1))
  }
  const asked = (orders: typeof each) => orders.map(({ OrderID, Version }) => ({ OrderID, Version }))
  return { together: asked(together), each: asked(each) }
}

type Press = (body: { readonly ActID: string; readonly Orders: { OrderID: number; Version: number }[] }) => Promise<{
  readonly items: readonly OrderOutcome[]
}>

/** One press for one order; what refuses it is the answer of the call. */
async function refusalsOneByOne(press: Press, orders: readonly { OrderID: number; Version: number }[]) {
  const keys: (string | null)[] = []
  for (const order of orders) {
    const outcome = await outcomeOf(press({ ActID: randomUUID(), Orders: [order] }))
    keys.push(outcome === 'done' ? null : outcome)
  }
  return keys
}

/**
 * All that is stored of orders but numbers, instants, what is sent meanwhile, and how far the server has proved them by itself; refused single
 * calls stand in the audit trail beside it.
 */
async function storedOf(orders: readonly { readonly OrderID: number }[]): Promise<readonly unknown[]> {
  const client = await house.stack.server.database.connect()
  const { rows } = await client.query(
    `select to_jsonb(o) - '{order_id,number,created_at,hazard_id,searched,overdue_at,dealt_at,accepted_at,closed_at,alarm_at}'::text[] as is,
      overdue_at is null as never_late,
      (select jsonb_agg(to_jsonb(s) - '{step_id,order_id,act_id,at,until}'::text[] order by s.step_id)
        from work_order_step s where s.order_id = o.order_id) as steps,
      (select jsonb_agg(why order by why) from work_order_due d where d.order_id = o.order_id and account_id is null) as due,
      (select jsonb_build_array(h.state, h.version, h.verification, (select jsonb_agg(
          jsonb_build_array(act, from_state, to_state, actor) order by step_id) from hazard_step s where s.hazard_id = h.hazard_id))
        from hazard h where h.hazard_id = o.hazard_id) as hazard,
      (select jsonb_agg(jsonb_build_array(action, actor, before, after, tree) order by a.audit_id) from audit a
        where subject_kind = 'workOrder' and subject_id = o.order_id::text and outcome = 'done') as audit
    from unnest($1::int[]) with ordinality as asked (order_id, place) left join work_order o using (order_id) order by place`,
    [orders.map(({ OrderID }) => OrderID)],
  )
  await client.end()
  return JSON.parse(JSON.stringify(rows).replaceAll(/\b\d{13}\b|(?<="haveMs":)\d+|(?<="missing":)(null|"data")/g, '0'))
}

async function sameOutcome(cases: readonly Case[], press: Press): Promise<(string | null)[]> {
  const { together, each } = await twins(cases)
  const ActID = randomUUID()
  const { items } = await press({ ActID, Orders: together })
  const keys = items.map(({ Refusal }) => Refusal?.Key ?? null)
  expect(keys).toEqual(await refusalsOneByOne(press, each))
  expect(items.map(({ OrderID }) => OrderID)).toEqual(together.map(({ OrderID }) => OrderID))
  const after = await storedOf(together)
  expect(after).toEqual(await storedOf(each))
  const again = await press({ ActID, Orders: together })
  expect(again.items.map(({ Refusal }) => Refusal?.Key ?? null)).toEqual(keys)
  expect(await storedOf(together)).toEqual(after)
  return keys
}

test('orders are dispatched by one press as by one press each, and the same press again changes nothing', async () => {
  const to =
    (person: OrderPerson, by: OrderPerson, Reason?: string): Press =>
    (body) =>
      by.client.call(dispatchWorkOrders, { body: { ...body, PersonInCharge: person.id, ...(Reason && { Reason }) } })
  expect((await sameOutcome(toDispatch, to(colleague, founder))).slice(0, 11)).toEqual([
    ...[null, 'order state', 'order reason missing', null, 'changed meanwhile', 'order person blind', 'work order not exists'],
    ...['order not yours', null, null, null],
  ])
  const few = toDispatch.slice(0, 10)
  expect(new Set(await sameOutcome(few, to(electrician, founder, '换人')))).toContain('order not yours')
  expect(new Set(await sameOutcome(few, to(electrician, administrator, '换人')))).not.toContain('order not yours')
})

test('orders are accepted by one press as by one press each', async () => {
  const by =
    ({ client }: OrderPerson, Unverified?: string): Press =>
    (body) =>
      client.call(acceptWorkOrders, { body: { ...body, ...(Unverified && { Unverified }) } })
  expect(await sameOutcome(toAccept, by(electrician))).toEqual([
    ...['order not yours', 'order four eyes', 'order state', 'order not yours', 'changed meanwhile'],
  ])
  expect(await sameOutcome(toAccept, by(founder, '现场确认'))).toEqual([
    ...[null, 'order not yours', 'order state', 'order unverified', 'changed meanwhile'],
  ])
  expect(await sameOutcome(toAccept, by(administrator, '现场确认'))).toEqual([
    ...[null, null, 'order state', null, 'changed meanwhile'],
  ])
})

test('of two who dispatch the same orders at one moment each order goes to one, and the other is told', async () => {
  const orders = (await twins(Array.from({ length: 40 }, () => undispatched))).together
  const press = (by: OrderPerson, to: OrderPerson, Orders: typeof orders) =>
    by.client.call(dispatchWorkOrders, { body: { ActID: randomUUID(), Orders, PersonInCharge: to.id } })
  const [one, other] = await Promise.all([
    press(founder, electrician, orders),
    press(administrator, colleague, orders.toReversed()),
  ])
  const otherInOrder = other.items.toReversed()
  for (const [index, { Refusal }] of one.items.entries())
    expect([Refusal?.Key ?? null, otherInOrder[index]?.Refusal?.Key ?? null].toSorted()).toEqual(['changed meanwhile', null])
})

test('an order that is named twice is dispatched once', async () => {
  const { OrderID, Version } = await undispatched(0)
  const Orders = [
    { OrderID, Version },
    { OrderID, Version },
  ]
  const body = { ActID: randomUUID(), Orders, PersonInCharge: colleague.id }
  const { items } = await founder.client.call(dispatchWorkOrders, { body })
  expect(items.map(({ Refusal, Order }) => [Refusal, Order?.Version])).toEqual([
    [null, Version + 1],
    [null, Version + 1],
  ])
})

test('whoever gets several orders by one press is notified of each, and whoever had one is too', async () => {
  const [before, after] = [await house.person('原负责人'), await house.person('新负责人')]
  const orders = [
    await house.made(founder, before, { Dispatch: false }),
    await house.made(founder, before),
    await house.made(founder, before, { Dispatch: false }),
  ]
  await house.untilHour(12)
  const Orders = orders.map(({ OrderID, Version }) => ({ OrderID, Version }))
  await founder.client.call(dispatchWorkOrders, {
    body: { ActID: randomUUID(), Orders, PersonInCharge: after.id, Reason: '换人' },
  })
  await house.notified()
  const of = async (person: OrderPerson) => new Map((await house.noticesOf(person)).map(({ Key, OrderID }) => [OrderID, Key]))
  expect(await of(after)).toEqual(new Map(orders.map(({ OrderID }) => [OrderID, 'order.dispatched'])))
  expect(await of(before)).toEqual(new Map([[orders[1]?.OrderID, 'order.reassigned']]))
})
