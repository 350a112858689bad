import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { addSubAccount, insertSupply, insertTariff, listSupplies, updateSupply } from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { subOf } from '../../kit/two-owners.ts'

// Supplies: what the utility bills of a project, and by which lines.
let stack: Stack
let manager: Client
let reader: Client
let part: Client
let guest: Client
let houseA = 0
let houseB = 0
const password = 'Supply-7391'

const lineOf = (lineNo: number, device = 'A-T1') => stack.server.plant.lineAt(device, lineNo)?.id ?? 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  const { accounts, plant } = stack.server
  const gateway = plant.lineAt('A-T1', 1)?.device.gateway
  houseA = gateway?.project.id ?? 0
  houseB = plant.lineAt('B-T1', 1)?.device.gateway.project.id ?? 0
  const role = (number: string, privileges: string[]) => accounts.createRole({ number, name: number, privileges, buttons: [] })
  const manages = await role('manages', ['energy', 'energy.energy', 'system', 'system.project'])
  const reads = await role('reads', ['energy', 'energy.energy'])
  const person = async (userName: string, own: Partial<Parameters<typeof accounts.createAccount>[0]>): Promise<Client> => {
    await accounts.createAccount({ userName, password, kind: 'sub', roleId: manages, projectIds: [houseA], ...own })
    return signedIn(stack.url, { userName, password })
  }
  manager = await person('13800000031', {})
  reader = await person('13800000032', { roleId: reads })
  const subOfGateway = { ...subOf('13800000033'), RoleID: manages, Assigned: { HouseIDs: [], DeviceIDs: [gateway?.id ?? 0] } }
  await stack.client.call(addSubAccount, { body: subOfGateway })
  part = await signedIn(stack.url, { userName: '13800000033', password: 'Pass-13800000033-7' })
  guest = await person('13800000034', { kind: 'shared' })
})
afterAll(() => stack?.close())

type Body = Request<typeof insertSupply>['body']
const supply = (more: Partial<Body> = {}): Body => ({
  ...{ HouseID: houseA, Name: '总进线', AccountNo: '3301 0045', Members: [{ LineID: lineOf(1), Sign: 1 }] },
  ...{ CapacityVa: 630_000, DeclaredW: 400_500, PowerFactorStandard: 90, BillingDay: 20, EnergyStepWh: 1_000 },
  ...{ From: '2026-01-01', To: null, Tariffs: [], ...more },
})
const list = async (client = reader) => (await client.call(listSupplies, { query: { HouseID: houseA } })).items
const problemsOf = (promise: Promise<unknown>) =>
  promise.then(
    () => [],
    (error) =>
      (error.problem?.failure?.Problems ?? []).map(({ Path, Text }: { Path: string; Text: { en: string } }) => [Path, Text.en]),
  )

test('a supply is added, read by whoever reads energy, changed and ended; each stands in the log', async () => {
  const added = await manager.call(insertSupply, { body: supply() })
  expect(added).toMatchObject({
    Version: 1,
    Members: [{ LineID: lineOf(1), Sign: 1, Name: 'A线1' }],
    From: '2026-01-01',
    To: null,
  })
  expect(await list()).toEqual([added])
  const edit = {
    ...supply({
      Name: '一号进线',
      Members: [
        { LineID: lineOf(1), Sign: 1 },
        { LineID: lineOf(2), Sign: -1 },
      ],
    }),
    SupplyID: added.SupplyID,
  }
  const edited = await manager.call(updateSupply, { body: { ...edit, Version: 1 } })
  expect(edited).toMatchObject({ Name: '一号进线', Version: 2, DeclaredW: 400_500 })
  // Somebody else's picture of it is of before.
  expect(await outcomeOf(manager.call(updateSupply, { body: { ...edit, Version: 1, Name: '别的' } }))).toBe('changed meanwhile')
  await manager.call(updateSupply, { body: { ...edit, Version: 2, To: '2026-03-31' } })
  expect(await list()).toMatchObject([{ Name: '一号进线', To: '2026-03-31', Version: 3 }])
  const written = await stack.server.database.general
    .selectFrom('audit')
    .select(['action', 'outcome', 'actor'])
    .where('action', 'like', 'supply.%')
    .orderBy('audit_id')
    .execute()
  expect(written.map(({ action, outcome }) => [action, outcome])).toEqual([
    ['supply.add', 'done'],
    ['supply.edit', 'done'],
    ['supply.end', 'done'],
  ])
  expect(await outcomeOf(manager.call(updateSupply, { body: { ...edit, SupplyID: 999_999, Version: 1 } }))).toBe(
    'supply not exists',
  )
})

test('two that go in at one moment do not both get the same line', async () => {
  const body = (Name: string) => supply({ Name, Members: [{ LineID: lineOf(5), Sign: 1 }] })
  const outcomes = await Promise.all(
    ['同时一', '同时二'].map((Name) => outcomeOf(manager.call(insertSupply, { body: body(Name) }))),
  )
  expect(outcomes.toSorted()).toEqual(['done', 'supply wrong'])
})

describe('what a supply cannot be is said at its field', () => {
  test.each<[string, () => Partial<Body>, readonly string[]]>([
    ['no line', () => ({ Name: 'x', Members: [] }), ['body.Members', 'Choose at least one line that counts']],
    [
      'an end before its beginning',
      () => ({ Name: 'x', To: '2025-12-31', Members: [{ LineID: lineOf(3), Sign: 1 }] }),
      ['body.To', 'Enter dates that exist: the last one is not before the first'],
    ],
    [
      'a line of another project',
      () => ({ Name: 'x', Members: [{ LineID: lineOf(1, 'B-T1'), Sign: 1 }] }),
      ['body.Members', 'A line is not in this project: choose again'],
    ],
    [
      'a line that counts for another',
      () => ({ Name: 'x', Members: [{ LineID: lineOf(1), Sign: 1 }] }),
      [
        'body.Members',
        'Counted already: A线1 is part of 一号进线 from 2026-01-01 to 2026-03-31. End that one first, or change the dates',
      ],
    ],
  ])('%s', async (_name, more, problem) => {
    expect(await problemsOf(manager.call(insertSupply, { body: supply(more()) }))).toEqual([problem])
  })

  test('a feeder and what it feeds, both counted', async () => {
    const { plant } = stack.server
    const [feeder, fed] = [plant.lineAt('A-T1', 7), plant.lineAt('A-T1', 8)]
    if (!feeder || !fed) throw new Error('the plan has eight lines')
    fed.upstreamId = feeder.id
    const Members = [feeder, fed].map(({ id }) => ({ LineID: id, Sign: 1 }) as const)
    expect(await problemsOf(manager.call(insertSupply, { body: supply({ Name: '两级', Members }) }))).toEqual([
      ['body.Members', 'Counted both, energy counts twice: A线8 is fed by A线7. Take one of them out'],
    ])
    fed.upstreamId = null
  })
})

describe('of a line of another project nothing is said, whatever else is wrong with it', () => {
  const notHere = [['body.Members', 'A line is not in this project: choose again']]
  const twice = (lineId: number): Body['Members'] => [
    { LineID: lineId, Sign: 1 },
    { LineID: lineId, Sign: -1 },
  ]

  test('neither its name where it is there twice, nor what feeds it', async () => {
    const { plant } = stack.server
    const [feeder, fed] = [plant.lineAt('B-T1', 1), plant.lineAt('B-T1', 2)]
    if (!feeder || !fed) throw new Error('the plan has two lines of another project')
    fed.upstreamId = feeder.id
    const both = [feeder, fed].map(({ id }) => ({ LineID: id, Sign: 1 }) as const)
    for (const Members of [twice(feeder.id), both, twice(999_999)])
      expect(await problemsOf(manager.call(insertSupply, { body: supply({ Name: '外线', Members, To: '2025-01-01' }) }))).toEqual(
        notHere,
      )
    fed.upstreamId = null
  })

  test('nor of one that was its line before it went elsewhere, which may stay', async () => {
    const { SupplyID, Version } = await manager.call(insertSupply, {
      body: supply({ Name: '迁出', Members: [{ LineID: lineOf(4), Sign: 1 }] }),
    })
    const lineId = lineOf(1, 'B-T1')
    const { general } = stack.server.database
    const members = JSON.stringify([{ lineId, sign: 1 }])
    await general.updateTable('supply').set({ members }).where('supply_id', '=', SupplyID).execute()
    const edit = { ...supply({ Name: '迁出', To: '2026-02-01' }), SupplyID, Version }
    expect(await problemsOf(manager.call(updateSupply, { body: { ...edit, Members: twice(lineId) } }))).toEqual([
      ['body.Members', `There twice: ${lineId}. Keep it once`],
    ])
    const ended = await manager.call(updateSupply, { body: { ...edit, Members: [{ LineID: lineId, Sign: 1 }] } })
    expect(ended).toMatchObject({ To: '2026-02-01', Members: [{ LineID: lineId, Name: null }] })
  })
})

test('the tariffs of a supply are in one currency, also after that of the project changed', async () => {
  const { general } = stack.server.database
  const inCurrency = async (currency: string) => {
    await general.updateTable('project').set({ currency }).where('project_id', '=', houseA).execute()
    return (await manager.call(insertTariff, { body: { HouseID: houseA, Name: currency } })).TariffID
  }
  const dollars = await inCurrency('USD')
  const yuan = await inCurrency('CNY')
  const withTariffs = (...ids: readonly number[]) =>
    supply({
      ...{ Name: '币种', Members: [{ LineID: lineOf(8), Sign: 1 }] },
      Tariffs: ids.map((TariffID, index) => ({ TariffID, From: index === 0 ? null : `2026-0${index + 1}-01` })),
    })
  expect(await problemsOf(manager.call(insertSupply, { body: withTariffs(dollars, yuan, dollars) }))).toEqual([
    [
      'body.Tariffs',
      'The tariffs have different currencies (USD, CNY): choose tariffs of one. Where the currency changes, end this supply and add another',
    ],
  ])
  expect((await manager.call(insertSupply, { body: withTariffs(yuan, yuan) })).Tariffs).toHaveLength(2)
})

describe('who may', () => {
  test('nobody, once the project was handed over or taken out while they were at it', async () => {
    const { general } = stack.server.database
    const { account_id } = await general.selectFrom('account').select('account_id').limit(1).executeTakeFirstOrThrow()
    const body = supply({ Name: '迟到', Members: [{ LineID: lineOf(6), Sign: 1 }] })
    const project = general.updateTable('project').where('project_id', '=', houseA)
    for (const gone of [{ owner_id: account_id }, { removed_at: new Date() }]) {
      await project.set(gone).execute()
      try {
        expect(await outcomeOf(manager.call(insertSupply, { body }))).toBe('project not exists')
      } finally {
        await project.set({ owner_id: null, removed_at: null }).execute()
      }
    }
    expect((await list()).map(({ Name }) => Name)).not.toContain('迟到')
  })

  test('not: whoever only reads energy, sees one gateway of the project, is a guest, or sees another project', async () => {
    const body = supply({ Name: '越权', Members: [{ LineID: lineOf(6), Sign: 1 }] })
    expect(await outcomeOf(reader.call(insertSupply, { body }))).toBe('access denied')
    expect(await outcomeOf(part.call(insertSupply, { body }))).toBe('project not exists')
    expect(await outcomeOf(part.call(listSupplies, { query: { HouseID: houseA } }))).toBe('project not exists')
    expect(await outcomeOf(guest.call(insertSupply, { body }))).toBe('access denied')
    expect(await outcomeOf(manager.call(listSupplies, { query: { HouseID: houseB } }))).toBe('project not exists')
    expect(await outcomeOf(manager.call(insertSupply, { body: { ...body, HouseID: houseB } }))).toBe('project not exists')
    expect((await list(guest)).length).toBe((await list()).length)
  })
})
