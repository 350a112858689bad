import type { Client } from '@linewarden/client'
import type { Request, TariffContent } from '@linewarden/contract'
import {
  draftStatement,
  getEnergy,
  getPriceDay,
  getSupplyBill,
  importPrices,
  insertSupply,
  insertTariff,
  listPrices,
  publishTariff,
  saveTariffDraft,
} from '@linewarden/contract'
import { evenStrip } from '@linewarden/rules/energy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

// Prices of each quarter: March 2025 in Shanghai, a line that uses other energy in each of them.
let stack: Stack
let manager: Client
let reader: Client
let houseA = 0
let tariffId = 0
let supplyId = 0
const password = 'Price-7391-march'

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  const { accounts, plant, database } = stack.server
  const line = plant.lineAt('A-T1', 2)
  houseA = line?.device.gateway.project.id ?? 0
  const role = (number: string, privileges: string[]) => accounts.createRole({ number, name: number, privileges, buttons: [] })
  const person = async (userName: string, roleId: number): Promise<Client> => {
    await accounts.createAccount({ userName, password, kind: 'sub', roleId, projectIds: [houseA] })
    return signedIn(stack.url, { userName, password })
  }
  const privileges = ['energy', 'energy.energy', 'system', 'system.project', 'system.report']
  manager = await person('13800000061', await role('manages', privileges))
  reader = await person('13800000062', await role('reads', ['energy', 'energy.energy']))
  await database.borrow(async (client) => {
    await client.query(
      `insert into energy_quarter (line_id, day, wh, how)
       select $1, day::date, (select array_agg(1000 + place * 7 order by place) from generate_series(0, 95) as place), decode(repeat('00', 96), 'hex')
       from generate_series('2025-02-27'::date, '2025-04-02', interval '1 day') as day`,
      [line?.id],
    )
    await client.query("insert into energy_line (line_id, since, made_to) values ($1, '2025-02-27', '2025-04-03')", [line?.id])
  })
  tariffId = (await manager.call(insertTariff, { body: { HouseID: houseA, Name: '现货' } })).TariffID
  const even = evenStrip(0)
  const Content: TariffContent = {
    ...{ From: '2025-03-01', To: null, Source: '市场化购电合同', Bands: ['flat'] },
    Seasons: [
      {
        Name: '',
        From: '01-01',
        To: '12-31',
        Days: { workday: even, saturday: even, sunday: even, holiday: even, makeUpWorkday: even },
      },
    ],
    Components: [
      { Key: 'spot', Basis: 'kwhBySeries', Prices: [], Of: [], InPowerFactorBase: true, GovernmentFund: false },
      { Key: 'network', Basis: 'kwh', Prices: ['0.1357'], Of: [], InPowerFactorBase: true, GovernmentFund: false },
    ],
    ...{ DemandRule: null, PowerFactorStandard: null },
  }
  const draft = await manager.call(saveTariffDraft, { body: { HouseID: houseA, TariffID: tariffId, Version: 0, Content } })
  const { VersionID = 0, Version = 0 } = draft?.Head ?? {}
  await manager.call(publishTariff, { body: { HouseID: houseA, VersionID, Version } })
  const supply = await manager.call(insertSupply, {
    body: {
      ...{ HouseID: houseA, Name: '总进线', AccountNo: '', CapacityVa: null, DeclaredW: null, PowerFactorStandard: null },
      ...{ BillingDay: 0, EnergyStepWh: 1, From: '2025-03-01', To: null },
      ...{ Members: [{ LineID: line?.id ?? 0, Sign: 1 }], Tariffs: [{ TariffID: tariffId, From: null }] },
    },
  })
  supplyId = supply.SupplyID
})
afterAll(() => stack?.close())

type Body = Request<typeof importPrices>['body']
const bring = (Text: string, more: Partial<Body> = {}, client = manager) =>
  client.call(importPrices, {
    body: { HouseID: houseA, TariffID: tariffId, DryRun: false, Text, Source: '交易中心 2025 年 3 月', ...more },
  })

/** Hours of March by the clock of Shanghai, some below nought. */
const march = (priceOf = (hour: number) => `${((hour * 37) % 50) - 9}.5`) =>
  [
    '时间,价格 CNY/MWh',
    ...Array.from({ length: 31 * 24 }, (_, hour) => {
      const [day, clock] = [Math.floor(hour / 24) + 1, hour % 24]
      return `2025-03-${String(day).padStart(2, '0')} ${String(clock).padStart(2, '0')}:00,${priceOf(hour)}`
    }),
  ].join('\n')

const cost = (From: string, To: string, Unit: 'hour' | 'day' | 'month' = 'day') =>
  reader.call(getEnergy, { query: { SupplyID: supplyId, Unit, From, To, By: 'band' } })

/** What PostgreSQL makes of the same. */
async function reckoned(from: string, to: string) {
  return stack.server.database.borrow(async (client) => {
    const { rows } = await client.query<{ fee: string | null }>(
      `with price as (
         select (day + (place - 1) * interval '15 min') at time zone 'UTC' as at, each from (
           select distinct on (day) day, prices from price_day where tariff_id = $1 order by day, number desc) as newest,
           unnest(prices) with ordinality as t (each, place)),
       quarter as (
         select (day + (place - 1) * interval '15 min') at time zone 'UTC' as at, each from energy_quarter,
           unnest(wh) with ordinality as t (each, place))
       select trim_scale(sum(quarter.each * (price.each / 1e8 + 0.1357)) / 1000)::text as fee from quarter join price using (at)
       where price.each is not null and at >= $2::timestamp at time zone 'Asia/Shanghai' and at < $3::timestamp at time zone 'Asia/Shanghai'`,
      [tariffId, from, to],
    )
    return rows[0]?.fee ?? null
  })
}

test('without prices a quarter has no cost, and the bill says how many', async () => {
  const { Total } = await cost('2025-03-01', '2025-04-01')
  expect(Total.Cost).toMatchObject({ Fee: null, KnownFee: null, UnpricedS: 31 * 86_400 })
})

test('a dry run says what would be stored and stores nothing; only then is it stored', async () => {
  const dry = await bring(march(), { DryRun: true, Per: 'MWh' })
  expect(dry).toMatchObject({ Number: null, Minutes: 60, Quarters: 2_976, Unknown: 0, Changed: 2_976, ProblemCount: 0 })
  expect(dry.Days).toHaveLength(31)
  expect(dry.Days[0]).toMatchObject({ Date: '2025-03-01', Quarters: 96, OfDay: 96, Least: '-0.0095' })
  expect((await reader.call(listPrices, { query: { HouseID: houseA, TariffID: tariffId } })).items).toEqual([])
  expect(await bring(march(), { Per: 'MWh' })).toMatchObject({ Number: 1, Changed: 2_976 })
  const { items, about } = await reader.call(listPrices, { query: { HouseID: houseA, TariffID: tariffId } })
  expect(items).toMatchObject([{ Number: 1, Quarters: 2_976, Source: '交易中心 2025 年 3 月', ChangedBy: '13800000061' }])
  expect(about).toEqual({ From: Date.UTC(2025, 1, 28, 16), To: Date.UTC(2025, 2, 31, 16) })
  // The same again changes nothing, and makes no version.
  expect(await bring(march(), { Per: 'MWh' })).toMatchObject({ Number: null, Changed: 0 })
})

test('the prices of a day stand as they were imported, quarter by quarter', async () => {
  const day = (date: string, TariffID = tariffId) =>
    reader.call(getPriceDay, { query: { HouseID: houseA, TariffID, Date: date } })
  const { Currency, Quarters } = await day('2025-03-01')
  expect([Currency, Quarters.length, Quarters[0]]).toEqual([
    'CNY',
    96,
    { At: Date.UTC(2025, 1, 28, 16), Clock: '00:00', Price: '-0.0095' },
  ])
  expect(Quarters.slice(4, 8).map(({ Clock, Price }) => [Clock, Price])).toEqual([
    ['01:00', '0.0285'],
    ['01:15', '0.0285'],
    ['01:30', '0.0285'],
    ['01:45', '0.0285'],
  ])
  expect((await day('2025-04-01')).Quarters.every(({ Price }) => Price === null)).toBe(true)
  expect(await outcomeOf(day('2025-02-30'))).toBe('invalid parameter')
  expect(await outcomeOf(day('2025-03-01', 999))).toBe('tariff not exists')
})

test('cost is what PostgreSQL makes of the same quarters and prices, by hour, day and month', async () => {
  for (const [from, to, unit] of [
    ['2025-03-01', '2025-04-01', 'day'],
    ['2025-03-01', '2025-04-01', 'month'],
    ['2025-03-09', '2025-03-11', 'hour'],
  ] as const) {
    const { Total } = await cost(from, to, unit)
    expect(Total.Cost?.Fee).toBe(await reckoned(from, to))
    expect(Total.Cost?.FeeByBand).toEqual([Total.Cost?.Fee])
  }
})

test('the bill has a row of the series, and a statement prices by what it froze', async () => {
  const bill = await reader.call(getSupplyBill, { query: { HouseID: houseA, SupplyID: supplyId, Month: '2025-03' } })
  expect(bill.IsWhole).toBe(true)
  const rows = bill.Parts[0]?.Rows ?? []
  expect(rows.map(({ Key }) => Key)).toEqual(['spot', 'network'])
  const whole = Number(await reckoned('2025-03-01', '2025-04-01'))
  expect(Math.abs(Number(bill.Known) - whole)).toBeLessThanOrEqual(0.01)
  const draft = await manager.call(draftStatement, { body: { HouseID: houseA, SupplyID: supplyId, Month: '2025-03' } })
  expect(draft.Parts[0]?.Rows.map(({ Key, Price, Amount }) => [Key, Price, Amount])).toEqual([
    ['spot', null, rows[0]?.Fee],
    ['network', '0.1357', rows[1]?.Fee],
  ])
  expect(draft.Total).toBe(bill.Known)
})

test('what is imported again is a new version, and a price that is not known leaves its quarters without a cost', async () => {
  const before = await cost('2025-03-01', '2025-04-01', 'month')
  const again = march((hour) => (hour === 100 ? 'n/e' : `${(hour * 31) % 60}`))
  expect(await bring(again, { Per: 'MWh' })).toMatchObject({ Number: 2, Unknown: 4 })
  const { Total } = await cost('2025-03-01', '2025-04-01', 'month')
  expect(Total.Cost).toMatchObject({ Fee: null, UnpricedS: 3_600, KnownFee: await reckoned('2025-03-01', '2025-04-01') })
  expect(Total.Cost?.KnownFee).not.toBe(before.Total.Cost?.Fee)
  const { UnpricedS, IsWhole } = await reader.call(getSupplyBill, {
    query: { HouseID: houseA, SupplyID: supplyId, Month: '2025-03' },
  })
  expect([UnpricedS, IsWhole]).toEqual([3_600, false])
  const draft = await manager.call(draftStatement, { body: { HouseID: houseA, SupplyID: supplyId, Month: '2025-03' } })
  expect(draft.Problems.map(({ Kind }) => Kind)).toContain('unpriced')
  // A later part of it alone leaves the others as they are.
  await bring('2025-03-05 04:00,25', { Per: 'MWh' })
  expect((await cost('2025-03-01', '2025-04-01', 'month')).Total.Cost?.Fee).toBe(await reckoned('2025-03-01', '2025-04-01'))
})

test('of a file with anything wrong in it nothing is stored, and all of it is told by its line', async () => {
  const wrong = ['2025-03-01 00:00,1', '2025-03-01 01:00,much', '2025-03-01 01:30,1', '2025-03-01 01:00,1'].join('\n')
  const dry = await bring(wrong, { DryRun: true })
  expect(dry.Problems.map(({ Row, Key }) => [Row, Key])).toEqual([
    [2, 'priceWrong'],
    [4, 'timeUnsorted'],
  ])
  expect([dry.ProblemCount, dry.Quarters, dry.Days]).toEqual([2, 0, []])
  const count = async () => (await reader.call(listPrices, { query: { HouseID: houseA, TariffID: tariffId } })).items.length
  const before = await count()
  expect(await outcomeOf(bring(wrong))).toBe('prices wrong')
  expect(await outcomeOf(bring('<a/>'))).toBe('prices wrong')
  expect(await count()).toBe(before)
})

test('who may not manage the project imports nothing, and a tariff of another one is none', async () => {
  expect(await outcomeOf(bring(march(), {}, reader))).toBe('access denied')
  expect(await outcomeOf(bring(march(), { TariffID: 999_999 }))).toBe('tariff not exists')
  expect(await outcomeOf(reader.call(listPrices, { query: { HouseID: houseA, TariffID: 999_999 } }))).toBe('tariff not exists')
})
