import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'
import { live } from '../live-page.ts'
import { signIn, signOut } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

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

test.describe('as an installation is set up', () => {
  let own: Stack
  test.beforeAll(async () => {
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
  await expect.poll(scrolled).toBe(0)
  await page.goBack()
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
  await expect.poll(scrolled).toBe(0)
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
