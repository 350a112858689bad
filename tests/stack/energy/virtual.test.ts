import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import {
  addSubAccount,
  getEnergy,
  insertVirtualMeter,
  listLoad,
  listVirtualMeters,
  updateVirtualMeter,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { subOf } from '../../kit/two-owners.ts'

// Virtual meters: lines and each other, each so many times, by the quarter of an hour.
let stack: Stack
let manager: Client
let reader: Client
let part: Client
let houseId = 0
const password = 'Virtual-7391'
/** Midnight in Shanghai, of 15 January 2025. */
const midnight = Date.UTC(2025, 0, 14, 16)
const lineOf = (lineNo: number, device = 'A-T1') => stack.server.plant.lineAt(device, lineNo)?.id ?? 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } })
  const { accounts, plant, database } = stack.server
  const gateway = plant.lineAt('A-T1', 1)?.device.gateway
  houseId = gateway?.project.id ?? 0
  const client = await database.connect()
  try {
    // 12, 4 and 20 kWh an hour; the third is known of the first twelve hours only.
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select line_id, at, at, 0, 1, pace * extract(epoch from at - $1::timestamptz) / 3600
       from unnest($2::int[], '{12,4,20}'::float8[]) as t (line_id, pace), generate_series($1::timestamptz, $1::timestamptz + interval '24 hours', '5 min') as at
       where line_id <> ($2::int[])[3] or at <= $1::timestamptz + interval '12 hours'`,
      [new Date(midnight), [1, 2, 3].map((no) => lineOf(no))],
    )
    await client.query(
      `insert into energy_due (line_id, starts, ends) select id, $2::timestamptz, $2::timestamptz + interval '24 hours' from unnest($1::int[]) as t (id)`,
      [[1, 2, 3].map((no) => lineOf(no)), new Date(midnight)],
    )
    await makeDueQuarters(client, Date.now())
  } finally {
    await client.end()
  }
  const role = (number: string, privileges: string[]) => accounts.createRole({ number, name: number, privileges, buttons: [] })
  const manages = await role('manages', ['energy', 'energy.energy', 'system', 'system.project'])
  const reads = await role('reads', ['energy', 'energy.energy'])
  const person = async (userName: string, roleId: number): Promise<Client> => {
    await accounts.createAccount({ userName, password, kind: 'sub', roleId, projectIds: [houseId] })
    return signedIn(stack.url, { userName, password })
  }
  manager = await person('13800000061', manages)
  reader = await person('13800000062', reads)
  const subOfGateway = { ...subOf('13800000063'), RoleID: reads, Assigned: { HouseIDs: [], DeviceIDs: [gateway?.id ?? 0] } }
  await stack.client.call(addSubAccount, { body: subOfGateway })
  part = await signedIn(stack.url, { userName: '13800000063', password: 'Pass-13800000063-7' })
})
afterAll(() => stack?.close())

type Fields = Request<typeof insertVirtualMeter>['body']
const line = (lineNo: number, Factor: number) => ({ LineID: lineOf(lineNo), MeterID: null, Factor })
const meter = (MeterID: number, Factor: number) => ({ LineID: null, MeterID, Factor })
const virtual = (Name: string, Terms: Fields['Terms'], more: Partial<Fields> = {}): Fields => ({
  ...{ HouseID: houseId, Name, Terms, FloorsAtZero: false, From: '2025-01-01', To: null, ...more },
})
const add = async (...fields: Parameters<typeof virtual>) =>
  (await manager.call(insertVirtualMeter, { body: virtual(...fields) })).MeterID
const day = async (MeterID: number, Unit: 'day' | 'hour' = 'day', client = reader) =>
  client.call(getEnergy, { query: { MeterID, Unit, From: '2025-01-15', To: '2025-01-16' } })
const problemsOf = (promise: Promise<unknown>) =>
  promise.then(
    () => [],
    (error) =>
      (error.problem?.failure?.Problems ?? []).map(({ Path, Text }: { Path: string; Text: { en: string } }) => [Path, Text.en]),
  )

test('a virtual meter is its lines quarter by quarter, one less the other, and others on top of it', async () => {
  const rest = await add('动力', [line(1, 1), line(2, -1)])
  const twice = await add('两倍', [meter(rest, 2), line(2, 0.5)])
  expect(await day(rest)).toMatchObject({ Boundary: 'virtual', Since: midnight, Total: { Wh: 192_000, LackingS: 0 } })
  expect((await day(twice)).Total.Wh).toBe(432_000)
  expect((await day(rest, 'hour')).Bars.map(({ Wh }) => Wh)).toEqual(Array(24).fill(8_000))
  const about = (await reader.call(listLoad, { body: { MeterID: rest, From: '2025-01-15', To: '2025-01-16', Kind: 'max' } }))
    .about
  expect(about).toMatchObject({ Boundary: 'virtual', Max: 8, Quarters: 96 })
})

test('what is not known of one term is not known of it, unless it counts nothing; below nought it is, or is not', async () => {
  const [sum, nothing, below, floored] = [
    await add('合计', [line(1, 1), line(3, 1)]),
    await add('不计', [line(1, 1), line(3, 0)]),
    await add('差', [line(2, 1), line(1, -1)]),
    await add('取正', [line(2, 1), line(1, -1)], { FloorsAtZero: true }),
  ]
  expect((await day(sum)).Total).toMatchObject({ Wh: 12 * 32_000, LackingS: 12 * 3_600 })
  expect((await day(nothing)).Total).toMatchObject({ Wh: 24 * 12_000, LackingS: 0 })
  expect((await day(below)).Total.Wh).toBe(-192_000)
  expect((await day(floored)).Total.Wh).toBe(0)
})

test('beyond its dates nothing is known of it', async () => {
  const ended = await add('旧', [line(1, 1)], { To: '2025-01-14' })
  expect((await day(ended)).Total).toMatchObject({ Wh: null, LackingS: 86_400 })
})

test('none is made of itself, by whatever way, nor of what is not here', async () => {
  const [one] = [await add('甲', [line(1, 1)])]
  const two = await add('乙', [meter(one, 1)])
  const body = { ...virtual('甲', [meter(two, 1)]), MeterID: one, Version: 1 }
  expect(await problemsOf(manager.call(updateVirtualMeter, { body }))).toEqual([
    ['body.Terms', 'A virtual meter cannot be made of itself: 甲 ← 乙 ← 甲'],
  ])
  let top = two
  for (let depth = 3; depth <= 8; depth++) top = await add(`层${depth}`, [meter(top, 1)])
  expect(await problemsOf(manager.call(insertVirtualMeter, { body: virtual('层9', [meter(top, 1)]) }))).toEqual([
    ['body.Terms', 'At most 8 virtual meters are made of one another'],
  ])
  const wrong = (...fields: Parameters<typeof virtual>) =>
    problemsOf(manager.call(insertVirtualMeter, { body: virtual(...fields) }))
  expect(await wrong('外', [{ LineID: lineOf(1, 'B-T1'), MeterID: null, Factor: 1 }])).toEqual([
    ['body.Terms', 'One of them is not in this project: choose again'],
  ])
  expect(await wrong('甲', [])).toEqual([
    ['body.Terms', 'Add at least one line or virtual meter'],
    ['body.Name', 'A virtual meter of this project has this name already'],
  ])
  expect(await wrong('双', [line(1, 1), line(1, -1)])).toEqual([['body.Terms', 'One of them is there twice: keep it once']])
})

test('it is read by whoever sees all of its project, written by whoever may edit it, over what they saw', async () => {
  const own = await add('权', [line(1, 1)])
  expect(await outcomeOf(day(own, 'day', part))).toBe('virtual meter not exists')
  expect(await outcomeOf(part.call(listVirtualMeters, { query: { HouseID: houseId } }))).toBe('project not exists')
  const body = { ...virtual('权二', [line(2, 1)]), MeterID: own, Version: 1 }
  expect(await outcomeOf(reader.call(updateVirtualMeter, { body }))).toBe('access denied')
  expect(await manager.call(updateVirtualMeter, { body })).toMatchObject({ Name: '权二', Version: 2, Terms: [{ Name: 'A线2' }] })
  expect(await outcomeOf(manager.call(updateVirtualMeter, { body }))).toBe('changed meanwhile')
  expect(
    await outcomeOf(
      reader.call(getEnergy, { query: { MeterID: own, LineID: lineOf(1), Unit: 'day', From: '2025-01-15', To: '2025-01-16' } }),
    ),
  ).toBe('invalid parameter')
})
