import { Refusal } from '@linewarden/contract'
import type { Route } from '@playwright/test'
import { ofTheNetwork, test } from '../on-weak-network.ts'
import { signIn } from '../sign-in.ts'
import { expect, forgive } from '../stack.ts'

test.use({ popUpsStay: true })

test('with the server gone the page says so and marks its values; back again it goes on, and an alarm of meanwhile is not missed', async ({
  network,
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

test('an open line is the last known, too, while the server is gone, and says so', async ({ network, page, problems }) => {
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
  network,
  page,
  problems,
}) => {
  const chartFile = /\/assets\/line-chart-.*\.js/
  // Which files a page or a dialog shares with others is the build's affair: none that is still to come does come.
  const anyFile = /\/assets\/.*\.js/
  const lack = (files: RegExp) => page.route(files, (route) => route.abort())
  const again = { name: '重试' }
  await lack(chartFile)

  await page.getByRole('row', { name: '1层插座二' }).click()
  const drawer = page.getByRole('dialog', { name: '1层插座二' })
  const values = drawer.getByRole('region', { name: '测点数值' })
  const chart = drawer.locator('.chart canvas').first()
  await expect(drawer.getByText('加载失败')).toBeVisible()
  await expect(values).toContainText('质量良好')
  // Without the server nothing would be left of the page: it stays as it is.
  await page.unroute(chartFile)
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
  await lack(anyFile)
  await history.click()
  const main = page.getByRole('main')
  await expect(main).toContainText('加载失败')
  await expect(history).toHaveAttribute('aria-current', 'page')
  await page.unroute(anyFile)
  await main.getByRole('button', again).click()
  await expect(main.getByRole('heading', { name: '历史数据' })).toBeVisible()

  const open = async () => {
    await page.locator('.user > button').click()
    await page.getByRole('menuitem', { name: '编辑信息' }).click()
  }
  await lack(anyFile)
  await open()
  const missing = page.getByRole('dialog', { name: '加载失败' })
  await missing.getByRole('button', { name: '关闭' }).click()
  await expect(missing).toHaveCount(0)
  await page.unroute(anyFile)
  await open()
  await missing.getByRole('button', again).click()
  await expect(missing).toHaveCount(0)
  await open()
  await expect(page.getByRole('dialog', { name: '编辑信息' })).toBeVisible()
  forgive(problems, new RegExp(`${ofTheNetwork.source}|Failed to fetch dynamically imported module`))
})

test('a picture of history stays when it cannot be fetched anew, says from when it is, and is new again with the network', async ({
  network,
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
  const alert = page.getByRole('alert').filter({ hasText: '无法连接服务器' })
  await expect(alert).toContainText('无法连接服务器')
  const first = await alert.elementHandle()
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
  await expect(alert).toHaveCount(0)
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

test('a network that does not answer keeps nobody from another language, or from signing out, and says what was not heard', async ({
  page,
}) => {
  await page.route(/\/users\/(language\/update|logout)$/, () => {})
  await page.getByRole('button', { name: /切换语言/ }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  await page.locator('.user > button').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  const unconfirmed = page.getByRole('alert').filter({ hasText: 'Signed out here, but the server did not confirm it' })
  await expect(unconfirmed).toBeVisible()
  await page.reload()
  await expect(unconfirmed).toBeVisible()
})
