import { about } from '@linewarden/contract'
import type { OrderStatus } from '@linewarden/rules/workorder'
import { emptyClock } from '@linewarden/rules/workorder'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { openHazard } from '../hazard/hazard.ts'
import { seenSince } from '../hazard/keep.ts'
import { hazardById } from '../hazard/list.ts'
import { moveGateways } from '../site/gateway.ts'
import { actOnOrders } from './act.ts'
import { orderById } from './order.ts'
import { saveVerification } from './verification.ts'

// Everybody locks hazards before orders, each in the order of their numbers: nobody waits for another in a circle; docs/adr/0149.
const start = Date.UTC(2026, 0, 10)
let house: TestDatabase
/** Somebody else, in a transaction of their own. */
let other: pg.Client
let place: { project_id: number; other_project: number; gateway_id: number; line_id: number }

beforeEach(async () => {
  house = await testDatabase()
  other = await house.database.connect()
  const { rows } = await other.query<typeof place>(
    `with p as (insert into project (city_id, name, time_zone) select min(city_id), called, 'UTC' from city, unnest(array['p', 'q']) called
         group by called returning project_id, name),
       g as (insert into gateway (project_id, number, name, secret_hash) select project_id, 'G', 'g', '' from p where name = 'p'
         returning gateway_id),
       d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D', 'd', 'breaker3p', '3PN' from g
         returning device_id)
     insert into line (device_id, line_no, name, rated_current_a) select device_id, 1, 'l', 63 from d
     returning line_id, (select gateway_id from g), (select project_id from p where name = 'p'),
       (select project_id from p where name = 'q') as other_project`,
  )
  const [row] = rows
  if (!row) throw new Error('the plan has a line')
  place = row
})
afterEach(async () => {
  await other?.end()
  await house?.drop()
})

const opened = (key: string): Promise<number> =>
  house.database.general.transaction().execute((trx) =>
    openHazard(trx, {
      ...{ projectId: place.project_id, gatewayId: place.gateway_id, deviceId: null, lineId: place.line_id, key },
      ...{ label: { zh: '过热', en: 'Hot' }, level: 'high', source: 'person', at: start },
    }),
  )

async function ordered(hazardId: number, status: OrderStatus, number: string): Promise<number> {
  const { order_id } = await house.database.general
    .insertInto('work_order')
    .values({
      ...{ number, project_id: place.project_id, gateway_id: place.gateway_id, line_id: place.line_id, type: 'repair', status },
      ...{ title: 'x', description: '', priority: 'high', hazard_id: hazardId, founder_name: '', person_name: '', helpers: '[]' },
      ...{ created_at: new Date(start), valid_days: 7, reminder_days: 1, working_days_only: false },
      clock: JSON.stringify(emptyClock('high', start)),
    })
    .returning('order_id')
    .executeTakeFirstOrThrow()
  return order_id
}

const isWaiting = () =>
  vi.waitFor(async () => {
    // Not asked in a transaction: there it stays as it was asked first.
    const { rows } =
      await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
        house.database.general,
      )
    expect(rows).toHaveLength(1)
  })

/** While another has this hazard, `work` waits for it, and the other still gets all that it wants; answers what `work` comes to. */
async function whileLocked<T>(hazardId: number, work: () => Promise<T>, wants: () => Promise<unknown>): Promise<T> {
  await other.query('begin')
  await other.query('select from hazard where hazard_id = $1 for no key update', [hazardId])
  const working = work()
  try {
    await isWaiting()
    await wants()
    await other.query('commit')
  } catch (error) {
    await other.query('rollback')
    await working.catch(() => {})
    throw error
  }
  return working
}

const orderIsFree = async (orderId: number) => {
  const { rowCount } = await other.query('select from work_order where order_id = $1 for no key update nowait', [orderId])
  expect(rowCount).toBe(1)
}

const audit = (orderId: number) => ({
  ...({ at: start, actor: 'a', address: '', tenant: null, outcome: 'done', target: '' } as const),
  ...({ action: 'workOrder.take', subject: about('workOrder', orderId) } as const),
})

/** What is done to an order that moves its hazard. */
const taken = (orderId: number) => ({
  ...{ orderId, act: null },
  decide: () => ({
    ...{ columns: { status: 'dispatched' as const }, hazard: 'ordered' as const, audit: audit(orderId), now: start },
    step: { at: new Date(start), act: 'take', from_status: 'undispatched' as const, to_status: 'dispatched' as const },
    due: { reminderAt: null, overdueAt: null, notices: [] },
  }),
})

test('the proof of an order waits for its hazard with no order in hand, and the hazard is gone then', async () => {
  const hazardId = await opened('a')
  const orderId = await ordered(hazardId, 'accepted', '1')
  await other.query(`update hazard set state = 'verifying'`)
  const row = await orderById(house.database.general, orderId)
  if (!row) throw new Error('the order was made')
  const verified = { state: 'verified' } as const
  const save = () => saveVerification(house.database, row, verified, { now: start, noticeAt: start })
  await whileLocked(hazardId, save, () => orderIsFree(orderId))
  expect(await hazardById(house.database.general, hazardId)).toMatchObject({ state: 'gone' })
  expect(await orderById(house.database.general, orderId)).toMatchObject({ verification: verified })
})

test('orders are acted on in the order of their hazards and then of their own, whatever the order of the press', async () => {
  const hazards = [await opened('a'), await opened('b')] as const
  const [later, sooner] = [await ordered(hazards[1], 'undispatched', '1'), await ordered(hazards[0], 'undispatched', '2')]
  const acts = await whileLocked(
    hazards[0],
    () => actOnOrders(house.database, [taken(later), taken(sooner)]),
    async () => {
      await other.query('select from hazard where hazard_id = $1 for no key update nowait', [hazards[1]])
      for (const orderId of [later, sooner]) await orderIsFree(orderId)
    },
  )
  expect(acts).toEqual(['done', 'done'])
})

test('an order whose hazard is another one by now is acted on with that one locked', async () => {
  const former = await opened('a')
  const orderId = await ordered(former, 'undispatched', '1')
  const act = () => actOnOrders(house.database, [taken(orderId)])
  const acts = await whileLocked(former, act, async () => {
    await other.query(`update hazard set state = 'gone' where hazard_id = $1`, [former])
    await other.query(
      `insert into hazard (project_id, gateway_id, device_id, line_id, place, key, label_zh, label_en, level, source, state, first_seen, last_seen)
       select project_id, gateway_id, device_id, line_id, place, key, label_zh, label_en, level, source, 'open', first_seen, last_seen
       from hazard where hazard_id = $1`,
      [former],
    )
  })
  expect(acts).toEqual(['done'])
  const row = await orderById(house.database.general, orderId)
  expect(row?.hazard_id).not.toBe(former)
  expect(await hazardById(house.database.general, row?.hazard_id ?? 0)).toMatchObject({ state: 'ordered' })
  expect(await hazardById(house.database.general, former)).toMatchObject({ state: 'gone' })
})

test('a hazard that shows itself again is locked before what showed it is written', async () => {
  const hazardId = await opened('a')
  const hazard = await hazardById(house.database.general, hazardId)
  if (!hazard) throw new Error('the hazard was opened')
  await other.query(
    `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at, announced)
     values ('alarm', 'high', 'a', 'a', 'a', 'active', $1, $2, $3, $4, $4, 1)`,
    [place.project_id, place.gateway_id, place.line_id, new Date(start + 1_000)],
  )
  const seen = () => seenSince(house.database.general, hazard)
  await whileLocked(hazardId, seen, async () => {
    await other.query(
      `insert into hazard_source (hazard_id, source, source_id, at, level)
       select $1, 'alarm', event_id::text, raised_at, 'high' from event where key = 'a'`,
      [hazardId],
    )
    await other.query('update hazard set count = count + 1 where hazard_id = $1', [hazardId])
  })
  const now = await hazardById(house.database.general, hazardId)
  expect(now).toMatchObject({ count: hazard.count + 1, last_seen: new Date(start + 1_000) })
})

test('a gateway that goes to another project takes its hazards before its orders', async () => {
  const hazardId = await opened('a')
  const orderId = await ordered(hazardId, 'undispatched', '1')
  const moved = await whileLocked(
    hazardId,
    () =>
      moveGateways(
        house.database,
        { gatewayIds: [place.gateway_id], projectId: place.other_project, most: 9, owner: null },
        { ...audit(orderId), action: 'gateway.transfer' },
      ),
    () => orderIsFree(orderId),
  )
  expect(moved).toBe('done')
  expect(await orderById(house.database.general, orderId)).toMatchObject({ project_id: place.other_project })
})
