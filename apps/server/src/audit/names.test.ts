import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../access/actor.ts'
import { subjectSources } from '../built-areas.ts'
import { serverAreas } from '../server-areas.ts'
import type { TestDatabase } from '../store/core/test-database.ts'
import { testDatabase } from '../store/core/test-database.ts'
import { loadPlant } from '../store/plant/plant.ts'
import { createSubjectNames } from './names.ts'

let db: TestDatabase
let names: ReturnType<typeof createSubjectNames>

beforeAll(async () => {
  db = await testDatabase()
  const client = await db.database.connect()
  await client.query(`
    insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city;
    insert into gateway (project_id, number, name, secret_hash)
      select project_id, n, 'Cabinet ' || n, '' from project, unnest(array['G1', 'G2']) n;
    insert into device (gateway_id, controller_id, name, family, model)
      select gateway_id, 'C-' || number, 'Box ' || number, 'breaker3p', '3P' from gateway;
    insert into line (device_id, line_no, name) select device_id, n, 'Pump ' || n from device, generate_series(1, 600) n;
    insert into line (device_id, line_no, name) select device_id, 601, 'Well (7*) [a|b]\\ {2} ^+?.$/' from device`)
  await client.end()
  names = createSubjectNames(
    subjectSources(Object.values(serverAreas), { database: db.database, plant: await loadPlant(db.database) }),
  )
})
afterAll(() => db?.drop())

/** Whoever runs the installation, and somebody who was given one gateway. */
const all = {
  platform: true,
  administrator: true,
  tenant: null,
  seesPart: () => true,
  seesGateway: () => true,
  scope: scope(true),
}
const one = {
  ...{ platform: false, administrator: false, tenant: null, privileges: [], buttons: [], scope: scope(false) },
  ...{ seesPart: () => true, seesGateway: ({ number }: { number: string }) => number === 'G1' },
}
function scope(whole: boolean): Actor['scope'] {
  return { all: whole, projectIds: [], gatewayIds: [], tenant: null, administrator: whole, accountId: null }
}
const found = async (part: string, actor: object = one) => names.called(actor as Actor, part)
const called = async (part: string, actor: object = one) =>
  (await found(part, actor)).subjects.map(({ kind, id }) => `${kind} ${id}`)

test('equipment that the actor sees is found by its name, and by its number with its name as it is shown', async () => {
  expect(await called('CABINET g')).toEqual(['gateway G1'])
  expect(await called('box g', all)).toEqual(['device C-G1', 'device C-G2'])
  expect(await called('pump 77')).toEqual(['line C-G1/77'])
  expect(await called('c-g1/77 · Pump')).toEqual(['line C-G1/77'])
  expect(await called('c-g2/77 · Pump')).toEqual([])
  // What is written in the log needs no name.
  expect(await called('g1')).toEqual([])
})

test.each(['pump .', 'pump 7*', '(pump', 'pump [7', 'pump\\', 'p|x', '^pump', 'pump {2}', 'Pump/'])(
  'the signs of %s mean themselves',
  async (part) => {
    expect(await called(part)).toEqual([])
  },
)

test.each([
  ...['well (', '(7*)', '7*)', ') [a', '[a|b]', 'a|b', 'b]\\', '\\ {', '{2}', '} ^', '^+', '+?', '?.', '.$', '$/'],
  'WELL (7*) [A|B]\\ {2} ^+?.$/',
])('a line is found by the signs of its name: %s', async (part) => {
  expect(await called(part)).toEqual(['line C-G1/601'])
})

test.each(['P', ' P ', '泵'])('%j is too short to be looked for in names, which is said', async (part) => {
  expect(await found(part)).toEqual({ subjects: [], names: 'short' })
})

test('no search names more than a thousand things, and one that finds more says so', async () => {
  expect(await found('pump')).toMatchObject({ names: 'all', subjects: { length: 600 } })
  expect(await found('pump', all)).toMatchObject({ names: 'cut', subjects: { length: 1_000 } })
  expect(await found('')).toEqual({ subjects: [], names: 'all' })
})
