import { minuteMs } from '@linewarden/equipment'
import { ruleOrdersPerHour } from '@linewarden/rules/workorder'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import { insertTestLine } from '../../store/plant/test-line.ts'
import { createOrderAccess } from './order-access.ts'
import { createRuleOrders } from './rule-orders.ts'

// Servers on one database, each with its own picture of the plant: of each alarm somebody is sent once.
const start = Date.UTC(2026, 0, 10)
let house: TestDatabase
let now: number
let errors: unknown[]
let place: { project_id: number; gateway_id: number; line_id: number }

beforeEach(async () => {
  house = await testDatabase()
  now = start
  errors = []
  place = await insertTestLine(house.database)
})
afterEach(async () => {
  await house?.drop()
  expect(errors).toEqual([])
})

async function serve() {
  const { database } = house
  const plant = await loadPlant(database)
  const log = { error: ({ err }: { err: unknown }) => errors.push(err) } as never
  const [hub, photos] = [{ publish: () => {} } as never, {} as never]
  const deps = { database, plant, log, hub, photos, clock: () => now, actorNow: async () => null }
  return createRuleOrders(deps, createOrderAccess(deps))
}

const rule = (name: string, keys: string[]) =>
  house.database.general
    .insertInto('order_rule')
    .values({
      ...{ project_id: place.project_id, name, enabled: true, enabled_at: new Date(start), keys, priorities: [], after_min: 0 },
      ...{
        type: 'repair',
        priority: null,
        person_id: null,
        rota: null,
        valid_days: 7,
        reminder_days: 1,
        working_days_only: false,
      },
      ...{ owner_id: null, owner_name: 'boss', changed_at: new Date(start) },
    })
    .execute()

async function raised(keys: readonly string[], at: number): Promise<void> {
  const client = await house.database.connect()
  await client
    .query(
      `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at, announced)
       select 'alarm', 'high', key, key, key, 'active', $1, $2, $3, $4, $4, 1 from unnest($5::text[]) key`,
      [place.project_id, place.gateway_id, place.line_id, new Date(at), keys],
    )
    .finally(() => client.end())
}
const orders = () => house.database.general.selectFrom('work_order').selectAll().orderBy('order_id').execute()
const links = () => house.database.general.selectFrom('work_order_event').selectAll().execute()

test('two servers and two rules make one order of each alarm', async () => {
  await rule('a', ['k1', 'k2', 'k3'])
  await rule('b', ['k2', 'k3', 'k4'])
  await raised(['k1', 'k2', 'k3', 'k4', 'k5'], start + minuteMs)
  now = start + 2 * minuteMs
  const [a, b] = [await serve(), await serve()]
  await Promise.all([a.look(), b.look()])
  await Promise.all([a.look(), b.look()])
  expect(await orders()).toHaveLength(4)
  expect(new Set((await links()).map(({ event_id }) => event_id)).size).toBe(4)
  expect(await links()).toHaveLength(4)
  const made = await house.database.general.selectFrom('order_rule_event').select('outcome').execute()
  expect(made.map(({ outcome }) => outcome)).toEqual(['made', 'made', 'made', 'made'])
})

test('two servers keep to the limit of an hour together, with one summary and one fault', async () => {
  const keys = Array.from({ length: ruleOrdersPerHour + 5 }, (_, nth) => `k${nth}`)
  await rule('a', keys)
  await raised(keys, start + minuteMs)
  now = start + 2 * minuteMs
  const [a, b] = [await serve(), await serve()]
  await Promise.all([a.look(), b.look()])
  await Promise.all([a.look(), b.look()])
  expect(await orders()).toHaveLength(ruleOrdersPerHour + 1)
  expect(await links()).toHaveLength(keys.length)
  const { general } = house.database
  const faults = await general.selectFrom('event').select('state').where('key', '=', 'order.flood').execute()
  expect(faults).toEqual([{ state: 'active' }])
  now += 61 * minuteMs
  await Promise.all([a.look(), b.look()])
  expect(await general.selectFrom('event').select('state').where('key', '=', 'order.flood').execute()).toEqual([
    { state: 'returned' },
  ])
})

test('a server that comes back sends for what came while it was away, and not for what is older than a day', async () => {
  await rule('a', ['old', 'new'])
  await raised(['old'], start + minuteMs)
  now = start + 30 * 60 * minuteMs
  await raised(['new'], now - 60 * minuteMs)
  await (await serve()).look()
  expect((await orders()).map(({ description }) => description)).toEqual(['自动派单规则「a」：new'])
})
