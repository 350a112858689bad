import type { Client } from '@linewarden/client'
import type { Statement, UtilityBill } from '@linewarden/contract'
import {
  draftStatement,
  getStatement,
  getStatementBill,
  issueStatement,
  setStatementBill,
  verifyStatement,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { addSupply, storeSpring } from '../../kit/statement-house.ts'

// The utility's own bill beside an issued statement (账单核对).
let stack: Stack
let houseA = 0
let houseB = 0
let statement: Statement
let reader: Client

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  const { plant, accounts } = stack.server
  const projectOf = (device: string) => plant.lineAt(device, 1)?.device.gateway.project.id ?? 0
  ;[houseA, houseB] = [projectOf('A-T1'), projectOf('B-T1')]
  const [line = 0, other = 0] = [2, 3].map((lineNo) => plant.lineAt('A-T1', lineNo)?.id ?? 0)
  await storeSpring(stack.server, [line, other])
  const { SupplyID } = await addSupply(stack.client, houseA, [line])
  const body = { HouseID: houseA, SupplyID, Month: '2025-03' }
  const { Total } = await stack.client.call(draftStatement, { body })
  statement = await stack.client.call(issueStatement, { body: { ...body, Total: Total ?? '', Estimates: null } })
  const roleId = await accounts.createRole({ number: 'r', name: 'r', privileges: ['system', 'system.report'], buttons: [] })
  const account = { userName: '13800000081', password: 'State-7391-march' }
  await accounts.createAccount({ ...account, kind: 'sub', roleId, projectIds: [houseA] })
  reader = await signedIn(stack.url, account)
})
afterAll(() => stack?.close())

/** The bill as it should be: what the statement says. */
const billOf = (more: Partial<UtilityBill> = {}): UtilityBill => ({
  ...{ Number: '2025-03-0001', From: statement.From, To: statement.To, CosHundredths: null, ToleranceHundredths: 50 },
  Total: statement.Total ?? '',
  Rows: statement.Parts.flatMap(({ Rows }) =>
    Rows.map(({ Key, Band, Unit, Quantity, Price, Amount }) => ({ Key, Band, Unit, Quantity, Price, Amount: Amount ?? '0' })),
  ),
  ...more,
})
const set = (Bill: UtilityBill | null, Version = 0, HouseID = houseA, client = stack.client) =>
  client.call(setStatementBill, { body: { HouseID, StatementID: statement.StatementID ?? 0, Version, Bill } })
const read = (client = stack.client, HouseID = houseA) =>
  client.call(getStatementBill, { query: { HouseID, StatementID: statement.StatementID ?? 0 } })

test('a bill that says the same differs in no row, and stands beside the statement until it is taken out', async () => {
  expect(await read()).toBe(null)
  const saved = await set(billOf())
  expect(saved?.Check).toMatchObject({ TotalMore: '0', IsTotalWithin: true, IsSumRight: true })
  expect(saved?.Check.Rows.map(({ Reasons, IsWithin }) => [Reasons, IsWithin])).toEqual(
    statement.Parts[0]?.Rows.map(() => [[], true]),
  )
  expect(await read()).toEqual(saved)
  expect(await set(null, saved?.Version ?? 0)).toBe(null)
  expect(await read()).toBe(null)
})

test('each row says by how much it differs in energy and money, and why', async () => {
  const Rows = billOf()
    .Rows.map((row) => (row.Key === 'network' ? { ...row, Price: '0.2', Amount: '999.99' } : row))
    .slice(0, -1)
  const saved = await set(billOf({ Rows: [...Rows, { ...(Rows[0] ?? never()), Key: '滞纳金', Band: null, Amount: '5' }] }))
  const of = (key: string) => saved?.Check.Rows.find(({ Key }) => Key === key)
  expect(of('network')).toMatchObject({ QuantityMore: '0', IsWithin: false, Reasons: ['price'] })
  expect(of('滞纳金')).toMatchObject({ Ours: null, Reasons: ['theirsOnly'] })
  expect(of('capacity')).toMatchObject({ Theirs: null, Reasons: ['oursOnly'] })
  expect(saved?.Check.IsSumRight).toBe(false)
})

test('it is written over only by whoever saw what stands there, and the statement stays what it was', async () => {
  const before = await read()
  expect(await outcomeOf(set(billOf(), 0))).toBe('changed meanwhile')
  expect((await set(billOf(), before?.Version))?.Version).toBe((before?.Version ?? 0) + 1)
  const query = { HouseID: houseA, StatementID: statement.StatementID ?? 0 }
  expect(await stack.client.call(verifyStatement, { query })).toMatchObject({ IsEqual: true })
  expect((await stack.client.call(getStatement, { query })).Total).toBe(statement.Total)
})

test('whoever reads statements reads it and enters none; of another project nobody does either', async () => {
  expect((await read(reader))?.Bill.Number).toBe('2025-03-0001')
  expect(await outcomeOf(set(billOf(), 9, houseA, reader))).toBe('access denied')
  expect(await outcomeOf(read(stack.client, houseB))).toBe('statement not exists')
  expect(await outcomeOf(set(billOf(), 0, houseB))).toBe('statement not exists')
})

test('a guest reads it without the name of whoever entered it', async () => {
  const { accounts } = stack.server
  const roleId = await accounts.createRole({ number: 's', name: 's', privileges: ['system', 'system.report'], buttons: [] })
  const account = { userName: 'guest-81', password: 'State-7391-march' }
  await accounts.createAccount({ ...account, kind: 'shared', roleId, projectIds: [houseA] })
  const guest = await signedIn(stack.url, account)
  expect((await read())?.EnteredBy).toBe(stack.admin.userName)
  expect((await read(guest))?.EnteredBy).toBe(null)
})

test.each([
  ['an end before its start', { To: '2025-02-01' }],
  ['a date that there is not', { From: '2025-02-30' }],
  ['an amount of words', { Total: '1e3' }],
] as const)('a bill with %s is refused', async (_, more) => {
  expect(await outcomeOf(set(billOf(more), 99))).toBe('invalid parameter')
})

test('a charge that stands there twice is refused', async () => {
  const [row = never()] = billOf().Rows
  expect(await outcomeOf(set(billOf({ Rows: [row, row] }), 99))).toBe('invalid parameter')
})

function never(): never {
  throw new Error('the statement has no row')
}
