import type { Client } from '@linewarden/client'
import type { SettingTemplate } from '@linewarden/contract'
import { deleteTemplate, insertTemplate, queryTemplates, settingHistory, updateLines, updateTemplate } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { startTwoOwners } from '../../kit/two-owners.ts'

let owners: TwoOwners
beforeAll(async () => {
  owners = await startTwoOwners()
})
afterAll(() => owners?.close())

const pairs = (wanted: Record<string, number>) => Object.entries(wanted).map(([Key, Value]) => ({ Key, Value }))
const form = (Name: string, wanted: Record<string, number>, Family = 'breaker3p') => ({ Name, Family, Settings: pairs(wanted) })
const add = (by: Client, Name: string, wanted: Record<string, number>) => by.call(insertTemplate, { body: form(Name, wanted) })
const list = async (by: Client, body: { Name?: string; Family?: string } = {}) =>
  (await by.call(queryTemplates, { body: { ...body, Size: 50 } })).items
const edit = (by: Client, { TemplateID, Version }: SettingTemplate, Name: string, wanted: Record<string, number>) =>
  by.call(updateTemplate, { body: { TemplateID, Version, ...form(Name, wanted) } })
const audited = (action: string, target: string) =>
  owners.stack.server.database.general
    .selectFrom('audit')
    .select(['actor', 'before', 'after', 'outcome'])
    .where('action', '=', action)
    .where('target', '=', target)
    .execute()

test('a template keeps values under a name, who made it and when, and is found by name and by family', async () => {
  const { anna } = owners
  const made = await add(anna, '  办公照明 ', { 'leakage.trip': 100, 'overload.delay': 45 })
  expect(made).toMatchObject({ Name: '办公照明', Family: 'breaker3p', ChangedBy: '13900000001', Version: 1 })
  expect(made.Settings).toEqual(pairs({ 'leakage.trip': 100, 'overload.delay': 45 }))
  const detector = await anna.call(insertTemplate, { body: form('探测器', { 'residual.alarm': 400 }, 'detectorRs') })
  expect((await list(anna)).map(({ Name }) => Name).sort()).toEqual(['办公照明', '探测器'].sort())
  expect(await list(anna, { Name: '照明' })).toEqual([made])
  expect(await list(anna, { Family: 'detectorRs' })).toEqual([detector])
  expect(await audited('template.add', '办公照明')).toMatchObject([{ actor: '13900000001', outcome: 'done' }])
})

test.each([
  ['a name that is taken', '办公照明', { 'leakage.trip': 50 }, 'template exists'],
  ['what the family does not have', '新一', { 'gas.low': 10 }, 'setting unknown'],
  ['what no model of the family may have', '新二', { 'leakage.trip': 501 }, 'template out of range'],
  ['what lies between two steps', '新三', { 'leakage.trip': 50.5 }, 'template out of range'],
])('%s is refused', async (_what, name, wanted, message) => {
  expect(await outcomeOf(add(owners.anna, name, wanted))).toBe(message)
  expect(await list(owners.anna, { Name: name })).toHaveLength(name === '办公照明' ? 1 : 0)
})

test('and told in words, with every range its models have', async () => {
  const body = form('新四', { overvoltage: 150, 'leakage.trip': 20 }, 'breaker1p')
  await expect(owners.anna.call(insertTemplate, { body })).rejects.toMatchObject({
    problem: {
      failure: {
        Problems: [
          // Of 48 V and of 230 V, and nothing between.
          { Path: 'Settings.overvoltage', Text: { zh: '过压保护应为 55–65 / 240–300 V，按 1 V 递进' } },
          { Path: 'Settings.leakage.trip', Text: { zh: '漏电动作值应为 30–500 mA，按 1 mA 递进' } },
        ],
      },
    },
  })
})

test('of two people who edit one template the second is told, and nothing of theirs is kept', async () => {
  const { anna } = owners
  const before = await add(anna, '两人同改', { 'leakage.trip': 100 })
  const first = await edit(anna, before, '两人同改', { 'leakage.trip': 120 })
  expect(first.Version).toBe(2)
  expect(await outcomeOf(edit(anna, before, '两人同改', { 'leakage.trip': 140 }))).toBe('changed meanwhile')
  expect(await list(anna, { Name: '两人同改' })).toEqual([first])
  // Who looks again may.
  const second = await edit(anna, first, '两人改名', { 'overload.delay': 30 })
  expect(await list(anna, { Name: '两人' })).toEqual([second])
  expect(second.Settings).toEqual(pairs({ 'overload.delay': 30 }))
  expect(await audited('template.edit', '两人改名')).toMatchObject([
    { before: { name: '两人同改', settings: { 'leakage.trip': 120 } }, after: { 'overload.delay': 30 } },
  ])
  expect(await outcomeOf(edit(anna, second, '办公照明', { 'overload.delay': 30 }))).toBe('template exists')
})

test('of two who save in the same moment one is refused', async () => {
  const { anna } = owners
  const before = await add(anna, '同时', { 'leakage.trip': 100 })
  const both = await Promise.all([110, 120].map((value) => outcomeOf(edit(anna, before, '同时', { 'leakage.trip': value }))))
  expect(both.sort()).toEqual(['changed meanwhile', 'done'])
})

test('applied to many lines, each answers for itself, and the history names the template', async () => {
  const { platform, stack } = owners
  const template = await add(platform, '配电间', { 'leakage.trip': 75 })
  const target = (ControllerID: string, LineNo: number) => ({ ControllerID, LineNo })
  // Values that are not the template's are not stored as from it.
  const other = { Targets: [target('A-T1', 1)], BatchID: crypto.randomUUID(), Reason: '整定', TemplateID: template.TemplateID }
  for (const Settings of [[{ Key: 'leakage.trip', Value: 80 }], [...template.Settings, { Key: 'overload.delay', Value: 60 }]])
    expect(await outcomeOf(platform.call(updateLines, { body: { ...other, Settings } }))).toBe('changed meanwhile')
  const { items } = await platform.call(updateLines, {
    body: {
      Targets: [target('A-T1', 1), target('A-Y1', 0), target('A-T1', 2)],
      Settings: [...template.Settings],
      TemplateID: template.TemplateID,
      BatchID: crypto.randomUUID(),
      Reason: '整定',
    },
  })
  expect(items.map(({ Change, Refused }) => Refused?.Message ?? Change?.Template)).toEqual([
    '配电间',
    'setting unknown',
    '配电间',
  ])
  for (const lineNo of [1, 2])
    await vi.waitFor(
      async () => {
        const { items: changes } = await platform.call(settingHistory, { body: { Target: target('A-T1', lineNo) } })
        expect(changes[0]).toMatchObject({ Source: 'template', Template: '配电间', State: 'verified' })
      },
      { interval: 50 },
    )
  const gateway = stack.fleet.gatewayOf('A-T1')
  expect([1, 2].map((lineNo) => gateway.line('A-T1', lineNo).settings.get('leakage.trip'))).toEqual([75, 75])
  // Editing or deleting it afterwards changes no line and no history.
  await edit(platform, template, '配电间', { 'leakage.trip': 90 })
  await platform.call(deleteTemplate, { body: { TemplateID: template.TemplateID } })
  expect(gateway.line('A-T1', 1).settings.get('leakage.trip')).toBe(75)
  const { items: after } = await platform.call(settingHistory, { body: { Target: target('A-T1', 1) } })
  expect(after).toMatchObject([{ Template: '配电间' }])
})

test('a template of somebody else is not there: not in the list, not to edit, not to delete, not to apply', async () => {
  const { anna, bert } = owners
  const hers = await add(anna, '安娜的', { 'leakage.trip': 60 })
  expect(await list(bert)).toEqual([])
  expect(await outcomeOf(edit(bert, hers, '安娜的', { 'leakage.trip': 500 }))).toBe('template not exists')
  expect(await outcomeOf(bert.call(deleteTemplate, { body: { TemplateID: hers.TemplateID } }))).toBe('template not exists')
  const apply = bert.call(updateLines, {
    body: {
      Targets: [{ ControllerID: 'A-T1', LineNo: 3 }],
      Settings: [...hers.Settings],
      TemplateID: hers.TemplateID,
      BatchID: crypto.randomUUID(),
      Reason: 'x',
    },
  })
  expect(await outcomeOf(apply)).toBe('template not exists')
  expect(await list(anna, { Name: '安娜的' })).toEqual([hers])
  // The same name is free for him: names are of a tenant.
  expect(await outcomeOf(add(bert, '安娜的', { 'leakage.trip': 60 }))).toBe('done')
})

test('a deleted template is gone, also for whoever had it open, and the log says what it was', async () => {
  const { anna } = owners
  const made = await add(anna, '要删的', { 'leakage.trip': 60 })
  await anna.call(deleteTemplate, { body: { TemplateID: made.TemplateID } })
  expect(await list(anna, { Name: '要删的' })).toEqual([])
  expect(await outcomeOf(anna.call(deleteTemplate, { body: { TemplateID: made.TemplateID } }))).toBe('template not exists')
  expect(await outcomeOf(edit(anna, made, '要删的', { 'leakage.trip': 70 }))).toBe('template not exists')
  expect(await audited('template.delete', '要删的')).toMatchObject([
    { before: { name: '要删的', family: 'breaker3p', settings: { 'leakage.trip': 60 } } },
  ])
})
