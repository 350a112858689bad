import type { Client } from '@linewarden/client'
import type { Request, WarningRule } from '@linewarden/contract'
import {
  listJournal,
  listWarningRuleChanges,
  listWarningRules,
  restoreWarningRule,
  updateWarningRule,
} from '@linewarden/contract'
import { ruleCatalogue } from '@linewarden/rules/warning'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { raiseFindings } from '../../kit/raised-findings.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

type Form = Request<typeof updateWarningRule>['body']

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
})
afterAll(() => stack?.close())
beforeEach(async () => {
  const db = await stack.server.database.connect()
  await db.query('delete from warning_rule_change; delete from warning_rule; delete from event')
  await db.end()
})

const houseOf = (name: string) => [...stack.server.plant.projects.values()].find((each) => each.name === name)?.id ?? 0
const lineIdOf = (device: string, lineNo: number) => stack.server.plant.lineAt(device, lineNo)?.id ?? 0

async function rule(key: string, HouseID?: number, client = stack.client): Promise<WarningRule> {
  const { items } = await client.call(listWarningRules, { query: HouseID === undefined ? {} : { HouseID } })
  const found = items.find(({ Key }) => Key === key)
  if (!found) throw new Error(`${key} is not listed`)
  return found
}

/** A rule as it was read, with what is changed of it. */
async function set(key: string, HouseID: number | undefined, change: Partial<Form>, client = stack.client): Promise<WarningRule> {
  const now = await rule(key, HouseID)
  const { Enabled, Priority, Targets, Except, Version } = now
  return client.call(updateWarningRule, {
    body: {
      ...(HouseID !== undefined && { HouseID }),
      ...{ Key: key, Version, Enabled, Params: [], Priority, Targets, Except, Reason: '' },
      ...change,
    },
  })
}

async function person(
  userName: string,
  privileges: string[],
  { projects = [], gateways = [] }: { readonly projects?: readonly string[]; readonly gateways?: readonly string[] },
): Promise<Client> {
  const roleId = await stack.server.accounts.createRole({ number: userName, name: userName, privileges, buttons: [] })
  await stack.server.accounts.createAccount({
    ...{ userName, password: 'Duty-7391', kind: 'sub', roleId },
    projectIds: projects.map(houseOf),
  })
  const db = await stack.server.database.connect()
  await db.query(
    `insert into account_gateway (account_id, gateway_id)
     select account_id, gateway_id from account, gateway where user_name = $1 and number = any($2)`,
    [userName, gateways],
  )
  await db.end()
  return signedIn(stack.url, { userName, password: 'Duty-7391' })
}

const figureOf = ({ Params }: WarningRule, name: string) => Params.find(({ Name }) => Name === name)?.Value

test('before anybody sets one every rule is built in, switched on and for all lines, but what nothing measures', async () => {
  const { items } = await stack.client.call(listWarningRules, { query: { HouseID: houseOf('项目A') } })
  expect(items.map(({ Key }) => Key)).toEqual(ruleCatalogue.map(({ key }) => key))
  for (const each of items) {
    expect(each).toMatchObject({
      Origin: 'builtIn',
      RuleID: null,
      Version: 0,
      Targets: { Kind: 'all' },
      Findings: 0,
      Noisy: false,
    })
    expect([each.Key, each.Enabled, each.Unavailable]).toEqual([
      each.Key,
      each.Key !== 'harmonic',
      each.Key === 'harmonic' ? 'notMeasured' : null,
    ])
    for (const { Value, BuiltIn, Min, Max } of each.Params) {
      expect(Value).toBe(BuiltIn)
      expect(Value >= Min && Value <= Max).toBe(true)
    }
  }
})

test('a project goes before the default, the default before what is built in, figure by figure', async () => {
  const [a, b] = [houseOf('项目A'), houseOf('项目B')]
  await set('leakage.step', undefined, {
    Params: [
      { Name: 'decision', Value: 6 },
      { Name: 'stepShare', Value: 0.2 },
    ],
  })
  await set('leakage.step', a, { Params: [{ Name: 'decision', Value: 10 }] })
  const [own, other] = [await rule('leakage.step', a), await rule('leakage.step', b)]
  expect([own.Origin, figureOf(own, 'decision'), figureOf(own, 'stepShare'), figureOf(own, 'minStepMa')]).toEqual([
    'project',
    10,
    0.2,
    3,
  ])
  expect([other.Origin, figureOf(other, 'decision')]).toEqual(['default', 6])
  expect(own.Params.find(({ Name }) => Name === 'decision')).toMatchObject({ Default: 6, BuiltIn: 5.5 })
})

test('given up, a rule is as the level above, and its versions go on', async () => {
  const house = houseOf('项目A')
  await set('wear', undefined, { Enabled: false })
  await set('wear', house, { Priority: 'high' })
  const back = await stack.client.call(restoreWarningRule, { body: { HouseID: house, Key: 'wear', Version: 1 } })
  expect(back).toMatchObject({ Origin: 'default', Enabled: false, Priority: 'medium', Version: 2 })
  const again = await set('wear', house, { Enabled: true })
  expect(again).toMatchObject({ Origin: 'project', Enabled: true, Version: 3 })
})

test('who changed what stands in the history of the rule and in the log, with before and after', async () => {
  const house = houseOf('项目A')
  await set('offline', house, { Params: [{ Name: 'hours', Value: 12 }], Reason: '夜间断电' })
  await set('offline', house, { Enabled: false, Params: [{ Name: 'hours', Value: 12 }], Priority: 'medium' })
  await stack.client.call(restoreWarningRule, { body: { HouseID: house, Key: 'offline', Version: 2, Reason: '恢复' } })
  const { items, total } = await stack.client.call(listWarningRuleChanges, { query: { HouseID: house, Key: 'offline' } })
  expect(total).toBe(3)
  expect(items.map(({ Version, By, Reason, Restored, Changed }) => [Version, By, Reason, Restored, Changed])).toEqual([
    [3, 'admin', '恢复', true, ['Enabled', 'hours', 'Priority']],
    [2, 'admin', '', false, ['Enabled', 'Priority']],
    [1, 'admin', '夜间断电', false, ['hours']],
  ])
  const log = await stack.client.call(listJournal, { body: { Action: 'warningRule.edit' } })
  expect(log.items[0]).toMatchObject({
    Actor: 'admin',
    TargetLabel: { zh: expect.stringContaining('项目A · 离线'), en: expect.stringContaining('项目A · Offline') },
  })
})

test('two who change one rule at once: the second is told', async () => {
  const house = houseOf('项目A')
  const made = await set('wear', house, { Enabled: false })
  expect(made.Version).toBe(1)
  expect(await outcomeOf(set('wear', house, { Version: 0 }))).toBe('changed meanwhile')
  const both = await Promise.all([1, 2].map(() => outcomeOf(set('wear', undefined, { Version: 0, Enabled: false }))))
  expect(both.toSorted()).toEqual(['changed meanwhile', 'done'])
})

test('every figure that is out of its range is named at once, and nothing is saved', async () => {
  const house = houseOf('项目A')
  const Params = [
    { Name: 'decision', Value: 99 },
    { Name: 'stepShare', Value: 0 },
    { Name: 'constructor', Value: 1 },
  ]
  await expect(set('leakage.step', house, { Params })).rejects.toMatchObject({
    message: 'rule out of range',
    problem: {
      failure: {
        Detail: {
          fields: [
            { field: 'decision', from: 4, to: 16 },
            { field: 'stepShare', from: 0.05, to: 0.5 },
            { field: 'constructor', from: null, to: null },
          ],
        },
        Problems: [{ Path: 'body.Params.decision', Text: { zh: '判定阈值应为 4–16 σ' } }, {}, {}],
      },
    },
  })
  expect(await rule('leakage.step', house)).toMatchObject({ Origin: 'builtIn', Version: 0 })
})

test.each<[string, Partial<Form>, string]>([
  ['a rule that there is not', { Key: 'leakage.fall' }, 'warning rule not exists'],
  [
    'a figure given twice',
    {
      Params: [
        { Name: 'decision', Value: 8 },
        { Name: 'decision', Value: 9 },
      ],
    },
    'rule out of range',
  ],
  ['a family that there is not', { Targets: { Kind: 'families', Families: ['toaster'], LineIDs: [] } }, 'invalid parameter'],
  ['a line that there is not', { Except: [2_000_000_000] }, 'invalid parameter'],
])('%s is refused', async (_, change, expected) => {
  expect(await outcomeOf(set('leakage.step', houseOf('项目A'), change))).toBe(expected)
})

test('a line of another project is none that a rule may name', async () => {
  const house = houseOf('项目A')
  expect(await outcomeOf(set('leakage.step', house, { Except: [lineIdOf('B-T1', 1)] }))).toBe('invalid parameter')
  expect(await outcomeOf(set('leakage.step', undefined, { Except: [lineIdOf('B-T1', 1)] }))).toBe('done')
})

test('what nothing measures cannot be switched on', async () => {
  const house = houseOf('项目A')
  expect(await outcomeOf(set('harmonic', house, { Enabled: true }))).toBe('rule not measurable')
  expect(await outcomeOf(set('harmonic', house, { Enabled: false, Priority: 'high' }))).toBe('done')
})

test('a rule says how many lines it is for, what it raised on them, and that it is noisy', async () => {
  const house = houseOf('项目A')
  const lines = (await rule('overcurrent', house)).Lines
  const some = await set('overcurrent', house, {
    Targets: { Kind: 'lines', Families: [], LineIDs: [lineIdOf('A-T1', 1), lineIdOf('A-T1', 2)] },
    Except: [lineIdOf('A-T1', 2)],
  })
  expect([lines > 8, some.Lines]).toEqual([true, 1])
  await raiseFindings(stack, [{ key: 'overcurrent' }, { key: 'overcurrent', controllerId: 'B-T1' }])
  expect(await rule('overcurrent', house)).toMatchObject({ Findings: 1, Noisy: true })
})

test('rules are for who holds the page, of projects that they see whole, and the default for administrators', async () => {
  const [a, b] = [houseOf('项目A'), houseOf('项目B')]
  const rules = await person('ruler', ['devmon', 'advance.warning'], { projects: ['项目A'] })
  const reader = await person('reader', ['devmon', 'devmon.faultalarm'], { projects: ['项目A'] })
  const part = await person('parter', ['devmon', 'advance.warning'], { gateways: ['GW-A'] })
  await set('wear', b, { Enabled: false, Reason: '乙' })
  expect((await rule('wear', a, rules)).Origin).toBe('builtIn')
  // Of the default they count the lines that they see.
  const own = (await rule('wear', a, rules)).Lines
  expect([(await rule('wear', undefined, rules)).Lines, (await rule('wear')).Lines > own]).toEqual([own, true])
  expect(await outcomeOf(rule('wear', b, rules))).toBe('project not exists')
  expect(await outcomeOf(rule('wear', a, part))).toBe('project not exists')
  expect(await outcomeOf(rule('wear', a, reader))).toBe('access denied')
  expect(await outcomeOf(set('wear', a, { Enabled: false }, rules))).toBe('done')
  expect(await outcomeOf(set('wear', b, { Enabled: true }, rules))).toBe('project not exists')
  expect(await outcomeOf(set('wear', undefined, { Enabled: false }, rules))).toBe('default rule by administrators')
  expect(await outcomeOf(rules.call(restoreWarningRule, { body: { Key: 'wear', Version: 0 } }))).toBe(
    'default rule by administrators',
  )
  expect(await outcomeOf(rules.call(listWarningRuleChanges, { query: { HouseID: b, Key: 'wear' } }))).toBe('project not exists')
})
