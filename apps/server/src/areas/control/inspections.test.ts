import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Committed } from '../../plant/hub.ts'
import { Hub } from '../../plant/hub.ts'
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
