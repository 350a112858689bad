import type { Request, WorkOrder } from '@linewarden/contract'
import {
  acceptWorkOrders,
  closeWorkOrder,
  commentWorkOrder,
  declineWorkOrder,
  dispatchWorkOrders,
  getWorkOrder,
  insertWorkOrder,
  pauseWorkOrder,
  processWorkOrder,
  queryWorkOrders,
  reopenWorkOrder,
  returnWorkOrder,
  takeWorkOrder,
  updateWorkOrder,
  workOrderPeople,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrderPerson } from '../../kit/order-house.ts'
import { act, OrderHouse, several } from '../../kit/order-house.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { outcomeOf } from '../../kit/refused.ts'

// Work orders against the whole house: who writes them, who carries them out, who accepts them, and who sees none of it.
const hour = 3_600_000
let house: OrderHouse
let founder: OrderPerson
let electrician: OrderPerson
let colleague: OrderPerson
let approver: OrderPerson

beforeAll(async () => {
  house = await OrderHouse.start()
  founder = await house.person('周敏')
  electrician = await house.person('王海峰')
  colleague = await house.person('李强')
  approver = await house.administrator()
})
afterAll(() => house?.stack.close())

const done = { Cause: '接线盒进液', Done: '换密封接头，绝缘 48 MΩ' }

test('an order goes from its founder over the electrician to its approver, and all of it stays readable', async () => {
  const order = await house.made(founder, electrician, { Dispatch: false })
  expect(order).toMatchObject({ Status: 'undispatched', Founder: { Name: '周敏' }, Clock: null, Hazard: null })
  expect(order.Number).toMatch(/^20\d{4}-\d{5}$/)
  const given = await house.dispatched(founder, order, electrician)
  expect(given).toMatchObject({ Status: 'dispatched', PersonInCharge: { Name: '王海峰' }, TakenAt: null })
  const taken = await electrician.client.call(takeWorkOrder, { body: act(given) })
  const processed = await electrician.client.call(processWorkOrder, { body: { ...act(taken), ...done, LabourMin: 45 } })
  expect(processed).toMatchObject({ Status: 'processed', ...done, LabourMin: 45, Verification: { State: 'none' } })
  const { items } = await approver.client.call(acceptWorkOrders, { body: several(processed) })
  expect(items[0]).toMatchObject({ Refusal: null, Order: { Status: 'accepted', Processor: { Name: '王海峰' } } })
  const { Steps } = await house.get(colleague, order)
  expect(Steps.map(({ Act, Actor, From, To }) => [Act, Actor, From, To])).toEqual([
    ['insert', '周敏', null, 'undispatched'],
    ['dispatch', '周敏', 'undispatched', 'dispatched'],
    ['take', '王海峰', 'dispatched', 'dispatched'],
    ['process', '王海峰', 'dispatched', 'processed'],
    ['accept', expect.any(String), 'processed', 'accepted'],
  ])
})

describe('what a form lacks is reported at once', () => {
  test('of every field', async () => {
    const wrong = house.form(electrician, { Description: ' ', ValidDays: 91, ReminderDays: 0 })
    const { PersonInCharge: _, ...body } = wrong
    const failure = await founder.client.call(insertWorkOrder, { body }).catch((error) => error.problem.failure)
    expect(failure.Problems.map(({ Path, Text }: { Path: string; Text: { zh: string } }) => [Path, Text.zh])).toEqual([
      ['body.Description', '描述不能为空'],
      ['body.PersonInCharge', '请选择负责人'],
      ['body.ValidDays', '须为 1–90 天的整数'],
      ['body.ReminderDays', '须为 1–30 天的整数'],
    ])
  })

  test('and whoever is in charge sees the place, is nobody’s guest and may open the page', async () => {
    const beside = await house.person('别项目', { projects: [house.houseOf('B')] })
    const guest = await house.person('访客', { kind: 'shared' })
    const reader = await house.person('只看', { privileges: ['devmon', 'devmon.realtime'] })
    const made = (person: OrderPerson) => outcomeOf(founder.client.call(insertWorkOrder, { body: house.form(person) }))
    expect([await made(beside), await made(guest), await made(reader)]).toEqual([
      'order person blind',
      'order person unfit',
      'order person unfit',
    ])
    const people = await founder.client.call(workOrderPeople, { query: { HouseID: house.houseOf() } })
    const names = people.items.map(({ Name }) => Name)
    expect(names).toEqual(expect.arrayContaining(['周敏', '王海峰', '李强']))
    expect(names.filter((name) => ['别项目', '访客', '只看'].includes(name))).toEqual([])
  })

  test('a place of another project is none', async () => {
    const made = (more: object) => outcomeOf(founder.client.call(insertWorkOrder, { body: house.form(electrician, more) }))
    expect(await made({ ControllerID: 'A-T1', LineNo: 3 })).toBe('done')
    expect(await made({ ControllerID: 'A-T1', LineNo: 99 })).toBe('device not exists')
    expect(await made({ ControllerID: 'B-T1', LineNo: 1 })).toBe('device not exists')
    const other = approver.client.call(insertWorkOrder, { body: house.form(electrician, { ControllerID: 'B-T1', LineNo: 1 }) })
    expect(await outcomeOf(other)).toBe('invalid parameter')
  })
})

describe('who may not', () => {
  test('somebody else neither takes, processes, accepts nor closes it, and reads who may', async () => {
    const order = await house.made(founder, electrician)
    const tries = [
      await outcomeOf(colleague.client.call(takeWorkOrder, { body: act(order) })),
      await outcomeOf(colleague.client.call(declineWorkOrder, { body: { ...act(order), Reason: 'x' } })),
      await outcomeOf(colleague.client.call(closeWorkOrder, { body: { ...act(order), Why: 'cancelled', Reason: 'x' } })),
      await outcomeOf(colleague.client.call(updateWorkOrder, { body: { ...act(order), ...texts } })),
      await outcomeOf(founder.client.call(takeWorkOrder, { body: act(order) })),
    ]
    expect(tries).toEqual(Array(5).fill('order not yours'))
    const { Order } = await house.get(colleague, order)
    expect(Order.Acts.find(({ Act }) => Act === 'take')).toMatchObject({
      Who: ['personInCharge'],
      Refusal: { Key: 'order not yours', Text: { zh: '只有负责人可以这样操作' } },
    })
  })

  test('nobody accepts what they processed, and a state that does not allow an act says which it allows', async () => {
    const order = await house.made(founder, founder)
    expect(await outcomeOf(founder.client.call(acceptWorkOrders, { body: several(order) }))).toBe('order state')
    const processed = await founder.client.call(processWorkOrder, { body: { ...act(order), ...done } })
    expect(await outcomeOf(founder.client.call(acceptWorkOrders, { body: several(processed) }))).toBe('order four eyes')
    expect(await outcomeOf(founder.client.call(takeWorkOrder, { body: act(processed) }))).toBe('order state')
  })

  test('a shared account, and whoever has not the page, gets nothing; who sees another project finds none', async () => {
    const order = await house.made(founder, electrician)
    const guest = await house.person('客', { kind: 'shared' })
    const reader = await house.person('看', { privileges: ['devmon', 'devmon.realtime'] })
    const beside = await house.person('旁', { projects: [house.houseOf('B')] })
    const params = { OrderID: order.OrderID }
    for (const { client } of [guest, reader]) expect(await outcomeOf(client.call(getWorkOrder, { params }))).toBe('access denied')
    expect(await outcomeOf(beside.client.call(getWorkOrder, { params }))).toBe('work order not exists')
    expect(await outcomeOf(beside.client.call(takeWorkOrder, { body: act(order) }))).toBe('work order not exists')
    expect(
      await outcomeOf(beside.client.call(commentWorkOrder, { params, body: { ActID: crypto.randomUUID(), Text: 'x' } })),
    ).toBe('work order not exists')
    expect((await beside.client.call(queryWorkOrders, { body: {} })).total).toBe(0)
  })
})

const texts = {
  Title: '查漏电',
  Description: '先停电',
  Priority: 'high',
  ValidDays: 3,
  ReminderDays: 2,
  WorkingDaysOnly: true,
} as const

describe('once per intent', () => {
  test('the same act again changes nothing and answers the same; its id for something else is refused', async () => {
    const body = house.form(electrician, { Dispatch: true })
    const [first, again] = [
      await founder.client.call(insertWorkOrder, { body }),
      await founder.client.call(insertWorkOrder, { body }),
    ]
    expect([again.Order.OrderID, again.Order.Version, again.Joined]).toEqual([first.Order.OrderID, first.Order.Version, false])
    expect(await outcomeOf(colleague.client.call(insertWorkOrder, { body }))).toBe('order act used')
    const take = act(first.Order)
    const taken = await electrician.client.call(takeWorkOrder, { body: take })
    const { TakenAt, Version } = taken
    expect(await electrician.client.call(takeWorkOrder, { body: take })).toMatchObject({ TakenAt, Version })
    expect(
      await outcomeOf(electrician.client.call(processWorkOrder, { body: { ...act(taken), ...done, ActID: take.ActID } })),
    ).toBe('order act used')
    expect((await house.get(founder, taken)).Steps).toHaveLength(3)
  })

  test('sent several times at the same moment it makes one order, of an alarm too, and is answered as one that made it', async () => {
    const [EventID = ''] = await raiseEvents(house.stack, [{ lineNo: 7 }])
    for (const more of [{}, { EventID }]) {
      const body = house.form(electrician, { Dispatch: true, ...more })
      const sent = await Promise.all([1, 2, 3, 4].map(() => founder.client.call(insertWorkOrder, { body })))
      const made = new Set(sent.map(({ Order, Joined }) => `${Order.OrderID} ${Joined}`))
      const [first] = sent
      expect([...made]).toEqual([`${first?.Order.OrderID} false`])
      const { Steps } = await house.get(founder, first?.Order ?? { OrderID: 0 })
      expect(Steps.map(({ Act }) => Act)).toEqual(['insert', 'dispatch'])
    }
    const joins = house.stack.server.database.general
      .selectFrom('audit')
      .select('audit_id')
      .where('action', '=', 'workOrder.join')
    const before = (await joins.execute()).length
    const body = house.form(electrician, { EventID })
    const joined = await Promise.all([1, 2, 3, 4].map(() => founder.client.call(insertWorkOrder, { body })))
    expect(joined.map(({ Joined }) => Joined)).toEqual([true, true, true, true])
    expect((await joins.execute()).length).toBe(before + 1)
  })

  test('who saw an older version is refused', async () => {
    const order = await house.made(founder, electrician)
    const changed = await founder.client.call(updateWorkOrder, { body: { ...act(order), ...texts } })
    expect(changed).toMatchObject({ ...texts, Version: order.Version + 1 })
    expect(await outcomeOf(electrician.client.call(takeWorkOrder, { body: act(order) }))).toBe('changed meanwhile')
    expect(await outcomeOf(electrician.client.call(takeWorkOrder, { body: act(changed) }))).toBe('done')
  })

  test('of two phones and a desk that act at once one is first, and the history is one', async () => {
    const order = await house.made(founder, electrician)
    const outcomes = await Promise.all([
      outcomeOf(electrician.client.call(takeWorkOrder, { body: act(order) })),
      outcomeOf(electrician.client.call(processWorkOrder, { body: { ...act(order), ...done } })),
      outcomeOf(founder.client.call(closeWorkOrder, { body: { ...act(order), Why: 'cancelled', Reason: '不做了' } })),
    ])
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    const { Order, Steps } = await house.get(founder, order)
    expect(Steps).toHaveLength(3)
    expect([Order.Status, Order.Version]).toEqual([Steps.at(-1)?.To, order.Version + 1])
  })
})

describe('another has it meanwhile', () => {
  test('giving it to another needs a reason', async () => {
    const order = await house.made(founder, electrician)
    const body = { ...several(order), PersonInCharge: colleague.id }
    expect(await outcomeOf(founder.client.call(dispatchWorkOrders, { body }))).toBe('order reason missing')
    const moved = await house.dispatched(founder, order, colleague, '王海峰请假')
    expect(moved).toMatchObject({ Status: 'dispatched', PersonInCharge: { Name: '李强' } })
  })

  test('who processes it on a stale phone is refused, and what was written stays as a comment', async () => {
    const order = await house.made(founder, electrician)
    await house.dispatched(founder, order, colleague, '换人')
    const body = { ...act(order), ...done }
    for (const _ of [1, 2])
      expect(await outcomeOf(electrician.client.call(processWorkOrder, { body }))).toBe('order has other person')
    const { Order, Steps } = await house.get(founder, order)
    expect(Order.Status).toBe('dispatched')
    expect(Steps.filter(({ Act }) => Act === 'comment').map(({ Actor, Text }) => [Actor, Text])).toEqual([
      ['王海峰', `${done.Cause}\n${done.Done}`],
    ])
  })

  test('several are dispatched by one press, each for itself', async () => {
    const [one, two] = [
      await house.made(founder, electrician, { Dispatch: false }),
      await house.made(founder, electrician, { Dispatch: false }),
    ]
    const closed = await founder.client.call(closeWorkOrder, { body: { ...act(two), Why: 'cancelled', Reason: 'x' } })
    const { items } = await founder.client.call(dispatchWorkOrders, {
      body: {
        ActID: crypto.randomUUID(),
        Orders: [one, closed].map(({ OrderID, Version }) => ({ OrderID, Version })),
        PersonInCharge: colleague.id,
      },
    })
    expect(items.map(({ Refusal, Order }) => [Refusal?.Key ?? null, Order?.Status])).toEqual([
      [null, 'dispatched'],
      ['order state', 'closed'],
    ])
  })
})

describe('on the way', () => {
  test('declined it is nobody’s, and its founder gives it to another', async () => {
    const order = await house.made(founder, electrician)
    const declined = await electrician.client.call(declineWorkOrder, { body: { ...act(order), Reason: '没有登高证' } })
    expect(declined).toMatchObject({ Status: 'undispatched', PersonInCharge: null, Clock: null, DispatchTime: null })
    expect(await house.dispatched(founder, declined, colleague)).toMatchObject({ Status: 'dispatched' })
  })

  test('a pause has a reason and an end, stops the clock, and is ended by hand or by time', async () => {
    const order = await house.made(founder, electrician, { Priority: 'high' })
    const pause = (more: object) =>
      electrician.client.call(pauseWorkOrder, { body: { ...act(order), Until: house.now + 5 * hour, ...more } })
    expect(await outcomeOf(pause({}))).toBe('order pause wrong')
    expect(await outcomeOf(pause({ Why: 'parts', Until: house.now - 1 }))).toBe('order pause wrong')
    expect(await outcomeOf(pause({ Why: 'parts', Until: house.now + 31 * 24 * hour }))).toBe('order pause wrong')
    const paused = await pause({ Why: 'parts' })
    expect(paused).toMatchObject({ Status: 'dispatched', Paused: { Why: 'parts' } })
    const resumed = await electrician.client.call(pauseWorkOrder, { body: { ...act(paused), Until: null } })
    expect(resumed.Paused).toBeNull()
    const again = await electrician.client.call(pauseWorkOrder, {
      body: { ...act(resumed), Until: house.now + 2 * hour, Why: 'outage' },
    })
    await house.later(3 * hour)
    const { Order } = await house.get(founder, again)
    expect(Order.Paused).toBeNull()
    expect(Math.round((Order.Clock?.Resolve.UsedMs ?? 0) / hour)).toBe(1)
  })

  test('returned it goes back to whoever had it', async () => {
    const order = await house.made(founder, electrician)
    const processed = await electrician.client.call(processWorkOrder, { body: { ...act(order), ...done } })
    const returned = await founder.client.call(returnWorkOrder, { body: { ...act(processed), Reason: '没拍照' } })
    expect(returned).toMatchObject({ Status: 'dispatched', PersonInCharge: { Name: '王海峰' }, Returns: 1, Verification: null })
  })

  test('closed it says why, a duplicate of which, and is reopened for thirty days', async () => {
    const [order, other] = [await house.made(founder, electrician), await house.made(founder, electrician)]
    const close = (more: object) =>
      founder.client.call(closeWorkOrder, { body: { ...act(order), Why: 'duplicate', Reason: '同一处', ...more } })
    expect(await outcomeOf(close({}))).toBe('order duplicate wrong')
    expect(await outcomeOf(close({ DuplicateOf: order.OrderID }))).toBe('order duplicate wrong')
    const closed = await close({ DuplicateOf: other.OrderID })
    expect(closed).toMatchObject({ Status: 'closed', CloseReason: 'duplicate', DuplicateOf: other.Number, Clock: null })
    const gone = await founder.client.call(closeWorkOrder, { body: { ...act(other), Why: 'notFound', Reason: '未见' } })
    const reopened = await founder.client.call(reopenWorkOrder, { body: { ...act(closed), Reason: '又出现' } })
    expect(reopened).toMatchObject({ Status: 'dispatched', Reopened: 1, CloseReason: null, DuplicateOf: null })
    // So long no session lasts.
    const { general } = house.stack.server.database
    const closedAt = new Date(house.now - 31 * 24 * hour)
    await general.updateTable('work_order').set({ closed_at: closedAt }).where('order_id', '=', gone.OrderID).execute()
    expect(await outcomeOf(founder.client.call(reopenWorkOrder, { body: { ...act(gone), Reason: 'x' } }))).toBe('order too late')
  })

  test('whose person in charge may not see the place any more comes back by itself', async () => {
    const leaving = await house.person('要走的')
    const order = await house.made(founder, leaving)
    await house.disabled(leaving)
    await house.later(0)
    const { Order, Steps } = await house.get(founder, order)
    expect(Order).toMatchObject({ Status: 'undispatched', PersonInCharge: null })
    expect(Steps.at(-1)).toMatchObject({ Act: 'decline', Actor: null })
  })
})

test('a hazard has one open order: what is raised again joins it, also when two press at once', async () => {
  const [event = '', later = ''] = await raiseEvents(house.stack, [
    { key: 'residual.alarm', lineNo: 5, label: { zh: '剩余电流报警', en: 'Residual current' } },
    { key: 'residual.alarm', lineNo: 5, state: 'normal' },
  ])
  const make = (by: OrderPerson, EventID: string) =>
    by.client.call(insertWorkOrder, { body: house.form(electrician, { EventID }) })
  const made = await Promise.all([make(founder, event), make(colleague, event)])
  expect(made.map(({ Joined }) => Joined).toSorted()).toEqual([false, true])
  expect(new Set(made.map(({ Order }) => Order.OrderID)).size).toBe(1)
  const joined = await make(founder, later)
  expect(joined).toMatchObject({ Joined: true, Order: { Hazard: { State: 'ordered', Count: 2 }, EventIDs: [event, later] } })
  expect(joined.Order.Where.LineName).toBe('A线5')
  const closed = await approver.client.call(closeWorkOrder, {
    body: { ...act(joined.Order), Why: 'falseAlarm', Reason: '焊机干扰' },
  })
  expect(closed.Hazard?.State).toBe('open')
  const next = await make(founder, later)
  expect(next.Joined).toBe(false)
  expect(await outcomeOf(approver.client.call(reopenWorkOrder, { body: { ...act(closed), Reason: 'x' } }))).toBe(
    'order has successor',
  )
})

test('an order whose hazard is gone is not reopened beside its successor, and after it takes up what is there now', async () => {
  const raised = { key: 'temperature.alarm', lineNo: 6, state: 'normal' } as const
  const [first = '', second = ''] = await raiseEvents(house.stack, [raised, raised])
  const cancel = (order: WorkOrder) =>
    founder.client.call(closeWorkOrder, { body: { ...act(order), Why: 'cancelled', Reason: '不做了' } })
  const closed = await cancel(await house.made(founder, electrician, { EventID: first }))
  await house.hazardGone(closed)
  const successor = await house.made(founder, electrician, { EventID: second })
  const reopen = () => founder.client.call(reopenWorkOrder, { body: { ...act(closed), Reason: '又出现' } })
  expect(await outcomeOf(reopen())).toBe('order has successor')
  await cancel(successor)
  expect(await reopen()).toMatchObject({ Status: 'dispatched', Hazard: { State: 'ordered' } })
  expect((await house.get(founder, successor)).Order.Hazard?.State).toBe('ordered')
})

test('the list counts what waits for whom, and names who has how much on hand', async () => {
  const before = await founder.client.call(queryWorkOrders, { body: {} })
  const late = await house.made(founder, electrician, { Priority: 'critical', Description: '超时用 7391' })
  await house.later(5 * hour)
  const { about } = await founder.client.call(queryWorkOrders, { body: {} })
  expect(about.Views.overdue).toBe(before.about.Views.overdue + 1)
  const found = await electrician.client.call(queryWorkOrders, { body: { View: 'mine', Text: '7391' } })
  expect(found.items.map(({ OrderID, Clock }) => [OrderID, Clock?.Resolve.Mark])).toEqual([[late.OrderID, 'over']])
  expect((await colleague.client.call(queryWorkOrders, { body: { View: 'mine', Text: '7391' } })).total).toBe(0)
  const ofPerson = await founder.client.call(queryWorkOrders, { body: { PersonID: electrician.id, Sort: '-Number', Size: 2 } })
  expect(ofPerson.items).toHaveLength(2)
  const people = await founder.client.call(workOrderPeople, { query: { HouseID: house.houseOf(), DeviceID: house.gatewayOf() } })
  expect(people.items.find(({ AccountID }) => AccountID === electrician.id)?.Overdue).toBeGreaterThan(0)
})

test('a comment is written once, by whoever sees the order', async () => {
  const order = await house.made(founder, electrician)
  const request = { params: { OrderID: order.OrderID }, body: { ActID: crypto.randomUUID(), Text: ' 钥匙在门卫 ' } }
  const written = await colleague.client.call(commentWorkOrder, request)
  expect(written).toMatchObject({ Act: 'comment', Actor: '李强', Text: '钥匙在门卫' })
  expect(await colleague.client.call(commentWorkOrder, request)).toEqual(written)
  expect(await outcomeOf(founder.client.call(commentWorkOrder, request))).toBe('order act used')
})

test('a board has the first orders of each status, and says how many each of its columns has', async () => {
  for (let i = 0; i < 2; i++) await house.made(founder, electrician)
  const asked = (body: Request<typeof queryWorkOrders>['body']) => electrician.client.call(queryWorkOrders, { body })
  const { items, about } = await asked({ Board: true, Size: 1, View: 'mine' })
  expect(items.map(({ Status }) => Status)).toEqual([...new Set(items.map(({ Status }) => Status))])
  expect(about.Columns).toMatchObject({ undispatched: 0, accepted: 0, closed: 0 })
  for (const Status of ['dispatched', 'processed'] as const) {
    const list = await asked({ View: 'mine', Status, Size: 1 })
    const first = items.find((order) => order.Status === Status)?.OrderID
    expect([list.total, list.items[0]?.OrderID]).toEqual([about.Columns[Status], first])
  }
})
