import type { Client } from '@linewarden/client'
import {
  downloadReport,
  draftStatement,
  exportStatements,
  insertReportSchedule,
  issueStatement,
  printStatement,
  voidStatement,
} from '@linewarden/contract'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileOf, rowsOf } from '../../kit/exported.ts'
import { pdfText } from '../../kit/pdf-text.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { addSupply, storeSpring } from '../../kit/statement-house.ts'

// Statements that go out: as PDF, in the zip, and of a month by a schedule.
let stack: Stack
let houseA = 0
let houseB = 0
const issued: { id: number; number: string; total: string }[] = []

async function issueMonth(SupplyID: number, Month: string): Promise<void> {
  const body = { HouseID: houseA, SupplyID, Month }
  const { Total } = await stack.client.call(draftStatement, { body })
  const made = await stack.client.call(issueStatement, { body: { ...body, Total: Total ?? '', Estimates: null } })
  issued.push({ id: made.StatementID ?? 0, number: made.Number ?? '', total: made.Total ?? '' })
}

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  const { plant } = stack.server
  const projectOf = (device: string) => plant.lineAt(device, 1)?.device.gateway.project.id ?? 0
  ;[houseA, houseB] = [projectOf('A-T1'), projectOf('B-T1')]
  const lines = [2, 3].flatMap((lineNo) => plant.lineAt('A-T1', lineNo)?.id ?? [])
  await storeSpring(stack.server, lines)
  const [first = 0, second = 0] = lines
  const one = await addSupply(stack.client, houseA, [first], { Name: '一厂区' })
  await addSupply(stack.client, houseA, [second], { Name: '二厂区', From: '2025-04-01' })
  await issueMonth(one.SupplyID, '2025-03')
  await issueMonth(one.SupplyID, '2025-04')
})
afterAll(() => stack?.close())

const print = (StatementID: number, Language: 'CN' | 'EN', client: Client = stack.client, HouseID = houseA) =>
  client.call(printStatement, { body: { HouseID, StatementID, Language } })
const amount = (total: string) => total.replace(/\B(?=(\d{3})+\.)/g, ',')

test('an issued statement is a PDF with its number, its sum and its hash, in the language that is asked for', async () => {
  const { id, number, total } = issued[0] ?? { id: 0, number: '', total: '' }
  const prepared = await print(id, 'EN')
  expect(prepared.FileName).toMatch(new RegExp(`${number}\\.pdf$`))
  const bytes = await fileOf(stack.url, Promise.resolve(prepared))
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  const text = pdfText(bytes)
  if (text !== null) for (const each of [number, amount(total), 'SHA-256', 'Electricity statement']) expect(text).toContain(each)
})

test('nobody prints a statement of another project, and it stands in the log who printed one', async () => {
  const id = issued[0]?.id ?? 0
  expect(await outcomeOf(print(id, 'CN', stack.client, houseB))).toBe('statement not exists')
  expect(await outcomeOf(print(id + 1_000, 'CN'))).toBe('statement not exists')
  const { rows } = await stack.server.database.general
    .selectFrom('audit')
    .select('after')
    .where('action', '=', 'statement.export')
    .execute()
    .then((found) => ({ rows: found }))
  expect(rows).toMatchObject([{ after: { count: 1, first: issued[0]?.number, format: 'pdf' } }])
})

test('a guest prints it, and reads nobody in it', async () => {
  const { accounts } = stack.server
  const roleId = await accounts.createRole({ number: 'g', name: 'g', privileges: ['system', 'system.report'], buttons: [] })
  const account = { userName: 'guest-71', password: 'State-7391-march' }
  await accounts.createAccount({ ...account, kind: 'shared', roleId, projectIds: [houseA] })
  const guest = await signedIn(stack.url, account)
  const text = pdfText(await fileOf(stack.url, print(issued[0]?.id ?? 0, 'CN', guest)))
  if (text !== null) expect(text).not.toContain(stack.admin.userName)
})

test('in the zip the PDF of each stands beside its JSON, where a language is asked for', async () => {
  const body = { HouseID: houseA, StatementIDs: issued.map(({ id }) => id) }
  const namesOf = async (more: object) =>
    Object.keys(unzipSync(await fileOf(stack.url, stack.client.call(exportStatements, { body: { ...body, ...more } }))))
  const numbers = issued.map(({ number }) => number)
  expect(await namesOf({})).toEqual(numbers.flatMap((each) => [`${each}.json`, `${each}.sha256`]))
  expect(await namesOf({ Language: 'CN' })).toEqual(numbers.flatMap((each) => [`${each}.json`, `${each}.sha256`, `${each}.pdf`]))
})

const schedule = (Format: 'pdf' | 'csv', Scope: object = {}) =>
  stack.client.call(insertReportSchedule, {
    body: {
      ...{ HouseID: houseA, Name: `结算单 ${Format}`, Kind: 'statements', Scope, Period: 'month', Cron: '0 8 5 * *', Format },
      ...{ Enabled: true, Recipients: [{ Address: 'li@example.com', Language: 'CN' }] },
    },
  })
const ofMonth = (ScheduleID: number, From: string) =>
  stack.client.call(downloadReport, { body: { HouseID: houseA, ScheduleID, From, Language: 'CN' } })

test('a schedule sends the statements whose month it is, as one document or as a list', async () => {
  const [, april] = issued
  const { ScheduleID } = await schedule('csv')
  const rows = await rowsOf(stack.url, ofMonth(ScheduleID, '2025-04-01'))
  expect(rows.slice(1).map((row) => row[1])).toEqual([april?.number])
  const pdf = await schedule('pdf')
  const text = pdfText(await fileOf(stack.url, ofMonth(pdf.ScheduleID, '2025-04-01')))
  if (text !== null) {
    expect(text).toContain(april?.number)
    expect(text).not.toContain(issued[0]?.number)
  }
})

test('what was made void is not sent, and a month without any says so', async () => {
  const body = { HouseID: houseA, StatementID: issued[1]?.id ?? 0, Reason: '户号错误' }
  await stack.client.call(voidStatement, { body })
  const { ScheduleID } = await schedule('csv')
  expect(await outcomeOf(ofMonth(ScheduleID, '2025-04-01'))).toBe('statement none issued')
  const gateway = stack.server.plant.lineAt('A-T1', 1)?.device.gateway.id
  expect(await outcomeOf(schedule('csv', { DeviceID: gateway }))).toBe('invalid parameter')
})
