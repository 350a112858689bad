import { sql } from 'kysely'
import type { Logger } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { Runner } from '../../jobs/runner.ts'
import { Hub } from '../../plant/hub.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import type { Control } from './service.ts'
import { createControl } from './service.ts'

// A recorded cause belongs to the trip that locked the line out when it was recorded, and never to a newer one.
let db: TestDatabase
let control: Control
let line: PlantLine
const actor = { userName: 'a', address: '' } as Actor

beforeAll(async () => {
  db = await testDatabase()
  await sql`with p as (insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city returning project_id),
    g as (insert into gateway (project_id, number, name, secret_hash) select project_id, 'G', 'g', 'x' from p returning gateway_id),
    d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D', 'd', 'breaker3p', '3P' from g returning device_id)
    insert into line (device_id, line_no, name, trip_latched) select device_id, 1, 'l', 'leakage' from d`.execute(
    db.database.general,
  )
  const plant = await loadPlant(db.database)
  const found = plant.lineAt('D', 1)
  if (!found) throw new Error('no line')
  line = found
  control = await createControl({
    database: db.database,
    plant,
    runner: new Runner({ database: db.database, log: { error: console.error } as never }),
    hub: new Hub((error) => console.error(error)),
    ingest: { send: () => 'no_session', reach: () => 'not_connected', hasValidPosition: () => true, testRecorded() {} },
    confirmAboveLines: 5,
    unconfirmed: () => new Set(),
    grants: { take: async () => true },
    actorNow: async () => null,
    clock: Date.now,
    log: { error: console.error, warn() {} } as unknown as Logger,
  })
})
afterAll(async () => {
  await control?.close()
  await db?.drop()
})
beforeEach(async () => {
  line.lockoutCause = 'leakage'
  line.tripSequence = await lockOut('leakage')
})

/** As a commit stores a trip; the plant knows of it a little later. Answers how many there have been. */
async function lockOut(cause: string): Promise<number> {
  const { rows } = await sql<{ trip_latches: number }>`with latched as (
      update line set trip_latched = ${cause}, trip_latches = trip_latches + 1 returning line_id, trip_latches
    )
    insert into trip (line_id, trip_no, cause, at) select line_id, trip_latches, ${cause}, now() from latched
    returning trip_no as trip_latches`.execute(db.database.general)
  return rows[0]?.trip_latches ?? 0
}
const inDatabase = async () => {
  const { rows } = await sql<{
    trip_latched: string | null
    explained: string | null
  }>`select trip_latched, (select explained from trip order by trip_no desc limit 1) from line`.execute(db.database.general)
  return rows[0]
}
const audited = async () => (await sql`select 1 from audit where action = 'trip.cause'`.execute(db.database.general)).rows.length

test.each(['short', 'leakage'])(
  'a trip stored while its predecessor was explained keeps the line locked out, and nothing is recorded: %s',
  async (cause) => {
    await lockOut(cause)
    await expect(control.recordTripCause(actor, line, 'wet cable')).rejects.toMatchObject({ key: 'tripped meanwhile' })
    expect(await inDatabase()).toEqual({ trip_latched: cause, explained: null })
    expect(line.lockoutCause).toBe('leakage')
    expect(await audited()).toBe(0)
  },
)

test('a trip that comes while the explanation is stored keeps the line locked out, also for the same cause', async () => {
  const recording = control.recordTripCause(actor, line, 'wet cable')
  line.tripSequence += 1
  await expect(recording).rejects.toMatchObject({ key: 'tripped meanwhile' })
  expect(line.lockoutCause).toBe('leakage')
})

test('otherwise it is recorded, and the line is free of it', async () => {
  await control.recordTripCause(actor, line, 'wet cable')
  expect(await inDatabase()).toEqual({ trip_latched: null, explained: 'wet cable' })
  expect(line.lockoutCause).toBeNull()
})

test('what was recorded of a trip stays: without a trip to explain nothing is recorded', async () => {
  await control.recordTripCause(actor, line, 'wet cable')
  await expect(control.recordTripCause(actor, line, 'something else')).rejects.toMatchObject({ key: 'no trip to explain' })
  expect(await inDatabase()).toEqual({ trip_latched: null, explained: 'wet cable' })
})
