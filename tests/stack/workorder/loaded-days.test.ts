import { acceptWorkOrders, processWorkOrder } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepNightsAway } from '../../kit/health-past.ts'
import type { OrderPerson } from '../../kit/order-house.ts'
import { act, OrderHouse, several } from '../../kit/order-house.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { raiseFindings } from '../../kit/raised-findings.ts'
import { outcomeOf } from '../../kit/refused.ts'

// A hot contact and a leakage show themselves under load alone: days on which the line carried little say nothing of them.
const [hour, dayMs] = [3_600_000, 86_400_000]
/** What the lines carried when it was found, and the least that counts as nearly as much. */
const [foundA, enoughA, tooLittleA] = [20, 14, 13.5]
const aheadOfUtcMs = 8 * hour

let house: OrderHouse
let founder: OrderPerson
let electrician: OrderPerson
/** The local day on which everything was processed. */
let today = 0

beforeAll(async () => {
  house = await OrderHouse.start({ fleet: { ticking: false } })
  // Not about midnight, when the day of the work would be another one than that of its finding.
  await house.untilHour(12)
  founder = await house.person('周敏')
  electrician = await house.person('王海峰')
  today = Math.floor((house.now + aheadOfUtcMs) / dayMs)
  const { database, plant } = house.stack.server
  const client = await database.connect()
  await client.query('begin')
  await keepNightsAway(client, [...plant.lines.keys()], today)
  await client.query('commit')
  await client.end()
})
afterAll(() => house?.stack.close())

const lineId = (lineNo: number): number => house.stack.server.plant.lineAt('A-T1', lineNo)?.id ?? 0

/** What the line carried on some days, counted from the one on which its order was processed. */
async function carried(lineNo: number, days: readonly number[], amps: number): Promise<void> {
  const client = await house.stack.server.database.connect()
  await client.query(
    `insert into line_day (line_id, day, hours, coverage, opened, i95_a, peak_a, excess_k, excess_error_k, unbalance_2_min, unbalance_4_min,
       voltage_known_min, voltage_outside_min, broken_a, wear, trip_ms, online_s, made_at)
     select $1, day, 24, 1, false, array[$3, 0, 0]::real[], array[$3, 0, 0]::real[], '{}', '{}', 0, 0, 1440, 0, '{}', 0, '{}', 86400, now()
     from unnest($2::int[]) as day`,
    [lineId(lineNo), days.map((day) => today + day), amps],
  )
  await client.end()
}

/** A finding of the day before that is gone, with its order processed; its line is heard of all the time. */
async function processed(lineNo: number, key: string) {
  const [EventID = ''] = await raiseFindings(house.stack, [{ key, lineNo, state: 'normal', raisedAt: house.now - dayMs }])
  const client = await house.stack.server.database.connect()
  await client.query('update warning_evidence set day = $2 where event_id = $1', [EventID, today - 1])
  await client.end()
  return orderOf(EventID)
}

async function orderOf(EventID: string) {
  const order = await house.made(founder, electrician, { EventID })
  return electrician.client.call(processWorkOrder, { body: { ...act(order), Cause: '端子松动', Done: '紧固' } })
}

const orderNow = async (order: { readonly OrderID: number }) => (await house.get(founder, order)).Order

test('a contact and a leakage are verified by three days of load as before, and by no day without it', async () => {
  const [contact, leakage, alarm, unknown] = [1, 2, 3, 4]
  for (const lineNo of [contact, leakage]) await carried(lineNo, [-1], foundA)
  const found = [await processed(contact, 'contact'), await processed(leakage, 'leakage.drift')]
  const [EventID = ''] = await raiseEvents(house.stack, [
    { key: 'temperature.alarm', lineNo: alarm, state: 'normal', raisedAt: house.now - hour },
  ])
  const byValue = await orderOf(EventID)
  // Of which nobody knows what the line carried when it was found: load is not asked for.
  const ofUnknown = await processed(unknown, 'contact')
  for (const lineNo of [contact, leakage, alarm, unknown]) await house.reports(lineNo, house.now, 10 * dayMs)

  // The day of the work itself counts for nothing, and neither do four that carried a little less than is asked for.
  for (const lineNo of [contact, leakage]) {
    await carried(lineNo, [0], foundA)
    await carried(lineNo, [1, 2, 3, 4], tooLittleA)
  }
  await house.later(5 * dayMs)
  for (const order of found) {
    const is = await orderNow(order)
    expect(is.Verification).toMatchObject({ State: 'running', Missing: 'load' })
    expect(await outcomeOf(founder.client.call(acceptWorkOrders, { body: several(is) }))).toBe('order unverified')
  }
  expect((await orderNow(byValue)).Verification?.State).toBe('verified')
  expect((await orderNow(ofUnknown)).Verification?.State).toBe('verified')

  for (const lineNo of [contact, leakage]) await carried(lineNo, [5, 6], enoughA)
  await house.later(2 * dayMs)
  for (const order of found) expect((await orderNow(order)).Verification).toMatchObject({ State: 'running', Missing: 'load' })

  // The third, on one of the two lines.
  await carried(contact, [7], enoughA)
  await house.later(dayMs)
  const states = [await orderNow(found[0] ?? byValue), await orderNow(found[1] ?? byValue)].map(
    ({ Verification }) => Verification,
  )
  expect(states).toMatchObject([{ State: 'verified' }, { State: 'running', Missing: 'load' }])
})
