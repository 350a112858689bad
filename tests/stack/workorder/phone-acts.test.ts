import type { WorkOrder } from '@linewarden/contract'
import {
  commentWorkOrder,
  getWorkOrder,
  pauseWorkOrder,
  processWorkOrder,
  returnWorkOrder,
  takeWorkOrder,
  updateWorkOrder,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrderPerson } from '../../kit/order-house.ts'
import { act, OrderHouse } from '../../kit/order-house.ts'
import { outcomeOf } from '../../kit/refused.ts'

// What waited on a phone and comes later: once, by the server's clock, and never over what somebody else did meanwhile.
const hour = 3_600_000
let house: OrderHouse
let founder: OrderPerson
let electrician: OrderPerson
let colleague: OrderPerson

beforeAll(async () => {
  house = await OrderHouse.start()
  founder = await house.person('周敏')
  electrician = await house.person('王海峰')
  colleague = await house.person('李强')
})
afterAll(() => house?.stack.close())

const done = { Cause: '接线盒进液', Done: '换密封接头' }

/** As it was fetched before going down. */
async function fetched(order: WorkOrder) {
  const { Order, Steps } = await electrician.client.call(getWorkOrder, { params: { OrderID: order.OrderID } })
  const SeenStep = Steps.at(-1)?.StepID ?? '0'
  const at = (PhoneTime: number, Now = house.now) => ({ ...act(Order), Phone: { SeenStep, PhoneTime, Now } })
  return { order: Order, at }
}
const stepsOf = async (order: WorkOrder) => (await house.get(founder, order)).Steps
const acts = async (order: WorkOrder) => (await stepsOf(order)).map(({ Act }) => Act)

test('taken, on site, written about, paused, resumed and processed below ground it comes in order, each once however often it is sent', async () => {
  const { order, at } = await fetched(await house.made(founder, electrician))
  const { OrderID } = order
  const doneAt = house.now
  await house.later(2 * hour)
  const [take, pause, resume, process] = [at(doneAt), at(doneAt), at(doneAt), at(doneAt)]
  const note = { ActID: crypto.randomUUID(), Phone: { PhoneTime: doneAt, Now: house.now } }
  const onSite = { ...note, ActID: crypto.randomUUID(), Text: '到达现场', Arrived: true }
  const { client } = electrician
  const Until = house.now + hour
  // Sent by two pages of a phone, and by a server whose answer was lost: at once, and again.
  const often = (send: () => Promise<unknown>) => Promise.all([send(), send(), send(), send()])
  await often(() => client.call(takeWorkOrder, { body: take }))
  await often(() => client.call(commentWorkOrder, { params: { OrderID }, body: onSite }))
  await often(() => client.call(commentWorkOrder, { params: { OrderID }, body: { ...note, Text: '等备件' } }))
  await often(() => client.call(pauseWorkOrder, { body: { ...pause, Until, Why: 'parts' } }))
  await often(() => client.call(pauseWorkOrder, { body: { ...resume, Until: null } }))
  await often(() => client.call(processWorkOrder, { body: { ...process, ...done } }))
  const after = await client.call(takeWorkOrder, { body: take })
  expect(after).toMatchObject({ Status: 'processed', ...done })
  expect(await acts(order)).toEqual([...['insert', 'dispatch', 'take', 'arrive', 'comment', 'pause', 'resume', 'process']])
})

describe('the clock of an order', () => {
  test.each([
    ['right', 0],
    ['two days behind', -48 * hour],
    ['a year ahead', 365 * 24 * hour],
  ])(
    'goes by when the server is told, with a phone whose clock is %s; what the phone says stands beside it',
    async (_, wrong) => {
      const { order, at } = await fetched(await house.made(founder, electrician))
      const phoneTime = house.now + wrong
      await house.later(3 * hour)
      const receivedAt = house.now
      await electrician.client.call(takeWorkOrder, { body: at(phoneTime, receivedAt + wrong) })
      const processed = await electrician.client.call(processWorkOrder, {
        body: { ...at(phoneTime, receivedAt + wrong), ...done },
      })
      expect(processed.TakenAt).toBeGreaterThanOrEqual(receivedAt)
      expect(processed.DealTime).toBeGreaterThanOrEqual(receivedAt)
      const [take] = (await stepsOf(order)).filter(({ Act }) => Act === 'take')
      expect(take?.At).toBeGreaterThanOrEqual(receivedAt)
      expect(take?.PhoneTime).toBe(phoneTime)
      // By it anybody reads when it was done: three hours before.
      expect(Math.abs((take?.ClockOffsetMs ?? 0) + wrong)).toBeLessThan(60_000)
      const [insert] = await stepsOf(order)
      expect(insert).toMatchObject({ PhoneTime: null, ClockOffsetMs: null })
    },
  )
})

describe('what somebody else did meanwhile', () => {
  test('in words alone refuses nothing: the order as it was written is dealt with', async () => {
    const { order, at } = await fetched(await house.made(founder, electrician))
    const { Title, Description, ValidDays, ReminderDays, WorkingDaysOnly } = order
    const written = {
      ...{ Title, ValidDays, ReminderDays, WorkingDaysOnly },
      Description: `${Description}！`,
      Priority: 'high' as const,
    }
    await founder.client.call(updateWorkOrder, { body: { ...act(order), ...written } })
    await colleague.client.call(commentWorkOrder, {
      params: { OrderID: order.OrderID },
      body: { ActID: crypto.randomUUID(), Text: '钥匙在门卫' },
    })
    // At the desk it is asked to look first.
    expect(await outcomeOf(electrician.client.call(takeWorkOrder, { body: act(order) }))).toBe('changed meanwhile')
    expect(await outcomeOf(electrician.client.call(takeWorkOrder, { body: at(house.now) }))).toBe('done')
  })

  test('with the order refuses it: what was done before a return does not answer the return', async () => {
    const { order, at } = await fetched(await house.made(founder, electrician))
    const waits = at(house.now)
    const processed = await electrician.client.call(processWorkOrder, { body: { ...act(order), ...done } })
    await founder.client.call(returnWorkOrder, { body: { ...act(processed), Reason: '照片看不清' } })
    expect(await outcomeOf(electrician.client.call(processWorkOrder, { body: { ...waits, ...done } }))).toBe('changed meanwhile')
    const { Order } = await house.get(founder, order)
    expect(Order).toMatchObject({ Status: 'dispatched', Returns: 1 })
  })

  test('giving it to another keeps what was written as a comment, once, with when it was', async () => {
    const { order, at } = await fetched(await house.made(founder, electrician))
    const waits = { ...at(house.now - hour), ...done }
    await house.dispatched(founder, order, colleague, '换人')
    const send = () => outcomeOf(electrician.client.call(processWorkOrder, { body: waits }))
    expect([await send(), await send()]).toEqual(['order has other person', 'order has other person'])
    const steps = await stepsOf(order)
    expect(steps.map(({ Act }) => Act)).toEqual(['insert', 'dispatch', 'dispatch', 'comment'])
    expect(steps.at(-1)).toMatchObject({ Text: '接线盒进液\n换密封接头', PhoneTime: waits.Phone.PhoneTime })
  })
})

test('only whoever has an order says that they are on site; a comment of the same id says nothing else', async () => {
  const order = await house.made(founder, electrician)
  const params = { OrderID: order.OrderID }
  const body = { ActID: crypto.randomUUID(), Text: '到达现场', Arrived: true }
  expect(await outcomeOf(colleague.client.call(commentWorkOrder, { params, body }))).toBe('order not yours')
  expect(await outcomeOf(electrician.client.call(commentWorkOrder, { params, body }))).toBe('done')
  expect(await outcomeOf(electrician.client.call(commentWorkOrder, { params, body: { ...body, Arrived: false } }))).toBe(
    'order act used',
  )
  // Sent again after it was processed it is the same arrival.
  const { Order } = await house.get(electrician, order)
  await electrician.client.call(processWorkOrder, { body: { ...act(Order), ...done } })
  expect(await outcomeOf(electrician.client.call(commentWorkOrder, { params, body }))).toBe('done')
  const late = { ...body, ActID: crypto.randomUUID() }
  expect(await outcomeOf(electrician.client.call(commentWorkOrder, { params, body: late }))).toBe('order state')
})
