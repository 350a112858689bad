import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { addSubAccount, getTopology, saveTopology, setFeed } from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { subOf } from '../../kit/two-owners.ts'

// How a project is supplied: sources, buses and ties.
let stack: Stack
let manager: Client
let reader: Client
let part: Client
let guest: Client
let houseA = 0
let houseB = 0
const password = 'Topology-7391'

const lineOf = (lineNo: number, device = 'A-T1') => stack.server.plant.lineAt(device, lineNo)?.id ?? 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  const { accounts, plant } = stack.server
  const gateway = plant.lineAt('A-T1', 1)?.device.gateway
  houseA = gateway?.project.id ?? 0
  houseB = plant.lineAt('B-T1', 1)?.device.gateway.project.id ?? 0
  const role = (number: string, privileges: string[]) => accounts.createRole({ number, name: number, privileges, buttons: [] })
  const manages = await role('manages', ['devmon', 'devmon.realtime', 'system', 'system.project'])
  const reads = await role('reads', ['devmon', 'devmon.realtime'])
  const person = async (userName: string, own: Partial<Parameters<typeof accounts.createAccount>[0]>): Promise<Client> => {
    await accounts.createAccount({ userName, password, kind: 'sub', roleId: manages, projectIds: [houseA], ...own })
    return signedIn(stack.url, { userName, password })
  }
  manager = await person('13800000041', {})
  reader = await person('13800000042', { roleId: reads })
  const subOfGateway = { ...subOf('13800000043'), RoleID: manages, Assigned: { HouseIDs: [], DeviceIDs: [gateway?.id ?? 0] } }
  await stack.client.call(addSubAccount, { body: subOfGateway })
  part = await signedIn(stack.url, { userName: '13800000043', password: 'Pass-13800000043-7' })
  guest = await person('13800000044', { kind: 'shared' })
  await stack.client.call(setFeed, {
    params: { ControllerID: 'A-T1', LineNo: 3 },
    body: { FedBy: { ControllerID: 'A-T1', LineNo: 1 }, Was: null },
  })
})
afterAll(() => stack?.close())

type Body = Request<typeof saveTopology>['body']
const source = (SourceID: number, LineIDs: number[]): Body['Sources'][number] => ({
  ...{ SourceID, Kind: 'grid', Name: `T${SourceID} 电源`, LineIDs },
  Transformer: { Name: `T${SourceID}`, Kva: 1_000, HighKv: 10, LowKv: 0.4 },
})
/** Lines 1 and 2 are incomers, 4 is the tie between their buses; 1 feeds 3. */
const topology = (more: Partial<Body> = {}): Body => ({
  Sources: [source(1, [lineOf(1)]), source(2, [lineOf(2)])],
  Buses: [{ Bus: `line:${lineOf(1)}`, Name: 'I 段' }],
  Ties: [{ LineID: lineOf(4), BusA: `line:${lineOf(1)}`, BusB: `line:${lineOf(2)}` }],
  Version: 0,
  ...more,
})
const read = (client = reader, HouseID = houseA) => client.call(getTopology, { params: { HouseID } })
const save = (client: Client, body: Body, HouseID = houseA) => client.call(saveTopology, { params: { HouseID }, body })
const problemsOf = (promise: Promise<unknown>) =>
  promise.then(
    () => [],
    (error) =>
      (error.problem?.failure?.Problems ?? []).map(({ Path, Text }: { Path: string; Text: { en: string } }) => [Path, Text.en]),
  )

describe('what it cannot be is said at its place, and nothing is stored', () => {
  test.each<[string, () => Partial<Body>, readonly (readonly string[])[]]>([
    [
      'a line of another project',
      () => ({ Sources: [source(1, [lineOf(1, 'B-T1')])], Ties: [], Buses: [] }),
      [['body.Sources.0', 'A line or bus is no longer in this project: choose again']],
    ],
    [
      'a line that another feeds',
      () => ({ Sources: [source(1, [lineOf(3)])], Ties: [], Buses: [] }),
      [['body.Sources.0', 'Fed by A线1, A线3 hangs on no source and is no tie. Correct what feeds it first']],
    ],
    [
      'a tie that feeds, between the ends of one bus',
      () => ({
        Sources: [source(1, [])],
        Ties: [{ LineID: lineOf(1), BusA: 'source:1', BusB: 'source:1' }],
        Buses: [],
      }),
      [
        ['body.Ties.0', 'Both ends of A线1 are one bus: choose another for one end'],
        ['body.Ties.0', 'No tie feeds other lines, as A线1 does. Correct what feeds those first'],
      ],
    ],
  ])('%s', async (_name, more, problems) => {
    expect(await problemsOf(save(manager, topology(more())))).toEqual(problems)
    expect((await read()).Version).toBe(0)
  })
})

test('of a project of which nobody entered it, all hangs on one grid', async () => {
  expect(await read()).toEqual({
    HouseID: houseA,
    Sources: [{ SourceID: 1, Kind: 'grid', Name: '市电', Transformer: null, LineIDs: [] }],
    Buses: [],
    Ties: [],
    Version: 0,
  })
})

test('it is written over the version that was read, and stands in the log', async () => {
  const saved = await save(manager, topology())
  expect(saved).toEqual({ HouseID: houseA, ...topology(), Version: 1 })
  expect(await read()).toEqual(saved)
  // Somebody else's picture of it is of before.
  expect(await outcomeOf(save(manager, topology({ Ties: [] })))).toBe('changed meanwhile')
  expect((await save(manager, topology({ Version: 1, Ties: [] }))).Ties).toEqual([])
  const written = await stack.server.database.general
    .selectFrom('audit')
    .select(['action', 'target'])
    .where('action', '=', 'topology.save')
    .where('outcome', '=', 'done')
    .execute()
  expect(written.map(({ target }) => target)).toEqual(['项目A', '项目A'])
})

test('two that save at one moment do not both win', async () => {
  const { Version } = await read()
  const outcomes = await Promise.all([1, 2].map(() => outcomeOf(save(manager, topology({ Version })))))
  expect(outcomes.toSorted()).toEqual(['changed meanwhile', 'done'])
})

test('who may not change the project reads, a guest changes nothing, and who sees one gateway of it has no picture of the whole', async () => {
  const body = topology({ Version: (await read()).Version })
  expect(await outcomeOf(save(reader, body))).toBe('access denied')
  expect(await outcomeOf(save(guest, body))).toBe('access denied')
  expect(await outcomeOf(read(part))).toBe('project not exists')
  expect(await outcomeOf(save(part, body))).toBe('project not exists')
  expect(await outcomeOf(read(reader, houseB))).toBe('project not exists')
  expect(await outcomeOf(save(manager, body, houseB))).toBe('project not exists')
})
