import { createHash } from 'node:crypto'
import type { Client } from '@linewarden/client'
import type { TariffContent, TariffVersionRecord } from '@linewarden/contract'
import {
  getTariffVersion,
  insertSupply,
  insertTariff,
  listTariffs,
  previewTariff,
  publishTariff,
  saveTariffDraft,
  tariffDays,
} from '@linewarden/contract'
import { dayMs, minuteMs } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import { evenStrip, painted } from '@linewarden/rules/energy'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../../apps/server/src/access/actor.ts'
import { createTariffPreviews } from '../../../apps/server/src/areas/energy/tariff-preview.ts'
import { createTariffs } from '../../../apps/server/src/areas/energy/tariffs.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

// Tariffs: drafts may be wrong, what is published is right and stays, and a look at the past changes nothing.
let stack: Stack
let manager: Client
let reader: Client
let guest: Client
let houseA = 0
let houseB = 0
const password = 'Tariff-7391'

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  const { accounts, plant } = stack.server
  houseA = plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  houseB = plant.lineAt('B-T1', 1)?.device.gateway.project.id ?? 0
  const role = (number: string, privileges: string[]) => accounts.createRole({ number, name: number, privileges, buttons: [] })
  const manages = await role('manages', ['energy', 'energy.energy', 'system', 'system.project'])
  const reads = await role('reads', ['energy', 'energy.energy'])
  const person = async (userName: string, kind: 'sub' | 'shared', roleId: number): Promise<Client> => {
    await accounts.createAccount({ userName, password, kind, roleId, projectIds: [houseA] })
    return signedIn(stack.url, { userName, password })
  }
  manager = await person('13800000041', 'sub', manages)
  reader = await person('13800000042', 'sub', reads)
  guest = await person('13800000043', 'shared', manages)
})
afterAll(() => stack?.close())

/** Flat all day but for a peak from 08:30 to 11:30 on workdays. */
const workday = painted(evenStrip(1), 34, 46, 0)
const content = (more: Partial<TariffContent> = {}): TariffContent => ({
  ...{ From: '2026-01-01', To: null, Source: '苏发改价格发〔2026〕1 号', Bands: ['peak', 'flat'] },
  Seasons: [
    {
      ...{ Name: '全年', From: '01-01', To: '12-31' },
      Days: { workday, saturday: evenStrip(1), sunday: evenStrip(1), holiday: evenStrip(1), makeUpWorkday: workday },
    },
  ],
  Components: [
    { Key: 'purchase', Basis: 'kwhByBand', Prices: ['1.2', '0.5'], Of: [], InPowerFactorBase: true, GovernmentFund: false },
    { Key: 'funds', Basis: 'kwh', Prices: ['0.0293'], Of: [], InPowerFactorBase: false, GovernmentFund: true },
  ],
  ...{ DemandRule: null, PowerFactorStandard: 90, ...more },
})
let count = 0
let tariffId = 0
beforeEach(async () => {
  tariffId = (await manager.call(insertTariff, { body: { HouseID: houseA, Name: `电价 ${++count}` } })).TariffID
})
const save = async (Content: TariffContent, before: TariffVersionRecord | null = null): Promise<TariffVersionRecord> => {
  const own = before ? { VersionID: before.Head.VersionID, Version: before.Head.Version } : { Version: 0 }
  const saved = await manager.call(saveTariffDraft, { body: { HouseID: houseA, TariffID: tariffId, ...own, Content } })
  if (!saved) throw new Error('the draft is there')
  return saved
}
const publish = ({ Head }: TariffVersionRecord, client = manager) =>
  client.call(publishTariff, { body: { HouseID: houseA, VersionID: Head.VersionID, Version: Head.Version } })
const own = async () =>
  (await reader.call(listTariffs, { query: { HouseID: houseA } })).items.find(({ TariffID }) => TariffID === tariffId)
const problemsOf = (promise: Promise<unknown>): Promise<readonly string[]> =>
  promise.then(
    () => [],
    (error) => (error.problem?.failure?.Problems ?? []).map(({ Text }: { Text: { en: string } }) => Text.en),
  )

test('a draft is saved however wrong it is, and published once nothing is', async () => {
  const wrong = await save(
    content({
      Source: '',
      Seasons: content().Seasons.map((season) => ({
        ...season,
        ...{ From: '01-02', Days: { ...season.Days, sunday: `${evenStrip(1).slice(0, 33)}.${evenStrip(1).slice(34)}` } },
      })),
      Components: [{ ...content().Components[0]!, Prices: ['1,2', '0.5'] }],
    }),
  )
  expect(wrong).toMatchObject({ Head: { Number: 1, PublishedAt: null, Version: 1 }, Currency: 'CNY' })
  expect(await problemsOf(publish(wrong))).toEqual([
    'Say what it follows, such as the number of a notice',
    'From 01-01 on, dates are in no season',
    'No band from 08:15 on: 全年, Sunday',
    'The price of Energy purchase, Peak, is a number with at most 8 places',
  ])
  const right = await save(content(), wrong)
  expect(right.Head.Version).toBe(2)
  // Whoever saw it before has not seen what is published now.
  expect(await outcomeOf(publish(wrong))).toBe('changed meanwhile')
  const published = await publish(right)
  expect(published.Head).toMatchObject({ Publisher: '13800000041', Superseded: false, PricesUntil: null })
  expect(published.Content).toEqual(right.Content)
  // A guest sees what energy costs, and nobody.
  const { VersionID } = published.Head
  const seen = await guest.call(getTariffVersion, { query: { HouseID: houseA, VersionID } })
  expect(seen.Head).toEqual({ ...published.Head, Publisher: null })
})

test('what is published is hashed as it reads, and nothing changes it, not even by hand', async () => {
  const { Head } = await publish(await save(content()))
  const { database } = stack.server
  const row = await database.general
    .selectFrom('tariff_version')
    .select(['canonical', 'sha256'])
    .where('version_id', '=', Head.VersionID)
    .executeTakeFirstOrThrow()
  expect(
    createHash('sha256')
      .update(row.canonical ?? '')
      .digest('hex'),
  ).toBe(Head.Sha256)
  const { Content } = await reader.call(getTariffVersion, { query: { HouseID: houseA, VersionID: Head.VersionID } })
  expect(JSON.parse(row.canonical ?? '')).toEqual({ TariffID: tariffId, Currency: 'CNY', Number: 1, ...Content })
  const edit = { HouseID: houseA, TariffID: tariffId, VersionID: Head.VersionID, Version: Head.Version }
  expect(await outcomeOf(manager.call(saveTariffDraft, { body: { ...edit, Content: content() } }))).toBe('tariff published')
  expect(await outcomeOf(manager.call(saveTariffDraft, { body: { ...edit, Content: null } }))).toBe('tariff published')
  expect(await outcomeOf(publish({ ...(await publishedRecord(Head.VersionID)) }))).toBe('tariff published')
  const byHand = database.general.updateTable('tariff_version').set({ source: 'x' }).where('version_id', '=', Head.VersionID)
  await expect(byHand.execute()).rejects.toThrow('a published tariff version is never changed')
  const taken = database.general.deleteFrom('tariff_version').where('version_id', '=', Head.VersionID)
  await expect(taken.execute()).rejects.toThrow('a published tariff version is never changed')
})

const publishedRecord = (VersionID: number) => reader.call(getTariffVersion, { query: { HouseID: houseA, VersionID } })

test('a later version ends an open one, the same dates supersede, and overlaps and gaps are refused with their dates', async () => {
  await publish(await save(content({ To: '2026-06-30' })))
  expect(await problemsOf(publish(await save(content({ From: '2026-06-01' }))))).toEqual([
    'It overlaps a published version from 2026-06-01 to 2026-06-30',
  ])
  const [draft] = (await own())?.Versions ?? []
  const before = await publishedRecord(draft?.VersionID ?? 0)
  const gap = await save(content({ From: '2026-07-02' }), before)
  expect(await problemsOf(publish(gap))).toEqual(['There is no price from 2026-07-01 to 2026-07-01'])
  await publish(await save(content({ From: '2026-07-01' }), gap))
  await publish(await save(content({ From: '2026-10-01' })))
  await publish(await save(content({ To: '2026-06-30', Source: '更正' })))
  expect((await own())?.Versions.map((each) => [each.Number, each.Superseded, each.PricesUntil])).toEqual([
    [4, false, '2026-06-30'],
    [3, false, null],
    [2, false, '2026-09-30'],
    [1, true, null],
  ])
})

describe('a draft', () => {
  test('there is one of a tariff at a time, and it can be taken out', async () => {
    const draft = await save(content())
    expect(await outcomeOf(save(content()))).toBe('tariff has draft')
    const { VersionID, Version } = draft.Head
    await manager.call(saveTariffDraft, { body: { HouseID: houseA, TariffID: tariffId, VersionID, Version, Content: null } })
    expect((await own())?.Versions).toEqual([])
  })

  test('with dates that do not exist or are the wrong way round is not saved', async () => {
    expect(await outcomeOf(save(content({ From: '2026-02-30' })))).toBe('tariff draft wrong')
    expect(await outcomeOf(save(content({ To: '2025-12-31' })))).toBe('tariff draft wrong')
  })
})

test('two tariffs of a project are not called the same, and who only reads, or sees another project, makes none', async () => {
  const make = (client: Client, HouseID: number, Name: string) =>
    outcomeOf(client.call(insertTariff, { body: { HouseID, Name } }))
  expect(await make(manager, houseA, `电价 ${count}`)).toBe('tariff name used')
  expect(await make(reader, houseA, '越权')).toBe('access denied')
  expect(await make(guest, houseA, '越权')).toBe('access denied')
  expect(await make(manager, houseB, '越权')).toBe('project not exists')
  const draft = await save(content())
  expect(await outcomeOf(publish(draft, reader))).toBe('access denied')
  const { VersionID } = draft.Head
  expect(await outcomeOf(manager.call(getTariffVersion, { query: { HouseID: houseB, VersionID } }))).toBe('project not exists')
  const { client } = stack
  expect(await outcomeOf(client.call(getTariffVersion, { query: { HouseID: houseB, VersionID } }))).toBe(
    'tariff version not exists',
  )
})

test('nobody makes one, writes a draft or publishes once the project was handed over or taken out meanwhile', async () => {
  const draft = await save(content())
  const { general } = stack.server.database
  const { account_id } = await general.selectFrom('account').select('account_id').limit(1).executeTakeFirstOrThrow()
  const project = general.updateTable('project').where('project_id', '=', houseA)
  for (const gone of [{ owner_id: account_id }, { removed_at: new Date() }]) {
    await project.set(gone).execute()
    try {
      const insert = manager.call(insertTariff, { body: { HouseID: houseA, Name: '迟到' } })
      const outcomes = await Promise.all([insert, save(content(), draft), publish(draft)].map((each) => outcomeOf(each)))
      expect(outcomes).toEqual(Array(3).fill('project not exists'))
    } finally {
      await project.set({ owner_id: null, removed_at: null }).execute()
    }
  }
  expect((await own())?.Versions).toEqual([draft.Head])
})

test('what versions say is read of those alone that are asked for, and nobody waits for the others', async () => {
  const [first, other] = [tariffId, (await manager.call(insertTariff, { body: { HouseID: houseA, Name: '旁边' } })).TariffID]
  tariffId = other
  await publish(await save(content()))
  tariffId = first
  await publish(await save(content({ To: '2026-06-30' })))
  const draft = await save(content({ From: '2026-07-01' }))
  const { database, plant } = stack.server
  const read: { version_id?: unknown; tariff_id?: unknown }[] = []
  const general = database.general.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      read.push(...result.rows.filter((row) => 'version_id' in row))
      return result
    },
  })
  const deps = { database: { ...database, general }, plant, clock: () => Date.now() }
  const tariffs = createTariffs(deps)
  const actor = {
    shared: false,
    userName: 'a',
    address: '',
    scope: { all: true, projectIds: [], gatewayIds: [] },
  } as unknown as Actor
  const project = plant.projects.get(houseA)
  if (!project) throw new Error('the project is there')
  /** Of which versions all is read, and of which tariffs any version. */
  const readBy = async (work: () => Promise<unknown>) => {
    read.length = 0
    await work()
    const whole = read.filter((row) => 'content' in row || 'canonical' in row).map((row) => row.version_id)
    return { whole: new Set(whole), tariffs: new Set(read.map((row) => row.tariff_id)) }
  }
  const { VersionID, Version } = draft.Head
  const alone = { whole: new Set([VersionID]), tariffs: new Set([first]) }
  expect((await readBy(() => tariffs.list(actor, project))).whole).toEqual(new Set())
  expect(await readBy(() => tariffs.version(actor, project, VersionID))).toEqual(alone)
  expect(await readBy(() => createTariffPreviews(deps).preview(actor, project, VersionID))).toEqual(alone)
  const edit = { HouseID: houseA, TariffID: first, VersionID, Version, Content: draft.Content }
  expect(await readBy(() => tariffs.saveDraft(actor, project, edit))).toEqual(alone)
  const publishing = { HouseID: houseA, VersionID, Version: Version + 1 }
  expect(await readBy(() => tariffs.publish(actor, project, publishing))).toEqual(alone)
})

test('the days of a year that are none of the plain week are those that the state arranged', async () => {
  const { IsEntered, Days } = await reader.call(tariffDays, { query: { HouseID: houseA, Year: 2026 } })
  expect(IsEntered).toBe(true)
  expect(Days.find((each) => each.Date === '2026-10-01')?.DayType).toBe('holiday')
  expect((await reader.call(tariffDays, { query: { HouseID: houseA, Year: 1999 } })).IsEntered).toBe(false)
})

describe('what a version would have come to', () => {
  /** A day of the last year, of which a quarter has 1,000 Wh. */
  let day = 0
  let lineId = 0

  beforeAll(async () => {
    const { plant, database } = stack.server
    lineId = plant.lineAt('A-T1', 2)?.id ?? 0
    // Ten whole days of UTC within the year that is looked at, and within one supply of eight.
    day = Math.floor(Date.now() / dayMs) - 40
    const client = await database.connect()
    try {
      await client.query(
        `insert into energy_quarter (line_id, day, wh, how)
         select $1, day::date, array_fill(1000, array[96]), decode(repeat('00', 96), 'hex')
         from generate_series($2::date, $2::date + 9, interval '1 day') as day`,
        [lineId, dateText(day)],
      )
    } finally {
      await client.end()
    }
  })

  test('each quarter in its band: the same energy, priced as now and by the version', async () => {
    const now = await publish(await save(content({ From: '2020-01-01', To: null })))
    await manager.call(insertSupply, {
      body: {
        ...{
          HouseID: houseA,
          Name: '一号',
          AccountNo: '',
          Members: [{ LineID: lineId, Sign: 1 }],
          CapacityVa: null,
          DeclaredW: null,
        },
        ...{ PowerFactorStandard: null, BillingDay: 0, EnergyStepWh: 1 },
        ...{ From: dateText(day + 1), To: dateText(day + 8), Tariffs: [{ TariffID: tariffId, From: null }] },
      },
    })
    const [purchase, ...others] = content().Components
    const dearer = await save(content({ Components: [{ ...purchase!, Prices: ['1.2', '0.6'] }, ...others] }))
    const { items, about } = await reader.call(previewTariff, { body: { HouseID: houseA, VersionID: dearer.Head.VersionID } })
    expect(about).toMatchObject({ Currency: 'CNY', LeftOut: 0 })
    const [effect] = items
    // Eight days of Shanghai, of which each quarter is known.
    expect(effect).toMatchObject({ Name: '一号', Wh: 8 * 96_000, LackingS: 0, Now: { UnpricedWh: 0 }, Then: { UnpricedWh: 0 } })
    const [peak, flat] = ['peak', 'flat'].map((key) => effect?.Now.Bands.find(({ Key }) => Key === key)?.Wh ?? 0)
    expect((peak ?? 0) + (flat ?? 0)).toBe(8 * 96_000)
    expect(effect?.Then.Bands).toEqual(effect?.Now.Bands)
    expect(effect?.Difference).toBe((((flat ?? 0) / 1_000) * 0.1).toFixed(2))
    // By hand: kWh of each band times what it costs.
    expect(effect?.Now.Fee).toBe((((peak ?? 0) * 1.2293 + (flat ?? 0) * 0.5293) / 1_000).toFixed(2))
    expect(
      (await reader.call(previewTariff, { body: { HouseID: houseA, VersionID: now.Head.VersionID } })).items[0]?.Difference,
    ).toBe('0.00')
  })

  const supplyOf = (Name: string, LineID: number) => ({
    ...{ HouseID: houseA, Name, AccountNo: '', Members: [{ LineID, Sign: 1 as const }], CapacityVa: null, DeclaredW: null },
    ...{ PowerFactorStandard: null, BillingDay: 0, EnergyStepWh: 1 as const },
    ...{ From: dateText(day + 1), To: dateText(day + 1), Tariffs: [{ TariffID: tariffId, From: null }] },
  })
  const stored = (SupplyID: number, what: { members: string } | { tariffs: string }) =>
    stack.server.database.general.updateTable('supply').set(what).where('supply_id', '=', SupplyID).execute()

  test('a supply of more lines than fit is left out, and keeps no other from being looked through', async () => {
    const draft = await save(content())
    const lineAt = (lineNo: number) => stack.server.plant.lineAt('A-T1', lineNo)?.id ?? 0
    const { SupplyID } = await manager.call(insertSupply, { body: supplyOf('二十一路', lineAt(4)) })
    const members = Array.from({ length: 21 }, (_, index) => ({ lineId: 1_000_000 + index, sign: 1 }))
    await stored(SupplyID, { members: JSON.stringify(members) })
    await manager.call(insertSupply, { body: supplyOf('一路', lineAt(5)) })
    const ask = { body: { HouseID: houseA, VersionID: draft.Head.VersionID } }
    const { items, about } = await reader.call(previewTariff, ask)
    expect([items.map(({ Name }) => Name), about.LeftOut]).toEqual([['一路'], 1])
  })

  test('where a supply has tariffs of several currencies, nothing is added up or compared', async () => {
    const { general } = stack.server.database
    const draft = await save(content({ From: '2020-01-01' }))
    const ask = { body: { HouseID: houseA, VersionID: draft.Head.VersionID } }
    const { SupplyID } = await manager.call(insertSupply, {
      body: { ...supplyOf('两币种', lineId), From: dateText(day + 9), To: dateText(day + 9) },
    })
    const name = `美元 ${count}`
    const { tariff_id } = await general
      .insertInto('tariff')
      .values({ project_id: houseA, name, currency: 'USD' })
      .returning('tariff_id')
      .executeTakeFirstOrThrow()
    const of = (first: number) => [
      { tariffId: first, from: null },
      { tariffId, from: dateText(day + 9) },
    ]
    // Nothing prices it yet: that is not nought.
    const before = (await reader.call(previewTariff, ask)).items[0]
    expect(before).toMatchObject({ Now: { UnpricedWh: 96_000, Fee: null }, Difference: null })
    await publish(draft)
    const effect = async () => (await reader.call(previewTariff, ask)).items[0]
    await stored(SupplyID, { tariffs: JSON.stringify(of(tariffId)) })
    expect(await effect()).toMatchObject({ Wh: 96_000, Difference: '0.00', CurrenciesDiffer: false })
    await stored(SupplyID, { tariffs: JSON.stringify(of(tariff_id)) })
    const mixed = await effect()
    expect(mixed).toMatchObject({ Wh: 96_000, Now: { Fee: null }, Difference: null, CurrenciesDiffer: true })
    expect(Number(mixed?.Then.Fee)).toBeGreaterThan(0)
  })

  test('of a tariff that no supply has there is nothing, and a silence is lacking and not nought', async () => {
    const draft = await save(content())
    const ask = () => reader.call(previewTariff, { body: { HouseID: houseA, VersionID: draft.Head.VersionID } })
    expect((await ask()).items).toEqual([])
    await manager.call(insertSupply, {
      body: {
        ...{
          HouseID: houseA,
          Name: '二号',
          AccountNo: '',
          Members: [{ LineID: stack.server.plant.lineAt('A-T1', 3)?.id ?? 0, Sign: 1 }],
        },
        ...{ CapacityVa: null, DeclaredW: null, PowerFactorStandard: null, BillingDay: 0, EnergyStepWh: 1 },
        ...{ From: dateText(day), To: dateText(day), Tariffs: [{ TariffID: tariffId, From: null }] },
      },
    })
    expect((await ask()).items).toMatchObject([
      { Wh: null, LackingS: (24 * 60 * minuteMs) / 1_000, Now: { Fee: null }, Then: { Fee: null }, Difference: null },
    ])
  })
})
