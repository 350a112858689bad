import type { OrderRule, Request, WorkOrder } from '@linewarden/contract'
import {
  acknowledgeEvent,
  getWorkOrder,
  listEvents,
  previewOrderRule,
  queryOrderRules,
  queryWorkOrders,
  updateOrderRule,
} from '@linewarden/contract'
import { ruleOrdersPerHour } from '@linewarden/rules/workorder'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrderPerson } from '../../kit/order-house.ts'
import { OrderHouse } from '../../kit/order-house.ts'
import type { RaisedEvent } from '../../kit/raised-events.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { outcomeOf } from '../../kit/refused.ts'

// Rules that make orders of alarms: each alarm once, never more an hour than somebody can see to, and nobody is sent unasked.
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
let house: OrderHouse
let founder: OrderPerson
let electrician: OrderPerson
let administrator: OrderPerson

beforeAll(async () => {
  house = await OrderHouse.start()
  founder = await house.person('周敏')
  electrician = await house.person('王海峰')
  administrator = await house.administrator()
})
afterAll(() => house?.stack.close())

type Written = NonNullable<Request<typeof updateOrderRule>['body']['Rule']>
const written = (more: Partial<Written> = {}): Written => ({
  ...{ Name: '紧急报警', Enabled: true, Keys: [], Priorities: ['critical'], AfterMin: 0, Type: 'repair', Priority: null },
  ...{ PersonID: electrician.id, Rota: null, ValidDays: 7, ReminderDays: 1, WorkingDaysOnly: false, ...more },
})
const save = (Rule: Written | null, rule: Pick<OrderRule, 'RuleID' | 'Version'> | null = null, { client } = administrator) =>
  client.call(updateOrderRule, {
    body: { HouseID: house.houseOf(), ...(rule && { RuleID: rule.RuleID }), Version: rule?.Version ?? 0, Rule },
  })
const rules = async () => (await founder.client.call(queryOrderRules, { body: { HouseID: house.houseOf() } })).items
/** The one rule of the project, as written. */
async function only(more: Partial<Written> = {}): Promise<OrderRule> {
  const { items } = await save(written(more))
  expect(items).toHaveLength(1)
  return items[0] as OrderRule
}
const looked = (ms = 0) => house.byRules(ms)
const orders = async (): Promise<readonly WorkOrder[]> =>
  (await founder.client.call(queryWorkOrders, { body: { Size: 100, Sort: 'CreatedAt' } })).items
const raised = async (...given: readonly RaisedEvent[]) =>
  raiseEvents(
    house.stack,
    given.map((each) => ({ priority: 'critical', raisedAt: house.now, ...each })),
  )
/** What became of an alarm: the orders that have it. */
const ordersOf = async (EventID: string) => (await orders()).filter(({ EventIDs }) => EventIDs.includes(EventID))

beforeEach(async () => {
  for (const rule of await rules()) await save(null, rule)
  // Whatever came before is over: no hour has anything of it.
  await looked(2 * hour)
})

describe('a rule', () => {
  test('makes an order of an alarm at once, of whoever wrote it, and gives it to somebody', async () => {
    await only()
    const [EventID = ''] = await raised({ lineNo: 3, label: { zh: '短路跳闸', en: 'Short circuit' } })
    await looked()
    await looked()
    const [order, ...others] = await ordersOf(EventID)
    expect(others).toEqual([])
    expect(order).toMatchObject({
      ...{ Status: 'dispatched', Priority: 'critical', LineNo: 3, PersonInCharge: { Name: '王海峰' }, Title: '' },
      ...{ Founder: { Name: 'admin' }, Hazard: { State: 'ordered', Count: 1 }, Label: { zh: '短路跳闸' } },
    })
    const { Steps } = await founder.client.call(getWorkOrder, { params: { OrderID: order?.OrderID ?? 0 } })
    expect(Steps.map(({ Act, Actor, Text }) => [Act, Actor, Text])).toEqual([
      ['insert', null, '规则「紧急报警」'],
      ['dispatch', null, '规则「紧急报警」'],
    ])
    expect((await rules())[0]).toMatchObject({ Made: expect.any(Number), Owner: 'admin' })
  })

  test('that waits sends nobody for what was acknowledged or returned by then', async () => {
    await only({ AfterMin: 10 })
    const [stands = '', seen = '', back = '', later = ''] = await raised(
      { lineNo: 1 },
      { lineNo: 2 },
      { lineNo: 4, state: 'normal' },
      { lineNo: 5, raisedAt: house.now + 5 * minute },
    )
    const { general } = house.stack.server.database
    await general
      .updateTable('event')
      .set({ returned_at: new Date(house.now + minute) })
      .where('event_id', '=', back)
      .execute()
    await administrator.client.call(acknowledgeEvent, { params: { EventID: seen }, query: {} })
    await looked(9 * minute)
    expect(await ordersOf(stands)).toEqual([])
    await looked(2 * minute)
    expect([(await ordersOf(stands)).length, (await ordersOf(seen)).length, (await ordersOf(back)).length]).toEqual([1, 0, 0])
    expect(await ordersOf(later)).toEqual([])
    await looked(5 * minute)
    expect(await ordersOf(later)).toHaveLength(1)
  })

  test('joins the open order of the place and key, and never sends for a folded child', async () => {
    await only()
    const [first = ''] = await raised({ lineNo: 6, key: 'temperature.alarm', state: 'normal' })
    await looked()
    const [second = '', child = ''] = await raised({ lineNo: 6, key: 'temperature.alarm' }, { lineNo: 7 })
    const { general } = house.stack.server.database
    await general.updateTable('event').set({ folded: true }).where('event_id', '=', child).execute()
    await looked()
    const [order] = await ordersOf(first)
    expect(order?.EventIDs).toEqual([first, second])
    expect(order?.Hazard).toMatchObject({ Count: 2 })
    expect(await ordersOf(child)).toEqual([])
  })

  test('that is not enabled, or was written after the alarm, sends nobody', async () => {
    const [before = ''] = await raised({ lineNo: 1 })
    const rule = await only({ Enabled: false })
    const [meanwhile = ''] = await raised({ lineNo: 2 })
    await looked(minute)
    await save(written(), rule)
    await looked(minute)
    expect([await ordersOf(before), await ordersOf(meanwhile)]).toEqual([[], []])
    const [after = ''] = await raised({ lineNo: 3 })
    await looked(minute)
    expect(await ordersOf(after)).toHaveLength(1)
  })

  test('whose person sees the place no more leaves its order to its founder', async () => {
    const leaving = await house.person('要走的')
    await only({ PersonID: leaving.id })
    await house.disabled(leaving)
    const [EventID = ''] = await raised({ lineNo: 8 })
    await looked()
    expect(await ordersOf(EventID)).toMatchObject([{ Status: 'undispatched', PersonInCharge: null }])
  })

  test('with a rota sends whoever is on duty that day', async () => {
    const colleague = await house.person('李强')
    const today = new Date(house.now + 8 * hour).toISOString().slice(0, 10)
    await only({ PersonID: null, Rota: { People: [electrician.id, colleague.id], EveryDays: 1, FromDay: today } })
    const [first = ''] = await raised({ lineNo: 1 })
    await looked()
    await looked(day)
    const [second = ''] = await raised({ lineNo: 2 })
    await looked()
    const names = [...(await ordersOf(first)), ...(await ordersOf(second))].map(({ PersonInCharge }) => PersonInCharge?.Name)
    // Whether midnight came in between or not, the next day is the other's.
    expect(names.toSorted()).toEqual(['李强', '王海峰'].toSorted())
  })
})

test('beyond twenty orders in an hour there is one summary and one fault, and every alarm is in exactly one order', async () => {
  await only({ PersonID: null })
  const many = ruleOrdersPerHour + 6
  const ids = await raised(...Array.from({ length: many }, (_, nth) => ({ lineNo: 1 + (nth % 8), key: `flood.${nth}` })))
  await looked()
  const all = await orders()
  const found = ids.map((id) => all.filter(({ EventIDs }) => EventIDs.includes(id)))
  expect(found.map(({ length }) => length)).toEqual(ids.map(() => 1))
  const summaries = new Set(
    found
      .flat()
      .filter(({ EventIDs }) => EventIDs.length > 1)
      .map(({ OrderID }) => OrderID),
  )
  expect(summaries.size).toBe(1)
  expect(found.flat().filter(({ OrderID }) => summaries.has(OrderID))).toHaveLength(6)
  const floods = async () =>
    (await administrator.client.call(listEvents, { body: { HouseID: house.houseOf(), Keys: ['order.flood'] } })).items
  expect(await floods()).toMatchObject([{ Kind: 'fault', State: 'active' }])
  // Once an hour has room again the fault returns, and alarms have orders of their own.
  await looked(hour + minute)
  expect((await floods())[0]?.State).toBe('returned')
  const [next = ''] = await raised({ lineNo: 1, key: 'flood.next' })
  await looked()
  expect((await ordersOf(next))[0]?.EventIDs).toEqual([next])
})

describe('who writes rules', () => {
  test('are administrators, with all that is wrong said at once, over the version that they saw', async () => {
    expect(await outcomeOf(save(written(), null, founder))).toBe('order rule administrator only')
    const wrong = written({ Name: ' ', Keys: [], Priorities: [], ValidDays: 0 })
    const failure = await save(wrong).catch((error) => error.problem.failure)
    expect(failure.Problems.map(({ Path }: { Path: string }) => Path)).toEqual([
      'body.Rule.Name',
      'body.Rule.Keys',
      'body.Rule.ValidDays',
    ])
    const beside = await house.person('别项目', { projects: [house.houseOf('B')] })
    expect(await outcomeOf(save(written({ PersonID: beside.id })))).toBe('order person blind')
    const rule = await only()
    await save(written({ Name: '改名' }), rule)
    expect(await outcomeOf(save(written(), rule))).toBe('changed meanwhile')
    expect((await rules()).map(({ Name }) => Name)).toEqual(['改名'])
  })

  test('see beforehand what a rule would have made', async () => {
    await raised(
      { lineNo: 1, key: 'seen.before' },
      { lineNo: 1, key: 'seen.before', state: 'normal' },
      { lineNo: 2, key: 'seen.before' },
    )
    const body = { HouseID: house.houseOf(), Keys: ['seen.before'], Priorities: [], AfterMin: 0, ValidDays: 7 }
    const preview = await founder.client.call(previewOrderRule, { body })
    expect(preview).toMatchObject({ Orders: 2, Joined: 1, Summaries: 0, IsWhole: true })
    expect(preview.Worst[0]).toMatchObject({ Where: 'A柜 › A线1', Times: 2 })
    expect(await rules()).toEqual([])
  })
})
