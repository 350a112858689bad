import { unreasoned, violations } from '../axe.ts'
import { builtRoutes } from '../built-routes.ts'
import { enter, signIn } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  test(`login, live page and drawer can be read and reached by everybody, ${colorScheme}`, async ({ page, stack }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto('/login')
    await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible()
    expect(await violations(page)).toEqual([])
    await signIn(page, stack)
    const row = page.getByRole('row', { name: '1层照明一' })
    await expect(row).toContainText('合闸')
    expect(await violations(page)).toEqual([])
    await row.press('Enter')
    await expect(page.getByRole('region', { name: '合闸许可' })).toContainText('合闸')
    expect(await violations(page)).toEqual([])
  })
}

/** Neither built nor there at all: pages too. */
const others = ['/hazard/workorder', '/Notfound']

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every page can be read and reached by everybody, ${colorScheme}`, async ({ page, stack }) => {
    test.setTimeout(180_000)
    await page.emulateMedia({ colorScheme })
    await enter(page, stack)
    await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
    for (const path of [...(await builtRoutes()), ...others]) {
      await page.goto(path)
      await expect(page.locator('h1, .void b').first()).toBeVisible()
      await expect(page.getByRole('status', { name: '加载中' })).toHaveCount(0)
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
      expect([path, ...(await violations(page)), ...(await unreasoned(page))]).toEqual([path])
    }
  })
}
