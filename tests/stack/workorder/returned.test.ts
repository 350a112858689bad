import { acceptWorkOrders, processWorkOrder } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrderPerson } from '../../kit/order-house.ts'
import { act, OrderHouse } from '../../kit/order-house.ts'
import { raiseEvents } from '../../kit/raised-events.ts'

// Who says that a fault is mended may be wrong. The plant's own truth, known here alone, is what the server must come to by its reports.
const [hour, day] = [3_600_000, 86_400_000]
const keys = ['temperature.alarm', 'current.alarm', 'residual.alarm'] as const
/** Lines 7 and 8 report nothing any more. */
const reportingLines = [1, 2, 3, 4, 5, 6] as const
const silentLines = [7, 8] as const

type Truth = 'mended' | 'comesBack' | 'stays' | 'unreported'
interface Fault {
  readonly lineNo: number
  readonly key: string
  readonly truth: Truth
  eventId: string
  orderId: number
}

/** Half of those that report are mended; the others come back within the day, or never went. */
const truths: readonly Truth[] = ['mended', 'comesBack', 'mended', 'stays', 'mended', 'comesBack']
const faults: readonly Fault[] = [
  ...reportingLines
    .flatMap((lineNo) => keys.map((key) => ({ lineNo, key })))
    .map((place, index) => ({
      ...place,
      ...{ truth: truths[index % truths.length] ?? 'mended', eventId: '', orderId: 0 },
    })),
  ...silentLines.flatMap((lineNo) => keys.map((key) => ({ lineNo, key, truth: 'unreported' as const, eventId: '', orderId: 0 }))),
]
const ofTruth = (...wanted: readonly Truth[]) => faults.filter(({ truth }) => wanted.includes(truth))

let house: OrderHouse
let founder: OrderPerson
let electrician: OrderPerson

beforeAll(async () => {
  house = await OrderHouse.start({ fleet: { ticking: false } })
  founder = await house.person('周敏')
  electrician = await house.person('王海峰')
})
afterAll(() => house?.stack.close())

/** The value of a fault is over its limit anew, now. */
async function back({ lineNo, key }: Fault): Promise<void> {
  await raiseEvents(house.stack, [{ key, lineNo, raisedAt: house.now }])
}

const orderNow = async ({ orderId: OrderID }: Fault) => (await house.get(founder, { OrderID })).Order
const statusesOf = async (of: readonly Fault[]) => {
  const orders = []
  for (const fault of of) orders.push(await orderNow(fault))
  return orders
}

test('of 24 faults said to be mended exactly those are verified that are', async () => {
  for (const fault of faults) {
    const state = fault.truth === 'stays' ? 'active' : 'normal'
    const { key, lineNo } = fault
    const [EventID = ''] = await raiseEvents(house.stack, [{ key, lineNo, state, raisedAt: house.now - hour }])
    const order = await house.made(founder, electrician, { EventID })
    const body = { ...act(order), Cause: '端子松动', Done: '紧固' }
    await electrician.client.call(processWorkOrder, { body })
    Object.assign(fault, { eventId: EventID, orderId: order.OrderID })
  }
  expect(new Set(faults.map(({ orderId }) => orderId)).size).toBe(24)
  for (const lineNo of reportingLines) await house.reports(lineNo, house.now, 26 * hour)

  const returning = ofTruth('comesBack')
  for (const [index, fault] of returning.entries()) {
    await house.later(3 * hour)
    await back(fault)
    await house.later(0)
    // It is its person's again as soon as that is known.
    expect([index, await orderNow(fault)]).toMatchObject([
      index,
      { Status: 'dispatched', Returns: 1, Reopened: 0, PersonInCharge: { Name: '王海峰' }, Hazard: { State: 'ordered' } },
    ])
  }
  await house.later(25 * hour - returning.length * 3 * hour)
  const states = (await statusesOf(faults)).map(({ Verification }) => Verification?.State)
  const expected: Readonly<Record<Truth, string | undefined>> = {
    ...{ mended: 'verified', comesBack: undefined, stays: 'running', unreported: 'noData' },
  }
  expect(states).toEqual(faults.map(({ truth }) => expected[truth]))
})

test('nobody accepts one of the others, and each that comes back within a week reopens its own order', async () => {
  const orders = await statusesOf(faults)
  const body = {
    ActID: crypto.randomUUID(),
    Orders: orders.map(({ OrderID, Version }) => ({ OrderID, Version })),
  }
  const { items } = await founder.client.call(acceptWorkOrders, { body })
  const accepted = items.filter(({ Refusal }) => Refusal === null).map(({ Order }) => Order?.OrderID)
  const mended = ofTruth('mended')
  expect(mended).toHaveLength(9)
  expect(accepted.toSorted()).toEqual(mended.map(({ orderId }) => orderId).toSorted())
  expect((await statusesOf(mended)).map(({ Hazard }) => Hazard?.State)).toEqual(mended.map(() => 'gone'))

  // At once, on the third and the sixth day, and an hour before the week is over.
  const [atOnce, third, sixth, last, tooLate, ...stay] = mended
  let sinceMs = 0
  for (const [fault, afterMs] of [
    [atOnce, 0],
    [third, 3 * day],
    [sixth, 6 * day],
    [last, 7 * day - hour],
    [tooLate, 7 * day + hour],
  ] as const) {
    if (!fault) throw new Error('nine were mended')
    await house.later(afterMs - sinceMs)
    sinceMs = afterMs
    await back(fault)
    await house.later(1_000)
    sinceMs += 1_000
  }
  const reopened = { Status: 'dispatched', Reopened: 1, Returns: 0, Priority: 'high', AcceptedAt: null }
  const person = { PersonInCharge: { Name: '王海峰' }, Hazard: { State: 'ordered' } }
  expect(await statusesOf([atOnce, third, sixth, last].filter((fault) => fault !== undefined))).toMatchObject(
    [1, 2, 3, 4].map(() => ({ ...reopened, ...person })),
  )
  const untouched = [...(tooLate ? [tooLate] : []), ...stay]
  expect(await statusesOf(untouched)).toMatchObject(untouched.map(() => ({ Status: 'accepted', Reopened: 0 })))
  // Nothing was made anew beside them.
  const { rows } = await (async () => {
    const client = await house.stack.server.database.connect()
    return client.query<{ count: number }>('select count(*)::int from work_order').finally(() => client.end())
  })()
  expect(rows[0]?.count).toBe(24)
})
