import type { Client } from '@linewarden/client'
import { getEnergy, getOrigin, insertFix, insertVirtualMeter } from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { makeDueProfiles } from '../../../apps/server/src/store/energy/make-profiles.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { addSupply, perKwh } from '../../kit/statement-house.ts'

// From a figure down to the two readings that it is made of.
let stack: Stack
let manager: Client
let guest: Client
let houseId = 0
/** Midnight in Shanghai, of 15 January 2025. */
const midnight = Date.UTC(2025, 0, 14, 16)
const lineOf = (lineNo: number, device = 'A-T1') => stack.server.plant.lineAt(device, lineNo)?.id ?? 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } })
  const { accounts, plant, database } = stack.server
  houseId = plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  const client = await database.connect()
  try {
    // Two days of 1 and 2 kWh an hour, read each five minutes; the first line is silent for three hours from noon of the first on.
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select line_id, at, at, 0, 1, 500 + pace * extract(epoch from at - $1::timestamptz) / 3600
       from unnest($2::int[], '{1, 2}'::int[]) as t (line_id, pace), generate_series($1::timestamptz, $1::timestamptz + interval '48 hours', '5 min') as at
       where pace = 2 or at <= $1::timestamptz + interval '12 hours' or at >= $1::timestamptz + interval '15 hours'`,
      [new Date(midnight), [lineOf(1), lineOf(2)]],
    )
    await client.query(
      `insert into energy_due (line_id, starts, ends) select id, $2::timestamptz, $2::timestamptz + interval '48 hours' from unnest($1::int[]) as t (id)`,
      [[lineOf(1), lineOf(2)], new Date(midnight)],
    )
  } finally {
    await client.end()
  }
  await made()
  const person = async (userName: string, kind: 'sub' | 'shared'): Promise<Client> => {
    const privileges = ['energy', 'energy.energy', 'system', 'system.project']
    const roleId = await accounts.createRole({ number: userName, name: userName, privileges, buttons: [] })
    const password = 'Origin-7391'
    await accounts.createAccount({ userName, password, kind, roleId, projectIds: [houseId] })
    return signedIn(stack.url, { userName, password })
  }
  manager = await person('13800000061', 'sub')
  guest = await person('13800000062', 'shared')
})
afterAll(() => stack?.close())

async function made(): Promise<void> {
  const client = await stack.server.database.connect()
  try {
    await makeDueQuarters(client, Date.now())
    await makeDueProfiles(client, Date.now())
  } finally {
    await client.end()
  }
}

const originOf = (scope: object, From: number, To: number, client = manager) =>
  client.call(getOrigin, { query: { ...scope, From, To } })
const day = { From: midnight, To: midnight + dayMs }

test('a day of a line: its hours with two registers each, which are not known within a silence', async () => {
  const origin = await originOf({ LineID: lineOf(1) }, day.From, day.To)
  expect(origin).toMatchObject({ Name: 'A线1', Boundary: 'line', Wh: 24_000, Spread: 3_000, Parts: [], Versions: [] })
  const { Line } = origin
  expect(Line).toMatchObject({ ReadingsSince: midnight, RegisterWh: 24_000, Meters: [], Fixes: [] })
  expect(Line?.Quarters).toEqual({ Measured: 84, Spread: 12, Estimated: 0, Entered: 0, Missing: 0, Open: 0 })
  expect(Line?.Steps.map(({ Wh }) => Wh)).toEqual(Array(24).fill(1_000))
  expect(Line?.Edges.map(({ Kwh }) => Kwh).slice(10, 17)).toEqual([510, 511, 512, null, null, 515, 516])
  expect(Line?.Edges[13]).toMatchObject({
    Before: { At: midnight + 12 * hourMs, Kwh: 512 },
    After: { At: midnight + 15 * hourMs, Kwh: 515 },
  })
  expect(Line?.Steps[8]).toMatchObject({ Civil: '2025-01-15 08:00', RegisterWh: 1_000 })
})

test('an hour of it: its quarters, each between two readings', async () => {
  const from = midnight + 8 * hourMs
  const { Wh, Line } = await originOf({ LineID: lineOf(1) }, from, from + hourMs)
  expect(Wh).toBe(1_000)
  expect(Line?.Steps.map(({ Civil, Wh: own, RegisterWh }) => [Civil, own, RegisterWh])).toEqual([
    ['2025-01-15 08:00', 250, 250],
    ['2025-01-15 08:15', 250, 250],
    ['2025-01-15 08:30', 250, 250],
    ['2025-01-15 08:45', 250, 250],
  ])
  expect(Line?.Edges[1]?.Before).toEqual({ At: from + hourMs / 4, Kwh: 508.25 })
})

test('a project is the lines that nothing in it feeds, and says how many are not added', async () => {
  const before = await originOf({ HouseID: houseId }, day.From, day.To)
  expect(before.Parts.map(({ LineID, Wh, Factor, UnknownS }) => [LineID, Wh, Factor, UnknownS])).toEqual([
    [lineOf(2), 48_000, 1, 0],
    [lineOf(1), 24_000, 1, 0],
  ])
  expect([before.Wh, before.Fed, before.Line]).toEqual([72_000, 0, null])
  const hour = await originOf({ HouseID: houseId }, day.From, day.From + hourMs)
  expect(hour.Parts.map(({ Wh }) => Wh)).toEqual([2_000, 1_000])
  const client = await stack.server.database.connect()
  try {
    await client.query("insert into feed_span (line_id, fed_by, starts) values ($1, $2, '-infinity')", [lineOf(1), lineOf(2)])
    const fed = await originOf({ HouseID: houseId }, day.From, day.To)
    expect([fed.Parts.map(({ LineID }) => LineID), fed.Fed]).toEqual([[lineOf(2)], 1])
    await client.query('delete from feed_span where line_id = $1', [lineOf(1)])
  } finally {
    await client.end()
  }
})

test('a supply says which line is taken off, and by which version its dates are priced', async () => {
  const { SupplyID } = await addSupply(manager, houseId, [lineOf(2), lineOf(1)], { From: '2025-01-01' }, perKwh)
  const { Boundary, Wh, Parts, Versions } = await originOf({ SupplyID }, day.From, day.To + dayMs)
  expect([Boundary, Wh]).toEqual(['supply', 48_000])
  expect(Parts.map(({ LineID, Wh: own, Factor }) => [LineID, own, Factor])).toEqual([
    [lineOf(2), 96_000, 1],
    [lineOf(1), 48_000, -1],
  ])
  expect(Versions).toMatchObject([{ Number: 1, From: '2025-01-15', To: '2025-01-17', Source: perKwh.Source }])
  expect(Versions[0]?.Sha256).toMatch(/^[0-9a-f]{64}$/)
})

test('a virtual meter says how many times each counts', async () => {
  const meter = { HouseID: houseId, Name: '照明', FloorsAtZero: false, From: '2025-01-01', To: null }
  const terms = (list: readonly (readonly [number, number])[]) =>
    list.map(([LineID, Factor]) => ({ LineID, MeterID: null, Factor }))
  const one = await manager.call(insertVirtualMeter, {
    body: {
      ...meter,
      Terms: terms([
        [lineOf(2), 1],
        [lineOf(1), -0.5],
      ]),
    },
  })
  const { Name, Wh, Parts } = await originOf({ MeterID: one.MeterID }, day.From, day.To)
  expect([Name, Wh]).toEqual(['照明', 36_000])
  expect(Parts.map(({ LineID, Wh: own, Factor }) => [LineID, own, Factor])).toEqual([
    [lineOf(2), 48_000, 1],
    [lineOf(1), 24_000, -0.5],
  ])
  const twice = { LineID: null, MeterID: one.MeterID, Factor: 2 }
  const two = await manager.call(insertVirtualMeter, { body: { ...meter, Name: '两倍', Terms: [twice] } })
  const outer = await originOf({ MeterID: two.MeterID }, day.From, day.To)
  expect(outer.Parts).toMatchObject([{ LineID: null, MeterID: one.MeterID, Name: '照明', Wh: 36_000, Factor: 2 }])
})

test('what somebody entered stands there with its reason, and a guest does not learn whose it is', async () => {
  const noon = midnight + dayMs + 12 * hourMs
  await manager.call(insertFix, {
    body: {
      ...{ HouseID: houseId, LineID: lineOf(1), From: noon, To: noon + hourMs, Method: 'kwh', Kwh: 3 },
      ...{ StartKwh: null, EndKwh: null, Reason: '检修期间由备用表计量' },
    },
  })
  await made()
  const at = [{ LineID: lineOf(1) }, midnight + dayMs, midnight + 2 * dayMs] as const
  const { Wh, Entered, Line } = await originOf(...at)
  expect([Wh, Entered, Line?.RegisterWh, Line?.Quarters.Entered]).toEqual([26_000, 3_000, 24_000, 4])
  expect(Line?.Fixes).toMatchObject([{ Wh: 3_000, Reason: '检修期间由备用表计量', TypedBy: '13800000061' }])
  expect((await originOf(...at, guest)).Line?.Fixes).toMatchObject([{ TypedBy: null }])
  expect((await originOf({ LineID: lineOf(1) }, day.From, day.To)).Line?.Fixes).toEqual([])
})

test('the figure is the one that the page has, of whatever stretch', async () => {
  for (const scope of [{ LineID: lineOf(1) }, { HouseID: houseId }]) {
    const { Bars, Total } = await manager.call(getEnergy, {
      query: { ...scope, Unit: 'month', From: '2025-01-01', To: '2026-01-01' },
    })
    const year = await originOf(scope, Bars[0]?.Start ?? 0, Bars.at(-1)?.End ?? 0)
    expect([year.Wh, year.UnknownS, year.LackingS]).toEqual([Total.Wh, Total.UnknownS, Total.LackingS])
    const january = await originOf(scope, Bars[0]?.Start ?? 0, Bars[0]?.End ?? 0)
    expect(january.Wh).toBe(Bars[0]?.Wh)
  }
})

test.each([
  ['neither dates nor an hour', midnight + hourMs, midnight + 3 * hourMs],
  ['no whole hour', midnight, midnight + hourMs / 2],
  ['an end before the beginning', midnight + dayMs, midnight],
  ['more than ten years', midnight, midnight + 3_700 * dayMs],
])('%s is refused', async (_name, from, to) => {
  expect(await outcomeOf(originOf({ LineID: lineOf(1) }, from, to))).toBe('invalid parameter')
})

test('what is not seen is not there, and one thing is asked for at a time', async () => {
  expect(await outcomeOf(originOf({ LineID: lineOf(1, 'B-T1') }, 1, 2))).toBe('device not exists')
  expect(await outcomeOf(originOf({ SupplyID: 999 }, 1, 2))).toBe('supply not exists')
  expect(await outcomeOf(originOf({ LineID: lineOf(1), HouseID: houseId }, day.From, day.To))).toBe('invalid parameter')
})
