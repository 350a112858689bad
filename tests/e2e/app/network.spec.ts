import type { EventRecord } from '@linewarden/contract'
import { attendedHeader, Refusal } from '@linewarden/contract'
import { hourMs } from '@linewarden/equipment'
import type { Locator, Page, Request, Route } from '@playwright/test'
import { openTab } from '../drawer-tab.ts'
import { signIn } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'
import type { WeakNetwork } from '../weak-network.ts'
import { weakNetwork } from '../weak-network.ts'

/** The plant's time, which goes on while a machine sleeps; a session may be idle for as long. */
let aheadMs = 0
const now = () => Date.now() + aheadMs
const options = { clock: now, fleet: { now }, env: { LINEWARDEN_SESSION_IDLE_MINUTES: '120' } }
test.use({ popUpsStay: true, options })

let network: WeakNetwork

test.beforeEach(async ({ page, stack }) => {
  network = await weakNetwork(stack.url)
  await page.goto(`${network.url}/login`)
  await signIn(page, stack)
  await expect(page).toHaveURL(/realtime/)
})
test.afterEach(async ({ page }, { status, expectedStatus }) => {
  // Nothing is under way any more when the network goes: what failed then would be reported as this test's.
  if (status === expectedStatus) await page.goto('about:blank')
  await network.close()
})

/** There is no network: the browser says so, too. */
const ofTheNetwork = /Failed to load resource|WebSocket connection to/

test('with the server gone the page says so and marks its values; back again it goes on, and an alarm of meanwhile is not missed', async ({
  page,
  stack,
  problems,
}) => {
  const row = page.getByRole('row', { name: '1层插座一' })
  await expect(row).toContainText('合闸')
  await expect(row).not.toContainText('旧')
  await network.cut()
  await expect(page.getByRole('alert').filter({ hasText: '无法连接服务器' })).toBeVisible()
  const link = page.locator('header .link')
  // No poll is answered either: nothing is refreshed.
  await expect(link).toHaveText('连接中断')
  const screen = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 740 })
  for (const each of [link, page.locator('.user > button'), page.getByRole('button', { name: '菜单', exact: true })])
    await expect(each).toBeInViewport({ ratio: 1 })
  if (screen) await page.setViewportSize(screen)
  for (const each of [row, page.locator('.strip .power')]) await expect(each).toContainText('旧')
  // Who hears the tree instead of seeing it is told the same.
  const node = page.getByRole('treeitem', { name: '望湖小区' })
  await expect(node).toHaveAccessibleName(/最后已知值/)
  const line = [...stack.fleet.gateways.values()].flatMap((gateway) => gateway.lines()).find(({ name }) => name === '1层插座一')
  if (!line) throw new Error('the fleet has no such line')
  stack.fleet.run('leakageTrip', line)
  await expect.poll(() => stack.server.plant.lineAt(line.controllerId, line.lineNo)?.lockoutCause).toBe('leakage')
  const retry = page.getByRole('button', { name: '重试' })
  await expect(retry).toBeEnabled()
  await network.heal()
  // The page tries by itself, too, and may be quicker than the hand.
  await retry.click({ timeout: 5_000 }).catch(() => expect(retry).toBeHidden())
  await expect(page.getByRole('alert').filter({ hasText: '无法连接服务器' })).toBeHidden()
  await expect(row).toContainText('脱扣')
  await expect(node).not.toHaveAccessibleName(/最后已知值/)
  await expect(page.getByRole('alert').filter({ hasText: '漏电跳闸' })).toContainText('1层插座一')
  forgive(problems, ofTheNetwork)
})

test('an open line is the last known, too, while the server is gone, and says so', async ({ page, problems }) => {
  await page.getByRole('row', { name: '1层插座二' }).click()
  const drawer = page.getByRole('dialog', { name: '1层插座二' })
  const values = drawer.getByRole('region', { name: '测点数值' })
  const limits = drawer.getByRole('region', { name: '数值与整定' })
  const position = drawer.getByRole('status', { name: '开关状态' })
  await expect(values).toContainText('质量良好')
  await expect(limits.getByRole('columnheader', { name: '当前' })).toBeVisible()
  // The drawer has come as a whole: what is still under way when the network goes is another matter, and the next test's.
  await expect(drawer.locator('.chart canvas').first()).toBeVisible()
  await network.cut()
  await expect(values).toContainText('最后已知值')
  await expect(values).not.toContainText('质量良好')
  await expect(limits.getByRole('columnheader', { name: '最后已知值' })).toBeVisible()
  // Told with the position, to whoever hears it instead of seeing it, too.
  await expect(position).toHaveText(/^合闸\s*旧$/)
  await network.heal()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(values).toContainText('质量良好')
  await expect(limits.getByRole('columnheader', { name: '当前' })).toBeVisible()
  await expect(position).toHaveText('合闸')
  forgive(problems, ofTheNetwork)
})

test('a chart, a page or a dialog whose file does not come says so in its place; the rest stays, and trying again brings it', async ({
  page,
  problems,
}) => {
  const lacking = {
    chart: /\/assets\/line-chart-.*\.js/,
    page: /\/assets\/history-page-.*\.js/,
    dialog: /\/assets\/my-account-.*\.js/,
  }
  for (const file of Object.values(lacking)) await page.route(file, (route) => route.abort())
  const again = { name: '重试' }

  await page.getByRole('row', { name: '1层插座二' }).click()
  const drawer = page.getByRole('dialog', { name: '1层插座二' })
  const values = drawer.getByRole('region', { name: '测点数值' })
  const chart = drawer.locator('.chart canvas').first()
  await expect(drawer.getByText('加载失败')).toBeVisible()
  await expect(values).toContainText('质量良好')
  // Without the server nothing would be left of the page: it stays as it is.
  await page.unroute(lacking.chart)
  await network.cut()
  await expect(values).toContainText('最后已知值')
  await drawer.getByRole('button', again).click()
  await expect(drawer.getByRole('button', again)).toHaveAttribute('aria-busy', 'false')
  await expect(values).toContainText('最后已知值')
  await network.heal()
  await drawer.getByRole('button', again).click()
  await expect(chart).toBeVisible()
  await expect(drawer.getByText('加载失败')).toHaveCount(0)

  const history = page.getByRole('navigation', { name: '页面' }).getByRole('button', { name: '历史数据' })
  await page.keyboard.press('Escape')
  await history.click()
  const main = page.getByRole('main')
  await expect(main).toContainText('加载失败')
  await expect(history).toHaveAttribute('aria-current', 'page')
  await page.unroute(lacking.page)
  await main.getByRole('button', again).click()
  await expect(main.getByRole('heading', { name: '历史数据' })).toBeVisible()

  const open = async () => {
    await page.locator('.user > button').click()
    await page.getByRole('menuitem', { name: '编辑信息' }).click()
  }
  await open()
  const missing = page.getByRole('dialog', { name: '加载失败' })
  await missing.getByRole('button', { name: '关闭' }).click()
  await expect(missing).toHaveCount(0)
  await page.unroute(lacking.dialog)
  await open()
  await missing.getByRole('button', again).click()
  await expect(missing).toHaveCount(0)
  await open()
  await expect(page.getByRole('dialog', { name: '编辑信息' })).toBeVisible()
  forgive(problems, new RegExp(`${ofTheNetwork.source}|Failed to fetch dynamically imported module`))
})

test('a picture of history stays when it cannot be fetched anew, says from when it is, and is new again with the network', async ({
  page,
  stack,
  problems,
}) => {
  const [line] = stack.server.plant.lines.values()
  if (!line) throw new Error('the fleet has no line')
  await page.goto(`${network.url}/devmon/hisdata?at=line:${line.device.gateway.project.id}:${line.id}`)
  const picture = page.locator('main.history canvas').first()
  await expect(picture).toBeVisible()
  await network.cut()
  await page.getByRole('alert').filter({ hasText: '无法连接服务器' }).getByRole('button', { name: '重试' }).click()
  const outdated = page
    .getByRole('alert')
    .filter({ hasText: /^服务器无响应，请求超时。显示的是 [\d: -]+ 取得的内容，可能已变化。/ })
  await expect(outdated).toBeVisible()
  await expect(picture).toBeVisible()
  await network.heal()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(outdated).toHaveCount(0)
  await expect(picture).toBeVisible()
  forgive(problems, ofTheNetwork)
})

test('opened with the server away or in trouble it is said once, however often it is asked, and the button stays under the finger', async ({
  page,
  problems,
}) => {
  let answer = (route: Route): void => void route.abort()
  await page.route(/\/api\/v1\/users$/, (route) => answer(route))
  await page.reload()
  // What nobody has acknowledged pops up as an alert, too, once the page is there.
  const told = page.getByRole('alert').filter({ hasText: '无法连接服务器' })
  await expect(told).toContainText('无法连接服务器')
  const first = await told.elementHandle()
  const retry = page.getByRole('button', { name: '立即重试' })
  // It answers that it failed: that is no word about the session.
  const failed = page.waitForResponse((response) => response.status() === 500)
  answer = (route) => route.fulfill({ status: 500, json: new Refusal('failed').envelope() })
  await retry.press('Enter')
  await (await failed).finished()
  await expect(retry).toHaveAttribute('aria-busy', 'false')
  await expect(page).toHaveURL(/realtime/)
  // Nobody refuses it any more, and nobody answers.
  const asked = new Promise<Route>((resolve) => {
    answer = resolve
  })
  await retry.press('Enter')
  const stalled = await asked
  await expect(retry).toHaveAttribute('aria-busy', 'true')
  await expect(retry).toBeFocused()
  expect(await first?.evaluate((element) => element.isConnected)).toBe(true)
  await stalled.continue()
  await expect(page.getByRole('row', { name: '1层插座一' })).toBeVisible()
  await expect(told).toHaveCount(0)
  forgive(problems, ofTheNetwork)
})

test('a session that was ended elsewhere leads to the login, which leads back', async ({ page, stack, problems }) => {
  const person = { userName: '13800000008', password: 'Somebody-7391' }
  const accountId = await stack.server.accounts.createAccount({ ...person, kind: 'project' })
  await page.getByRole('button', { name: stack.admin.userName }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await expect(page.getByLabel('账号')).toBeVisible()
  // The server has heard of it: there is nothing to tell.
  await expect(page.getByRole('alert')).toHaveCount(0)
  await signIn(page, { ...stack, admin: person })
  // The address of the login carries this page's, too.
  await expect(page).toHaveURL(/\/devmon\/realtime/)
  await stack.server.accounts.endSessions(accountId)
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await expect(page.getByRole('row')).toHaveCount(0)
  // Said for as long as it stands there: whoever comes back to the desk was not looking when it happened.
  const why = page.getByRole('alert').filter({ hasText: '登录已过期，请重新登录' })
  await expect(why).toBeVisible()
  await page.reload()
  await expect(why).toBeVisible()
  await signIn(page, { ...stack, admin: person })
  await expect(page).toHaveURL(/\/devmon\/realtime/)
  await expect(why).toHaveCount(0)
  forgive(problems, ofTheNetwork)
})

const isNew = /\/api\/v1\/messages\/isnew/
/** What comes with a poll of every six seconds may take two of them, and the answers. */
const withPoll = { timeout: 20_000 }

test('where the live connection tells nothing, the poll of every six seconds brings an alarm', async ({ page, stack }) => {
  // It opens and stays dumb: worse than one that is refused, because the page has no reason to ask more often.
  await page.routeWebSocket(/\/api\/v1\/live/, () => {})
  await page.clock.install()
  await page.reload()
  const line = [...stack.fleet.gateways.values()].flatMap((gateway) => gateway.lines()).find(({ name }) => name === '2层照明一')
  if (!line) throw new Error('the fleet has no such line')
  await expect(page.getByRole('row', { name: line.name })).toContainText('合闸')
  await page.getByRole('row', { name: line.name }).click()
  const drawer = page.getByRole('dialog', { name: line.name })
  const chart = drawer.locator('.chart canvas').first()
  await expect(chart).toBeVisible()
  const events = drawer.getByRole('region', { name: '最近事件' })
  await openTab(drawer, '事件')
  await expect(events).toContainText('没有事件')
  await openTab(drawer, '实时')
  await expect(chart).toBeVisible()
  const polled = page.waitForResponse(isNew)
  await page.clock.fastForward(6_000)
  await (await polled).finished()
  // From here on the page's time stands, and with it every timer but those that are let run.
  await page.clock.pauseAt(Date.now() + 10_000)
  const alarm = page.getByRole('alert').filter({ hasText: '漏电跳闸' }).filter({ hasText: line.name })
  stack.fleet.run('leakageTrip', line)
  await expect.poll(() => stack.server.plant.lineAt(line.controllerId, line.lineNo)?.lockoutCause).toBe('leakage')
  await expect(alarm).toHaveCount(0)
  const picture = () => chart.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  const before = await picture()
  await hide(page, true)
  await page.clock.runFor(6_000)
  await expect(alarm).toBeVisible()
  await hide(page, false)
  // The open line asks what happened on it, and its chart moves on though nothing comes: it does not look like now.
  await expect(async () => {
    await page.clock.runFor(500)
    expect(await picture()).not.toBe(before)
  }).toPass()
  await openTab(drawer, '事件')
  await expect(async () => {
    await page.clock.runFor(500)
    await expect(events).toContainText('漏电跳闸', { timeout: 500 })
  }).toPass()
})

test('where a proxy refuses the live connection the poll follows an order; when that fails too, the line is the last known', async ({
  page,
  problems,
}) => {
  await page.routeWebSocket(/\/api\/v1\/live/, (socket) => socket.close())
  await page.reload()
  await page.getByRole('row', { name: '2层插座二' }).click()
  const drawer = page.getByRole('dialog', { name: '2层插座二' })
  const position = drawer.getByRole('status', { name: '开关状态' })
  await expect(position).toHaveText('合闸')
  await drawer.getByRole('button', { name: '分闸' }).click()
  const confirm = page.getByRole('dialog', { name: /分闸/ })
  await confirm.getByRole('button', { name: '检修' }).click()
  await confirm.getByRole('button', { name: /^分闸/ }).click()
  await expect(drawer.getByRole('region', { name: '操作记录' }).locator('.outcome').first()).toContainText('位置已核实', withPoll)
  await expect(position).toHaveText('分闸', withPoll)
  const link = page.locator('header .link')
  await expect(link).toHaveText('连接中断，每 6 秒刷新')
  await openTab(drawer, '实时')
  await expect(drawer.locator('.chart canvas').first()).toBeVisible()
  await network.cut()
  await expect(position).toHaveText(/^分闸\s*旧$/, withPoll)
  await expect(link).toHaveText('连接中断', withPoll)
  await expect(page.getByRole('row', { name: '2层插座二' })).toContainText('旧', withPoll)
  forgive(problems, ofTheNetwork)
})

test('a network that does not answer keeps nobody from another language, or from signing out, and says what was not heard', async ({
  page,
}) => {
  await page.route(/\/users\/(language\/update|logout)$/, () => {})
  await page.getByRole('button', { name: /切换语言/ }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  await page.locator('.user > button').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  const unheard = page.getByRole('alert').filter({ hasText: 'Signed out here, but the server did not confirm it' })
  await expect(unheard).toBeVisible()
  await page.reload()
  await expect(unheard).toBeVisible()
})

/** Whether these requests of the console count as somebody's use of the session. */
const attended = (requests: readonly Request[]) =>
  new Set(requests.map((request) => request.headers()[attendedHeader.toLowerCase()]))

test('whatever a page asks by itself, it says that nobody is there, until somebody touches it', async ({ page }) => {
  await page.clock.install()
  await page.goto(`${network.url}/devmon/realtime`)
  const row = page.getByRole('row', { name: '1层照明一' })
  await row.click()
  await expect(page.getByRole('dialog', { name: '1层照明一' })).toContainText('质量良好')
  const asked: Request[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/')) asked.push(request)
  })
  await page.clock.fastForward(60_000)
  asked.length = 0
  // Whatever is asked again, the slowest of it each minute.
  // What is still being answered when the time goes on is asked again a minute after its answer.
  for (const each of [isNew, /\/v1\/tree/, /\/readings\?/])
    await expect(async () => {
      await page.clock.fastForward(20_000)
      expect(asked.some((request) => each.test(request.url()))).toBe(true)
    }).toPass({ intervals: [300] })
  expect(attended(asked)).toEqual(new Set(['no']))
  // Who only watches moves the pointer; the click at the beginning was a touch, too.
  await page.mouse.move(7, 7)
  asked.length = 0
  const polled = page.waitForRequest(isNew)
  await page.clock.fastForward(6_000)
  await polled
  expect(attended(asked)).toEqual(new Set(['yes']))
})

test('a poll that fails says nothing to anybody: nobody asked for it; the next brings a work order', async ({
  page,
  stack,
  problems,
}) => {
  await page.clock.install()
  await page.reload()
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
  // The live connection asks once more when it opens: that is no poll.
  await expect(page.locator('header .link')).toHaveText('实时')
  await page.waitForLoadState('networkidle')
  await page.route(isNew, (route) => route.fulfill({ status: 500 }))
  await page.evaluate(() => {
    const said: (string | null)[] = []
    Object.assign(window, { said })
    const watch = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const { textContent } of addedNodes) said.push(textContent)
    })
    watch.observe(document.querySelector('.toasts') ?? document.body, { childList: true })
  })
  // The second is only asked when the first has been seen to.
  for (let asked = 0; asked < 2; asked += 1) {
    const failed = page.waitForResponse(isNew)
    await page.clock.fastForward(6_000)
    expect((await failed).status()).toBe(500)
  }
  await page.getByRole('navigation', { name: '主菜单' }).getByRole('button', { name: '隐患分析' }).click()
  const said = () => page.evaluate(() => (window as unknown as { said: string[] }).said)
  await expect.poll(said).toEqual(['正在努力开发中...'])
  // No part of the plant sends one yet: it is as the contract has it.
  const [gateway] = stack.server.plant.gateways.values()
  const order: EventRecord = {
    ...{ EventID: '900000', Kind: 'order', Priority: 'low', Key: 'order.dispatched', State: null, Historical: false, Unit: '' },
    ...{
      Label: { zh: '新工单：设备维修', en: 'New work order: device repair' },
      Where: { HouseName: '望湖小区', GatewayName: null, LineName: null },
      Point: null,
      Value: null,
    },
    ...{ HouseID: gateway?.project.id ?? 0, DeviceID: gateway?.id ?? 0, LineID: null, ControllerID: null, LineNo: null },
    ...{
      RaisedAt: now(),
      LastRaisedAt: now(),
      Raises: 1,
      AddTime: now(),
      Limit: null,
      AcknowledgedAt: null,
      AcknowledgedBy: null,
      ReturnedAt: null,
    },
  }
  const told = { IsNewMessage: true, Type: 'order', Url: '/sounds/order.wav', AddTime: now(), Content: '', Last: '900000' }
  await page.unroute(isNew)
  await page.route(isNew, (route) => route.fulfill({ json: { Code: 1, Message: '', Data: { ...told, Events: [order] } } }))
  const heard = page.waitForRequest(/\/sounds\/order\.wav$/)
  await page.clock.fastForward(6_000)
  const popUp = page.getByRole('alert').filter({ hasText: '新工单：设备维修' })
  await expect(popUp).toContainText('工单')
  await expect(popUp.getByRole('button', { name: '确认', exact: true })).toHaveCount(0)
  await heard
  forgive(problems, ofTheNetwork)
})

/** Nobody looks, or somebody looks again: another tab lies over this one, or no longer. */
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (hidden ? 'hidden' : 'visible') })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

/** A live page whose time only goes on when it is let; the server was heard just now. */
async function withTimeInHand(page: Page): Promise<{ link: Locator; row: Locator }> {
  await page.clock.install()
  await page.goto(`${network.url}/devmon/realtime`)
  const link = page.locator('header .link')
  await expect(page.getByRole('row', { name: '1层照明一' })).toContainText('合闸')
  await expect(link).toHaveText('实时')
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 100)
  return { link, row: page.getByRole('row', { name: '1层照明一' }) }
}

test('a browser that says it is offline is believed before any time has passed, and back online it is live again', async ({
  page,
  context,
  problems,
}) => {
  const { link, row } = await withTimeInHand(page)
  await context.setOffline(true)
  await expect(link).not.toHaveText('实时')
  await expect(row).toContainText('旧')
  // A phone says it, too.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(link).toBeInViewport({ ratio: 1 })
  await context.setOffline(false)
  await page.clock.resume()
  await expect(link).toHaveText('实时')
  await expect(page.locator('header .link-state .age')).toBeInViewport({ ratio: 1 })
  forgive(problems, ofTheNetwork)
})

test('a network that swallows everything is told within twelve seconds, and not before a second hello is missing', async ({
  page,
  problems,
}) => {
  const { link, row } = await withTimeInHand(page)
  // Polls and pages of their own fail on it, too, and would be a reason to doubt: here the silence alone is to tell.
  await page.route(/\/api\/v1\//, () => {})
  network.sleep()
  await page.clock.runFor(9_000)
  await expect(link).toHaveText('实时')
  await page.clock.runFor(3_000)
  await expect(link).not.toHaveText('实时')
  await expect(row).toContainText('旧')
  forgive(problems, ofTheNetwork)
})

test('any call that gets no answer makes the page doubt its live connection, which does not answer and is given up', async ({
  page,
  problems,
}) => {
  const { link } = await withTimeInHand(page)
  network.sleep()
  const failed = page.waitForEvent('requestfailed')
  await page.getByRole('row', { name: '1层照明一' }).click()
  await failed
  await expect(async () => {
    await page.clock.runFor(100)
    await expect(link).not.toHaveText('实时', { timeout: 100 })
  }).toPass()
  forgive(problems, ofTheNetwork)
})

test('a page that nobody looked at asks whether its connection lives when somebody looks again, and not when they leave', async ({
  page,
  problems,
}) => {
  const { link } = await withTimeInHand(page)
  await page.route(/\/api\/v1\//, () => {})
  network.sleep()
  await page.clock.runFor(7_000)
  await hide(page, true)
  await page.clock.runFor(1_000)
  await expect(link).toHaveText('实时')
  await hide(page, false)
  await page.clock.runFor(1_000)
  await expect(link).not.toHaveText('实时')
  forgive(problems, ofTheNetwork)
})

/** How far into a picture its first mark of a colour stands, as a share of its width; null: it has none. */
const firstOf = (canvas: Locator, token: string): Promise<number | null> =>
  canvas.evaluate((canvas: HTMLCanvasElement, token) => {
    const probe = document.createElement('i')
    probe.style.color = `var(${token})`
    canvas.after(probe)
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number)
    probe.remove()
    const { width, height } = canvas
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
    const isMark = (x: number, y: number): boolean => {
      const at = (y * width + x) * 4
      const far = [red, green, blue].reduce((sum, each, index) => sum + Math.abs(each - (pixels[at + index] ?? 0)), 0)
      return far < 24 && pixels[at + 3] === 255
    }
    for (let x = 0; x < width; x += 1) for (let y = 0; y < height; y += 1) if (isMark(x, y)) return x / width
    return null
  }, token)

// The last of this file: the plant's time does not go back.
test('a machine that slept for an hour doubts its live connection as soon as somebody looks, and shows what happened meanwhile', async ({
  page,
  stack,
  problems,
}) => {
  const lines = [...stack.server.plant.lines.values()]
  const open = lines.find(({ device }) => device.family.key === 'breaker3p')
  const newest = lines.find(({ name }) => name === '2层插座一')
  if (!open || !newest) throw new Error('the fleet has no such lines')
  const others = lines.filter((each) => each.device.controllerId.endsWith('-S1') && each !== newest).slice(0, 60)
  // What it measured while somebody was looking: a picture full of it.
  const client = await stack.server.database.connect()
  await client.query(
    `insert into reading (line_id, at, received_at, quality, v0, v1, v2, counter) select $1, at, at, 0, 30, 40, 50, 0
     from generate_series(now() - interval '14 min', now() - interval '20 s', '10 s') as at on conflict do nothing`,
    [open.id],
  )
  await client.end()
  // From the start on: what the page has set going by another clock would go on by that one.
  await page.clock.install()
  await page.goto(`${network.url}/devmon/realtime?line=${open.id}`)
  const row = page.getByRole('row', { name: newest.name })
  const link = page.locator('header .link')
  const picture = page.getByRole('dialog', { name: open.name }).locator('.chart canvas').first()
  await expect(row).toContainText('合闸')
  await expect(link).toHaveText('实时')
  await expect.poll(() => firstOf(picture, '--ph-b')).toBeLessThan(0.2)

  // It sleeps: no timer runs, and nothing tells it what happens.
  await page.clock.pauseAt(Date.now() + 10_000)
  network.sleep()
  aheadMs += hourMs
  const trip = ({ device, lineNo }: typeof newest) =>
    stack.fleet.run('leakageTrip', { controllerId: device.controllerId, lineNo })
  const isTripped = ({ device, lineNo }: typeof newest) =>
    stack.server.plant.lineAt(device.controllerId, lineNo)?.lockoutCause === 'leakage'
  for (const each of others) trip(each)
  await expect.poll(() => others.every(isTripped)).toBe(true)
  trip(newest)
  await expect.poll(() => isTripped(newest)).toBe(true)
  await expect(row).toContainText('合闸')
  await expect(link).toHaveText('实时')

  const anew = page.waitForRequest(/\/live\/ticket/, { timeout: 10_000 })
  network.wake()
  await page.clock.setSystemTime(now())
  await page.clock.resume()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await anew
  // Of more alarms than are told at once the newest.
  await expect(page.getByRole('alert').filter({ hasText: '漏电跳闸' }).first()).toContainText(newest.name)
  await expect(page.getByRole('button', { name: /^还有 \d+ 条$/ })).toBeVisible()
  await expect(row).toContainText('脱扣')
  await expect(row).not.toContainText('旧')
  await expect(link).toHaveText('实时')
  // Of the hour nothing is known, and nothing is drawn.
  await expect.poll(() => firstOf(picture, '--ph-b')).toBeGreaterThan(0.9)
  forgive(problems, ofTheNetwork)
})
