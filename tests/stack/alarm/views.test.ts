import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import {
  downloadPath,
  exportEvents,
  keepAlarmView,
  listAlarmViews,
  listEvents,
  maxAlarmViews,
  removeAlarmView,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raiseEvents } from '../../kit/raised-events.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

let stack: Stack
let sub: Client
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
  const { accounts, plant } = stack.server
  const privileges = ['devmon', 'devmon.realtime', 'hazard', 'hazard.alarmList']
  const roleId = await accounts.createRole({ number: 'views', name: '视图', privileges, buttons: [] })
  const account = { userName: '13800000051', password: 'Narrow-7391' }
  const projectB = [...plant.projects.values()].find(({ name }) => name === '项目B')?.id ?? 0
  await accounts.createAccount({ ...account, kind: 'sub', roleId, projectIds: [projectB] })
  sub = await signedIn(stack.url, account)
})
afterAll(() => stack?.close())

const keep = (by: Client, Name: string, ViewID: string = crypto.randomUUID(), Address = 'kinds=alarm') =>
  by.call(keepAlarmView, { body: { ViewID, Name, Address } })
const names = async (by: Client) => (await by.call(listAlarmViews, {})).items.map(({ Name }) => Name)

test('a view follows the person, is replaced under its id, and is nobody else’s', async () => {
  const view = await keep(stack.client, ' Night shift ', undefined, 'at=house%3A3&priorities=critical,high')
  expect(view).toMatchObject({ Name: 'Night shift', Address: 'at=house%3A3&priorities=critical,high' })
  expect(await names(await signedIn(stack.url, stack.admin))).toEqual(['Night shift'])
  expect(await names(sub)).toEqual([])
  await keep(stack.client, 'Nights', view.ViewID)
  expect(await names(stack.client)).toEqual(['Nights'])
  // The same id of somebody else is another view.
  await keep(sub, 'Mine', view.ViewID)
  await sub.call(removeAlarmView, { body: { ViewID: view.ViewID } })
  expect([await names(stack.client), await names(sub)]).toEqual([['Nights'], []])
  expect(await outcomeOf(keep(sub, '  '))).toBe('invalid parameter')
  expect(await outcomeOf(keep(sub, 'x', undefined, '<script>'))).toBe('invalid parameter')
  await stack.client.call(removeAlarmView, { body: { ViewID: view.ViewID } })
  expect(await names(stack.client)).toEqual([])
})

test('there is room for twenty, also of two that are kept at once; one that is there can still be replaced', async () => {
  const first = await keep(sub, 'A')
  for (let index = 2; index < maxAlarmViews; index += 1) await keep(sub, `View ${index}`)
  const outcomes = await Promise.all([outcomeOf(keep(sub, 'Y')), outcomeOf(keep(sub, 'Z'))])
  expect(outcomes.toSorted()).toEqual(['done', 'too many views'])
  expect(await outcomeOf(keep(sub, 'B', first.ViewID))).toBe('done')
  expect((await names(sub)).length).toBe(maxAlarmViews)
})

test('a file has what the list has, in its order, in the reader’s language, and nothing of another’s plant', async () => {
  const at = Date.UTC(2026, 0, 15, 4)
  const label = { zh: '过电压', en: 'Overvoltage' }
  await raiseEvents(stack, [
    { key: 'voltage.over', label, raisedAt: at, priority: 'medium' },
    { key: 'trip.short', lineNo: 2, label: { zh: '=短路', en: '=Short' }, priority: 'critical', raisedAt: at, raises: 3 },
    { key: 'voltage.over', controllerId: 'B-T1', label, raisedAt: at, state: 'normal' },
  ])
  const { UpTo } = (await stack.client.call(listEvents, { body: {} })).about
  await raiseEvents(stack, [{ key: 'late', label }])
  const file = async (by: Client, asked: Partial<Request<typeof exportEvents>['body']>) => {
    const { Ticket, FileName } = await by.call(exportEvents, { body: { Format: 'csv', Language: 'EN', UpTo, ...asked } })
    const reply = await fetch(`${stack.url}${downloadPath}${Ticket}`)
    expect(FileName).toMatch(/\.(csv|xlsx)$/)
    return Buffer.from(await reply.arrayBuffer())
  }
  const lines = async (by: Client, asked: Parameters<typeof file>[1]) => (await file(by, asked)).toString().trim().split('\r\n')
  const open = await lines(stack.client, { Open: true, Sort: '-Priority' })
  expect(open).toHaveLength(3)
  expect(open[0]).toContain('"Raised (Asia/Shanghai)","Kind","Priority","State","Alarm"')
  expect(open[1]).toContain(`2026-01-15 12:00:00,"Alarm","Critical","Unacknowledged","'=Short"`)
  expect(open[1]).toContain('"项目A","A柜","A线2",3,')
  expect(open[2]).toContain('"Medium","Unacknowledged","Overvoltage"')
  const seen = await lines(sub, { Language: 'CN' })
  expect(seen).toHaveLength(2)
  expect(seen[1]).toContain('"报警","高","已结束","过电压"')
  expect((await file(stack.client, { Format: 'xlsx' })).subarray(0, 2).toString()).toBe('PK')
  const other = [...stack.server.plant.projects.values()].find(({ name }) => name === '项目A')?.id ?? 0
  expect(await outcomeOf(sub.call(exportEvents, { body: { Format: 'csv', Language: 'CN', HouseID: other } }))).toBe(
    'project not exists',
  )
})
