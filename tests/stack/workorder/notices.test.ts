import type { WorkOrder } from '@linewarden/contract'
import {
  acceptWorkOrders,
  closeWorkOrder,
  declineWorkOrder,
  eventDetails,
  insertWorkOrder,
  isNewMessage,
  listEvents,
  listJournal,
  listOrderNotices,
  pauseWorkOrder,
  processWorkOrder,
  readOrderNotices,
  returnWorkOrder,
  takeWorkOrder,
  updateWorkOrder,
} from '@linewarden/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createNotices } from '../../../apps/server/src/areas/workorder/notices.ts'
import { createOrderAccess } from '../../../apps/server/src/areas/workorder/order-access.ts'
import type { OrderPerson } from '../../kit/order-house.ts'
import { act, OrderHouse, several } from '../../kit/order-house.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { outcomeOf } from '../../kit/refused.ts'

// Who is reminded of an order and notified of what was done to it: once, by day, and nobody else.
const hour = 3_600_000
const day = 24 * hour
let house: OrderHouse
let founder: OrderPerson
let electrician: OrderPerson
let colleague: OrderPerson
let administrator: OrderPerson

beforeAll(async () => {
  house = await OrderHouse.start({ expects: /work order/ })
  founder = await house.person('周敏')
  electrician = await house.person('王海峰')
  colleague = await house.person('李强')
  administrator = await house.administrator()
})
afterAll(() => house?.stack.close())
beforeEach(() => house.untilHour(10))

const done = { Cause: '接线盒进液', Done: '换密封接头' }

/** Every notice of an order in the order in which they were sent: what, to whom, and at which hour of the projects' day. */
async function sentOf({ OrderID }: Pick<WorkOrder, 'OrderID'>): Promise<readonly string[]> {
  const rows = await house.stack.server.database.general
    .selectFrom('event')
    .innerJoin('account', 'account.account_id', 'event.for_account')
    .select(['event.key', 'account.nick_name', 'account.kind as who', 'event.raised_at'])
    .where('order_id', '=', OrderID)
    .orderBy('event_id')
    .execute()
  return rows.map(({ key, nick_name, who, raised_at }) => {
    const at = new Date(raised_at.getTime() + 8 * hour)
    return `${key.replace('order.', '')} ${who === 'platform' ? '管理员' : nick_name} ${at.getUTCHours()}:${String(at.getUTCMinutes()).padStart(2, '0')}`
  })
}
const keysOf = async (order: Pick<WorkOrder, 'OrderID'>) =>
  (await sentOf(order)).map((each) => each.split(' ').slice(0, 2).join(' '))

/** Another server on the same database. */
function otherServer() {
  const { database, plant, hub, accounts, photos } = house.stack.server
  const deps = {
    ...{ database, plant, hub, photos, clock: () => house.now, log: pino({ level: 'silent' }) },
    actorNow: (accountId: string) => accounts.actorOf(accountId, '', ''),
  }
  return createNotices(deps, createOrderAccess(deps))
}

describe('whoever gets an order', () => {
  test('is notified in the poll with a sound of its own, and nobody else in any way', async () => {
    for (const { client } of [electrician, colleague, administrator]) await client.call(isNewMessage, { query: {} })
    const order = await house.made(founder, electrician, { ControllerID: 'A-T1', LineNo: 3, Title: '漏电缓升' })
    await house.notified()
    const polled = await electrician.client.call(isNewMessage, { query: {} })
    expect(polled).toMatchObject({ IsNewMessage: true, Type: 'order', Url: '/sounds/order.wav' })
    expect(polled.Content).toBe(`工单 ${order.Number} 已派发给您：A线3 漏电缓升 项目A / A柜`)
    const [event] = polled.Events.filter(({ OrderID }) => OrderID === order.OrderID)
    expect(event).toMatchObject({ Kind: 'order', Key: 'order.dispatched', State: null })
    expect((await electrician.client.call(isNewMessage, { query: {} })).IsNewMessage).toBe(false)
    const EventID = event?.EventID ?? ''
    for (const person of [founder, colleague, administrator]) {
      const { Events } = await person.client.call(isNewMessage, { query: { Since: '0' } })
      expect(Events.filter(({ OrderID }) => OrderID === order.OrderID)).toEqual([])
      expect((await house.noticesOf(person)).filter(({ OrderID }) => OrderID === order.OrderID)).toEqual([])
      expect(await outcomeOf(person.client.call(eventDetails, { params: { EventID } }))).toBe('event not exists')
    }
    expect((await electrician.client.call(eventDetails, { params: { EventID } })).EventID).toBe(EventID)
    // Notices are no alarms: not even their reader finds them in the list of those.
    const { items } = await electrician.client.call(listEvents, { body: { Kinds: ['order'] } })
    expect(items).toEqual([])
  })

  test('reads of it until they open the order, and what they opened is in the log', async () => {
    const order = await house.made(founder, electrician)
    await house.notified()
    const unread = async () => (await house.noticesOf(electrician)).filter(({ OrderID }) => OrderID === order.OrderID).length
    expect(await unread()).toBe(1)
    const body = { OrderID: order.OrderID }
    expect(await colleague.client.call(readOrderNotices, { body })).toEqual({ Read: 0 })
    expect(await unread()).toBe(1)
    expect(await electrician.client.call(readOrderNotices, { body })).toEqual({ Read: 1 })
    expect(await electrician.client.call(readOrderNotices, { body })).toEqual({ Read: 0 })
    expect(await unread()).toBe(0)
    const { items } = await administrator.client.call(listJournal, { body: { Action: 'workOrder.read' } })
    expect(items.filter((entry) => JSON.stringify(entry).includes(order.Number))).toHaveLength(1)
  })

  test('counts orders and not notices: of several of one order the newest is shown', async () => {
    const order = await house.made(founder, electrician)
    await house.notified()
    await house.untilHour(9.5)
    const { items, total } = await electrician.client.call(listOrderNotices, { query: {} })
    expect(items.filter(({ OrderID }) => OrderID === order.OrderID).map(({ Key }) => Key)).toEqual(['order.notProcessed'])
    expect(total).toBe(new Set(items.map(({ OrderID }) => OrderID)).size)
  })

  test('is notified by night only of what is critical', async () => {
    await house.untilHour(23)
    const high = await house.made(founder, electrician, { Priority: 'high' })
    const critical = await house.made(founder, electrician, { Priority: 'critical' })
    await house.notified()
    expect([await sentOf(high), await sentOf(critical)]).toEqual([[], ['dispatched 王海峰 23:00']])
    await house.untilHour(7.5)
    expect(await sentOf(high)).toEqual(['dispatched 王海峰 7:00'])
  })
})

test('each act notifies whom it concerns, and never whoever did it', async () => {
  let order = await house.made(founder, electrician)
  await house.notified()
  order = await house.dispatched(founder, order, colleague, '换人')
  await house.notified()
  order = await colleague.client.call(processWorkOrder, { body: { ...act(order), ...done } })
  await house.notified()
  order = await founder.client.call(returnWorkOrder, { body: { ...act(order), Reason: '没修好' } })
  await house.notified()
  await colleague.client.call(declineWorkOrder, { body: { ...act(order), Reason: '不在班' } })
  await house.notified()
  expect(await keysOf(order)).toEqual([
    'dispatched 王海峰',
    'dispatched 李强',
    'reassigned 王海峰',
    'processed 周敏',
    'returned 李强',
    'declined 周敏',
  ])
})

test('what was undone before it was sent is no news', async () => {
  await house.untilHour(23)
  const order = await house.made(founder, electrician, { Priority: 'low' })
  await house.dispatched(founder, order, colleague, '换人')
  await house.untilHour(7.5)
  expect((await keysOf(order)).toSorted()).toEqual(['dispatched 李强', 'reassigned 王海峰'])
})

test('whose account is disabled is notified of nothing, and the founder that the order is nobody’s again', async () => {
  const leaving = await house.person('离职')
  const order = await house.made(founder, leaving)
  await house.disabled(leaving)
  await house.later(0)
  await house.notified()
  expect((await keysOf(order)).filter((each) => !each.startsWith('dispatched'))).toEqual(['declined 周敏'])
})

test('a value that is back notifies the founder, and whoever has the order again', async () => {
  const [EventID = ''] = await raiseEvents(house.stack, [
    { key: 'temperature.alarm', lineNo: 5, state: 'normal', raisedAt: house.now - hour },
  ])
  const order = await house.made(founder, electrician, { EventID })
  await house.notified()
  await electrician.client.call(processWorkOrder, { body: { ...act(order), ...done } })
  await house.notified()
  await house.stack.server.database.general
    .updateTable('event')
    .set({ state: 'active', returned_at: null, raised_again_at: new Date(house.now + 1_000) })
    .where('event_id', '=', EventID)
    .execute()
  await house.later(2_000)
  await house.notified()
  const sent = await keysOf(order)
  expect(sent.slice(0, 2)).toEqual(['dispatched 王海峰', 'processed 周敏'])
  expect(sent.slice(2).toSorted()).toEqual(['contradicted 周敏', 'returned 王海峰'])
})

describe('a reminder', () => {
  const reminders = async (order: Pick<WorkOrder, 'OrderID'>) =>
    (await sentOf(order)).filter((each) => !/^(?:dispatched|reassigned|overdue|processed)/.test(each))

  test('comes at nine each so many days, of what is not processed, and its history says to whom', async () => {
    const order = await house.made(founder, electrician, { ReminderDays: 2, Priority: 'low' })
    await house.untilHour(9.5)
    expect(await reminders(order)).toEqual([])
    await house.notified(day)
    expect(await reminders(order)).toEqual(['notProcessed 王海峰 9:00'])
    const { Steps } = await house.get(founder, order)
    expect(Steps.at(-1)).toMatchObject({ Act: 'remind', Actor: null, Person: '王海峰' })
  })

  test('goes to the founder, too, once its due day is over, and after twice that to the administrator', async () => {
    const order = await house.made(founder, electrician, { ValidDays: 1, Priority: 'low' })
    await house.untilHour(9.5)
    expect(await reminders(order)).toEqual(['notProcessed 王海峰 9:00'])
    await house.notified(day)
    expect((await reminders(order)).slice(1).toSorted()).toEqual(['notProcessed 周敏 9:00', 'notProcessed 王海峰 9:00'])
    await house.notified(day)
    expect((await reminders(order)).slice(3)).toHaveLength(3)
    expect((await reminders(order)).slice(3)).toContain('notProcessed 管理员 9:00')
  })

  test('of a critical order comes every two hours, day and night, until it is taken', async () => {
    const order = await house.made(founder, electrician, { Priority: 'critical' })
    for (let i = 0; i < 3; i++) await house.notified(2 * hour)
    expect((await reminders(order)).map((each) => each.split(' ')[0])).toEqual(Array(3).fill('notTaken'))
    await electrician.client.call(takeWorkOrder, { body: act(order) })
    for (let i = 0; i < 3; i++) await house.notified(2 * hour)
    expect(await reminders(order)).toHaveLength(3)
  })

  test('is none of what is on hold, and comes again once that is over', async () => {
    const order = await house.made(founder, electrician, { Priority: 'low' })
    const Until = house.now + 2 * day
    await electrician.client.call(pauseWorkOrder, { body: { ...act(order), Until, Why: 'parts' } })
    await house.notified(day)
    await house.untilHour(9.5)
    expect(await reminders(order)).toEqual([])
    await house.notified(day)
    expect(await reminders(order)).toEqual(['notProcessed 王海峰 9:00'])
  })

  test('is none of what was processed or closed by then, and one to accept comes after 14 days', async () => {
    const processed = await house.made(founder, electrician, { Priority: 'low' })
    const closed = await house.made(founder, electrician, { Priority: 'low' })
    const is = await electrician.client.call(processWorkOrder, { body: { ...act(processed), ...done } })
    await founder.client.call(closeWorkOrder, { body: { ...act(closed), Why: 'cancelled', Reason: '误报' } })
    await house.notified(13 * day)
    expect([await reminders(processed), await reminders(closed)]).toEqual([[], []])
    await house.notified(day)
    expect(await reminders(processed)).toEqual(['notAccepted 周敏 9:00'])
    await founder.client.call(acceptWorkOrders, { body: several(is) })
    await house.notified(15 * day)
    expect(await reminders(processed)).toHaveLength(1)
  })

  test('follows the days that its founder changes, and whoever has the order by then', async () => {
    const order = await house.made(founder, electrician, { Priority: 'low' })
    const texts = { Title: '', Description: '查明原因', Priority: 'low', ValidDays: 7, WorkingDaysOnly: false } as const
    const edited = await founder.client.call(updateWorkOrder, { body: { ...act(order), ...texts, ReminderDays: 3 } })
    await house.dispatched(founder, edited, colleague, '换人')
    await house.notified(2 * day)
    expect(await reminders(order)).toEqual([])
    await house.notified(day)
    expect(await reminders(order)).toEqual(['notProcessed 李强 9:00'])
  })

  test('that was due while nobody was there for days comes once, with its own time', async () => {
    const order = await house.made(founder, electrician, { ReminderDays: 1, ValidDays: 30, Priority: 'low' })
    await house.notified(3 * day + 2 * hour)
    expect(await reminders(order)).toEqual(['notProcessed 王海峰 9:00'])
    await house.untilHour(9.5)
    expect(await reminders(order)).toHaveLength(2)
  })
})

test('that an order is late is notified once, to whoever has it', async () => {
  const order = await house.made(founder, electrician, { Priority: 'high' })
  await electrician.client.call(takeWorkOrder, { body: act(order) })
  await house.notified(23 * hour)
  const late = async () => (await keysOf(order)).filter((each) => each.startsWith('overdue'))
  expect(await late()).toEqual([])
  for (let i = 0; i < 3; i++) await house.notified(hour)
  expect(await late()).toEqual(['overdue 王海峰'])
  // Nor by what is done to it then.
  await house.dispatched(founder, (await house.get(founder, order)).Order, colleague, '换人')
  await house.notified(hour)
  expect(await late()).toEqual(['overdue 王海峰'])
})

describe('of several servers', () => {
  test('each reminder is sent once, whichever comes first', async () => {
    const orders: WorkOrder[] = []
    for (let i = 0; i < 40; i++) orders.push(await house.made(founder, electrician, { Priority: 'low', ReminderDays: 1 }))
    const servers = [otherServer(), otherServer(), otherServer()]
    await house.untilHour(8.9)
    await Promise.all([house.notified(hour), ...servers.map((server) => server.send())])
    for (const order of orders) expect(await keysOf(order)).toEqual(['dispatched 王海峰', 'notProcessed 王海峰'])
    for (const server of servers) await server.close()
  })

  test('one that dies between its claim and what comes of it has sent nothing, and another does, once', async () => {
    const order = await house.made(founder, electrician, { Priority: 'low' })
    await house.notified()
    const blocker = await house.stack.server.database.connect()
    // What is announced comes last, and waits for its turn.
    await blocker.query("begin; select pg_advisory_xact_lock(hashtext('announcement'))")
    const sending = house.untilHour(9.1)
    const waiting = "pid <> pg_backend_pid() and wait_event_type = 'Lock' and datname = current_database()"
    const count = async (sql: string) => (await blocker.query<{ n: number }>(sql)).rows[0]?.n ?? 0
    await expect.poll(() => count(`select count(*)::int as n from pg_stat_activity where ${waiting}`)).toBeGreaterThan(0)
    expect(
      await count(`select count(pg_terminate_backend(pid))::int as n from pg_stat_activity where ${waiting}`),
    ).toBeGreaterThan(0)
    expect((await keysOf(order)).filter((each) => each.startsWith('notProcessed'))).toEqual([])
    await blocker.query('rollback')
    await blocker.end()
    const other = otherServer()
    await Promise.all([sending, other.send()])
    await other.close()
    expect(await keysOf(order)).toEqual(['dispatched 王海峰', 'notProcessed 王海峰'])
  })
})

test('no order is made of a gateway that is on its way to another project', async () => {
  const mover = await house.stack.server.database.connect()
  await mover.query('begin')
  await mover.query('update gateway set project_id = $1 where gateway_id = $2', [house.houseOf('B'), house.gatewayOf()])
  const making = outcomeOf(
    founder.client.call(insertWorkOrder, { body: house.form(electrician, { ControllerID: 'A-T1', LineNo: 1 }) }),
  )
  await mover.query('commit')
  expect(await making).toBe('changed meanwhile')
  await mover.query('update gateway set project_id = $1 where gateway_id = $2', [house.houseOf(), house.gatewayOf()])
  await mover.end()
})
