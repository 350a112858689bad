import type { Client } from '@linewarden/client'
import type { DurationRow, HeatRow, LoadQuarterRow, Reply, Request, TypicalDayRow } from '@linewarden/contract'
import { listLoad } from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import { quarterMs } from '@linewarden/rules/energy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { makeDueProfiles } from '../../../apps/server/src/store/energy/make-profiles.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

/**
 * Midnight in Shanghai of Friday, 24 January 2025, more than 400 days before what the simulated fleet speaks of. The Sunday after it is worked, and the
 * Tuesday, the last of the five days, is a holiday.
 */
const friday = Date.UTC(2025, 0, 23, 16)
const days = 5
const account = { userName: '13800000021', password: 'Quarter-7391' }

let stack: Stack
let sub: Client
let projectA: number
let gatewayA: number
let first: number
let second: number
let lineB: number

/**
 * Wh of each quarter: 1 kW, on all days but the holiday 4 kW from eight to sixteen, on Monday 12 kW from 10:00 to 10:15.
 */
const whOf = (index: number): number => {
  const [day, quarter] = [Math.floor(index / 96), index % 96]
  if (day === 3 && quarter === 40) return 3_000
  return day < 4 && quarter >= 32 && quarter < 64 ? 1_000 : 250
}

/** The register every five minutes, but not between noon and three on Friday. */
const readings = (): readonly { readonly at: number; readonly kwh: number }[] => {
  const all: { at: number; kwh: number }[] = []
  let wh = 0
  for (let index = 0; index <= days * 96; index++) {
    for (let third = 0; third < (index === days * 96 ? 1 : 3); third++) {
      const at = friday + index * quarterMs + third * (quarterMs / 3)
      const isSilent = at > friday + 12 * hourMs && at < friday + 15 * hourMs
      if (!isSilent) all.push({ at, kwh: (wh + (whOf(index) * third) / 3) / 1_000 })
    }
    wh += whOf(index)
  }
  return all
}

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } })
  const { accounts, plant, database } = stack.server
  first = plant.lineAt('A-T1', 1)?.id ?? 0
  second = plant.lineAt('A-T1', 2)?.id ?? 0
  lineB = plant.lineAt('B-T1', 1)?.id ?? 0
  gatewayA = plant.gatewayByNumber.get('GW-A')?.id ?? 0
  projectA = plant.lines.get(first)?.device.gateway.project.id ?? 0
  const client = await database.connect()
  try {
    const own = readings()
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select $1, at, at, 0, 1, kwh from unnest($2::timestamptz[], $3::float8[]) as t (at, kwh)`,
      [first, own.map(({ at }) => new Date(at)), own.map(({ kwh }) => kwh)],
    )
    // A line of 0.4 kW that was there from Saturday to Monday.
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select $1, at, at, 0, 1, 0.4 * extract(epoch from at - $2::timestamptz) / 3600
       from generate_series($2::timestamptz, $2::timestamptz + interval '3 days', '5 min') as at`,
      [second, new Date(friday + dayMs)],
    )
    await client.query(
      'insert into energy_due (line_id, starts, ends) select line_id, $2, $3 from unnest($1::int[]) as t (line_id)',
      [[first, second], new Date(friday), new Date(friday + days * dayMs)],
    )
    await makeDueQuarters(client, Date.now())
    await makeDueProfiles(client, Date.now())
  } finally {
    await client.end()
  }
  const role = { number: 'load', name: '负荷', privileges: ['energy', 'energy.energy'], buttons: [] }
  const roleId = await accounts.createRole(role)
  await accounts.createAccount({ ...account, kind: 'sub', roleId, projectIds: [projectA] })
  sub = await signedIn(stack.url, account)
})
afterAll(() => stack?.close())

type Asked = Request<typeof listLoad>['body']
const period = { From: '2025-01-24', To: '2025-01-29' } as const
const ask = (asked: Partial<Asked>) => sub.call(listLoad, { body: { ...period, Kind: 'max', ...asked } })
const rowsOf = async <T extends Reply<typeof listLoad>['items'][number]>(asked: Partial<Asked>) =>
  (await ask({ LineID: first, ...asked })).items as readonly T[]
const at = (day: number, clock: number) => friday + day * dayMs + clock * hourMs

test('the figures of a line by hand', async () => {
  const { about } = await ask({ LineID: first })
  expect(about).toMatchObject({
    ...{ Zone: 'Asia/Shanghai', Boundary: 'line', Since: friday, WeekdayYears: [] },
    // Of 480 quarters the twelve of the silence make no demand.
    ...{ Quarters: 468, Estimated: 0, LeftOut: { Spread: 12, Entered: 0, Missing: 0 }, Complete: 1 },
    ...{ Max: 12, MaxAt: at(3, 10), MaxHow: 'measured', Min: 1, PeakValleyDifference: 11 },
    ...{ Base: 1, BaseQuarters: 100 },
  })
  // 115 quarters of 4 kW, one of 12 kW and 352 of 1 kW are 206 kWh.
  expect(about.Mean).toBeCloseTo(824 / 468, 3)
  expect(about.LoadFactor).toBeCloseTo(824 / 468 / 12, 6)
  expect(about.FullLoadHours).toBeCloseTo(206 / 12, 6)
})

test('the largest quarters, the largest first, without those that were spread', async () => {
  const rows = await rowsOf<LoadQuarterRow>({ Kind: 'max' })
  expect(rows).toHaveLength(20)
  expect(rows.slice(0, 2)).toEqual([
    { At: at(3, 10), KW: 12, How: 'measured' },
    { At: at(0, 8), KW: 4, How: 'measured' },
  ])
  // Four hours before noon on Friday, then 15:00: what lies between was spread.
  expect([rows[16]?.At, rows[17]?.At]).toEqual([at(0, 11.75), at(0, 15)])
})

test('usual days: the Sunday that is worked is a workday, the holiday is none', async () => {
  const rows = await rowsOf<TypicalDayRow>({ Kind: 'profile' })
  expect(rows.map(({ DayType, Days }) => [DayType, Days])).toEqual([
    ['workday', 3],
    ['saturday', 1],
    ['holiday', 1],
  ])
  expect(rows[0]?.Quarters[40]).toEqual({ Median: 4, P10: 4, P90: 12, Count: 3 })
  expect(rows[0]?.Quarters[48]).toEqual({ Median: 4, P10: 4, P90: 4, Count: 2 })
  expect(rows[2]?.Quarters[40]).toEqual({ Median: 1, P10: 1, P90: 1, Count: 1 })
})

test('the duration curve is what PostgreSQL makes of the same quarters', async () => {
  const rows = await rowsOf<DurationRow>({ Kind: 'duration' })
  expect(rows).toHaveLength(104)
  const client = await stack.server.database.connect()
  try {
    const { rows: made } = await client.query<{ curve: number[] }>(
      `select percentile_disc($2::float8[]) within group (order by each * 4 / 1000.0::float8 desc) as curve
       from energy_quarter cross join lateral unnest(wh) with ordinality as quarter (each, number)
       where line_id = $1 and get_byte(how, number::int - 1) = 0`,
      [first, rows.map(({ Share }) => Share / 100)],
    )
    expect(rows.map(({ KW }) => KW)).toEqual(made[0]?.curve)
  } finally {
    await client.end()
  }
  const kwAt = (share: number) => rows.find(({ Share }) => Share === share)?.KW
  expect([kwAt(0), kwAt(1), kwAt(24), kwAt(25), kwAt(100)]).toEqual([12, 4, 4, 1, 1])
})

test('hour by day: what was spread counts and bears its mark', async () => {
  const rows = await rowsOf<HeatRow>({ Kind: 'heat' })
  expect(rows.map(({ Day, DayType }) => [Day, DayType])).toEqual([
    ['2025-01-24', 'workday'],
    ['2025-01-25', 'saturday'],
    ['2025-01-26', 'workday'],
    ['2025-01-27', 'workday'],
    ['2025-01-28', 'holiday'],
  ])
  expect([rows[0]?.KW[12], rows[0]?.How[12], rows[0]?.How[11]]).toEqual([4, 'spread', 'measured'])
  expect([rows[3]?.KW[10], rows[4]?.KW[10]]).toEqual([6, 1])
})

test('the quarters themselves; what nobody knows is not nought', async () => {
  const rows = await rowsOf<LoadQuarterRow>({ Kind: 'quarters', From: '2025-01-28', To: '2025-01-30' })
  expect(rows).toHaveLength(192)
  expect(rows[95]).toEqual({ At: at(4, 23.75), KW: 1, How: 'measured' })
  expect(rows[96]).toEqual({ At: at(5, 0), KW: null, How: 'missing' })
  const [open] = await rowsOf<LoadQuarterRow>({ Kind: 'quarters', From: '2090-01-01', To: '2090-01-02' })
  expect(open).toMatchObject({ KW: null, How: 'open' })
})

test('of a project a quarter without one of its lines is left out, and its sum says that lines may count twice', async () => {
  const { about } = await ask({ HouseID: projectA })
  expect(about).toMatchObject({ Boundary: 'sum', Max: 12.4, MaxAt: at(3, 10), Since: friday, BaseQuarters: 80 })
  expect(about).toMatchObject({ LeftOut: { Spread: 12, Entered: 0, Missing: 96 }, Complete: 0.8 })
  const heat = (await ask({ DeviceID: gatewayA, Kind: 'heat' })).items as readonly HeatRow[]
  expect([heat[3]?.KW[10], heat[4]?.KW[10], heat[4]?.How[10]]).toEqual([6.4, null, 'missing'])
})

test('a period of which nothing is known has no figures', async () => {
  const { items, about } = await ask({ LineID: first, Kind: 'duration', From: '2024-02-01', To: '2024-03-01' })
  expect(items).toEqual([])
  expect(about).toMatchObject({ Max: null, Mean: null, LoadFactor: null, Base: null, Complete: 0, WeekdayYears: [2024] })
})

describe('what cannot be asked for', () => {
  const refused = (asked: Partial<Asked>, message: string, path?: string) =>
    expect(ask(asked)).rejects.toMatchObject({
      problem: { kind: 'refusal', failure: { Message: message, ...(path && { Problems: [{ Path: path }] }) } },
    })
  test('nothing, or two things at once', async () => {
    await refused({}, 'invalid parameter', 'body.HouseID')
    await refused({ HouseID: projectA, LineID: first }, 'invalid parameter', 'body.HouseID')
  })
  test('a period that ends before it begins, is too long, or is no date', async () => {
    const to = (asked: Partial<Asked>) => refused({ LineID: first, ...asked }, 'invalid parameter', 'body.To')
    await to({ To: period.From })
    await to({ To: '2025-02-30' })
    await to({ To: '2026-01-26' })
    await to({ Kind: 'quarters', To: '2025-02-25' })
    expect((await ask({ LineID: first, Kind: 'max', To: '2026-01-25' })).about.Max).toBe(12)
  })
  test('what lies outside the own tree', async () => {
    const other = stack.server.plant.lines.get(lineB)?.device.gateway
    await refused({ LineID: lineB }, 'device not exists')
    await refused({ DeviceID: other?.id ?? 0 }, 'device not exists')
    await refused({ HouseID: other?.project.id ?? 0 }, 'project not exists')
  })
})
