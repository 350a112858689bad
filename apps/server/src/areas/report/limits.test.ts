import { dayMs } from '@linewarden/equipment'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { Downloads } from '../../http/downloads.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import { withinTime } from '../../store/report/within-time.ts'
import { inTime } from './deps.ts'
import { createDeviceDataExport } from './export.ts'

// How much may be asked for, and how long it may take.
let house: TestDatabase
beforeEach(async () => {
  house = await testDatabase()
})
afterEach(() => house?.drop())

const now = Date.UTC(2026, 0, 15)
const actor = {
  accountId: 'a',
  userName: 'a',
  address: '',
  tenant: null,
  seesGateway: () => true,
  scope: { all: true },
} as never as Actor

test('a file of more rows than it may have is refused, also of readings, and none is in the log', async () => {
  const client = await house.database.connect()
  await client
    .query(
      `with p as (insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city returning project_id),
         g as (insert into gateway (project_id, number, name, secret_hash) select project_id, 'G', 'g', '' from p returning gateway_id),
         d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D', 'd', 'breaker3p', '3PN' from g
           returning device_id),
         l as (insert into line (device_id, line_no, name) select device_id, n, 'l' || n from d, generate_series(1, 2) n returning line_id)
       insert into reading (line_id, at, received_at, quality) select line_id, at, at, 0
       from l, generate_series(timestamptz '2026-01-14', timestamptz '2026-01-14 00:05', '1 min') at`,
    )
    .finally(() => client.end())
  const plant = await loadPlant(house.database)
  const deps = { database: house.database, plant, downloads: new Downloads(() => now), clock: () => now, config: {} as never }
  const prepare = (most: number, Step: 'raw' | 'hour') =>
    createDeviceDataExport(deps, most).exportDeviceData(actor, {
      ...{ LineIDs: [...plant.lines.keys()], Points: ['current.a'], Step, From: now - dayMs, To: now },
      ...{ Format: 'csv', Language: 'CN' },
    })
  await expect(prepare(47, 'hour')).rejects.toMatchObject({ key: 'report too large', detail: { most: 47, rows: 48 } })
  await expect(prepare(11, 'raw')).rejects.toMatchObject({ key: 'report too large', detail: { most: 11, rows: '11+' } })
  const written = () => house.database.general.selectFrom('audit').select('action').execute()
  expect(await written()).toEqual([])
  await prepare(12, 'raw')
  expect(await written()).toEqual([{ action: 'deviceData.export' }])
})

test('what takes the database too long is broken off, and refused with what to do', async () => {
  const read = withinTime((ask) => ask(house.database), 20)
  await expect(inTime(() => read(({ general }) => sql`select pg_sleep(30)`.execute(general)))).rejects.toMatchObject({
    key: 'report too slow',
  })
  expect(await read(async ({ general }) => (await sql`select 1`.execute(general)).rows)).toHaveLength(1)
})
