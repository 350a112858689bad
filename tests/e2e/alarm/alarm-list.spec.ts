import { readFile } from 'node:fs/promises'
import { listEventSteps, listEvents } from '@linewarden/contract'
import type { Locator, Page } from '@playwright/test'
import type { RaisedEvent } from '../../kit/raised-events.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import { signedIn } from '../../kit/stack.ts'
import { storeIncident } from '../../kit/stored-incident.ts'
import { violationsInBothThemes } from '../axe.ts'
import { tooWide } from '../looks.ts'
import { stopTime } from '../page-time.ts'
import { raise } from '../raise.ts'
import { enter } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'
import type { Stack } from './list-page.ts'
import { begin, called, open, row, rows, table } from './list-page.ts'

test.use({ options: { plan: smallPlan } })

/** The fixture's own session ends as others begin. */
const asAdmin = (stack: Stack) => signedIn(stack.url, stack.admin)

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
  const steps = await (await asAdmin(stack)).call(listEventSteps, { params: { EventID: over }, query: {} })
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
  expect((await (await asAdmin(stack)).call(listEvents, { body: { States: ['active'] } })).total).toBe(0)

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
  await expect(main.getByText('服务不可用').first()).toBeVisible()
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

/** A finger draws a card aside. */
async function swipe(page: Page, card: Locator, by: number): Promise<void> {
  const box = await card.boundingBox()
  if (!box) throw new Error('the card is not there')
  const input = await page.context().newCDPSession(page)
  const at = (x: number) => [{ x: box.x + 120 + x, y: box.y + 40 }]
  await input.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
  for (const part of [0.25, 0.5, 0.75, 1])
    await input.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(by * part) })
  await input.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await input.detach()
}

test.describe('by finger', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('a swipe acknowledges after five seconds, can be taken back until then, and is sent when the page is left', async ({
    page,
    stack,
  }) => {
    const [over = '', trip = ''] = await begin(stack)
    const client = await asAdmin(stack)
    const states = async () => {
      const { items } = await client.call(listEvents, { body: {} })
      return [over, trip].map((id) => items.find(({ EventID }) => EventID === id)?.State)
    }
    const undo = page.getByRole('button', { name: '撤销' })
    await page.clock.install()
    await open(page, stack)
    await expect(row(page, '短路脱扣')).toBeVisible()
    // From here on the page's time goes on only when it is let, however slow the machine is.
    await stopTime(page)
    await swipe(page, row(page, '短路脱扣'), 40)
    await page.clock.runFor(100)
    await expect(page.getByText('将确认：短路脱扣')).toHaveCount(0)
    await swipe(page, row(page, '短路脱扣'), 160)
    await page.clock.runFor(100)
    await expect(page.getByText('将确认：短路脱扣')).toBeVisible()
    expect((await undo.boundingBox())?.height).toBeGreaterThanOrEqual(48)
    await page.clock.runFor(4_000)
    expect(await states()).toEqual(['returned', 'active'])
    await undo.tap()
    await expect(undo).toHaveCount(0)
    await page.clock.runFor(6_000)
    expect(await states()).toEqual(['returned', 'active'])

    await swipe(page, row(page, '短路脱扣'), -160)
    await expect(undo).toBeVisible()
    await page.clock.runFor(5_000)
    await expect.poll(states).toEqual(['returned', 'acknowledged'])

    await swipe(page, row(page, '过电压'), 160)
    await expect(undo).toBeVisible()
    await undo.tap()
    await expect(undo).toHaveCount(0)
    await swipe(page, row(page, '过电压'), 160)
    await expect(undo).toBeVisible()
    expect(await states()).toEqual(['returned', 'acknowledged'])
    await page.goto('about:blank')
    await expect.poll(states).toEqual(['normal', 'acknowledged'])
  })
})

test('all that match are acknowledged together; when they have become others, the new number is shown and asked for again', async ({
  page,
  stack,
  problems,
}) => {
  forgive(problems, /409/)
  const seen = Array.from(
    { length: 8 },
    (_, index): RaisedEvent => ({ lineNo: index + 1, state: 'acknowledged', priority: 'low' }),
  )
  await begin(stack, [...seen, {}, { lineNo: 2 }])
  const client = await asAdmin(stack)
  await open(page, stack)
  await page.getByRole('button', { name: '全部确认…' }).click()
  const dialog = page.getByRole('dialog', { name: /确认全部/ })
  await expect(dialog.getByRole('heading')).toHaveText('确认全部 2 条未确认的报警')
  const db = await stack.server.database.connect()
  await db.query("update event set state = 'active' where state = 'acknowledged'")
  await raiseEvents(stack, [{ lineNo: 3 }])
  await dialog.getByRole('button', { name: '确认 2 条' }).click()
  await expect(dialog.getByRole('alert')).toContainText('原为 2 条，现为 10 条')
  expect((await client.call(listEvents, { body: { States: ['acknowledged'] } })).total).toBe(0)
  await dialog.getByRole('button', { name: '确认 10 条' }).click()
  await expect(dialog).toHaveCount(0)
  // What came after the list was opened nobody has seen.
  expect((await client.call(listEvents, { body: { States: ['active'] } })).total).toBe(1)
  await db.end()
})

test('what one cause explains stands under its root; the same list by cabinets and by alarms', async ({ page, stack }) => {
  const [over = '', trip = ''] = await begin(stack)
  const db = await stack.server.database.connect()
  const { rows: made } = await db.query<{ incident_id: string }>(
    `insert into incident (kind, project_id, gateway_id, line_id, root_event_id, opened_at, raised_at, folded)
     select 'upstreamTrip', project_id, gateway_id, line_id, event_id, raised_at, raised_at, 1 from event where event_id = $1
     returning incident_id`,
    [trip],
  )
  const incident = made[0]?.incident_id
  await db.query('update event set root_of = $1 where event_id = $2', [incident, trip])
  await db.query(
    `update event set incident_id = $1, folded = true, root_gateway_id = gateway_id, suppressed = 'incident', state = 'active'
     where event_id = $2`,
    [incident, over],
  )
  await db.end()
  await open(page, stack)
  await expect(rows(page)).toHaveText([/烟雾报警/, /短路脱扣/, /电流偏高/])
  await row(page, '短路脱扣')
    .getByRole('button', { name: /展开或收起其中 1 条/ })
    .click()
  await expect(rows(page)).toHaveText([/烟雾报警/, /短路脱扣/, /过电压.*已折叠|已折叠.*过电压/, /电流偏高/])
  await row(page, '短路脱扣').getByRole('button', { name: /^查看/ }).click()
  await page.getByRole('dialog', { name: '短路脱扣' }).getByRole('button', { name: '确认整个事件（共 2 条）' }).click()
  await expect(row(page, '过电压')).toContainText('已折叠')
  const client = await asAdmin(stack)
  const acts = async () => {
    const { items } = await client.call(listEventSteps, { params: { EventID: over }, query: {} })
    return items.map(({ Act }) => Act)
  }
  await expect.poll(acts).toEqual(['acknowledge'])
  await page.goto('/hazard/alarmList?fold=place')
  const groups = table(page).getByRole('button', { name: /展开或收起/ })
  await expect(groups).toHaveText([/项目A › A柜.*共 3 条/, /项目B › B柜.*共 1 条/])
  await groups.last().click()
  await expect(rows(page)).toHaveText([/电流偏高/])
  await page.getByRole('combobox', { name: '折叠方式' }).selectOption('按报警内容折叠')
  await expect(groups).toHaveText([/烟雾报警/, /短路脱扣/, /过电压/, /电流偏高/])
})

test('a wrong fold is undone: the alarm stands in a row of its own again, unacknowledged, and its root shows for none', async ({
  page,
  stack,
}) => {
  const [over = '', trip = ''] = await begin(stack)
  await storeIncident(stack, [trip, over])
  await stack.server.database.general.updateTable('event').set({ state: 'active' }).where('event_id', '=', over).execute()
  await open(page, stack)
  await expect(rows(page)).toHaveText([/烟雾报警/, /短路脱扣/, /电流偏高/])
  await row(page, '短路脱扣')
    .getByRole('button', { name: /展开或收起其中 1 条/ })
    .click()
  await row(page, '过电压').getByRole('button', { name: /^查看/ }).click()
  await page.getByRole('dialog', { name: '过电压' }).getByRole('button', { name: '取消折叠', exact: true }).click()
  await expect(row(page, '过电压')).not.toContainText('已折叠')
  await page.reload()
  await expect(rows(page)).toHaveText([/烟雾报警/, /短路脱扣/, /过电压/, /电流偏高/])
  await expect(page.getByRole('button', { name: /展开或收起其中/ })).toHaveCount(0)
})

test('a view is kept under a name and found again after signing in elsewhere; what is listed is had as a file', async ({
  page,
  stack,
  browser,
}) => {
  await begin(stack)
  await open(page, stack, '?priorities=critical&sort=-RaisedAt')
  await expect(rows(page)).toHaveText([/烟雾报警/, /短路脱扣/])
  await page.getByRole('button', { name: '视图', exact: true }).click()
  const panel = page.getByRole('dialog', { name: '视图' })
  await expect(panel.getByText('还没有保存的视图')).toBeVisible()
  await panel.getByLabel('视图名称').fill('紧急，新的在前')
  await panel.getByRole('button', { name: '保存当前' }).click()
  await expect(
    panel
      .getByRole('link', { name: '紧急，新的在前' })
      .or(page.getByRole('button', { name: '紧急，新的在前' }))
      .first(),
  ).toBeVisible()

  const elsewhere = await browser.newContext({ baseURL: stack.url, locale: 'zh-CN' })
  const other = await elsewhere.newPage()
  await enter(other, stack, `${stack.url}/hazard/alarmList`)
  await expect(rows(other)).toHaveCount(4)
  await other.getByRole('button', { name: '视图', exact: true }).click()
  await other.getByRole('link', { name: '紧急，新的在前' }).click()
  await expect(other).toHaveURL(/priorities=critical&sort=-RaisedAt/)
  await expect(rows(other)).toHaveText([/烟雾报警/, /短路脱扣/])
  await elsewhere.close()

  await page.goto('/hazard/alarmList?priorities=critical')
  await page.getByRole('button', { name: '导出' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
  const text = await readFile((await download.path()) ?? '', 'utf8')
  expect(text.trim().split('\r\n')).toHaveLength(3)
  expect(text).toContain('"短路脱扣"')
})
