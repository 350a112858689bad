import type { Client } from '@linewarden/client'
import type { Request, TariffContent } from '@linewarden/contract'
import {
  exportCost,
  getEnergy,
  getSupplyBill,
  insertSupply,
  insertTariff,
  publishTariff,
  saveTariffDraft,
} from '@linewarden/contract'
import { amountOf, evenStrip, painted } from '@linewarden/rules/energy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf } from '../../kit/exported.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

// What energy of a supply costs: March 2025 in Shanghai, in which no holiday lies, with a new price from its 16th on.
let stack: Stack
let manager: Client
let reader: Client
let houseA = 0
let tariffId = 0
let supplyId = 0
const password = 'Cost-7391-march'
const lineOf = (lineNo: number, device = 'A-T1') => stack.server.plant.lineAt(device, lineNo)?.id ?? 0

/** Flat all day but for a peak from 08:30 to 11:30 on workdays. */
const workday = painted(evenStrip(1), 34, 46, 0)
const content = (
  From: string,
  prices: readonly [peak: string, flat: string],
  more: Partial<TariffContent> = {},
): TariffContent => ({
  ...{ From, To: null, Source: '苏发改价格发〔2025〕1 号', Bands: ['peak', 'flat'] },
  Seasons: [
    {
      ...{ Name: '全年', From: '01-01', To: '12-31' },
      Days: { workday, saturday: evenStrip(1), sunday: evenStrip(1), holiday: evenStrip(1), makeUpWorkday: workday },
    },
  ],
  Components: [
    { Key: 'purchase', Basis: 'kwhByBand', Prices: [...prices], Of: [], InPowerFactorBase: true, GovernmentFund: false },
    { Key: 'funds', Basis: 'kwh', Prices: ['0.0293'], Of: [], InPowerFactorBase: false, GovernmentFund: true },
    { Key: 'capacity', Basis: 'kvaCapacity', Prices: ['25.5'], Of: [], InPowerFactorBase: true, GovernmentFund: false },
  ],
  ...{ DemandRule: null, PowerFactorStandard: null, ...more },
})

async function publish(ofTariff: number, Content: TariffContent): Promise<void> {
  const draft = { HouseID: houseA, TariffID: ofTariff, Version: 0, Content }
  const saved = await manager.call(saveTariffDraft, { body: draft })
  const { VersionID = 0, Version = 0 } = saved?.Head ?? {}
  await manager.call(publishTariff, { body: { HouseID: houseA, VersionID, Version } })
}

type Body = Request<typeof insertSupply>['body']
const supply = (Name: string, more: Partial<Body> = {}): Promise<number> =>
  manager
    .call(insertSupply, {
      body: {
        ...{ HouseID: houseA, Name, AccountNo: '', CapacityVa: 630_000, DeclaredW: null, PowerFactorStandard: null },
        ...{ BillingDay: 0, EnergyStepWh: 1_000, From: '2025-03-03', To: '2025-04-30' },
        Members: [
          { LineID: lineOf(2), Sign: 1 },
          { LineID: lineOf(3), Sign: -1 },
        ],
        Tariffs: [{ TariffID: tariffId, From: null }],
        ...more,
      },
    })
    .then(({ SupplyID }) => SupplyID)

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  const { accounts, plant, database } = stack.server
  houseA = plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  const role = (number: string, privileges: string[]) => accounts.createRole({ number, name: number, privileges, buttons: [] })
  const person = async (userName: string, roleId: number): Promise<Client> => {
    await accounts.createAccount({ userName, password, kind: 'sub', roleId, projectIds: [houseA] })
    return signedIn(stack.url, { userName, password })
  }
  manager = await person('13800000051', await role('manages', ['energy', 'energy.energy', 'system', 'system.project']))
  reader = await person('13800000052', await role('reads', ['energy', 'energy.energy']))
  // Other energy in each quarter of the day; of the line that is taken off a day of UTC is missing.
  const client = await database.connect()
  try {
    await client.query(
      `insert into energy_quarter (line_id, day, wh, how)
       select line_id, day::date, (select array_agg(base + place * step order by place) from generate_series(0, 95) as place), decode(repeat('00', 96), 'hex')
       from unnest($1::int[], '{1000, 300}'::int[], '{7, 1}'::int[]) as own (line_id, base, step),
         generate_series('2025-02-27'::date, '2025-05-02', interval '1 day') as day
       where line_id = $2 or day <> '2025-04-10'`,
      [[lineOf(2), lineOf(3)], lineOf(2)],
    )
    await client.query(
      "insert into energy_line (line_id, since, made_to) select id, '2025-02-27', '2025-05-03' from unnest($1::int[]) as t (id)",
      [[lineOf(2), lineOf(3)]],
    )
  } finally {
    await client.end()
  }
  tariffId = (await manager.call(insertTariff, { body: { HouseID: houseA, Name: '两部制' } })).TariffID
  await publish(tariffId, content('2025-03-02', ['1.2', '0.5']))
  await publish(tariffId, content('2025-03-16', ['1.31', '0.45678901']))
  supplyId = await supply('总进线')
})
afterAll(() => stack?.close())

type Unit = 'hour' | 'day' | 'month' | 'year'
const ask = (Unit: Unit, From: string, To: string, SupplyID = supplyId) =>
  reader.call(getEnergy, { query: { SupplyID, Unit, From, To, By: 'band' } })

/** The same by PostgreSQL: its own calendar and its own decimals. */
async function reckoned(from: string, to: string) {
  const client = await stack.server.database.connect()
  try {
    const { rows } = await client.query<{ peak: number; flat: number; fee: string }>(
      `with quarter as (
         select ((day + (number - 1) * interval '15 min') at time zone 'UTC') at time zone 'Asia/Shanghai' as at, sum(sign * each) as wh
         from unnest($1::int[], '{1, -1}'::int[]) as own (line_id, sign) join energy_quarter using (line_id),
           unnest(wh) with ordinality as t (each, number) group by 1),
       banded as (
         select wh, at, extract(isodow from at) < 6 and at::time >= '08:30' and at::time < '11:30' as is_peak from quarter
         where at >= $2::date and at < $3::date)
       select coalesce(sum(wh) filter (where is_peak), 0)::float8 as peak, coalesce(sum(wh) filter (where not is_peak), 0)::float8 as flat,
         trim_scale(sum(wh * (0.0293 + case when at < '2025-03-16' then case when is_peak then 1.2 else 0.5 end
           else case when is_peak then 1.31 else 0.45678901 end end)) / 1000)::text as fee from banded`,
      [[lineOf(2), lineOf(3)], from, to],
    )
    const [row] = rows
    if (!row) throw new Error('there is a row')
    return row
  } finally {
    await client.end()
  }
}

test('a year ago of a period that is longer than a year is whole, although both have dates in common', async () => {
  const query = { SupplyID: supplyId, Unit: 'month', From: '2025-04-01', To: '2026-06-01', Compare: 'yearAgo' } as const
  const { Compared } = await reader.call(getEnergy, { query })
  const { Total } = await ask('day', '2025-03-03', '2025-05-01')
  expect(Compared).toMatchObject({ From: '2024-04-01', To: '2025-06-01', Wh: Total.Wh, LackingS: Total.LackingS })
})

test('energy by band and what it costs are what PostgreSQL makes of the same quarters, over a change of price', async () => {
  for (const [Unit, from, to] of [
    ['day', '2025-03-10', '2025-03-22'],
    ['month', '2025-03-03', '2025-04-04'],
    ['hour', '2025-03-15', '2025-03-17'],
  ] as const) {
    const { Boundary, Pricing, Total } = await ask(Unit, from, to)
    const { peak, flat, fee } = await reckoned(from, to)
    expect({ Boundary, Pricing }).toEqual({
      Boundary: 'supply',
      Pricing: { Currency: 'CNY', CurrenciesDiffer: false, Bands: ['peak', 'flat'], ByWeekday: false },
    })
    expect(Total.Cost).toMatchObject({ ByBand: [peak, flat], UnpricedWh: 0, UnpricedS: 0, Fee: fee })
    // Its bands add up to it, to the last place.
    expect((Total.Cost?.FeeByBand ?? []).reduce((sum, each) => sum + amountOf(each), 0n)).toBe(amountOf(fee))
    expect(Total).toMatchObject({ Wh: peak + flat, LackingS: 0 })
  }
})

test('bars add up to their whole, of hours, days and months alike', async () => {
  const exact = (fee: string | null | undefined) => {
    const [whole = '', places = ''] = (fee ?? 'none').split('.')
    return BigInt(whole + places.padEnd(11, '0'))
  }
  const pictures = await Promise.all([
    ask('hour', '2025-03-10', '2025-03-18'),
    ask('day', '2025-03-10', '2025-03-18'),
    ask('month', '2025-03-10', '2025-03-18'),
  ])
  for (const { Bars, Total } of pictures) {
    expect(Bars.reduce((sum, { Cost }) => sum + exact(Cost?.Fee), 0n)).toBe(exact(Total.Cost?.Fee))
    expect(Total).toEqual(pictures[0]?.Total)
  }
})

test('what it is compared with has its cost by the prices of its own dates, bar by bar and in all', async () => {
  const query = {
    SupplyID: supplyId,
    Unit: 'day',
    From: '2025-03-16',
    To: '2025-03-22',
    Compare: 'previous',
    By: 'band',
  } as const
  const { Compared, Bars, Total } = await reader.call(getEnergy, { query })
  const before = await ask('day', '2025-03-10', '2025-03-16')
  expect(Compared).toMatchObject({ From: '2025-03-10', Cost: before.Total.Cost })
  expect(Bars.map((bar) => bar.Compared?.Fee)).toEqual(before.Bars.map(({ Cost }) => Cost?.Fee))
  const [own, other] = [Number(Total.Cost?.Fee), Number(before.Total.Cost?.Fee)]
  expect(Compared?.FeeChange).toBeCloseTo((own - other) / other, 9)
  // Of dates before there was a price the cost is not known, and how much more is not said.
  const early = await reader.call(getEnergy, { query: { ...query, From: '2025-03-03', To: '2025-03-05' } })
  expect(early.Compared).toMatchObject({ Cost: { Fee: null }, FeeChange: null })
})

test('what is shown leaves as a file, and stands in the log', async () => {
  const body = {
    HouseID: houseA,
    SupplyID: supplyId,
    Unit: 'day',
    From: '2025-03-15',
    To: '2025-03-17',
    Compare: 'previous',
  } as const
  const prepared = reader.call(exportCost, { body: { ...body, Format: 'csv', Language: 'EN' } })
  expect((await prepared).FileName).toBe('cost-总进线-2025-03-15-2025-03-17.csv')
  const [head = [], ...rows] = await rowsOf(stack.url, prepared)
  const bands = ['Peak', 'Flat', 'Total']
  expect(head).toEqual([
    'From (Asia/Shanghai)',
    ...[...bands.map((band) => `${band} kWh`), 'Without price kWh', ...bands.map((band) => `${band} Cost CNY`)],
    ...['Compared kWh', 'Compared Cost CNY', 'State'],
  ])
  const { Bars } = await ask('day', '2025-03-15', '2025-03-17')
  expect(rows.map((row) => row.slice(1, 8).map(Number))).toEqual(
    Bars.map(({ Wh, Cost }) => [
      ...[...(Cost?.ByBand ?? []), Wh ?? 0, 0].map((wh) => wh / 1_000),
      ...[...(Cost?.FeeByBand ?? []), Cost?.Fee].map(Number),
    ]),
  )
  const { rows: entries } = await stack.server.database.borrow((client) =>
    client.query("select after from audit where action = 'supply.export'"),
  )
  expect(entries).toEqual([
    { after: { rows: 2, format: 'csv', unit: 'day', from: '2025-03-15', to: '2025-03-17', compare: 'previous' } },
  ])
  const ofOther = reader.call(exportCost, { body: { ...body, SupplyID: 999_999, Format: 'xlsx', Language: 'CN' } })
  expect(await outcomeOf(ofOther)).toBe('supply not exists')
})

test('where a member is not known the quarter is lacking; where the supply is not billed nothing is', async () => {
  const april = await ask('day', '2025-04-09', '2025-04-13')
  // The 10th of UTC goes from 08:00 of the 10th to 08:00 of the 11th.
  expect(april.Bars.map(({ LackingS }) => LackingS / 3_600)).toEqual([0, 16, 8, 0])
  expect(april.Bars[1]?.Cost?.ByBand.reduce((sum, wh) => sum + wh, 0)).toBe(april.Bars[1]?.Wh)
  const { Bars, Total } = await ask('day', '2025-03-01', '2025-03-05')
  expect(Bars.map(({ Wh, LengthS, LackingS }) => [Wh === null, LengthS, LackingS])).toEqual([
    [true, 0, 0],
    [true, 0, 0],
    [false, 86_400, 0],
    [false, 86_400, 0],
  ])
  expect(Total).toMatchObject({ LengthS: 2 * 86_400, LackingS: 0 })
  expect(Bars[0]?.Cost?.Fee).toBeNull()
})

test('energy without a price costs an unknown sum and never nought', async () => {
  const Tariffs = [{ TariffID: tariffId, From: null }]
  const early = await supply('早期', { From: '2025-02-28', To: '2025-03-02', Tariffs })
  const { Bars, Total } = await ask('day', '2025-02-28', '2025-03-03', early)
  expect(Bars.map(({ Cost }) => [Cost?.Fee === null, Cost?.UnpricedS])).toEqual([
    [true, 86_400],
    [true, 86_400],
    [false, 0],
  ])
  expect(Total.Cost).toMatchObject({ Fee: null, UnpricedWh: (Bars[0]?.Wh ?? 0) + (Bars[1]?.Wh ?? 0), UnpricedS: 2 * 86_400 })
  const without = await ask(
    'day',
    '2025-02-27',
    '2025-02-28',
    await supply('无价', { From: '2025-02-27', To: '2025-02-27', Tariffs: [] }),
  )
  expect(without.Pricing).toMatchObject({ Currency: null, Bands: [] })
})

test('of a line that went to another project nothing is known any more, whoever asks', async () => {
  const id = await supply('迁出', { From: '2025-05-01', To: '2025-05-01' })
  const { general } = stack.server.database
  const members = JSON.stringify([
    { lineId: lineOf(2), sign: 1 },
    { lineId: lineOf(1, 'B-T1'), sign: 1 },
  ])
  await general.updateTable('supply').set({ members }).where('supply_id', '=', id).execute()
  const query = { SupplyID: id, Unit: 'day', From: '2025-05-01', To: '2025-05-02', By: 'band' } as const
  for (const client of [reader, stack.client])
    expect(await client.call(getEnergy, { query })).toMatchObject({ Since: null, Total: { Wh: null, LackingS: 86_400 } })
})

describe('the bill of a period', () => {
  const billOf = (SupplyID: number, Month: string) => reader.call(getSupplyBill, { query: { HouseID: houseA, SupplyID, Month } })

  test('row by row, each rounded once; its sum is what a reader adds up', async () => {
    const bill = await billOf(supplyId, '2025-04')
    expect(bill).toMatchObject({
      From: '2025-04-01',
      To: '2025-05-01',
      Currency: 'CNY',
      OpenS: 0,
      UnpricedS: 0,
      LackingS: 86_400,
    })
    const [part] = bill.Parts
    expect(bill.Parts).toHaveLength(1)
    expect(part).toMatchObject({ Tariff: '两部制', Number: 2, From: '2025-04-01', To: '2025-05-01' })
    const [peak = 0, flat = 0] = part?.Bands.map(({ Wh }) => Wh) ?? []
    expect([peak % 1_000, flat % 1_000]).toEqual([0, 0])
    const fen = (value: number) => value.toFixed(2)
    expect(part?.Rows.map(({ Key, Band, Fee }) => [Key, Band, Fee])).toEqual([
      ['purchase', 'peak', fen((peak / 1_000) * 1.31)],
      ['purchase', 'flat', fen((flat / 1_000) * 0.45678901)],
      ['funds', null, fen(((peak + flat) / 1_000) * 0.0293)],
      ['capacity', null, '16065.00'],
    ])
    expect(bill.Known).toBe(fen((part?.Rows ?? []).reduce((sum, { Fee }) => sum + Number(Fee), 0)))
    // A day is lacking: the sum is of what is known, and no whole bill.
    expect(bill.IsWhole).toBe(false)
  })

  test('where the version changes within it, each bears its days of what is charged by the month; of the first month a thirtieth a day', async () => {
    const { Parts } = await billOf(supplyId, '2025-03')
    expect(Parts.map(({ Number: no, From, To }) => [no, From, To])).toEqual([
      [1, '2025-03-03', '2025-03-16'],
      [2, '2025-03-16', '2025-04-01'],
    ])
    // 630 kVA at 25.5 are 16,065 a month.
    expect(Parts.map(({ Rows }) => Rows.at(-1))).toEqual([
      { Key: 'capacity', Band: null, Fee: '6961.50', Gap: null, Share: { Days: 13, Of: 30 } },
      { Key: 'capacity', Band: null, Fee: '8568.00', Gap: null, Share: { Days: 16, Of: 30 } },
    ])
  })

  test('of a supply of another project there is none, nor of a month that is none', async () => {
    expect(await outcomeOf(billOf(999_999, '2025-04'))).toBe('supply not exists')
    expect(await outcomeOf(billOf(supplyId, '2025-13'))).toBe('invalid parameter')
    const houseB = stack.server.plant.lineAt('B-T1', 1)?.device.gateway.project.id ?? 0
    const ofB = { HouseID: houseB, SupplyID: supplyId, Month: '2025-04' }
    expect(await outcomeOf(stack.client.call(getSupplyBill, { query: ofB }))).toBe('supply not exists')
  })
})

describe('what cannot be asked for', () => {
  const period = { Unit: 'day', From: '2025-03-10', To: '2025-03-12' } as const
  const outcome = (query: object, client = reader) => outcomeOf(client.call(getEnergy, { query: { ...period, ...query } }))

  test('a supply beside something else, cost of what has no tariff, and more lines over more years than one look takes', async () => {
    expect(await outcome({ SupplyID: supplyId, HouseID: houseA })).toBe('invalid parameter')
    expect(await outcome({ HouseID: houseA, By: 'band' })).toBe('invalid parameter')
    const { general } = stack.server.database
    const id = await supply('很多', { From: '2024-05-05', To: '2024-05-05' })
    const members = JSON.stringify(Array.from({ length: 50 }, (_, index) => ({ lineId: 1_000_000 + index, sign: 1 })))
    await general.updateTable('supply').set({ members, from_day: 0, to_day: null }).where('supply_id', '=', id).execute()
    // Before any of its lines has energy nothing is read.
    expect(await outcome({ SupplyID: id, Unit: 'month', From: '2016-01-01', To: '2025-06-01' }, stack.client)).toBe('done')
    const since = new Date('2023-01-01')
    await general.insertInto('energy_line').values({ line_id: 1_000_000, since, made_to: since }).execute()
    const ofYears = (To: string) => outcome({ SupplyID: id, Unit: 'month', From: '2024-01-01', To }, stack.client)
    expect(await ofYears('2025-01-01')).toBe('done')
    expect(await ofYears('2025-06-01')).toBe('invalid parameter')
    await general.deleteFrom('energy_line').where('line_id', '=', 1_000_000).execute()
    await general.deleteFrom('supply').where('supply_id', '=', id).execute()
  })

  test('a supply of a project that somebody does not see, as if there were none', async () => {
    const { accounts, plant } = stack.server
    const houseB = plant.lineAt('B-T1', 1)?.device.gateway.project.id ?? 0
    const roleId = await accounts.createRole({
      number: 'other',
      name: '他',
      privileges: ['energy', 'energy.energy'],
      buttons: [],
    })
    await accounts.createAccount({ userName: '13800000053', password, kind: 'sub', roleId, projectIds: [houseB] })
    const other = await signedIn(stack.url, { userName: '13800000053', password })
    expect(await outcome({ SupplyID: supplyId }, other)).toBe('supply not exists')
    expect(await outcome({ SupplyID: 999_999 })).toBe('supply not exists')
  })
})
