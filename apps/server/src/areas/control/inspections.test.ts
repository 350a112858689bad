import { familyOf } from '@linewarden/equipment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Committed } from '../../plant/hub.ts'
import { Hub } from '../../plant/hub.ts'
import { storedInterlocks } from '../../store/control/applied-interlocks.ts'
import type { DeviceBirth } from '../../store/ingest/device-birth.ts'
import { registerDevices } from '../../store/ingest/register.ts'
import { createInspections } from './inspections.ts'
import { testLines } from './test-lines.ts'

let house: Awaited<ReturnType<typeof testLines>>
let inspections: ReturnType<typeof createInspections>
let now = Date.UTC(2026, 0, 15, 8, 30)
const published: Committed[] = []

beforeAll(async () => {
  house = await testLines()
  const hub = new Hub((error) => {
    throw error
  })
  hub.subscribe((committed) => published.push(committed))
  inspections = createInspections({ database: house.database, hub, clock: () => now })
})
afterAll(() => house?.drop())

test('an inspection of one device locks its lines for a minute, in memory and in the database, and no others', async () => {
  const { device } = house.line(1)
  expect(await inspections.begin(house.actor, device.gateway, device.controllerId)).toMatchObject({ Until: now + 60_000 })
  const locked = [...house.plant.lines.values()].filter(({ inspectionUntil }) => inspectionUntil === now + 60_000)
  expect(locked).toEqual([...device.lines.values()])
  expect(published.map(({ lines }) => lines)).toEqual([locked])
  const stored = await house.database.general.selectFrom('line').select(['line_id', 'inspection_until']).execute()
  for (const { line_id, inspection_until } of stored)
    expect(inspection_until?.getTime() ?? null).toBe(locked.some(({ id }) => id === line_id) ? now + 60_000 : null)
})

test('a lock that lasts longer, by the clock of another server, is not shortened', async () => {
  const line = house.line(1, 2)
  const longer = now + 90_000
  line.inspectionUntil = longer
  await inspections.begin(house.actor, line.device.gateway, null)
  expect([line.inspectionUntil, house.line(2, 2).inspectionUntil]).toEqual([longer, now + 60_000])
})

test('the list names the hundred newest', async () => {
  const { gateway } = house.line(1).device
  for (let i = 0; i < 100; i += 1) {
    now += 1
    await inspections.begin(house.actor, gateway, null)
  }
  const { items, total } = await inspections.list(gateway)
  expect([total, items.length]).toEqual([100, 100])
  expect(items.map(({ StartedAt }) => StartedAt)).toEqual(Array.from({ length: 100 }, (_, i) => now - i))
})

const birthOf = (wireId: string) => ({
  wireId,
  name: wireId,
  family: familyOf('breaker3p'),
  model: '3P',
  firmware: null,
  reportingPeriodMs: null,
  lines: [{ lineNo: 1, name: null, ratedCurrentA: 63 }],
  points: [],
})
const lockOf = async (lineId: number) => (await storedInterlocks(house.database.control, lineId)).inspectionUntil

test('a line that only another server knows is locked as well, and so is one that is born while somebody stands there', async () => {
  const { gateway } = house.line(1, 2).device
  const client = await house.database.connect()
  const [elsewhere] = await registerDevices(client, [{ gateway, birth: birthOf('E-1') as unknown as DeviceBirth }])
  now += 1
  const { Until } = await inspections.begin(house.actor, gateway, null)
  expect(await lockOf(elsewhere?.lines[0]?.lineId ?? 0)).toBe(Until)
  const [born] = await registerDevices(client, [{ gateway, birth: birthOf('E-2') as unknown as DeviceBirth }])
  expect(await lockOf(born?.lines[0]?.lineId ?? 0)).toBe(Until)
  await client.end()
})

test('a line whose birth is under way when an inspection begins is locked, not passed over', async () => {
  const { gateway } = house.line(1, 2).device
  const end = await house.lock(
    `select from gateway where gateway_id = ${gateway.id} for key share;
     insert into line (device_id, line_no, name) select device_id, 9, 'l' from device where controller_id = 'dgp2'`,
  )
  now += 1
  const begun = inspections.begin(house.actor, gateway, null)
  await house.waiting(1)
  await end('commit')
  const { Until } = await begun
  const { line_id } = await house.database.general
    .selectFrom('line')
    .select('line_id')
    .where('line_no', '=', 9)
    .executeTakeFirstOrThrow()
  expect(await lockOf(line_id)).toBe(Until)
})
