import type { Client } from '@linewarden/client'
import type { Request, TariffContent } from '@linewarden/contract'
import {
  chooseCarbon,
  getBudgetCourse,
  getCarbon,
  getEnergy,
  importCalendar,
  insertSupply,
  insertTariff,
  listBudgets,
  publishTariff,
  saveBudget,
  saveCarbonFactor,
  saveTariffDraft,
  tariffDays,
  updateCalendar,
} from '@linewarden/contract'
import { evenStrip } from '@linewarden/rules/energy'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Actor } from '../../../apps/server/src/access/actor.ts'
import { createBudgetNotices } from '../../../apps/server/src/areas/energy/budget-notices.ts'
import { createBudgets } from '../../../apps/server/src/areas/energy/budgets.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// Public days, carbon and budgets of a supply that uses 4 kWh an hour: noon of 20 March 2024 in Shanghai, a year whose holidays nobody entered.
let stack: Stack
let manager: Client
let timing: Client
let reader: Client
let houseA = 0
let supplyId = 0
/** Noon of 20 March in Shanghai, by which budgets are looked at. */
let now = Date.UTC(2024, 2, 20, 4)
const password = 'Plans-7391-march'

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  calm(stack)
  const { accounts, plant, database } = stack.server
  const line = plant.lineAt('A-T1', 2)
  houseA = line?.device.gateway.project.id ?? 0
  const role = (number: string, privileges: string[], buttons: string[] = []) =>
    accounts.createRole({ number, name: number, privileges, buttons })
  const person = async (userName: string, roleId: number): Promise<Client> => {
    await accounts.createAccount({ userName, password, kind: 'sub', roleId, projectIds: [houseA] })
    return signedIn(stack.url, { userName, password })
  }
  const energy = ['energy', 'energy.energy']
  const timers = ['timer', 'timer.list']
  manager = await person(
    '13800000071',
    await role('manages', [...energy, ...timers, 'system', 'system.project'], ['manageTiming']),
  )
  timing = await person('13800000072', await role('times', [...energy, ...timers], ['manageTiming']))
  reader = await person('13800000073', await role('reads', energy))
  await database.borrow(async (client) => {
    await client.query(
      `insert into energy_quarter (line_id, day, wh, how)
       select $1, day::date, array_fill(1000, array[96]), decode(repeat('00', 96), 'hex')
       from generate_series('2023-12-31'::date, '2024-03-19', interval '1 day') as day`,
      [line?.id],
    )
    await client.query("insert into energy_line (line_id, since, made_to) values ($1, '2023-12-31', '2024-03-20')", [line?.id])
  })
  const { TariffID } = await manager.call(insertTariff, { body: { HouseID: houseA, Name: '分时' } })
  const Content: TariffContent = {
    ...{ From: '2024-01-01', To: null, Source: '苏发改价格发〔2024〕1 号', Bands: ['flat', 'deepValley'] },
    Seasons: [
      {
        ...{ Name: '', From: '01-01', To: '12-31' },
        Days: {
          ...{ workday: evenStrip(0), saturday: evenStrip(0), sunday: evenStrip(0) },
          holiday: evenStrip(1),
          makeUpWorkday: evenStrip(0),
        },
      },
    ],
    Components: [
      { Key: 'purchase', Basis: 'kwhByBand', Prices: ['1', '0.25'], Of: [], InPowerFactorBase: true, GovernmentFund: false },
    ],
    ...{ DemandRule: null, PowerFactorStandard: null },
  }
  const draft = await manager.call(saveTariffDraft, { body: { HouseID: houseA, TariffID, Version: 0, Content } })
  const { VersionID = 0, Version = 0 } = draft?.Head ?? {}
  await manager.call(publishTariff, { body: { HouseID: houseA, VersionID, Version } })
  const supply = await manager.call(insertSupply, {
    body: {
      ...{ HouseID: houseA, Name: '总进线', AccountNo: '', CapacityVa: null, DeclaredW: null, PowerFactorStandard: null },
      ...{ BillingDay: 0, EnergyStepWh: 1, From: '2024-01-01', To: null },
      ...{ Members: [{ LineID: line?.id ?? 0, Sign: 1 }], Tariffs: [{ TariffID, From: null }] },
    },
  })
  supplyId = supply.SupplyID
})
afterAll(() => stack?.close())

const energyOf = (From: string, To: string, Unit: 'day' | 'month' = 'day') =>
  reader.call(getEnergy, { query: { SupplyID: supplyId, Unit, From, To, By: 'band' } })

describe('public days', () => {
  const enter = (Days: Request<typeof updateCalendar>['body']['Days'], client = manager) =>
    client.call(updateCalendar, { body: { HouseID: houseA, Days } })
  const feeOn = async (date: string, next: string) => (await energyOf(date, next)).Total.Cost?.Fee

  test('a year of which none is entered is priced by the week, and says so', async () => {
    const { Pricing } = await energyOf('2024-02-08', '2024-02-09')
    expect(Pricing?.ByWeekday).toBe(true)
    expect(await reader.call(tariffDays, { query: { HouseID: houseA, Year: 2024 } })).toEqual({ IsEntered: false, Days: [] })
    expect(await feeOn('2024-02-08', '2024-02-09')).toBe('96')
  })

  test('a holiday that was entered for timers alone moves no price; one of the state does', async () => {
    await enter([{ Date: '2024-02-08', Class: 'holiday', Name: '厂休' }], timing)
    expect(await feeOn('2024-02-08', '2024-02-09')).toBe('96')
    expect((await energyOf('2024-02-08', '2024-02-09')).Pricing?.ByWeekday).toBe(true)
    await enter([{ Date: '2024-02-08', Class: 'holiday', Name: '春节', Public: true }])
    expect(await feeOn('2024-02-08', '2024-02-09')).toBe('24')
    expect((await energyOf('2024-02-08', '2024-02-09')).Pricing?.ByWeekday).toBe(false)
    expect(await reader.call(tariffDays, { query: { HouseID: houseA, Year: 2024 } })).toEqual({
      IsEntered: true,
      Days: [{ Date: '2024-02-08', DayType: 'holiday', Name: '春节', IsBundled: false }],
    })
  })

  test('whoever manages timers alone changes no day that prices go by, and only holidays and workdays are of the state', async () => {
    const day = { Date: '2024-02-08', Class: 'workday' as const }
    expect(await outcomeOf(enter([day], timing))).toBe('public days need projects')
    expect(await outcomeOf(enter([{ ...day, Date: '2024-02-09', Public: true }], timing))).toBe('public days need projects')
    expect(await outcomeOf(enter([{ Date: '2024-02-09', Class: 'special', Public: true }]))).toBe('definition wrong')
    expect(await feeOn('2024-02-08', '2024-02-09')).toBe('24')
  })

  test('a file of them is imported as of the state, and those of the owner count where the project has none', async () => {
    const Rows = [{ Row: 2, From: '2024-02-10', To: '2024-02-11', Class: '节假日', Name: '春节' }]
    const body = { HouseID: houseA, Rows, Public: true }
    expect((await manager.call(importCalendar, { body: { ...body, DryRun: true } })).Days.map(({ Change }) => Change)).toEqual([
      'new',
      'new',
    ])
    await manager.call(importCalendar, { body: { ...body, DryRun: false } })
    expect((await manager.call(importCalendar, { body: { ...body, DryRun: true } })).Days.map(({ Change }) => Change)).toEqual([
      'same',
      'same',
    ])
    expect((await energyOf('2024-02-10', '2024-02-12')).Total.Cost?.Fee).toBe('48')
    await stack.client.call(updateCalendar, {
      body: { HouseID: houseA, For: 'owner', Days: [{ Date: '2024-02-12', Class: 'holiday', Name: '春节', Public: true }] },
    })
    expect(await feeOn('2024-02-12', '2024-02-13')).toBe('24')
  })
})

describe('carbon', () => {
  test('each bar goes by the factor of its year; where none is published the latest stands in and is named', async () => {
    const { Total, Bars, Carbon } = await energyOf('2024-03-01', '2024-03-03')
    // 96 kWh at 0.5306 kg/kWh.
    expect(Bars.map(({ CarbonG }) => CarbonG)).toEqual([50_937.6, 50_937.6])
    expect(Total.CarbonG).toBeCloseTo(101_875.2)
    expect(Carbon).toMatchObject({ Region: 'CN', Basis: 'average', Years: [{ Year: 2024, KgPerKwh: '0.5306', Of: 2023 }] })
  })

  test('a factor that somebody typed with its source counts from then on, of the region that was chosen', async () => {
    const key = { HouseID: houseA, Year: 2024, Region: '江苏', Basis: 'average' as const }
    const factor = { ...key, Version: 0, KgPerKwh: '0.6', Source: '公告 2026 年第 1 号' }
    expect(await outcomeOf(reader.call(saveCarbonFactor, { body: factor }))).toBe('access denied')
    expect(await outcomeOf(manager.call(saveCarbonFactor, { body: { ...factor, Source: ' ' } }))).toBe('invalid parameter')
    expect(await outcomeOf(manager.call(saveCarbonFactor, { body: { ...factor, KgPerKwh: '-1' } }))).toBe('invalid parameter')
    await manager.call(saveCarbonFactor, { body: factor })
    expect((await energyOf('2024-03-01', '2024-03-02')).Carbon.Region).toBe('CN')
    const chosen = await manager.call(chooseCarbon, { body: { HouseID: houseA, Version: 0, Region: '江苏', Basis: 'average' } })
    expect(chosen).toMatchObject({ Region: '江苏', IsSet: true, Version: 1 })
    const { Total, Carbon } = await energyOf('2024-03-01', '2024-03-02')
    expect([Total.CarbonG, Carbon.Years[0]?.Of]).toEqual([57_600, 2024])
    // A year before the first factor has none, and then neither has the sum.
    const early = await energyOf('2023-12-31', '2024-01-03')
    expect([early.Total.CarbonG, early.Carbon.Years.map(({ KgPerKwh }) => KgPerKwh)]).toEqual([192 * 600, [null, '0.6']])
    const changed = manager.call(chooseCarbon, { body: { HouseID: houseA, Version: 0, Region: 'CN', Basis: 'average' } })
    expect(await outcomeOf(changed)).toBe('changed meanwhile')
    const { Factors } = await reader.call(getCarbon, { query: { HouseID: houseA } })
    expect(Factors.find(({ Region }) => Region === '江苏')).toMatchObject({
      KgPerKwh: '0.6',
      TypedBy: '13800000071',
      IsBuiltIn: false,
    })
  })
})

describe('budgets', () => {
  type Fields = NonNullable<Request<typeof saveBudget>['body']['Budget']>
  const fields = (more: Partial<Fields> = {}): Fields => ({
    ...{ Name: '三月电费', SupplyID: supplyId, Period: 'month', Kind: 'money', Amount: 250_000, Thresholds: [80, 50] },
    ...more,
  })
  const save = (Budget: Fields | null, more: object = {}, client = manager) =>
    client.call(saveBudget, { body: { HouseID: houseA, Version: 0, Budget, ...more } })
  const everybody = {
    sees: () => true,
    seesGateway: () => true,
    scope: { all: true, projectIds: [], gatewayIds: [], tenant: null, administrator: true, accountId: null },
  } as unknown as Actor
  const course = (BudgetID: number, Day?: string) => {
    const { database, plant } = stack.server
    const project = plant.projects.get(houseA)
    if (!project) throw new Error('the project is there')
    return createBudgets({ database, plant, clock: () => now }).course(everybody, project, BudgetID, Day)
  }

  test('what was used so far and what is expected are of the same days as the page', async () => {
    const made = await save(fields())
    expect(made).toMatchObject({ Name: '三月电费', Thresholds: [50, 80], Version: 1 })
    const { Used, Expected, Currency, MinorDigits, Days, From, To } = await course(made?.BudgetID ?? 0)
    expect({ Currency, MinorDigits, From, To }).toEqual({ Currency: 'CNY', MinorDigits: 2, From: '2024-03-01', To: '2024-04-01' })
    // Nineteen days of 96 yuan, and eight hours of the twentieth: 4 kWh an hour.
    expect(Used).toBe((19 * 96 + 32) * 100)
    expect(Expected).toMatchObject({ Low: 297_600, Mid: 297_600, High: 297_600 })
    expect([Days.length, Days[18]?.Used, Days[20]?.Used]).toEqual([31, 19 * 9_600, null])
    const january = await course(made?.BudgetID ?? 0, '2024-01-15')
    expect([january.Used, january.Expected?.Mid]).toEqual([297_600, 297_600])
  })

  test('a project has budgets of energy, not of money; names are single, and nobody else writes them', async () => {
    expect(await outcomeOf(save(fields({ SupplyID: null })))).toBe('invalid parameter')
    expect(await outcomeOf(save(fields()))).toBe('budget name used')
    expect(await outcomeOf(save(fields({ Name: '他' }), {}, reader))).toBe('access denied')
    expect(await outcomeOf(save(fields({ Name: '他', SupplyID: 999_999 })))).toBe('supply not exists')
    expect(await outcomeOf(save(fields(), { BudgetID: 999_999 }))).toBe('budget not exists')
    const year = await save(fields({ Name: '全年用电', SupplyID: null, Period: 'year', Kind: 'energy', Amount: 40_000_000_000 }))
    const { Currency, Days } = await course(year?.BudgetID ?? 0)
    expect([Currency, Days.length]).toEqual([null, 366])
    const query = { HouseID: houseA, BudgetID: year?.BudgetID ?? 0, Day: '2024-03-20' }
    expect(await reader.call(getBudgetCourse, { query })).toMatchObject({
      From: '2024-01-01',
      To: '2025-01-01',
      Expected: { Low: expect.any(Number) },
    })
    expect((await reader.call(listBudgets, { query: { HouseID: houseA } })).items.map(({ Name }) => Name)).toEqual([
      '三月电费',
      '全年用电',
    ])
    await save(null, { BudgetID: year?.BudgetID, Version: year?.Version })
    expect(await outcomeOf(save(null, { BudgetID: year?.BudgetID, Version: year?.Version }))).toBe('budget not exists')
  })

  test('each threshold is told once in its period as a warning of the project, which returns when the period is over', async () => {
    const { server } = stack
    const { database, plant, ingest } = server
    const notices = createBudgetNotices({ database, plant, ingest, clock: () => now })
    const events = async () => {
      await ingest.drained()
      return database.borrow(async (client) =>
        (await client.query<{ state: string }>("select state from event where key = 'energy.budget' order by event_id")).rows.map(
          ({ state }) => state,
        ),
      )
    }
    const noticed = async () => {
      const [budget] = (await reader.call(listBudgets, { query: { HouseID: houseA } })).items
      return (await course(budget?.BudgetID ?? 0)).Notices.map(({ Notice }) => Notice)
    }
    await notices.look()
    await notices.look()
    await notices.notify()
    await notices.notify()
    expect(await noticed()).toEqual(['50', 'expected'])
    await vi.waitFor(async () => expect(await events()).toEqual(['active']))
    now = Date.UTC(2024, 3, 1, 4)
    await notices.look()
    await notices.notify()
    expect(await noticed()).toEqual([])
    await vi.waitFor(async () => expect((await events()).filter((state) => state === 'active')).toEqual([]))
  })
})
