import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../http/context.ts'
import { loadPlant } from '../../store/plant.ts'
import type { TestDatabase } from '../../store/test-database.ts'
import { testDatabase } from '../../store/test-database.ts'
import { createLogTargets } from './log-targets.ts'

let db: TestDatabase
let targets: ReturnType<typeof createLogTargets>

beforeAll(async () => {
  db = await testDatabase()
  const client = await db.database.connect()
  await client.query(`
    insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city;
    insert into gateway (project_id, number, name, secret_hash)
      select project_id, n, 'Cabinet ' || n, '' from project, unnest(array['G1', 'G2']) n;
    insert into device (gateway_id, controller_id, name, family, model)
      select gateway_id, 'C-' || number, 'Box ' || number, 'breaker3p', '3P' from gateway;
    insert into line (device_id, line_no, name) select device_id, n, 'Pump ' || n from device, generate_series(1, 600) n`)
  await client.end()
  targets = createLogTargets({ database: db.database, plant: await loadPlant(db.database) })
})
afterAll(() => db?.drop())

/** Whoever runs the installation, and somebody who was given one gateway. */
const all = { platform: true, administrator: true, tree: null, seesPart: () => true, seesGateway: () => true, sight: sight(true) }
const one = {
  ...{ platform: false, administrator: false, tree: null, privileges: [], buttons: [], sight: sight(false) },
  ...{ seesPart: () => true, seesGateway: ({ number }: { number: string }) => number === 'G1' },
}
function sight(whole: boolean): Actor['sight'] {
  return { all: whole, projectIds: [], gatewayIds: [], tree: null, administrator: whole, accountId: null }
}
const called = async (part: string, actor: object = one) => targets.called(actor as Actor, part)

test('equipment that the actor sees is found by its name, and by its number with its name as it is shown', async () => {
  expect(await called('CABINET g')).toEqual(['G1'])
  expect(await called('box g', all)).toEqual(['C-G1', 'C-G2'])
  expect(await called('pump 77')).toEqual(['C-G1/77'])
  expect(await called('c-g1/77 · Pump')).toEqual(['C-G1/77'])
  expect(await called('c-g2/77 · Pump')).toEqual([])
  // What is written in the log needs no name.
  expect(await called('g1')).toEqual([])
})

test.each(['pump .', 'pump 7*', '(pump', 'pump [7', 'pump\\', 'p|x', '^pump', '{2}', 'Pump/'])(
  'the signs of %s mean themselves',
  async (part) => {
    expect(await called(part)).toEqual([])
  },
)

test('a single character names nothing, and no search names more than a thousand things', async () => {
  expect(await called('P')).toEqual([])
  expect(await called(' P ')).toEqual([])
  expect(await called('pump')).toHaveLength(600)
  expect(await called('pump', all)).toHaveLength(1_000)
})
