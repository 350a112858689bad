import type { Client } from '@linewarden/client'
import type { AlarmRationaleRecord, Request } from '@linewarden/contract'
import {
  downloadPath,
  eventRationale,
  exportAlarmRationales,
  exportEvents,
  listAlarmRationales,
  listJournal,
  listRationaleChanges,
  maxRationaleText,
  queryWarnings,
  restoreAlarmRationale,
  updateAlarmRationale,
} from '@linewarden/contract'
import { families } from '@linewarden/equipment'
import { rationaleOf, rationales } from '@linewarden/equipment/rationalisation'
import { dangerKeys } from '@linewarden/rules/alarm'
import { ruleCatalogue, ruleTexts } from '@linewarden/rules/warning'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { raiseEvents } from '../../kit/raised-events.ts'
import { raiseFindings } from '../../kit/raised-findings.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

type Texts = Request<typeof updateAlarmRationale>['body']['Texts']

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
})
afterAll(() => stack?.close())
beforeEach(async () => {
  const db = await stack.server.database.connect()
  await db.query('delete from alarm_rationale_change; delete from alarm_rationale')
  await db.end()
})

const key = 'residual.alarm'
const [danger = ''] = dangerKeys()
const houseOf = (name: string) => [...stack.server.plant.projects.values()].find((each) => each.name === name)?.id ?? 0
const place = (HouseID?: number) => (HouseID === undefined ? {} : { HouseID })
const builtIn = (of: string) => rationaleOf(of)?.action.en

/** Every text of an alarm, each another one. */
const texts = (word: string): Texts => {
  const both = (part: string) => ({ zh: `${word}：${part}`, en: `${word}: ${part}` })
  return {
    ...{ Cause: both('cause'), Consequence: both('consequence'), Action: both('action') },
    ...{ Time: both('time'), Priority: both('priority'), Basis: both('basis') },
  }
}

const sheet = (HouseID?: number, by: Client = stack.client) => by.call(listAlarmRationales, { query: place(HouseID) })

async function row(of: string, HouseID?: number, by: Client = stack.client): Promise<AlarmRationaleRecord> {
  const found = (await sheet(HouseID, by)).items.find(({ Key }) => Key === of)
  if (!found) throw new Error(`${of} is not listed`)
  return found
}

const write = (
  of: string,
  HouseID: number | undefined,
  Version: number,
  Texts: Texts,
  { by = stack.client, Reason = '' }: { readonly by?: Client; readonly Reason?: string } = {},
) => by.call(updateAlarmRationale, { body: { ...place(HouseID), Key: of, Version, Texts, Reason } })

const restore = (of: string, HouseID: number | undefined, Version: number, by: Client = stack.client) =>
  by.call(restoreAlarmRationale, { body: { ...place(HouseID), Key: of, Version } })

async function person(userName: string, privileges: string[], projects: string[], gateways: string[] = []): Promise<Client> {
  const { accounts, database } = stack.server
  const roleId = await accounts.createRole({ number: userName, name: userName, privileges, buttons: [] })
  const projectIds = projects.map(houseOf)
  await accounts.createAccount({ userName, password: 'Duty-7391', kind: 'sub', roleId, projectIds })
  const db = await database.connect()
  await db.query(
    `insert into account_gateway (account_id, gateway_id)
     select account_id, gateway_id from account, gateway where user_name = $1 and number = any($2)`,
    [userName, gateways],
  )
  await db.end()
  return signedIn(stack.url, { userName, password: 'Duty-7391' })
}

test('the sheet has every alarm of every family and rule once, each with an answer that is built in', async () => {
  const { items, total, about } = await sheet(houseOf('项目A'))
  const keys = items.map(({ Key }) => Key)
  expect([new Set(keys).size, total]).toEqual([keys.length, keys.length])
  const raised = [...families.flatMap(({ alarms }) => alarms), ...ruleCatalogue, ...rationales].map((each) => each.key)
  expect(raised.filter((each) => !keys.includes(each))).toEqual([])
  expect([items.filter(({ Texts }) => Texts === null), about.Unanswered]).toEqual([[], 0])
  expect(new Set(items.map(({ Origin }) => Origin))).toEqual(new Set(['builtIn']))
  expect(items.find(({ Key }) => Key === key)).toMatchObject({ Origin: 'builtIn', Version: 0, PriorityFixed: false })
})

test('a project goes before the default, the default before what is built in, and back again with versions that go on', async () => {
  const [a, b] = [houseOf('项目A'), houseOf('项目B')]
  await write(key, undefined, 0, texts('ours'))
  const own = await write(key, a, 0, texts(' here '))
  expect(own).toMatchObject({ Origin: 'project', Version: 1, ChangedBy: 'admin', Texts: { Action: { en: 'here : action' } } })
  expect(await row(key, b)).toMatchObject({ Origin: 'default', Version: 0, Texts: { Action: { zh: 'ours：action' } } })
  expect(await restore(key, a, 1)).toMatchObject({ Origin: 'default', Version: 2, Texts: { Action: { en: 'ours: action' } } })
  expect(await write(key, a, 2, texts('again'))).toMatchObject({ Origin: 'project', Version: 3 })
  expect(await restore(key, undefined, 1)).toMatchObject({ Origin: 'builtIn', Texts: { Action: { en: builtIn(key) } } })
  expect(await row(key, b)).toMatchObject({ Origin: 'builtIn' })
})

test('whoever sees an alarm reads at once what is written for its place, and so does the file of alarms', async () => {
  const part = await person('parter', ['devmon', 'devmon.realtime', 'hazard', 'hazard.alarmList'], [], ['GW-A'])
  const [own = '', other = ''] = await raiseEvents(stack, [{ key }, { key, controllerId: 'B-T1' }])
  const action = async (by: Client, EventID: string) =>
    (await by.call(eventRationale, { params: { EventID } })).Texts?.Action.en ?? null
  expect(await action(part, own)).toBe(builtIn(key))
  await write(key, houseOf('项目A'), 0, texts('here'))
  expect([await action(part, own), await action(stack.client, other)]).toEqual(['here: action', builtIn(key)])
  expect(await outcomeOf(action(part, other))).toBe('event not exists')
  const { Ticket } = await part.call(exportEvents, { body: { Format: 'csv', Language: 'CN' } })
  expect(await (await fetch(`${stack.url}${downloadPath}${Ticket}`)).text()).toMatch(/处置建议.*here：action/s)
  const [unknown = ''] = await raiseEvents(stack, [{ key: 'of.no.family' }])
  expect(await stack.client.call(eventRationale, { params: { EventID: unknown } })).toEqual({ Origin: 'none', Texts: null })
})

test('what is written of a rule is the advice of its early warnings', async () => {
  const finding = async () => (await stack.client.call(queryWarnings, { body: {} })).items[0]?.Advice.en
  await raiseFindings(stack, [{ key: 'contact' }])
  expect(await finding()).toBe(ruleTexts.contact?.advice.en)
  await write('contact', undefined, 0, texts('terminal 3'))
  expect(await finding()).toBe('terminal 3: action')
})

test('who changed what stands in its history and in the log, with before and after', async () => {
  const house = houseOf('项目A')
  await write('leakage.step', house, 0, texts('first'), { Reason: ' 现场经验 ' })
  await write('leakage.step', house, 1, texts('second'))
  await restore('leakage.step', house, 2)
  const asked = { query: { HouseID: house, Key: 'leakage.step' } }
  const { items, total } = await stack.client.call(listRationaleChanges, asked)
  expect(total).toBe(3)
  expect(items.map((each) => [each.Version, each.By, each.Restored, each.Before?.Time.en, each.After?.Time.en])).toEqual([
    [3, 'admin', true, 'second: time', rationaleOf('leakage.step')?.time.en],
    [2, 'admin', false, 'first: time', 'second: time'],
    [1, 'admin', false, rationaleOf('leakage.step')?.time.en, 'first: time'],
  ])
  expect(items[2]?.Reason).toBe('现场经验')
  const log = await stack.client.call(listJournal, { body: { Action: 'rationale.edit' } })
  expect(log.items[0]).toMatchObject({ Actor: 'admin', TargetLabel: { zh: expect.stringContaining('项目A · ') } })
})

test('where nothing was written, or it was given up before, there is nothing to restore, and no trace of it', async () => {
  const house = houseOf('项目A')
  expect(await outcomeOf(restore(key, house, 0))).toBe('rationale not written')
  const rows = await stack.server.database.general.selectFrom('alarm_rationale').selectAll().where('key', '=', key).execute()
  expect(rows).toEqual([])
  await write(key, house, 0, texts('first'))
  await restore(key, house, 1)
  expect(await outcomeOf(restore(key, house, 2))).toBe('rationale not written')
  const history = await stack.client.call(listRationaleChanges, { query: { HouseID: house, Key: key } })
  expect(history.items.map(({ Version }) => Version)).toEqual([2, 1])
})

test('two who write at once: the second is refused, and nothing of theirs is in force', async () => {
  const house = houseOf('项目A')
  await write(key, house, 0, texts('first'))
  expect(await outcomeOf(write(key, house, 0, texts('late')))).toBe('changed meanwhile')
  expect(await outcomeOf(restore(key, house, 0))).toBe('changed meanwhile')
  expect(await row(key, house)).toMatchObject({ Version: 1, Texts: { Cause: { en: 'first: cause' } } })
  const both = await Promise.all([1, 2].map((each) => outcomeOf(write(key, undefined, 0, texts(`${each}`)))))
  expect(both.toSorted()).toEqual(['changed meanwhile', 'done'])
})

test.each<[string, string, (good: Texts) => Texts, string]>([
  ['an alarm that there is not', 'of.no.family', (good) => good, 'alarm key not exists'],
  ['a text that is empty in one language', key, (good) => ({ ...good, Action: { zh: '断电', en: ' ' } }), 'invalid parameter'],
  [
    'a text that is too long',
    key,
    (good) => ({ ...good, Cause: { zh: 'x'.repeat(maxRationaleText + 1), en: 'x' } }),
    'invalid parameter',
  ],
  ['why fire has its priority', danger, (good) => good, 'priority reason fixed'],
])('%s is not written', async (_, of, bad, expected) => {
  expect(await outcomeOf(write(of, houseOf('项目A'), 0, bad(texts('x'))))).toBe(expected)
})

test('of an alarm of fire all but the reason of its priority is written', async () => {
  const Priority = rationaleOf(danger)?.priority ?? { zh: '', en: '' }
  expect(await row(danger)).toMatchObject({ PriorityFixed: true })
  expect(await outcomeOf(write(danger, undefined, 0, { ...texts('assembly point 2'), Priority }))).toBe('done')
})

test('the sheet is for who holds the page, of projects that they see whole, and the default for administrators', async () => {
  const [a, b] = [houseOf('项目A'), houseOf('项目B')]
  const writer = await person('writer', ['hazard', 'hazard.rationale'], ['项目A'])
  const reader = await person('reader', ['hazard', 'hazard.alarmList'], ['项目A'])
  expect(await outcomeOf(write(key, a, 0, texts('x'), { by: writer }))).toBe('done')
  expect(await outcomeOf(write(key, b, 0, texts('x'), { by: writer }))).toBe('project not exists')
  expect(await outcomeOf(write(key, undefined, 0, texts('x'), { by: writer }))).toBe('default rationale by administrators')
  expect(await outcomeOf(restore(key, undefined, 0, writer))).toBe('default rationale by administrators')
  expect(await outcomeOf(sheet(b, writer))).toBe('project not exists')
  expect(await outcomeOf(sheet(a, reader))).toBe('access denied')
  const history = { query: { HouseID: b, Key: key } }
  expect(await outcomeOf(writer.call(listRationaleChanges, history))).toBe('project not exists')
})

test('as a file it has every alarm, both languages, and where each answer comes from', async () => {
  const house = houseOf('项目A')
  await write(key, house, 0, texts('=here'))
  const file = async (Format: 'csv' | 'xlsx', Language: 'CN' | 'EN') => {
    const { Ticket, FileName } = await stack.client.call(exportAlarmRationales, { body: { HouseID: house, Format, Language } })
    expect(FileName.endsWith(`.${Format}`)).toBe(true)
    return Buffer.from(await (await fetch(`${stack.url}${downloadPath}${Ticket}`)).arrayBuffer())
  }
  const lines = (await file('csv', 'EN')).toString().trim().split('\r\n')
  expect(lines).toHaveLength((await sheet(house)).total + 1)
  const own = lines.find((each) => each.includes(`"${key}"`))
  expect(own).toMatch(/"Project",.*"'=here：cause","'=here: cause"/)
  expect(lines.filter((each) => each.includes('"No answer"'))).toEqual([])
  expect((await file('csv', 'CN')).toString()).toContain(rationaleOf('leakage.step')?.time.zh ?? '-')
  expect((await file('xlsx', 'CN')).subarray(0, 2).toString()).toBe('PK')
})
