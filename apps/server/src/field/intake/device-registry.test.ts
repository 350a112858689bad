import { familyOf } from '@linewarden/equipment'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testLines } from '../../areas/control/test-lines.ts'
import type { DeviceBirth } from '../../store/ingest/device-birth.ts'
import { DeviceRegistry } from './device-registry.ts'

let house: Awaited<ReturnType<typeof testLines>>
let registry: DeviceRegistry
beforeEach(async () => {
  house = await testLines()
  registry = new DeviceRegistry(house.database, house.plant)
})
afterEach(async () => {
  await registry.close()
  await house.drop()
})

const birth = (wireId: string): DeviceBirth => {
  const family = familyOf('breaker3p')
  if (!family) throw new Error('no such family')
  const lines = [1, 2].map((lineNo) => ({ lineNo, name: null, ratedCurrentA: 63 }))
  return { wireId, name: null, family, model: '3P', firmware: null, reportingPeriodMs: null, lines }
}
const gateway = (project: 1 | 2) => house.line(1, project).device.gateway
/** The first goes alone, for nothing waits yet; the others wait for it. */
const born = (...wireIds: readonly string[]) =>
  Promise.allSettled(wireIds.map((wireId, i) => registry.register(gateway(i % 2 === 0 ? 1 : 2), birth(wireId))))
const outcomes = async (...wireIds: readonly string[]) =>
  (await born(...wireIds)).map((each) => (each.status === 'fulfilled' ? (each.value?.wireId ?? null) : 'failed'))

test('births that wait go in one transaction, each with its lines in their order', async () => {
  expect(await outcomes('W-0', 'W-1', 'W-2')).toEqual(['W-0', 'W-1', 'W-2'])
  const { rows } = await sql<{ wire: string; written: string }>`
    select controller_id as wire, xmin::text as written from device where controller_id like 'W-%' order by device_id`.execute(
    house.database.general,
  )
  expect(rows.map(({ wire }) => wire)).toEqual(['W-0', 'W-1', 'W-2'])
  const [alone, first, second] = rows.map(({ written }) => written)
  expect(first).toBe(second)
  expect(alone).not.toBe(first)
  const device = gateway(2).devices.get('W-1')
  expect([...(device?.lines.values() ?? [])].map(({ lineNo, name }) => `${lineNo} ${name}`)).toEqual(['1 W-1 #1', '2 W-1 #2'])
})

test('one that the database refuses, and one of a gateway that is gone, keep back none that wait with them', async () => {
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin if new.name = 'W-bad #2' then raise 'no'; end if; return new; end $$`.execute(house.database.general)
  await sql`create trigger refuse before insert on line for each row execute function refuse()`.execute(house.database.general)
  expect(await outcomes('W-0', 'W-1', 'W-bad', 'W-2')).toEqual(['W-0', 'W-1', 'failed', 'W-2'])
  expect([...gateway(1).devices.keys()]).not.toContain('W-bad')
  await sql`drop trigger refuse on line`.execute(house.database.general)
  await sql`update gateway set removed_at = now() where gateway_id = ${gateway(2).id}`.execute(house.database.general)
  expect(await outcomes('W-bad', 'W-3', 'W-4', 'W-5')).toEqual(['W-bad', null, 'W-4', null])
})

test('a connection that was lost between two births costs neither of them', async () => {
  expect(await outcomes('W-0')).toEqual(['W-0'])
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query = 'commit'`.execute(house.database.general)
  expect(await outcomes('W-1', 'W-2')).toEqual(['W-1', 'W-2'])
})
