import type { Client } from '@linewarden/client'
import type { Statement } from '@linewarden/contract'
import {
  aboutNothing,
  correctStatement,
  draftStatement,
  exportStatements,
  getStatement,
  getSupplyBill,
  issueStatement,
  listStatements,
  setPowerFactor,
  updateSupply,
  verifyStatement,
  voidStatement,
} from '@linewarden/contract'
import { unzipSync } from 'fflate'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createStatementFaults } from '../../../apps/server/src/areas/energy/statement-checks.ts'
import { statementJob } from '../../../apps/server/src/areas/energy/statement-job.ts'
import { removeProject } from '../../../apps/server/src/store/site/project.ts'
import { fileOf } from '../../kit/exported.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { addSupply, perKwh, plainTariff, publishVersion, storeSpring } from '../../kit/statement-house.ts'

// Statements of spring 2025 in Shanghai: what is issued stands, whatever comes after.
let stack: Stack
let manager: Client
let reader: Client
let houseA = 0
let houseB = 0
let supplyId = 0
let tariffId = 0
let readsId = 0
const password = 'State-7391-march'
const lineOf = (lineNo: number, device = 'A-T1') => stack.server.plant.lineAt(device, lineNo)?.id ?? 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  const { accounts, plant } = stack.server
  houseA = plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  houseB = plant.lineAt('B-T1', 1)?.device.gateway.project.id ?? 0
  const role = (number: string, privileges: string[]) => accounts.createRole({ number, name: number, privileges, buttons: [] })
  const person = async (userName: string, roleId: number, more: object = {}): Promise<Client> => {
    await accounts.createAccount({ userName, password, kind: 'sub', roleId, projectIds: [houseA, houseB], ...more })
    return signedIn(stack.url, { userName, password })
  }
  const reads = ['system', 'system.report']
  manager = await person('13800000061', await role('manages', [...reads, 'energy', 'energy.energy', 'system.project']))
  readsId = await role('reads', reads)
  reader = await person('13800000062', readsId)
  await storeSpring(stack.server, [lineOf(2), lineOf(3)])
  const made = await addSupply(manager, houseA, [lineOf(2), lineOf(3)])
  supplyId = made.SupplyID
  tariffId = made.TariffID
})
afterAll(() => stack?.close())

const draft = (Month: string, more: object = {}) =>
  manager.call(draftStatement, { body: { HouseID: houseA, SupplyID: supplyId, Month, ...more } })
const issue = async (Month: string, Estimates: string | null = null, client = manager): Promise<Statement> => {
  const { Total } = await draft(Month, { Estimate: Estimates !== null })
  return client.call(issueStatement, { body: { HouseID: houseA, SupplyID: supplyId, Month, Total: Total ?? '', Estimates } })
}
const one = (StatementID: number | null, client = reader) =>
  client.call(getStatement, { query: { HouseID: houseA, StatementID: StatementID ?? 0 } })
const verify = (StatementID: number | null) =>
  reader.call(verifyStatement, { query: { HouseID: houseA, StatementID: StatementID ?? 0 } })
const list = (From: string, To: string, more: object = {}) =>
  reader.call(listStatements, { query: { HouseID: houseA, From, To, ...more } })
const sql = async (text: string, values: readonly unknown[] = []) => {
  const client = await stack.server.database.connect()
  try {
    return await client.query(text, [...values])
  } finally {
    await client.end()
  }
}
/** What stands against issuing a month, in English. */
const against = async (Month: string) => (await draft(Month)).Problems.map(({ Text }) => Text.en)

test('a draft says what the bill does, with registers that agree to the digit, and nothing stands against it', async () => {
  const found = await draft('2025-03')
  const bill = await manager.call(getSupplyBill, { query: { HouseID: houseA, SupplyID: supplyId, Month: '2025-03' } })
  expect([found.Total, found.Problems, found.State, found.Number]).toEqual([bill.Known, [], 'draft', null])
  expect(found.Parts[0]?.Rows.map(({ Amount }) => Amount)).toEqual(bill.Parts[0]?.Rows.map(({ Fee }) => Fee))
  const days = 31 * 96
  expect(found.Members.map(({ Name, Sign, Opening, Closing, Agrees, Wh }) => [Name, Sign, Opening, Closing, Agrees, Wh])).toEqual(
    [
      ['A线2', 1, 1_000_000, 1_000_000 + days * 1_332.5, true, days * 1_332.5],
      ['A线3', -1, 1_000_000, 1_000_000 + days * 347.5, true, days * 347.5],
    ],
  )
  expect([found.Quarters, found.KnownHundredths, found.LackingQuarters]).toEqual([days, 10_000, 0])
})

test('whoever reads statements issues none, and whoever sees no statements reads none', async () => {
  expect(await outcomeOf(issue('2025-03', null, reader))).toBe('access denied')
  const { accounts } = stack.server
  const roleId = await accounts.createRole({ number: 'e', name: 'e', privileges: ['energy', 'energy.energy'], buttons: [] })
  await accounts.createAccount({ userName: '13800000063', password, kind: 'sub', roleId, projectIds: [houseA] })
  const other = await signedIn(stack.url, { userName: '13800000063', password })
  expect(await outcomeOf(other.call(listStatements, { query: { HouseID: houseA, From: '2025-03', To: '2025-03' } }))).toBe(
    'access denied',
  )
})

test('what comes to something else than was looked at is not issued', async () => {
  const body = { HouseID: houseA, SupplyID: supplyId, Month: '2025-03', Total: '1.00', Estimates: null }
  expect(await outcomeOf(manager.call(issueStatement, { body }))).toBe('statement moved')
})

test('however many press at once, a period is issued once, and both presses know its number', async () => {
  const outcomes = await Promise.allSettled([issue('2025-03'), issue('2025-03'), issue('2025-03')])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  const [made] = outcomes.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  expect(made).toMatchObject({ Number: `P${houseA}-202503-01`, State: 'issued', Engine: 2, Issuer: '13800000061' })
  expect(await outcomeOf(issue('2025-03'))).toBe('statement issued')
  const { rows } = await sql("select action, target, after from audit where action like 'statement.%'")
  expect(rows).toMatchObject([{ action: 'statement.issue', after: { sha256: made?.Sha256, total: made?.Total, engine: 2 } }])
})

test('nothing that comes later moves it: readings, quarters, tariffs, names, the supply', async () => {
  const { items } = await list('2025-03', '2025-03')
  const id = items[0]?.Issued?.StatementID ?? 0
  const before = await one(id)
  await sql('delete from reading where line_id = $1', [lineOf(2)])
  await sql("update energy_quarter set wh[1] = 9000 where line_id = $1 and day = '2025-03-10'", [lineOf(2)])
  await sql("update energy_quarter set wh = array_fill(null::int, array[96]) where line_id = $1 and day = '2025-03-12'", [
    lineOf(3),
  ])
  await sql('delete from energy_month where id = any ($1::int[])', [[lineOf(2), lineOf(3)]])
  await sql("update line set name = 'otherwise' where line_id = $1", [lineOf(2)])
  await sql("update project set name = 'otherwise', number = 'XX' where project_id = $1", [houseA])
  await publishVersion(manager, houseA, tariffId, plainTariff('2025-01-01', '9.9'))
  const fields = { HouseID: houseA, SupplyID: supplyId, Name: '改名', AccountNo: '', CapacityVa: 1, DeclaredW: null }
  const more = { PowerFactorStandard: null, BillingDay: 0, EnergyStepWh: 1, From: '2025-03-01', To: null } as const
  const Members = [{ LineID: lineOf(2), Sign: 1 as const }]
  const Tariffs = [{ TariffID: tariffId, From: null }]
  await manager.call(updateSupply, { body: { ...fields, ...more, Members, Tariffs, Version: 1 } })
  expect(await verify(id)).toMatchObject({ IsEqual: true, Sha256: before.Sha256, Engine: 2 })
  expect({ ...(await one(id)), Late: null }).toEqual({ ...before, Late: null })
  // And it is told what is known by now.
  const late = 9_000 - 1_000 + 96 * 347.5
  expect((await one(id)).Late).toMatchObject({ Wh: late })
  expect((await list('2025-03', '2025-03', { State: 'late' })).items.map(({ Issued }) => Issued?.LateWh)).toEqual([late])
  await sql("update project set number = '' where project_id = $1", [houseA])
})

test('the database itself refuses to change one, or to take it out', async () => {
  const { items } = await list('2025-03', '2025-03')
  const id = items[0]?.Issued?.StatementID ?? 0
  const tried = [
    "update statement set canonical = '{}' where statement_id = $1",
    "update statement set state = 'void', ended_at = now(), ended_name = 'x', ended_reason = 'x', head = '{}' where statement_id = $1",
    'delete from statement where statement_id = $1',
  ]
  for (const text of tried) await expect(sql(text, [id])).rejects.toThrow('an issued statement is never changed')
  await expect(sql('truncate statement cascade')).rejects.toThrow('an issued statement is never changed')
})

test('a correction cancels and replaces, both name each other; what was corrected is corrected no more', async () => {
  const { items } = await list('2025-03', '2025-03')
  const old = items[0]?.Issued
  const { Total } = await draft('2025-03')
  const body = { HouseID: houseA, StatementID: old?.StatementID ?? 0, Reason: '补传数据', Total: Total ?? '', Estimates: null }
  const made = await manager.call(correctStatement, { body })
  expect(made).toMatchObject({ Number: `P${houseA}-202503-02`, Replaces: { Number: old?.Number }, State: 'issued', Late: null })
  expect(await one(old?.StatementID ?? 0)).toMatchObject({
    ...{ State: 'replaced', Successor: { Number: made.Number }, Total: old?.Total },
    Ended: { Name: '13800000061', Reason: '补传数据' },
  })
  expect(await verify(old?.StatementID ?? 0)).toMatchObject({ IsEqual: true })
  expect(await outcomeOf(manager.call(correctStatement, { body }))).toBe('statement not issued')
  const { items: rows, about } = await list('2025-03', '2025-03')
  expect(rows.map(({ State, Issued }) => [State, Issued?.Successor, Issued?.Replaces])).toEqual([
    ['replaced', made.Number, null],
    ['issued', null, old?.Number],
  ])
  expect(about.Counts).toEqual({ draft: 0, issued: 1, replaced: 1, void: 0, late: 0 })
})

test('one that is made void stays readable, and its period is issued again under the next number', async () => {
  const made = await issue('2025-05')
  const body = { HouseID: houseA, StatementID: made.StatementID ?? 0, Reason: '户号错误' }
  expect(await manager.call(voidStatement, { body })).toMatchObject({ State: 'void', Ended: { Reason: '户号错误' } })
  expect(await outcomeOf(manager.call(voidStatement, { body }))).toBe('statement not issued')
  expect(await issue('2025-05')).toMatchObject({ Number: `P${houseA}-202505-02`, Replaces: null })
})

test('all that stands against issuing is said at once, and what is missing can be issued by name and reason, marked', async () => {
  await sql("update energy_quarter set wh = array_fill(null::int, array[96]) where line_id = $1 and day = '2025-04-10'", [
    lineOf(2),
  ])
  expect(await against('2025-04')).toEqual([
    'Known of A线2 is 96.6 %, less than 99 %: 96 quarters of an hour are missing from 04-10 08:00 on',
  ])
  expect(await outcomeOf(issue('2025-04'))).toBe('statement not ready')
  const made = await issue('2025-04', '表计故障，按同期均值')
  expect(made).toMatchObject({ Estimates: { Reason: '表计故障，按同期均值', Issuer: '13800000061' }, LackingQuarters: 0 })
  expect(made.Members[0]).toMatchObject({ Filled: 96, Missing: 0, Known: 30 * 96 - 96 })
  expect(made.Parts[0]?.Rows.filter(({ Estimated }) => !Estimated).map(({ Key }) => Key)).toEqual(['capacity'])
  expect(await verify(made.StatementID)).toMatchObject({ IsEqual: true })
  expect(await against('2099-01')).toContain('Its period is not over, or data are still to come: issue it later')
})

test('statements leave as one file with the bytes of each hash, and nobody takes those of another project', async () => {
  const { items } = await list('2025-03', '2025-05', { Size: 100 })
  const ids = items.flatMap(({ Issued }) => Issued?.StatementID ?? [])
  const files = unzipSync(
    await fileOf(stack.url, reader.call(exportStatements, { body: { HouseID: houseA, StatementIDs: ids } })),
  )
  expect(Object.keys(files).filter((name) => name.endsWith('.json')).length).toBe(ids.length)
  for (const { Issued } of items) {
    const { Sha256 } = await one(Issued?.StatementID ?? 0)
    const bytes = files[`${Issued?.Number}.json`]
    expect(Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes ?? []))).toString('hex')).toBe(Sha256)
  }
  const body = { HouseID: houseB, StatementIDs: ids }
  expect(await outcomeOf(reader.call(exportStatements, { body }))).toBe('statement not exists')
  expect(await outcomeOf(reader.call(getStatement, { query: { HouseID: houseB, StatementID: ids[0] ?? 0 } }))).toBe(
    'statement not exists',
  )
})

test('a guest is given no file, in which whoever issued them is named', async () => {
  const { accounts } = stack.server
  await accounts.createAccount({
    userName: 'guest-61',
    password,
    kind: 'shared',
    roleId: readsId,
    projectIds: [houseA],
  })
  const guest = await signedIn(stack.url, { userName: 'guest-61', password })
  const { items } = await list('2025-05', '2025-05')
  const StatementIDs = items.flatMap(({ Issued }) => Issued?.StatementID ?? [])
  expect((await one(StatementIDs[0] ?? 0, guest)).Issuer).toBe(null)
  expect(await outcomeOf(guest.call(exportStatements, { body: { HouseID: houseA, StatementIDs } }))).toBe('access denied')
})

test('months stand the latest first, a page at a time, with drafts where there is none', async () => {
  const { items, total, about } = await list('2025-02', '2025-06', { Size: 2, Page: 1 })
  expect([items.map(({ Month, State }) => [Month, State]), total]).toEqual([
    [
      ['2025-06', 'draft'],
      ['2025-05', 'void'],
    ],
    6,
  ])
  expect(about).toMatchObject({ Supplies: 1, Counts: { draft: 1, issued: 3, replaced: 1, void: 1, late: 0 }, Pending: 1 })
  expect(await outcomeOf(list('2025-03', '2026-03'))).toBe('invalid parameter')
  expect(await outcomeOf(list('2025-13', '2026-03'))).toBe('invalid parameter')
})

test('each night they are reckoned again: one that was altered is a fault of its project, and none any more when it is mended', async () => {
  const { items } = await list('2025-03', '2025-03', { State: 'issued' })
  const id = items[0]?.Issued?.StatementID ?? 0
  const { database, ingest, plant } = stack.server
  const night = async () => {
    const log = pino({ level: 'silent' })
    await statementJob.run({
      database,
      clock: Date.now,
      log,
      rawDays: 1,
      sessionAbsoluteMs: 1,
      withClient: () => Promise.reject(new Error('it needs no connection of its own')),
    })
    await createStatementFaults({ database, plant, ingest, clock: Date.now }).look()
    await ingest.drained()
  }
  const faults = async () => (await sql("select state from event where key = 'statement.differs' order by event_id")).rows
  const altered = (text: string) =>
    sql(`alter table statement disable trigger statement_stays; update statement set canonical = ${text} where statement_id = ${id};
      alter table statement enable trigger statement_stays`)
  await night()
  expect(await faults()).toEqual([])
  const { rows } = await sql('select canonical, sha256 from statement where statement_id = $1', [id])
  await altered(`replace(canonical, '1000,1007', '1001,1007')`)
  expect(await verify(id)).toMatchObject({ IsEqual: false })
  await night()
  await vi.waitFor(async () => expect(await faults()).toEqual([{ state: 'active' }]))
  // What is no JSON at all, of an engine that is none, with a hash of its own: it differs as well, and the night goes on to the others.
  const noJson = 'of nobody'
  await sql(`alter table statement disable trigger statement_stays;
    update statement set canonical = '${noJson}', sha256 = encode(sha256('${noJson}'), 'hex'), engine = 99 where statement_id = ${id};
    alter table statement enable trigger statement_stays`)
  expect(await verify(id)).toMatchObject({ IsEqual: false })
  await night()
  const { rows: checks } = await sql('select count(*)::int from statement_check where not is_equal')
  expect(checks).toEqual([{ count: 1 }])
  await sql(`alter table statement disable trigger statement_stays;
    update statement set sha256 = '${rows[0]?.sha256}', engine = 2 where statement_id = ${id};
    alter table statement enable trigger statement_stays`)
  await altered(`'${rows[0]?.canonical}'`)
  await night()
  await vi.waitFor(async () => expect(await faults()).toEqual([{ state: 'returned' }]))
})

test('a supply with a standard is issued once its power factor is typed, which is frozen with it', async () => {
  const { SupplyID } = await addSupply(manager, houseA, [lineOf(3)], { Name: '二号进线', PowerFactorStandard: 90 })
  const body = { HouseID: houseA, SupplyID, Month: '2025-05' }
  const before = await manager.call(draftStatement, { body })
  expect([before.Total, before.Problems.map(({ Text }) => Text.en)]).toEqual([
    null,
    ['Not known: Power-factor adjustment. Type it from the bill: Consumption, tab Cost'],
  ])
  const type = (CosHundredths: number, Version: number) =>
    manager.call(setPowerFactor, {
      body: { ...body, Version, Typed: { CosHundredths, ActiveWh: null, ReactiveVarh: null, Source: '五月账单' } },
    })
  await type(93, 0)
  const { Total, Parts } = await manager.call(draftStatement, { body })
  const row = Parts[0]?.Rows.at(-1)
  expect(row).toMatchObject({ Key: 'powerFactor', Price: '-0.45', Gap: null })
  const made = await manager.call(issueStatement, { body: { ...body, Total: Total ?? '', Estimates: null } })
  await type(80, 1)
  expect(await one(made.StatementID)).toMatchObject({ Total, CosHundredths: 93 })
  expect(await verify(made.StatementID)).toMatchObject({ IsEqual: true })
})

test('quarters that are to be made again keep a period open, of the lines of the supply alone', async () => {
  const open = 'Its period is not over, or data are still to come: issue it later'
  const due = (lineId: number, from: string, to: string) => sql('insert into energy_due values ($1, $2, $3)', [lineId, from, to])
  await due(lineOf(3), '2025-05-10T00:00:00Z', '2025-05-10T01:00:00Z')
  await due(lineOf(2), '2025-05-31T16:00:00Z', '2025-05-31T17:00:00Z')
  expect(await against('2025-05')).toEqual([])
  await due(lineOf(2), '2025-05-31T15:00:00Z', '2025-05-31T16:15:00Z')
  expect(await against('2025-05')).toEqual([open])
  await sql('delete from energy_due')
})

test('a part of a period is late by what came of the dates that it bills, and what cannot be drafted any more still reads', async () => {
  await storeSpring(stack.server, [lineOf(1), lineOf(4)])
  const more = { Name: '部分', CapacityVa: null, From: '2025-05-11' }
  const part = await addSupply(manager, houseA, [lineOf(1)], more, perKwh)
  const body = { HouseID: houseA, SupplyID: part.SupplyID, Month: '2025-05' }
  const { Total } = await manager.call(draftStatement, { body })
  const { StatementID } = await manager.call(issueStatement, { body: { ...body, Total: Total ?? '', Estimates: null } })
  expect((await one(StatementID)).Late).toBe(null)
  const set = (day: string) =>
    sql('update energy_quarter set wh[1] = wh[1] + 1000 where line_id = $1 and day = $2', [lineOf(1), day])
  await set('2025-05-05')
  expect((await one(StatementID)).Late).toBe(null)
  await set('2025-05-20')
  expect((await one(StatementID)).Late).toMatchObject({ Wh: 1_000, Fee: expect.stringMatching(/^0\.6\d$/) })
  // A period that another billing day moves is no correction of this one.
  const moves = (day: number) => sql('update supply set billing_day = $1 where supply_id = $2', [day, part.SupplyID])
  await moves(15)
  expect((await one(StatementID)).Late).toEqual({ Wh: 1_000, Fee: null })
  const correction = { HouseID: houseA, StatementID: StatementID ?? 0, Reason: '补传', Total: Total ?? '', Estimates: null }
  expect(await outcomeOf(manager.call(correctStatement, { body: correction }))).toBe('statement of another period')
  expect((await one(StatementID)).State).toBe('issued')
  await moves(0)
  await sql('update supply set project_id = $1 where supply_id = $2', [houseB, part.SupplyID])
  expect((await one(StatementID)).Late).toEqual({ Wh: 1_000, Fee: null })
  await sql('update supply set project_id = $1 where supply_id = $2', [houseA, part.SupplyID])
})

test('one whose hash, or whose figures in the list, are not those that were issued differs', async () => {
  const { items } = await list('2025-03', '2025-03', { State: 'issued' })
  const id = items[0]?.Issued?.StatementID ?? 0
  const set = (text: string, values: readonly unknown[] = []) =>
    sql('alter table statement disable trigger statement_stays')
      .then(() => sql(`update statement set ${text} where statement_id = ${id}`, values))
      .finally(() => sql('alter table statement enable trigger statement_stays'))
  const { rows } = await sql('select canonical, sha256, head from statement where statement_id = $1', [id])
  const [{ canonical, sha256, head }] = rows as [{ canonical: string; sha256: string; head: object }]
  expect(await verify(id)).toMatchObject({ IsEqual: true })
  await set('head = $1', [{ ...head, total: '0.01' }])
  expect(await verify(id)).toMatchObject({ IsEqual: false })
  // Another issuer, with the hash of that: it is reckoned the same, and is not what the log has.
  await set("head = $1, canonical = replace($2, '13800000061', '13800000069')", [head, canonical])
  await set("sha256 = encode(sha256(convert_to(canonical, 'UTF8')), 'hex')")
  expect(await verify(id)).toMatchObject({ IsEqual: false })
  await set('canonical = $1, sha256 = $2', [canonical, sha256])
  expect(await verify(id)).toMatchObject({ IsEqual: true })
})

test('a project that has statements stays, though it has no gateway any more', async () => {
  const { database } = stack.server
  const entry = {
    at: Date.now(),
    actor: '',
    address: '',
    action: 'project.delete',
    subject: aboutNothing,
    outcome: 'done',
  } as const
  await sql('update gateway set removed_at = now() where project_id = $1', [houseA])
  expect(await removeProject(database, houseA, entry)).toBe('statements')
  await sql('update gateway set removed_at = null where project_id = $1', [houseA])
  expect((await sql('select removed_at from project where project_id = $1', [houseA])).rows).toEqual([{ removed_at: null }])
})
