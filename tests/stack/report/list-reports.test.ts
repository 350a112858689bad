import type { ReportKind } from '@linewarden/contract'
import { downloadReport, insertReportSchedule, queryHealthChecks, reportKinds, startHealthCheck } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../kit/exported.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

// Lists that go out by themselves: each is the file that its page exports.
let stack: Stack
let HouseID = 0
let foreignGateway = 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  const gatewayOf = (device: string) => stack.server.plant.lineAt(device, 1)?.device.gateway
  HouseID = gatewayOf('A-T1')?.project.id ?? 0
  foreignGateway = gatewayOf('B-T1')?.id ?? 0
})
afterAll(() => stack?.close())

const schedule = async (Kind: ReportKind, Scope: object = {}) =>
  stack.client.call(insertReportSchedule, {
    body: {
      ...{ HouseID, Name: `${Kind} ${crypto.randomUUID().slice(0, 8)}`, Kind, Scope, Period: 'month', Cron: '0 8 5 * *' },
      ...{ Format: 'csv', Enabled: false, Recipients: [{ Address: 'li@example.com', Language: 'CN' }] },
    },
  })
const fileOfKind = async (Kind: ReportKind, Language: 'CN' | 'EN', Scope: object = {}) => {
  const { ScheduleID } = await schedule(Kind, Scope)
  return rowsOf(stack.url, stack.client.call(downloadReport, { body: { HouseID, ScheduleID, Language } }))
}

test.each([
  ['warnings', '首见', 'First seen'],
  ['hazards', '首次发现', 'First seen'],
  ['alarmStatistics', '日期', 'Day'],
  ['alarmRationales', '导出时间', 'Exported'],
] as const)('the list %s goes out in the language of whoever gets it', async (kind, zh, en) => {
  const [[first = ''] = []] = await fileOfKind(kind, 'CN')
  expect(first).toMatch(new RegExp(`^${zh} \\(Asia/Shanghai\\)`))
  const [[other = ''] = []] = await fileOfKind(kind, 'EN')
  expect(other).toMatch(new RegExp(`^${en} \\(Asia/Shanghai\\)`))
})

test('alarm statistics of a month have a row for each of its dates', async () => {
  const rows = await fileOfKind('alarmStatistics', 'EN')
  expect(rows.length - 1).toBeGreaterThanOrEqual(28)
})

test('the newest health check of the period goes out; without one the report says that there is none', async () => {
  const { ScheduleID } = await schedule('healthCheck')
  const download = () => stack.client.call(downloadReport, { body: { HouseID, ScheduleID, Language: 'CN' } })
  expect(await outcomeOf(download())).toBe('exam none in period')
  const { Number: number } = await stack.client.call(startHealthCheck, { body: { HouseID } })
  const isDone = async () =>
    (await stack.client.call(queryHealthChecks, { body: { HouseID } })).items.every(({ State }) => State === 'done')
  await expect.poll(isDone).toBe(true)
  const rows = await rowsOf(stack.url, download())
  expect(new Set(rows.slice(1).map((row) => row[1]))).toEqual(new Set([number]))
})

test.each(Object.keys(reportKinds).filter((kind) => kind !== 'deviceData') as ReportKind[])(
  'no report %s is of a gateway of another project',
  async (kind) => {
    const expected = reportKinds[kind].of === 'project' ? 'invalid parameter' : 'device not exists'
    expect(await outcomeOf(schedule(kind, { DeviceID: foreignGateway }))).toBe(expected)
  },
)
