import { editRole, queryRoles, setSwitchSetting, userInfo } from '@linewarden/contract'
import type { Locator } from '@playwright/test'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { flood, raise } from '../raise.ts'
import { said } from '../said.ts'
import { enter, keepSession, signIn, signOut } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

const live = async (page: import('@playwright/test').Page, stack: Stack) => {
  await enter(page, stack)
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
}

test('what is not built yet says so for a moment', async ({ page, stack }) => {
  await live(page, stack)
  const words = '正在努力开发中...'
  const notice = page.getByText(words)
  const press = (button: Locator) => Promise.all([said(page, words), button.click()])
  await press(page.getByRole('navigation', { name: '主菜单' }).getByRole('button', { name: '隐患分析' }))
  await expect(page).toHaveURL(/realtime/)
  await expect(notice).toBeHidden()
  await press(page.getByRole('button', { name: '大屏' }))
  await expect(page).toHaveURL(/realtime/)
  await page.goto('/bigScreen')
  await expect(notice).toBeVisible()
})

test('a route that is not built yet exists, and is marked', async ({ page, stack }) => {
  await keepSession(page, stack)
  await page.goto('/hazard/workorder')
  await expect(page.getByText('正在努力开发中...')).toBeVisible()
  await expect(page.getByRole('button', { name: '工单管理' })).toHaveAttribute('aria-current', 'page')
})

test('the language is switched, kept, and the page loaded anew', async ({ page, stack }) => {
  await live(page, stack)
  await page.getByRole('button', { name: /切换语言/ }).click()
  await expect(page.getByRole('heading', { name: 'Live' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  await expect(page).toHaveTitle('Management platform')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Live' })).toBeVisible()
  await page.getByRole('button', { name: /anguage/ }).click()
  await expect(page.getByRole('heading', { name: '实时监控' })).toBeVisible()
})

test('a role opens its own pages alone', async ({ page, stack }) => {
  const roleId = await stack.server.accounts.createRole({
    number: 'VIEW',
    name: '查看',
    privileges: ['devmon', 'devmon.realtime'],
    buttons: [],
  })
  const [project] = stack.server.plant.projects.values()
  const person = { userName: '13800000009', password: 'Viewer-7391' }
  await stack.server.accounts.createAccount({ ...person, kind: 'sub', roleId, projectIds: [project?.id ?? 0] })
  await page.goto('/login')
  await signIn(page, { ...stack, admin: person })
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: '主菜单' }).getByRole('button')).toHaveText(['设备监控'])
  await expect(page.getByRole('navigation', { name: '页面' }).getByRole('button')).toHaveText(['实时监控'])
  await page.goto('/system/city')
  await expect(page).toHaveURL(/Notfound/)
  await page.goto('/devmon/realtime')
  await page.getByRole('row', { name: '1层照明一' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: '合闸' })).toBeDisabled()
  // Who may not is told so by the keyboard and to the ear, too, and nothing is ordered by a press.
  for (const name of ['分闸', '合闸']) {
    const button = page.getByRole('dialog').getByRole('button', { name, exact: true })
    await expect(button).toHaveAccessibleDescription('没有分合闸权限')
    await button.focus()
    await expect(button).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status').filter({ hasText: '没有分合闸权限' })).toBeVisible()
    await expect(page.locator('dialog.dialog')).toHaveCount(0)
  }
  // Lines are named with their gateway, which is none of this role's.
  await expect(page.getByRole('dialog').getByRole('button', { name: '线路改名' })).toHaveCount(0)
})

/** One that no other test has opened: only a closed line can trip. */
function closedLine({ fleet, server }: Stack) {
  const line = [...fleet.gateways.values()]
    .flatMap((gateway) => gateway.lines())
    .find(({ controllerId, lineNo }) => {
      const known = server.plant.lineAt(controllerId, lineNo)
      return (
        lineNo > 0 &&
        known?.device.family.key === 'breaker1p' &&
        known.states.get('position') === 'closed' &&
        known.alarms.size === 0
      )
    })
  if (!line) throw new Error('the fleet has no closed line')
  return line
}

test.describe('what pops up', () => {
  test.use({ popUpsStay: true })

  test('sound and pop-ups: silent when off, heard when switched on again, cleared at once', async ({ page, stack }) => {
    const client = await signedIn(stack.url, stack.admin)
    await client.call(setSwitchSetting, { body: { Setting: 0 } })
    const setting = async () => (await client.call(userInfo)).Setting
    await live(page, stack)
    const pops = page.getByRole('region', { name: '新事件' })
    const user = page.locator('.user > button')
    const sound = page.getByRole('menuitemcheckbox', { name: /报警声音/ })
    const sounds: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/sounds/')) sounds.push(request.url())
    })
    await user.click()
    // Off for the account, whatever this device would have.
    await expect(sound).toHaveAttribute('aria-checked', 'false')
    const unheard = closedLine(stack)
    stack.fleet.run('leakageTrip', unheard)
    await expect(pops.getByText(unheard.name).first()).toBeVisible()
    await sound.click()
    await expect(sound).toHaveAttribute('aria-checked', 'true')
    expect(await setting()).toBe(1)
    // Off on this device: the account's other ones go on being heard.
    await sound.click()
    await expect(sound).toHaveAttribute('aria-checked', 'false')
    const quiet = closedLine(stack)
    stack.fleet.run('leakageTrip', quiet)
    await expect(pops.getByText(quiet.name).first()).toBeVisible()
    expect(await setting()).toBe(1)
    await sound.click()
    await expect(sound).toHaveAttribute('aria-checked', 'true')
    expect(sounds).toEqual([])
    await user.click()
    // Had the first one been heard, this one would not: sounds keep a distance.
    const heard = page.waitForRequest(/\/sounds\/alarm\.wav/)
    const loud = closedLine(stack)
    stack.fleet.run('leakageTrip', loud)
    await heard
    await expect(pops.getByText(loud.name).first()).toBeVisible()
    await page.getByRole('button', { name: '清除弹窗' }).click()
    await expect(pops.getByRole('alert')).toHaveCount(0)
  })

  test('a session that ends at a screen nobody attends takes no pop-up with it, and what is raised meanwhile is told', async ({
    page,
    stack,
    problems,
  }) => {
    await live(page, stack)
    const pops = page.getByRole('region', { name: '新事件' })
    const [before, between] = [closedLine(stack), closedLine(stack)]
    stack.fleet.run('leakageTrip', before)
    await expect(pops.getByText(before.name).first()).toBeVisible()
    const db = await stack.server.database.connect()
    await db.query("update session set last_used_at = last_used_at - interval '1 day'")
    await db.end()
    await expect(page).toHaveURL(/\/login/, { timeout: 15_000 })
    stack.fleet.run('leakageTrip', between)
    await expect.poll(() => stack.server.plant.lineAt(between.controllerId, between.lineNo)?.lockoutCause).toBe('leakage')
    await signIn(page, stack)
    await pops.getByRole('button', { name: /^还有 \d+ 条$/ }).click()
    await expect(pops.getByText(between.name).first()).toBeVisible()
    await expect(pops.getByText(before.name).first()).toBeVisible()
    forgive(problems, /Failed to load resource/)
  })

  const anyLine = ({ server }: Stack) => {
    const [line] = server.plant.lines.values()
    if (!line) throw new Error('the plant has no line')
    return line
  }

  test('a role without the live page begins with its own and finds back there; one without any page is told so', async ({
    page,
    stack,
  }) => {
    const { accounts, plant } = stack.server
    const [line] = plant.lines.values()
    const privileges = ['system', 'system.log']
    const roleId = await accounts.createRole({ number: 'LOGS', name: '日志', privileges, buttons: [] })
    const projectIds = [line?.device.gateway.project.id ?? 0]
    const password = 'Reader-7391'
    const reader = { userName: '13800000021', password }
    const guest = { userName: '13800000022', password }
    await accounts.createAccount({ ...reader, kind: 'sub', roleId, projectIds })
    await accounts.createAccount({ ...guest, kind: 'shared', roleId, projectIds })
    const home = page.getByRole('main').getByRole('button', { name: '返回首页' })
    const menu = page.getByRole('navigation', { name: '主菜单' }).getByRole('button')
    await page.goto('/login')
    await signIn(page, { ...stack, admin: reader })
    await expect(page).toHaveURL(/\/system\/log/)
    await expect(page.locator('header .link')).toHaveText('实时')
    await raise(stack, anyLine(stack), ['一号楼'])
    const pop = page.getByRole('region', { name: '新事件' }).getByRole('alert')
    await expect(pop).toContainText('一号楼')
    await expect(pop.getByRole('button', { name: '查看' })).toHaveCount(0)
    await page.goto('/devmon/realtime')
    await expect(page).toHaveURL(/Notfound/)
    await expect(menu).toHaveText(['系统管理'])
    await home.click()
    await expect(page).toHaveURL(/\/system\/log/)
    await signOut(page)

    // Another organisation has no pages about the owner's people.
    await expect(page).toHaveURL(/\/login/)
    await signIn(page, { ...stack, admin: guest })
    await expect(page).toHaveURL(/Notfound/)
    await home.click()
    await expect(page.getByRole('main')).toContainText('尚未开通任何页面')
    await expect(menu).toHaveCount(0)
    await expect(page.locator('.user > button')).toBeVisible()
    const client = await signedIn(stack.url, stack.admin)
    const { items } = await client.call(queryRoles, { body: { Name: '日志' } })
    const role = items.find(({ RoleID }) => RoleID === roleId)
    if (!role) throw new Error('the role is not listed')
    const { Number: number, Name, Version } = role
    const Privileges = [...privileges, 'devmon', 'devmon.realtime']
    await client.call(editRole, { body: { RoleID: roleId, Number: number, Name, Privileges, Buttons: [], Version } })
    await page.getByRole('main').getByRole('button', { name: '重试' }).click()
    await expect(page).toHaveURL(/\/devmon\/realtime/)
  })

  test('ten thousand alarms leave eight pop-ups and a page that answers', async ({ page, stack }) => {
    await live(page, stack)
    const pops = page.getByRole('region', { name: '新事件' })
    for (let from = 0; from < 10_000; from += 500) {
      await raise(stack, anyLine(stack), flood(from, 500))
      await expect(pops.getByText(`第 ${from + 499} 条`, { exact: true })).toBeVisible()
    }
    await pops.getByRole('button', { name: /^还有 (9999|\d{5,}) 条$/ }).click()
    await expect(pops.getByRole('alert')).toHaveCount(8)
    await expect(pops.getByText(/另有 \d+ 条，见未确认列表/)).toBeVisible()
    await page.getByRole('button', { name: '清除弹窗' }).click()
    await expect(pops.getByRole('alert')).toHaveCount(0)
    await expect(page.getByRole('button', { name: '未确认 999+', exact: true })).toBeVisible()
  })

  test('names from right to left leave project, gateway and line of a pop-up in their order', async ({ page, stack }) => {
    await live(page, stack)
    const names = ['مصنع الشرق', '5', 'לוח 2']
    const line = anyLine(stack)
    const { gateway } = line.device
    for (const [index, each] of [gateway.project, gateway, line].entries()) each.name = names[index] ?? ''
    await raise(stack, line, ['过流报警'])
    const parts = page.getByRole('region', { name: '新事件' }).locator('.where', { hasText: 'مصنع' }).locator('bdi')
    await expect(parts).toHaveText(names)
    const lefts = await parts.evaluateAll((each) => each.map((part) => part.getBoundingClientRect().left))
    expect(lefts).toEqual(lefts.toSorted((a, b) => a - b))
  })

  test('over an open dialog on a phone a refusal and an alarm are seen and announced; the pop-up is there when it closes', async ({
    page,
    stack,
  }) => {
    await live(page, stack)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.locator('.user > button').click()
    await page.getByRole('menuitem', { name: '登录会话' }).click()
    const dialog = page.getByRole('dialog', { name: '登录会话' })
    const others = dialog.getByRole('button', { name: '下线其他全部会话' })
    await expect(others).toBeEnabled()
    // What is said goes by itself: so each is looked at as it appears. What is covered, or behind a modal dialog, is not met at its place.
    await page.evaluate(() => {
      const seen: [string, boolean][] = []
      Object.assign(window, { seen })
      const look = (node: Node) => {
        if (!(node instanceof HTMLElement) || !node.parentElement?.matches('.toasts[aria-live]')) return
        node.style.pointerEvents = 'auto'
        const { left, top, width, height } = node.getBoundingClientRect()
        seen.push([node.textContent, document.elementFromPoint(left + width / 2, top + height / 2) === node])
      }
      const watch = new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) look(node)
      })
      watch.observe(document.body, { childList: true, subtree: true })
    })
    const seen = () => page.evaluate(() => (window as unknown as { seen: [string, boolean][] }).seen)
    await page.route('**/users/sessions/end', (route) =>
      route.fulfill({ json: { Code: 0, Message: 'failed', Text: { zh: '会话不能结束', en: 'The session cannot be ended' } } }),
    )
    await others.click()
    await expect.poll(seen).toContainEqual(['会话不能结束', true])
    const { name, device } = anyLine(stack)
    const where = [device.gateway.project.name, device.gateway.name, name].map((each) => `\u2068${each}\u2069`).join(' / ')
    // One is said at a time: what happens in the plant by itself may be before it.
    const raiseAnother = async () => {
      await raise(stack, anyLine(stack), ['过流报警'])
      return seen()
    }
    await expect.poll(raiseAnother).toContainEqual([`过流报警 ${where}`, true])
    const pop = page.getByRole('region', { name: '新事件' }).getByRole('alert').filter({ hasText: '过流报警' })
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await pop.first().getByRole('button', { name: '查看' }).click()
    await expect(page).toHaveURL(/line=/)
  })
})

test.describe('as an installation is set up', () => {
  let own: Stack
  test.beforeAll(async () => {
    test.setTimeout(120_000)
    own = await startStack({
      env: {
        LINEWARDEN_COMPANY: '华东精密制造',
        LINEWARDEN_EXTRA_ROUTE: 'admin=/advance/warning',
        LINEWARDEN_PROVIDER: '127.0.0.1|供应商网站|https://provider.example/',
      },
    })
  })
  test.afterAll(() => own?.close())

  test('company, provider link and the extra route at position 4 are there', async ({ page }) => {
    await live(page, own)
    await expect(page).toHaveTitle('通用智能管理平台')
    await expect(page.getByText('华东精密制造')).toBeVisible()
    await expect(page.getByRole('navigation', { name: '主菜单' }).getByRole('button').nth(3)).toHaveText('预警规则')
    await page.getByRole('button', { name: 'admin' }).click()
    await expect(page.getByRole('menuitem', { name: '供应商网站' })).toHaveAttribute('href', 'https://provider.example/')
    // Whose installation it is stays known in this tab.
    await page.keyboard.press('Escape')
    await signOut(page)
    await expect(page).toHaveTitle('登录 · 通用智能管理平台')
    await page.getByRole('button', { name: /切换语言/ }).click()
    await expect(page).toHaveTitle('Sign in · Intelligent management platform')
  })
})

test('without company details the title is the plain one, and no provider is linked', async ({ page, stack }) => {
  await live(page, stack)
  await expect(page).toHaveTitle('通用管理平台')
  await page.locator('.user > button').click()
  await expect(page.getByRole('menuitem', { name: '退出登录' })).toBeVisible()
  await expect(page.locator('.drop a')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await signOut(page)
  await expect(page).toHaveTitle('登录 · 通用管理平台')
})

test("the theme is the system's until another is chosen; the choice stays, and is given back", async ({ page, stack }) => {
  const html = page.locator('html')
  await page.emulateMedia({ colorScheme: 'dark' })
  await live(page, stack)
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: '切换明暗' }).click()
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.reload()
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.getByRole('button', { name: '切换明暗' }).click()
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(html).toHaveAttribute('data-theme', 'light')
})

test('a page that takes long is announced by a bar until it is there; each page begins at its top', async ({ page, stack }) => {
  await page.setViewportSize({ width: 1280, height: 420 })
  await live(page, stack)
  const scrolled = () =>
    page.evaluate(() => [...document.querySelectorAll('html, main, main *')].filter(({ scrollTop }) => scrollTop > 0).length)
  const { promise: arrives, resolve: arrive } = Promise.withResolvers<void>()
  await page.route(/\/assets\/history-page-[^/]*\.js/, async (route) => {
    await arrives
    await route.continue()
  })
  await page.getByRole('row', { name: '1层照明一' }).hover()
  await page.mouse.wheel(0, 300)
  await expect.poll(scrolled).toBeGreaterThan(0)
  const bar = page.locator('.progress')
  await expect(bar).toHaveCSS('opacity', '0')
  await page.getByRole('button', { name: '历史数据' }).click()
  await expect(bar).toHaveClass(/under-way/)
  await expect(bar).toBeVisible()
  await expect(bar).toHaveCSS('opacity', '1')
  arrive()
  await expect(page.getByRole('heading', { name: '历史数据', level: 1 })).toBeVisible()
  await expect(bar).toHaveCSS('opacity', '0')
  expect(await scrolled()).toBe(0)
  await page.goBack()
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
  expect(await scrolled()).toBe(0)
})

test('who wants no motion sees none: not of the bar, not of the drawer', async ({ page, stack }) => {
  await page.addInitScript(() => {
    const moved: string[] = []
    Object.assign(window, { moved })
    addEventListener('animationstart', ({ animationName, target }) => {
      if (target instanceof Element && getComputedStyle(target).animationDuration !== '0s') moved.push(animationName)
    })
    // One that takes no time does not run.
    addEventListener('transitionrun', ({ propertyName }) => moved.push(propertyName))
  })
  const moved = async (reducedMotion: 'no-preference' | 'reduce') => {
    await page.emulateMedia({ reducedMotion })
    await page.goto('/devmon/params')
    await page.getByRole('button', { name: '实时监控' }).click()
    await page.getByRole('row', { name: '2层照明一' }).click()
    await expect(page.getByRole('dialog', { name: '2层照明一' }).getByRole('button', { name: '分闸' })).toBeVisible()
    return page.evaluate(async () => {
      // What begins is told in the frame after.
      for (let frame = 0; frame < 2; frame += 1) await new Promise((next) => requestAnimationFrame(next))
      return (window as unknown as { moved: string[] }).moved
    })
  }
  await live(page, stack)
  expect(await moved('no-preference')).toContain('drawer-in')
  expect(await moved('reduce')).toEqual([])
})
