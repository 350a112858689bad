import { Refusal, setFeed } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { raiseEvents } from '../../kit/raised-events.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import { hide, ofTheNetwork, test } from '../on-weak-network.ts'
import { expect, forgive } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const diagram = (page: Page) => page.getByRole('group', { name: '供电单线图', exact: true })
/** What a clock in Shanghai shows, without its seconds. */
const minuteIn = (at: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', hour: '2-digit', minute: '2-digit' }).format(at)

/** A mark that only lives as long as the page: gone, the page was loaded anew. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isSamePage: true }))
const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in window)

test('W4: with the database away the wall says that nothing is updated, and says no more so once it is back', async ({
  page,
  network,
  problems,
}) => {
  await page.clock.install()
  await page.goto(`${network.url}/bigScreen`)
  await expect(page.locator('.link-state')).toContainText('链路正常')
  await page.route('**/messages/list', (route) => route.fulfill({ status: 503, json: new Refusal('database away').envelope() }))
  await page.clock.runFor(16_000)
  await expect(page.locator('.link-state')).toContainText('数据库不可用')
  await page.unroute('**/messages/list')
  await page.clock.runFor(16_000)
  await expect(page.locator('.link-state')).toContainText('链路正常')
  forgive(problems, /503/)
})

test('W8: a panel that fails says so and is tried again after five seconds; the others go on', async ({
  page,
  network,
  problems,
}) => {
  let isBroken = true
  await page.route('**/powers/list', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    if (isBroken) body.Datas = [{ At: 'not a time', KW: 1 }]
    await route.fulfill({ response, json: body })
  })
  await page.clock.install()
  await page.goto(`${network.url}/bigScreen/`)
  const failed = page.getByRole('alert').filter({ hasText: '“负荷曲线”显示出错' })
  await expect(failed.first()).toContainText('5 秒后自动重试')
  await expect(page.getByRole('region', { name: '概况', exact: true })).toContainText('kW')
  isBroken = false
  await page.clock.runFor(6_000)
  await expect(failed).toContainText('30 秒后自动重试')
  forgive(problems, /Invalid time value|RangeError|error boundary|error occurred/)
})

test('W11: a player whose clock and zone are wrong shows the time of the server in the zone of the project', async ({
  page,
  network,
  problems,
}) => {
  await page.clock.install({ time: Date.now() - 5 * 3_600_000 })
  await page.goto(`${network.url}/bigScreen`)
  await expect(page.locator('.link-state')).toContainText('链路正常')
  const shown = page.locator('.clock b')
  await expect.poll(async () => (await shown.textContent())?.slice(0, 5)).toBe(minuteIn(Date.now()))
  await expect(page.locator('.clock span')).toContainText('UTC+8')
  // What was signed by a wrong clock is refused once, with the right time.
  forgive(problems, /401/)
})

test('W12: after a time hidden and asleep one snapshot of each project is asked for, and the picture is of now', async ({
  page,
  network,
  problems,
}) => {
  await page.clock.install()
  await page.goto(`${network.url}/bigScreen`)
  await expect(page.locator('.link-state')).toContainText('链路正常')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/monitor/lines')) asked.push(request.url())
  })
  await hide(page, true)
  network.sleep()
  await page.clock.fastForward('01:00:00')
  network.wake()
  await hide(page, false)
  await expect(page.locator('.link-state')).toContainText('链路正常')
  await expect(page.getByRole('alert').filter({ hasText: '画面已停在' })).toHaveCount(0)
  for (const url of new Set(asked)) expect(asked.filter((each) => each === url).length).toBeLessThanOrEqual(2)
  forgive(problems, ofTheNetwork)
})

test('W13: two thousand events within a minute are counted by kind, and only the newest stand in the list', async ({
  page,
  network,
  stack,
}) => {
  await raiseEvents(stack, [{ label: { zh: '过流报警', en: 'Overcurrent' } }])
  const db = await stack.server.database.connect()
  await db.query(
    `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at, announced)
     select case when nth % 2 = 0 then 'alarm' else 'warning' end, 'high', 'flood' || nth, '越限', 'Limit', 'active', project_id, gateway_id,
       line_id, now(), now(), 1 from event, generate_series(1, 1999) as nth where event_id = (select max(event_id) from event)`,
  )
  await db.end()
  await page.goto(`${network.url}/bigScreen`)
  const column = page.getByRole('region', { name: '异常事件', exact: true })
  await expect(column.getByRole('status')).toContainText('报警洪泛')
  await expect(column.getByRole('status')).toContainText(/1\d{3} 处报警|999 处报警/)
  await expect(column.getByRole('listitem')).toHaveCount(8)
  await expect(page.locator('.clock b')).toHaveText(/:\d\d$/)
  const before = await page.locator('.clock b').textContent()
  await expect(page.locator('.clock b')).not.toHaveText(before ?? '')
})

test('W14: a line that is fed by another one from now on hangs there without a reload, and the page that was turned to stays', async ({
  page,
  network,
  stack,
}) => {
  const houseId = stack.server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  await page.goto(`${network.url}/bigScreen/home/${houseId}`)
  await expect(diagram(page)).toBeVisible()
  await expect(page.getByText('尚未设置供电关系')).toBeVisible()
  await mark(page)
  await stack.client.call(setFeed, {
    params: { ControllerID: 'A-T1', LineNo: 2 },
    body: { FedBy: { ControllerID: 'A-T1', LineNo: 1 }, Was: null },
  })
  await expect(page.getByText('尚未设置供电关系')).toHaveCount(0)
  await expect(diagram(page).locator('.bus')).toHaveCount(2)
  expect(await isSamePage(page)).toBe(true)
})
