import { violations } from './axe.ts'
import { signIn } from './sign-in.ts'
import { expect, test } from './stack.ts'

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
