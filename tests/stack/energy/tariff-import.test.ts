import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { getTariffVersion, importTariff, insertTariff, listTariffs, tariffTemplate } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

// Versions of a tariff from a workbook: all of its sheets, or none.
let stack: Stack
let reader: Client
let HouseID = 0
let TariffID = 0
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  HouseID = stack.server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  TariffID = (await stack.client.call(insertTariff, { body: { HouseID, Name: '代理购电' } })).TariffID
  const { accounts } = stack.server
  const roleId = await accounts.createRole({ number: 'reads', name: '读', privileges: ['energy', 'energy.energy'], buttons: [] })
  await accounts.createAccount({
    userName: '13800000081',
    password: 'Sheet-7391-march',
    kind: 'sub',
    roleId,
    projectIds: [HouseID],
  })
  reader = await signedIn(stack.url, { userName: '13800000081', password: 'Sheet-7391-march' })
})
afterAll(() => stack?.close())

type Body = Request<typeof importTariff>['body']

/** The template as somebody fills it in. */
function sheet(Name: string, from: string, change: (cells: string[]) => string[] = (cells) => cells): Body['Sheets'][number] {
  const rows = tariffTemplate(true).map((line) => {
    const [kind = ''] = line
    if (kind === '生效日期') return [kind, from]
    if (kind === '依据') return [kind, `苏发改价格发 ${from}`]
    return kind === '价格' ? [...line.slice(0, 5), ...line.slice(5).map((_, index) => `0.${index + 1}`)] : [...line]
  })
  return { Name, Rows: rows.map((cells, index) => ({ Row: index + 1, Cells: change(cells) })) }
}
const bring = (Sheets: Body['Sheets'], more: Partial<Body> = {}, client = stack.client) =>
  client.call(importTariff, { body: { HouseID, TariffID, DryRun: false, Publish: true, Sheets, ...more } })
const versions = async () => (await reader.call(listTariffs, { query: { HouseID } })).items[0]?.Versions ?? []

test('a dry run says what each sheet is, or what is wrong with it by its cell, and stores nothing', async () => {
  const wrong = sheet('二月', '2026-02-01', (cells) =>
    cells[0] === '价格' && cells[1] === '输配电' ? [...cells.slice(0, 5), '一角'] : cells,
  )
  const { Stored, Sheets } = await bring([sheet('一月', '2026-01-01'), wrong], { DryRun: true })
  expect(Stored).toBe(0)
  expect(Sheets[0]).toMatchObject({
    Name: '一月',
    From: '2026-01-01',
    To: null,
    Bands: 5,
    Seasons: 1,
    Components: 3,
    Problems: [],
  })
  expect(Sheets[1]?.Problems.map(({ Cell }) => Cell)).toEqual([expect.stringMatching(/^F\d+$/)])
  expect(await outcomeOf(bring([sheet('一月', '2026-01-01'), wrong]))).toBe('tariff sheets wrong')
  expect(await versions()).toEqual([])
})

test('what does not go with the other sheets or with what is published is told of the sheet', async () => {
  const twoOfOne = await bring(
    [
      sheet('甲', '2026-01-01'),
      sheet('乙', '2026-01-01', (cells) => (cells[0] === '截止日期' ? [cells[0], '2026-06-30'] : cells)),
    ],
    { DryRun: true },
  )
  expect(twoOfOne.Sheets.flatMap(({ Problems }) => Problems.map(({ Cell }) => Cell))).toEqual([null])
})

test('several sheets are published at once in the order of their dates; one becomes the draft', async () => {
  expect(await outcomeOf(bring([sheet('一月', '2026-01-01'), sheet('二月', '2026-02-01')], { Publish: false }))).toBe(
    'tariff sheets many',
  )
  expect((await bring([sheet('二月', '2026-02-01'), sheet('一月', '2026-01-01')])).Stored).toBe(2)
  expect((await versions()).map(({ Number: no, From, PricesUntil }) => [no, From, PricesUntil])).toEqual([
    [2, '2026-02-01', null],
    [1, '2026-01-01', '2026-01-31'],
  ])
  expect((await bring([sheet('三月', '2026-03-01')], { Publish: false })).Stored).toBe(1)
  const [draft] = await versions()
  expect(draft).toMatchObject({ Number: 3, PublishedAt: null })
  const { Content } = await reader.call(getTariffVersion, { query: { HouseID, VersionID: draft?.VersionID ?? 0 } })
  expect(Content.Components[0]).toMatchObject({ Key: 'purchase', Prices: ['0.1', '0.2', '0.3', '0.4', '0.5'] })
  expect(await outcomeOf(bring([sheet('四月', '2026-04-01')]))).toBe('tariff has draft')
})

test('who may not manage the project imports nothing, and a tariff of another one is none', async () => {
  expect(await outcomeOf(bring([sheet('五月', '2026-05-01')], {}, reader))).toBe('access denied')
  expect(await outcomeOf(bring([sheet('五月', '2026-05-01')], { TariffID: 999_999 }))).toBe('tariff not exists')
})
