import { acceptWorkOrders, processWorkOrder, queryWorkOrders } from '@linewarden/contract'
import { Quality } from '@linewarden/rules/monitor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrderPerson } from '../../kit/order-house.ts'
import { act, OrderHouse, several } from '../../kit/order-house.ts'
import type { RaisedEvent } from '../../kit/raised-events.ts'
import { raiseEventAgain, raiseEvents } from '../../kit/raised-events.ts'
import { outcomeOf } from '../../kit/refused.ts'

// What proves that an order was dealt with: the equipment's own reports, and nothing that anybody says.
const hour = 3_600_000
let house: OrderHouse
let founder: OrderPerson
let electrician: OrderPerson
let administrator: OrderPerson

beforeAll(async () => {
  house = await OrderHouse.start({ expects: /a work order could not be looked after/ })
  founder = await house.person('周敏')
  electrician = await house.person('王海峰')
  administrator = await house.administrator()
})
afterAll(() => house?.stack.close())

const done = { Cause: '接线盒进液', Done: '换密封接头' }

/** An alarm of a line that has returned, with its order processed. */
async function processed(lineNo: number, key = 'temperature.alarm', more: Partial<RaisedEvent> = {}) {
  const [EventID = ''] = await raiseEvents(house.stack, [{ key, lineNo, state: 'normal', raisedAt: house.now - hour, ...more }])
  const order = await house.made(founder, electrician, { EventID })
  const is = await electrician.client.call(processWorkOrder, { body: { ...act(order), ...done } })
  return { EventID, order: is }
}

const seen = async (order: { readonly OrderID: number }) => (await house.get(founder, order)).Order

test('an alarm that stays back for 24 h with its data is verified, accepted, and its hazard is gone', async () => {
  const { order } = await processed(1)
  expect(order).toMatchObject({ Verification: { State: 'running', HaveMs: 0 }, Hazard: { State: 'verifying' } })
  expect(await outcomeOf(founder.client.call(acceptWorkOrders, { body: several(order) }))).toBe('order unverified')
  await house.reports(1, house.now, 25 * hour)
  await house.later(18 * hour)
  expect(Math.floor(((await seen(order)).Verification?.HaveMs ?? 0) / hour)).toBe(18)
  await house.later(7 * hour)
  const verified = await seen(order)
  expect(verified.Verification?.State).toBe('verified')
  const { items } = await founder.client.call(acceptWorkOrders, { body: several(verified) })
  expect(items[0]?.Order).toMatchObject({ Status: 'accepted', Hazard: { State: 'gone' } })
})

test('what was verified stays so when nothing is reported any more, and is accepted', async () => {
  const { order } = await processed(1, 'current.alarm')
  await house.reports(1, house.now, 25 * hour)
  await house.later(25 * hour)
  expect((await seen(order)).Verification?.State).toBe('verified')
  await house.later(48 * hour)
  const is = await seen(order)
  expect(is.Verification?.State).toBe('verified')
  const { items } = await founder.client.call(acceptWorkOrders, { body: several(is) })
  expect(items[0]).toMatchObject({ Refusal: null, Order: { Status: 'accepted', Hazard: { State: 'gone' } } })
})

test('without data nothing is verified, and only an administrator accepts it so, with a reason', async () => {
  const { order } = await processed(2)
  await house.later(30 * hour)
  const is = await seen(order)
  expect(is.Verification).toMatchObject({ State: 'noData', Missing: 'data' })
  const Unverified = '现场确认'
  expect(await outcomeOf(founder.client.call(acceptWorkOrders, { body: { ...several(is), Unverified } }))).toBe(
    'order unverified',
  )
  expect(await outcomeOf(administrator.client.call(acceptWorkOrders, { body: several(is) }))).toBe('order unverified')
  const { items } = await administrator.client.call(acceptWorkOrders, { body: { ...several(is), Unverified } })
  expect(items[0]?.Order).toMatchObject({ Status: 'accepted', Hazard: { State: 'verifying' } })
  expect((await house.get(founder, order)).Steps.at(-1)).toMatchObject({ Act: 'accept', Text: Unverified })
})

test('a value that is back returns a processed order by itself, and reopens an accepted one', async () => {
  const { EventID, order } = await processed(3)
  await raiseEventAgain(house.stack, EventID)
  await house.stack.server.database.general
    .updateTable('event')
    .set({ raised_again_at: new Date(house.now + 1_000) })
    .where('event_id', '=', EventID)
    .execute()
  await house.later(2_000)
  const back = await seen(order)
  expect(back).toMatchObject({
    Status: 'dispatched',
    Returns: 1,
    PersonInCharge: { Name: '王海峰' },
    Hazard: { State: 'ordered' },
  })
  await house.stack.server.database.general
    .updateTable('event')
    .set({ state: 'normal', returned_at: new Date(house.now) })
    .where('event_id', '=', EventID)
    .execute()
  const again = await electrician.client.call(processWorkOrder, { body: { ...act(back), ...done } })
  const body = { ...several(again), Unverified: '急用' }
  const { items } = await administrator.client.call(acceptWorkOrders, { body })
  expect(items[0]?.Order?.Status).toBe('accepted')
  expect(
    (await founder.client.call(queryWorkOrders, { body: { View: 'watching' } })).items.map(({ OrderID }) => OrderID),
  ).toContain(order.OrderID)
  await house.stack.server.database.general
    .updateTable('event')
    .set({ state: 'active', returned_at: null, raised_again_at: new Date(house.now + 1_000) })
    .where('event_id', '=', EventID)
    .execute()
  await house.later(2_000)
  expect(await seen(order)).toMatchObject({ Status: 'dispatched', Reopened: 1, Priority: 'high', AcceptedAt: null })
})

test('what was raised while the gateway was away contradicts as soon as it comes, and what it kept proves nothing', async () => {
  const { order } = await processed(7)
  await house.reports(7, house.now, 25 * hour, Quality.historical)
  await house.later(25 * hour)
  expect((await seen(order)).Verification).toMatchObject({ State: 'noData', Missing: 'data' })
  const past = { historical: true, state: 'returned' } as const
  await raiseEvents(house.stack, [{ key: 'temperature.alarm', lineNo: 7, raisedAt: house.now - hour, ...past }])
  await house.later(0)
  expect(await seen(order)).toMatchObject({ Status: 'dispatched', Returns: 1 })
  const ofPast = await processed(8, 'temperature.alarm', past)
  expect(ofPast.order.Verification).toMatchObject({ State: 'running', HaveMs: 0 })
})

test('an alarm that was taken back leaves its order, which nothing proves any more', async () => {
  const { EventID, order } = await processed(3, 'residual.alarm')
  const client = await house.stack.server.database.connect()
  await client.query('delete from event_counted where event_id = $1', [EventID])
  await client.query('delete from event where event_id = $1', [EventID])
  await client.end()
  await house.later(0)
  expect(await seen(order)).toMatchObject({ Status: 'processed', Verification: { State: 'noData', Missing: 'data' } })
})

test('once its hazard is gone, what is raised again has an order of its own, and the old one stays accepted', async () => {
  const { order } = await processed(5)
  const body = { ...several(order), Unverified: '急用' }
  await administrator.client.call(acceptWorkOrders, { body })
  await house.hazardGone(order)
  const [EventID = ''] = await raiseEvents(house.stack, [
    { key: 'temperature.alarm', lineNo: 5, state: 'normal', raisedAt: house.now + 1_000 },
  ])
  const next = await house.made(founder, electrician, { EventID })
  const leaving = await house.person('要走的')
  const left = await house.made(founder, leaving)
  await house.disabled(leaving)
  await house.later(2_000)
  const statuses = [await seen(order), await seen(next), await seen(left)].map(({ Status }) => Status)
  expect(statuses).toEqual(['accepted', 'dispatched', 'undispatched'])
})

test('an order that cannot be looked after keeps no other from its turn', async () => {
  const { order } = await processed(6)
  const leaving = await house.person('也要走')
  const [stuck, left] = [await house.made(founder, leaving), await house.made(founder, leaving)]
  await house.disabled(leaving)
  const client = await house.stack.server.database.connect()
  await client.query(`create function refuse_order() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$`)
  await client.query(`create trigger refuse_order before update on work_order for each row
    when (old.order_id in (${order.OrderID}, ${stuck.OrderID})) execute function refuse_order()`)
  await house.later(hour)
  await client.query('drop trigger refuse_order on work_order')
  await client.end()
  expect([(await seen(stuck)).Status, (await seen(left)).Status]).toEqual(['dispatched', 'undispatched'])
  await house.later(0)
  expect((await seen(stuck)).Status).toBe('undispatched')
})

test('what reports only when something changes is verified by its link', async () => {
  const { order } = await processed(2, 'residual.alarm')
  const [from, device] = [house.now, house.stack.server.plant.deviceByControllerId.get('A-T1')]
  if (!device) throw new Error('the plan has the device')
  const { reportingPeriodMs } = device
  // As in a field where nothing broke off: of a jump of the clock the gateway knows nothing.
  const looked = async () => {
    for (const each of [device, device.gateway]) Object.assign(each, { link: 'online', linkSince: from })
    device.reportingPeriodMs = 0
    await house.later(0)
    device.reportingPeriodMs = reportingPeriodMs
    return (await seen(order)).Verification?.State
  }
  await house.later(25 * hour)
  expect((await seen(order)).Verification?.State).toBe('noData')
  await expect.poll(looked).toBe('verified')
})

test('a protective trip waits for its cause, its line closed and seven days, and a gateway that was away proves none of it', async () => {
  const { order } = await processed(4, 'trip.leakage')
  expect(order.Verification).toMatchObject({ State: 'running', NeedMs: 7 * 24 * hour })
  const from = house.now
  const line = house.stack.server.plant.lineAt('A-T1', 4)
  if (!line) throw new Error('the plan has the line')
  // The field goes on beside it, and takes what it sees anew for another closing.
  const looked = async (link: 'online' | 'offline' = 'online') => {
    line.states.set('position', 'closed')
    line.positionSince = from
    for (const each of [line.device, line.device.gateway]) Object.assign(each, { link })
    await house.later(0)
    return (await seen(order)).Verification
  }
  await house.later(8 * 24 * hour)
  await expect.poll(() => looked()).toMatchObject({ State: 'noData' })
  // Whose device is away may have been opened: how it was reported last proves nothing.
  await expect.poll(() => looked('offline')).toMatchObject({ State: 'running', Missing: 'closed' })
  await house.reports(4, from, 8 * 24 * hour)
  await expect.poll(() => looked()).toMatchObject({ State: 'verified' })
})
