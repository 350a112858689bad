import { listEventSteps, listEvents } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import type { RaisedEvent } from '../../kit/raised-events.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import { violationsInBothThemes } from '../axe.ts'
import { tooWide } from '../looks.ts'
import { raise } from '../raise.ts'
import { enter } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

type Stack = Parameters<Parameters<typeof test>[2]>[0]['stack']

const minuteMs = 60_000
const called = (zh: string, en: string) => ({ zh, en })
const alarms = (now: number): readonly RaisedEvent[] => [
  { key: 'voltage.over', label: called('过电压', 'Overvoltage'), state: 'returned', raises: 3, raisedAt: now - 40 * minuteMs },
  {
    key: 'trip.short',
    lineNo: 2,
    priority: 'critical',
    label: called('短路脱扣', 'Tripped on short circuit'),
    raisedAt: now - 9 * minuteMs,
  },
  {
    key: 'smoke.alarm',
    controllerId: 'A-Y1',
    lineNo: null,
    priority: 'critical',
    label: called('烟雾报警', 'Smoke'),
    raisedAt: now - minuteMs,
  },
  {
    key: 'current.high',
    controllerId: 'B-T1',
    kind: 'warning',
    priority: 'low',
    label: called('电流偏高', 'Current high'),
    raisedAt: now - 80 * minuteMs,
  },
  { key: 'voltage.over', label: called('过电压', 'Overvoltage'), state: 'normal', raisedAt: now - 300 * minuteMs },
]

async function begin(stack: Stack, given = alarms(Date.now())): Promise<string[]> {
  const db = await stack.server.database.connect()
  await db.query('delete from event; delete from event_shelf')
  await db.end()
  return raiseEvents(stack, given)
}
const table = (page: Page) => page.getByRole('table', { name: /^(报警列表|Alarms)$/ })
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('checkbox', { name: /^(选择 |Select (?!all))/ }) })
const row = (page: Page, name: string) => rows(page).filter({ hasText: name })
const open = (page: Page, stack: Stack, query = '') => enter(page, stack, `${stack.url}/hazard/alarmList${query}`)

test('open alarms stand the worst first; filters and the open alarm are in the address, and what comes moves nothing', async ({
  page,
  stack,
}) => {
  await begin(stack)
  await open(page, stack)
  await expect(rows(page)).toHaveText([/烟雾报警/, /短路脱扣/, /过电压.*3/, /电流偏高/])
  await expect(row(page, '短路脱扣')).toContainText('紧急')
  await expect(row(page, '短路脱扣')).toContainText('A线2')
  await expect(page.getByText('共 4 条')).toBeVisible()
  await expect(page.getByText('未确认 4 条')).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])

  // A link shows the same.
  await page.getByRole('button', { name: '预警', exact: true }).click()
  await expect(rows(page)).toHaveText([/电流偏高/])
  await page.reload()
  await expect(rows(page)).toHaveText([/电流偏高/])
  await page.getByRole('button', { name: '清除筛选' }).click()
  await page.getByRole('treeitem', { name: /项目A/ }).click()
  await expect(page).toHaveURL(/at=house/)
  await expect(rows(page)).toHaveText([/烟雾报警/, /短路脱扣/, /过电压/])
  await page.getByRole('columnheader', { name: '发生时间' }).getByRole('button').click()
  await expect(rows(page)).toHaveText([/烟雾报警/, /短路脱扣/, /过电压/])
  await page.getByRole('columnheader', { name: '发生时间' }).getByRole('button').click()
  await expect(rows(page)).toHaveText([/过电压/, /短路脱扣/, /烟雾报警/])
  await page.getByRole('button', { name: '历史' }).click()
  await expect(rows(page)).toHaveCount(4)
  await page.getByRole('button', { name: '现存' }).click()

  // What comes is counted and gathered.
  const line = stack.server.plant.deviceByControllerId.get('A-T1')?.lines.get(3)
  if (!line) throw new Error('the plant has no line')
  await expect(rows(page)).toHaveCount(3)
  const before = await row(page, '短路脱扣').boundingBox()
  await raise(stack, line, ['新来的一', '新来的二'])
  const arrivals = page.getByRole('button', { name: '2 条新报警，点击查看' })
  await expect(arrivals).toBeVisible()
  expect(await row(page, '短路脱扣').boundingBox()).toEqual(before)
  await expect(rows(page)).toHaveCount(3)
  await arrivals.click()
  await expect(rows(page)).toHaveCount(5)
  await expect(arrivals).toHaveCount(0)
})

test('the drawer says what happened, takes a comment, acknowledges and shelves; fire is never shelved', async ({
  page,
  stack,
  problems,
}) => {
  // Of an event that is not there.
  forgive(problems, /404/)
  const [over = '', trip = '', smoke = ''] = await begin(stack)
  await open(page, stack)
  await row(page, '过电压')
    .getByRole('button', { name: /^查看 过电压/ })
    .click()
  await expect(page).toHaveURL(new RegExp(`event=${over}`))
  const drawer = page.getByRole('dialog', { name: '过电压' })
  await expect(drawer.getByRole('region', { name: '此前的同一报警' }).getByRole('listitem')).toHaveCount(1)
  await drawer.getByRole('button', { name: '提交备注' }).click()
  await expect(drawer.getByText('请填写备注内容')).toBeVisible()
  await drawer.getByLabel('写备注').fill('已联系供电局')
  await drawer.getByRole('button', { name: '提交备注' }).click()
  await expect(drawer.getByRole('listitem').filter({ hasText: '已联系供电局' })).toContainText('admin')
  await drawer.getByRole('button', { name: '确认', exact: true }).click()
  await expect(row(page, '过电压')).toContainText('已结束')
  const steps = await stack.client.call(listEventSteps, { params: { EventID: over }, query: {} })
  expect(steps.items.map(({ Act }) => Act)).toEqual(['acknowledge', 'comment'])

  await page.goto(`/hazard/alarmList?event=${trip}`)
  const second = page.getByRole('dialog', { name: '短路脱扣' })
  await expect(second.getByRole('link', { name: '跳闸分析' })).toHaveAttribute('href', /line=\d+&tab=trips/)
  await second.getByRole('button', { name: '搁置' }).click()
  const form = page.getByRole('dialog', { name: /搁置 1 条/ })
  await form.getByRole('button', { name: '搁置', exact: true }).click()
  await expect(form.getByText('请填写原因')).toBeVisible()
  await form.getByRole('button', { name: '已派人处理' }).click()
  await form.getByRole('button', { name: '15 分钟' }).click()
  await form.getByRole('button', { name: '搁置', exact: true }).click()
  await expect(row(page, '短路脱扣')).toContainText('搁置至')
  await expect(second.getByText(/已派人处理/).first()).toBeVisible()
  await second.getByRole('button', { name: '取消搁置' }).click()
  await expect(row(page, '短路脱扣')).toContainText('已确认')

  await page.goto(`/hazard/alarmList?event=${smoke}`)
  const third = page.getByRole('dialog', { name: '烟雾报警' })
  await expect(third.getByRole('button', { name: '搁置' })).toHaveAttribute('aria-disabled', 'true')
  await page.goto('/hazard/alarmList?event=999999999')
  await expect(page.getByText('该事件不存在，或无权查看')).toBeVisible()
})

test('the chosen are acknowledged or shelved together, and what became of each is said; with none left the last one is named', async ({
  page,
  stack,
}) => {
  const [over = ''] = await begin(stack)
  await open(page, stack)
  await expect(rows(page)).toHaveCount(4)
  await page.getByRole('checkbox', { name: '全选已加载的' }).check()
  const bar = page.getByRole('group', { name: '已选 4 项' })
  await expect(bar.getByText('火灾、燃气和故障电弧报警不能搁置，将跳过 1 条')).toBeVisible()
  // Somebody else was faster, and this console has not seen it.
  const db = await stack.server.database.connect()
  await db.query("update event set state = 'normal' where event_id = $1", [over])
  await db.end()
  await bar.getByRole('button', { name: '确认', exact: true }).click()
  const outcome = page.getByRole('dialog', { name: '处理结果' })
  await expect(outcome).toContainText('已确认 3 条')
  await expect(outcome).toContainText('1 条已由他人确认')
  await expect(outcome.getByRole('listitem')).toContainText('过电压')
  await outcome.getByRole('button', { name: '关闭' }).click()
  await expect(row(page, '烟雾报警')).toContainText('已确认')
  expect((await stack.client.call(listEvents, { body: { States: ['active'] } })).total).toBe(0)

  await begin(stack, [
    { key: 'voltage.over', label: called('过电压', 'Overvoltage'), state: 'normal', raisedAt: Date.UTC(2026, 0, 5, 4) },
  ])
  await page.getByRole('button', { name: '刷新' }).click()
  await expect(page.getByText('没有需要处理的报警')).toBeVisible()
  await expect(page.getByText(/最近一条：过电压，2026-01-05 12:00/)).toBeVisible()
})

test('a list that cannot be fetched says so, keeps its filters and is tried again', async ({ page, stack, problems }) => {
  await begin(stack)
  forgive(problems, /Failed to load resource/)
  await page.route('**/api/v1/messages/list', (route) => route.fulfill({ status: 503, body: '' }))
  await open(page, stack, '?kinds=warning')
  const main = page.getByRole('main')
  await expect(main.getByText('服务不可用').first()).toBeVisible({ timeout: 20_000 })
  await expect(main.getByRole('columnheader', { name: '内容' })).toBeVisible()
  await page.unroute('**/api/v1/messages/list')
  await main.getByRole('button', { name: '重试' }).first().click()
  await expect(rows(page)).toHaveText([/电流偏高/])
  await expect(page).toHaveURL(/kinds=warning/)
})

test('in English on a phone each alarm is a card that fits', async ({ page, stack }) => {
  await begin(stack)
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await open(page, stack)
    await expect(rows(page)).toHaveText([
      /Critical.*Smoke/,
      /Critical.*Tripped on short circuit/,
      /High.*Overvoltage/,
      /Low.*Current high/,
    ])
    expect(await tooWide(page)).toEqual([])
  }
  expect(await violationsInBothThemes(page)).toEqual([])
  const button = row(page, 'Overvoltage').getByRole('button', { name: /^Acknowledge Overvoltage/ })
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(48)
  await button.click()
  await expect(row(page, 'Overvoltage')).toContainText('Over')
  await row(page, 'Smoke')
    .getByRole('button', { name: /^Open Smoke/ })
    .click()
  await expect(
    page.getByRole('dialog', { name: 'Smoke' }).getByRole('button', { name: 'Acknowledge', exact: true }),
  ).toBeVisible()
  await expect.poll(() => tooWide(page)).toEqual([])
})
