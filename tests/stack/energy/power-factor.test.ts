import type { Client } from '@linewarden/client'
import type { Request, TariffContent } from '@linewarden/contract'
import {
  getSupplyBill,
  insertSupply,
  insertTariff,
  publishTariff,
  saveTariffDraft,
  setPowerFactor,
  updateSupply,
} from '@linewarden/contract'
import { evenStrip } from '@linewarden/rules/energy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

// The power factor of a billing period, as somebody types it from a bill: March 2025 of one line that used 2 kWh an hour.
let stack: Stack
let manager: Client
let reader: Client
let guest: Client
let houseA = 0
let supplyId = 0
const password = 'Cos-7391-march'
type Typed = Request<typeof setPowerFactor>['body']['Typed']
const byCos = (CosHundredths: number, Source = '2025 年 3 月电费单'): Typed => ({
  ...{ CosHundredths, ActiveWh: null, ReactiveVarh: null, Source },
})

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  const { accounts, plant, database } = stack.server
  const line = plant.lineAt('A-T1', 1)
  houseA = line?.device.gateway.project.id ?? 0
  const role = (number: string, privileges: string[]) => accounts.createRole({ number, name: number, privileges, buttons: [] })
  const manages = await role('manages', ['energy', 'energy.energy', 'system', 'system.project'])
  const person = async (userName: string, roleId: number, kind: 'sub' | 'shared' = 'sub'): Promise<Client> => {
    await accounts.createAccount({ userName, password, kind, roleId, projectIds: [houseA] })
    return signedIn(stack.url, { userName, password })
  }
  manager = await person('13800000061', manages)
  reader = await person('13800000062', await role('reads', ['energy', 'energy.energy']))
  guest = await person('13800000063', manages, 'shared')
  const client = await database.connect()
  try {
    await client.query(
      `insert into energy_quarter (line_id, day, wh, how)
       select $1, day::date, array_fill(500, array[96]), decode(repeat('00', 96), 'hex')
       from generate_series('2025-02-27'::date, '2025-04-02', interval '1 day') as day`,
      [line?.id],
    )
    await client.query("insert into energy_line (line_id, since, made_to) values ($1, '2025-02-27', '2025-04-03')", [line?.id])
  } finally {
    await client.end()
  }
  const { TariffID } = await manager.call(insertTariff, { body: { HouseID: houseA, Name: '单一制' } })
  const even = evenStrip(0)
  const Content: TariffContent = {
    ...{ From: '2025-01-01', To: null, Source: '苏发改价格发〔2025〕1 号', Bands: ['flat'] },
    Seasons: [
      {
        ...{ Name: '全年', From: '01-01', To: '12-31' },
        Days: { workday: even, saturday: even, sunday: even, holiday: even, makeUpWorkday: even },
      },
    ],
    Components: [{ Key: 'purchase', Basis: 'kwh', Prices: ['1'], Of: [], InPowerFactorBase: true, GovernmentFund: false }],
    // What a version says of it adjusts nothing: the supply does.
    ...{ DemandRule: null, PowerFactorStandard: 85 },
  }
  const saved = await manager.call(saveTariffDraft, { body: { HouseID: houseA, TariffID, Version: 0, Content } })
  const { VersionID = 0, Version = 0 } = saved?.Head ?? {}
  await manager.call(publishTariff, { body: { HouseID: houseA, VersionID, Version } })
  const supply = {
    ...{ HouseID: houseA, Name: '总进线', AccountNo: '', CapacityVa: null, DeclaredW: null, PowerFactorStandard: 90 as const },
    ...{ BillingDay: 0, EnergyStepWh: 1 as const, From: '2025-02-10', To: '2025-09-30' },
    ...{ Members: [{ LineID: line?.id ?? 0, Sign: 1 as const }], Tariffs: [{ TariffID, From: null }] },
  }
  supplyId = (await manager.call(insertSupply, { body: supply })).SupplyID
  const edited = { ...supply, SupplyID: supplyId, Version: 1 }
  withStandard = async (PowerFactorStandard) => {
    edited.Version = (await manager.call(updateSupply, { body: { ...edited, PowerFactorStandard } })).Version
  }
})
afterAll(() => stack?.close())

let withStandard: (standard: 90 | 85 | 80 | null) => Promise<void>
const bill = (client = reader) => client.call(getSupplyBill, { query: { HouseID: houseA, SupplyID: supplyId, Month: '2025-03' } })
const set = (Version: number, typed: Typed, more: { Month?: string; SupplyID?: number } = {}, client = manager) =>
  client.call(setPowerFactor, { body: { HouseID: houseA, SupplyID: supplyId, Month: '2025-03', Version, Typed: typed, ...more } })
const rowOf = async () => (await bill()).Parts[0]?.Rows.find(({ Key }) => Key === 'powerFactor')

test('until it is typed its row is not known; then the bill is adjusted by it and whole', async () => {
  expect(await bill()).toMatchObject({ PowerFactorStandard: 90, PowerFactor: null, IsWhole: false, Known: '1488.00' })
  expect(await rowOf()).toMatchObject({ Fee: null, Gap: 'powerFactor' })
  const typed = await set(0, byCos(93))
  expect(typed).toMatchObject({ Cos: 93, CosHundredths: 93, ActiveWh: null, TypedBy: '13800000061', Version: 1 })
  // 0.93 by the standard of 0.90: 0.45 % less of 1,488.
  expect(await rowOf()).toMatchObject({ Fee: '-6.70', Gap: null })
  expect(await bill()).toMatchObject({ PowerFactor: typed, IsWhole: true, Known: '1481.30' })
  expect((await bill(guest)).PowerFactor).toMatchObject({ Cos: 93, Source: '2025 年 3 月电费单', TypedBy: null })
})

test('by active and reactive energy it is worked out; it is written over what was seen, taken out, and stands in the log', async () => {
  const energies = { CosHundredths: null, ActiveWh: 1_488_000, ReactiveVarh: 1_116_000, Source: '2025 年 3 月电费单' }
  expect(await outcomeOf(set(0, energies))).toBe('changed meanwhile')
  // 0.80 by the standard of 0.90: 5 % more.
  expect(await set(1, energies)).toMatchObject({ Cos: 80, ActiveWh: 1_488_000, ReactiveVarh: 1_116_000, Version: 2 })
  expect(await rowOf()).toMatchObject({ Fee: '74.40' })
  expect(await set(2, null)).toBeNull()
  expect(await rowOf()).toMatchObject({ Fee: null, Gap: 'powerFactor' })
  const { rows } = await stack.server.database.borrow((client) =>
    client.query("select target, before, after from audit where action = 'supply.powerFactor' order by audit_id"),
  )
  expect(rows.map(({ target }) => target.split(' · ').slice(1))).toEqual(Array(3).fill(['总进线', '2025-03']))
  expect(rows[1]).toMatchObject({ before: { cosHundredths: 93 }, after: { activeWh: 1_488_000, source: '2025 年 3 月电费单' } })
  expect(rows[2]?.after).toBeNull()
})

test('the standard of the supply decides: without one nothing is adjusted, whatever its tariff says', async () => {
  await set(0, byCos(93))
  await withStandard(null)
  expect(await rowOf()).toBeUndefined()
  expect(await bill()).toMatchObject({ PowerFactorStandard: null, IsWhole: true, Known: '1488.00' })
  await withStandard(85)
  // 0.93 by the standard of 0.85: 0.95 % less.
  expect(await rowOf()).toMatchObject({ Fee: '-14.14' })
})

test('half of it, both ways at once, a period that is none of the supply’s, and whoever may not, are refused', async () => {
  const refused = (typed: Typed, more = {}, client = manager) => outcomeOf(set(1, typed, more, client))
  const half = { CosHundredths: null, ActiveWh: 1_000, ReactiveVarh: null, Source: '账单' }
  for (const typed of [half, { ...half, CosHundredths: 93 }, { ...half, ActiveWh: null }, byCos(101), byCos(93, ' ')])
    expect(await refused(typed)).toBe('invalid parameter')
  for (const Month of ['2025-01', '2025-10', '2025-13', '2099-01'])
    expect(await refused(byCos(93), { Month })).toBe('invalid parameter')
  expect(await refused(byCos(93), { SupplyID: 999_999 })).toBe('supply not exists')
  expect(await refused(byCos(93), {}, reader)).toBe('access denied')
  expect(await refused(byCos(93), {}, guest)).toBe('access denied')
})
