import type { Client } from '@linewarden/client'
import { CallError } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import {
  askReportRecipient,
  basePath,
  downloadReport,
  insertReportSchedule,
  listEvents,
  listReportRuns,
  listReportSchedules,
  removeReportSchedule,
  runReport,
  sendTestMail,
  updateReportSchedule,
} from '@linewarden/contract'
import { startMailSink } from '@linewarden/server/test-mail-sink'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rowsOf } from '../../kit/exported.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

// Reports that go out by themselves, from the schedule to the mail server.

let stack: Stack
let sink: Awaited<ReturnType<typeof startMailSink>>
let HouseID: number
let other: number
/** What the mail server says of the message. */
let answer: 'on' | 'drop' | 550
const own = 'admin@plant.example'

beforeAll(async () => {
  sink = await startMailSink((step) => (step === 'message' ? answer : 'on'))
  stack = await startStack({
    plan: smallPlan,
    env: {
      LINEWARDEN_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      LINEWARDEN_SMTP_TLS: 'off',
      LINEWARDEN_MAIL_FROM: 'reports@plant.example',
      LINEWARDEN_PUBLIC_URL: 'https://console.example.com',
    },
  })
  const house = (name: string) => [...stack.server.plant.projects.values()].find((each) => each.name === name)?.id ?? 0
  ;[HouseID, other] = [house('项目A'), house('项目B')]
  await stack.server.database.general.updateTable('account').set({ email: own }).where('kind', '=', 'platform').execute()
})
afterAll(async () => {
  await stack?.close()
  await sink?.close()
})
beforeEach(() => {
  answer = 'on'
  sink.accepted.length = 0
})

type Body = Request<typeof insertReportSchedule>['body']
let made = 0
const scheduleOf = (more: Partial<Body> = {}): Body => ({
  ...{
    HouseID,
    Name: `日报 ${made++}`,
    Kind: 'energy',
    Scope: {},
    Period: 'day',
    Cron: '0 8 * * *',
    Format: 'csv',
    Enabled: true,
  },
  Recipients: [{ Address: 'li@example.com', Language: 'CN' }],
  ...more,
})
const insert = (more: Partial<Body> = {}, client: Client = stack.client) =>
  client.call(insertReportSchedule, { body: scheduleOf(more) })
const accountId = async () =>
  (await stack.client.call(listReportSchedules, { query: { HouseID } })).about.Accounts[0]?.AccountID ?? ''
const toMe = async () => ({ Recipients: [{ AccountID: await accountId(), Language: 'EN' as const }] })
const newestRun = async (ScheduleID: number) =>
  (await stack.client.call(listReportRuns, { query: { HouseID, ScheduleID } })).items[0]
const problemsOf = (promise: Promise<unknown>): Promise<readonly string[]> =>
  promise.then(
    () => [],
    (error) => {
      if (error instanceof CallError && error.problem.kind === 'refusal')
        return (error.problem.failure.Problems ?? []).map(({ Path }) => Path)
      throw error
    },
  )
const run = (ScheduleID: number) => stack.client.call(runReport, { body: { HouseID, ScheduleID } })
/** The texts of a letter, put together again: some parts are in base64, others in quoted-printable. */
const textOf = (raw: string) =>
  Buffer.from(
    raw
      .replace(/Content-Transfer-Encoding: base64\r\n\r\n([A-Za-z0-9+/=\r\n]+)/g, (_, text: string) =>
        Buffer.from(text, 'base64').toString('latin1'),
      )
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString()
const linkIn = (raw: string) => /List-Unsubscribe:\s+<https:\/\/console\.example\.com([^>]+)>/.exec(raw)?.[1] ?? ''
const post = (path: string, body: string) =>
  fetch(stack.url + path, { method: 'POST', body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })

async function doneRun(ScheduleID: number) {
  await expect
    .poll(async () => {
      await stack.server.postman.work()
      return (await newestRun(ScheduleID))?.State
    })
    .toMatch(/done|failed/)
  return newestRun(ScheduleID)
}

test('a report goes to an account in its language, with its file, and of one period once', async () => {
  const { ScheduleID, NextAt } = await insert(await toMe())
  expect(NextAt).toBeGreaterThan(0)
  await run(ScheduleID)
  expect(await doneRun(ScheduleID)).toMatchObject({
    State: 'done',
    Deliveries: [{ Address: own, State: 'sent', Tries: 1, Answer: '250 taken' }],
  })
  expect(sink.accepted).toHaveLength(1)
  const [{ to, raw } = { to: '', raw: '' }] = sink.accepted
  expect(to).toBe(own)
  expect(raw).toContain('Content-Language: en')
  expect(raw).toContain('text/csv')
  expect(textOf(raw)).toContain('Previous period')
  expect(textOf(raw)).not.toMatch(/<img|src=/)
  expect(await outcomeOf(run(ScheduleID))).toBe('report sent already')
})

test('an address is sent nothing until it agreed by its link, which nobody has but whoever reads its mail; by one POST it leaves', async () => {
  const { ScheduleID, Recipients } = await insert()
  const [{ RecipientID = 0, State } = {}] = Recipients
  expect(State).toBe('asked')
  const ask = () => stack.client.call(askReportRecipient, { body: { HouseID, ScheduleID, RecipientID } })
  expect(await ask()).toMatchObject({ State: 'sent', Address: 'li@example.com', Answer: '250 taken' })
  expect(await outcomeOf(ask())).toBe('mail too often')
  const link = linkIn(sink.accepted[0]?.raw ?? '')
  expect(link).toContain(`${basePath}/reports/mail/`)
  const stateNow = async () =>
    (await stack.client.call(listReportSchedules, { query: { HouseID } })).items.find((each) => each.ScheduleID === ScheduleID)
      ?.Recipients[0]?.State
  expect(await (await fetch(stack.url + link)).text()).toContain('确认接收')
  expect(await stateNow()).toBe('asked')
  await post(link, 'act=agree')
  expect(await stateNow()).toBe('agreed')
  expect(await outcomeOf(ask())).toBe('report recipient agreed')
  await run(ScheduleID)
  expect(await doneRun(ScheduleID)).toMatchObject({ State: 'done' })
  expect(textOf(sink.accepted[1]?.raw ?? '')).toContain('用电量')
  // RFC 8058.
  await post(linkIn(sink.accepted[1]?.raw ?? ''), 'List-Unsubscribe=One-Click')
  expect(await stateNow()).toBe('left')
  expect((await fetch(`${stack.url}${link.slice(0, -3)}abc`)).status).toBe(404)
})

test('a report that nobody would get fails, and what the mail server lost or refused is told as that and as an event', async () => {
  const { ScheduleID } = await insert()
  await run(ScheduleID)
  expect(await doneRun(ScheduleID)).toMatchObject({ State: 'failed', Why: { zh: '没有可接收的收件人' }, Deliveries: [] })
  for (const [what, State] of [
    ['drop', 'unknown'],
    [550, 'refused'],
  ] as const) {
    answer = what
    const schedule = await insert(await toMe())
    await run(schedule.ScheduleID)
    expect(await doneRun(schedule.ScheduleID)).toMatchObject({ State: 'done', Deliveries: [{ State }] })
  }
  const events = async () =>
    (await stack.client.call(listEvents, { body: { HouseID, Kinds: ['journal'], Size: 200 } })).items.map(({ Key }) => Key)
  await expect
    .poll(async () => (await events()).filter((key) => key.startsWith('report.')).toSorted())
    .toEqual(['report.failed', 'report.lost', 'report.lost'])
})

test('the test mail shows what the mail server answered, and somebody without an address is told so', async () => {
  const testMail = (client: Client) => client.call(sendTestMail, { body: { HouseID } })
  expect(await testMail(stack.client)).toEqual({ State: 'sent', Address: own, Answer: '250 taken' })
  answer = 550
  expect(await testMail(stack.client)).toMatchObject({ State: 'refused', Answer: '550 refused at message' })
  const { client } = await person(['system', 'system.project', 'energy', 'energy.energy'])
  expect(await outcomeOf(testMail(client))).toBe('mail address missing')
})

test.each([
  ['Cron', { Cron: '61 8 * * *' }],
  ['Cron', { Cron: '0 8 30 2 *' }],
  ['Cron', { Cron: '0 8,9 * * *' }],
  ['Format', { Kind: 'alarms' as const, Format: 'pdf' as const }],
  ['Recipients.0', { Recipients: [{ Language: 'CN' as const }] }],
  ['Recipients.1', { Recipients: ['li@example.com', 'LI@example.com'].map((Address) => ({ Address, Language: 'CN' as const })) }],
  ['Recipients.0.AccountID', { Recipients: [{ AccountID: '00000000-0000-4000-8000-000000000000', Language: 'CN' as const }] }],
])('what is not right is named: %s', async (field, more) => {
  expect(await problemsOf(insert(more))).toEqual([`body.${field}`])
})

test('an address that a server would read otherwise is no address', async () => {
  for (const Address of [
    'li',
    'li@',
    'a b@example.com',
    '"a"@example.com',
    'li@example.com\r\nRCPT TO:<x@y.z>',
    '<li@example.com>',
  ])
    expect(await outcomeOf(insert({ Recipients: [{ Address, Language: 'CN' }] }))).toBe('invalid parameter')
})

test('a change writes over the version that was seen, and what is taken out is sent no more', async () => {
  const schedule = await insert(await toMe())
  const target = { HouseID, ScheduleID: schedule.ScheduleID }
  const edited = await stack.client.call(updateReportSchedule, {
    body: { ...scheduleOf(await toMe()), ...target, Version: 1, Enabled: false },
  })
  expect(edited).toMatchObject({ NextAt: null, Version: 2 })
  expect(await outcomeOf(stack.client.call(removeReportSchedule, { body: { ...target, Version: 1 } }))).toBe('changed meanwhile')
  await stack.client.call(removeReportSchedule, { body: { ...target, Version: 2 } })
  expect(await outcomeOf(run(schedule.ScheduleID))).toBe('report schedule not exists')
})

let people = 0
async function person(privileges: string[], kind: 'sub' | 'shared' = 'sub') {
  const userName = String(13_800_000_200 + people++)
  const roleId = await stack.server.accounts.createRole({ number: userName, name: userName, privileges, buttons: [] })
  const account = { userName, password: 'Past-7391' }
  await stack.server.accounts.createAccount({ ...account, kind, roleId, projectIds: [HouseID] })
  return { client: await signedIn(stack.url, account), userName }
}

test('somebody sets up what their pages show, of projects that they see, and not a moment longer than they may', async () => {
  const { client, userName } = await person(['system', 'system.project', 'energy', 'energy.energy'])
  const general = stack.server.database.general
  await general.updateTable('account').set({ email: 'sub@plant.example' }).where('user_name', '=', userName).execute()
  const { about } = await client.call(listReportSchedules, { query: { HouseID } })
  expect(about.Accounts.map(({ Address }) => Address)).toEqual(['sub@plant.example'])
  expect(await outcomeOf(insert({ Kind: 'alarms' }, client))).toBe('access denied')
  expect(await outcomeOf(insert({ HouseID: other }, client))).toBe('project not exists')
  const Recipients = [{ AccountID: about.Accounts[0]?.AccountID ?? '', Language: 'CN' as const }]
  const { ScheduleID } = await insert({ Recipients }, client)
  await general
    .updateTable('role')
    .set({ privileges: ['system', 'system.project'] })
    .where('name', '=', userName)
    .execute()
  await run(ScheduleID)
  expect(await doneRun(ScheduleID)).toMatchObject({
    State: 'failed',
    Why: { en: expect.stringContaining('may not see it any more') },
  })
})

test('whom equipment is shared with reads no addresses', async () => {
  const { client } = await person(['system', 'system.project', 'energy', 'energy.energy'], 'shared')
  expect(await outcomeOf(client.call(listReportSchedules, { query: { HouseID } }))).toBe('access denied')
  expect(await outcomeOf(client.call(listReportRuns, { query: { HouseID } }))).toBe('access denied')
})

test.each(['energy', 'alarms', 'workOrders'] as const)('the file of a report is also fetched by hand: %s', async (Kind) => {
  const { ScheduleID } = await insert({ Kind, Period: 'month', Cron: '0 8 1 * *' })
  const rows = await rowsOf(
    stack.url,
    stack.client.call(downloadReport, { body: { HouseID, ScheduleID, From: '2026-03-01', Language: 'EN' } }),
  )
  expect(rows[0]?.length).toBeGreaterThan(2)
  if (Kind === 'energy') expect(rows.filter((row) => row[0] !== '')).toHaveLength(32)
})

test('device data go out of the lines and points that were chosen', async () => {
  const line = stack.server.plant.lineAt('A-T1', 1)
  const Scope = { LineIDs: [line?.id ?? 0], Points: ['current.a'], Step: 'hour' as const }
  const { ScheduleID } = await insert({ Kind: 'deviceData', Scope, ...(await toMe()) })
  await run(ScheduleID)
  expect(await doneRun(ScheduleID)).toMatchObject({ State: 'done', Deliveries: [{ State: 'sent' }] })
  expect(textOf(sink.accepted[0]?.raw ?? '')).toMatch(/Rows: 24/)
  const foreign = { ...Scope, LineIDs: [stack.server.plant.lineAt('B-T1', 1)?.id ?? 0] }
  expect(await outcomeOf(insert({ Kind: 'deviceData', Scope: foreign }))).toBe('line not exists')
})
