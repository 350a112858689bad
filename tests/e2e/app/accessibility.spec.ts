import { unreasoned, violations, violationsInBothThemes } from '../axe.ts'
import { builtRoutes } from '../built-routes.ts'
import { arrived, phone, tooWide, wide } from '../looks.ts'
import { keepSession, signIn } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

const signInButton = { name: /^(登录|Sign in)$/ }

test('login and an open drawer can be read and reached by everybody', async ({ page, stack }) => {
  await page.goto('/login')
  await expect(page.getByRole('button', signInButton)).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  await signIn(page, stack)
  const row = page.getByRole('row', { name: '1层照明一' })
  await expect(row).toContainText('合闸')
  await row.press('Enter')
  await expect(page.getByRole('region', { name: '合闸许可' })).toContainText('合闸')
  expect(await violationsInBothThemes(page)).toEqual([])
})

/** A wall of a device that is not there, and what is not there at all: pages too. */
const others = ['/bigScreen/detail/1', '/Notfound']

for (const language of ['CN', 'EN'] as const)
  test(`every page fits a phone, and can be read and reached by everybody there and on a wide screen, ${language}`, async ({
    page,
    stack,
  }) => {
    test.setTimeout(900_000)
    const wrong: string[] = []
    const look = async (path: string) => {
      await page.setViewportSize(phone)
      for (const each of [...(await tooWide(page)), ...(await violations(page))]) wrong.push(`${path} on a phone: ${each}`)
    }
    await page.addInitScript((to) => localStorage.setItem('linewarden.language', to), language)
    await page.goto('/login')
    await expect(page.getByRole('button', signInButton)).toBeVisible()
    await look('/login')
    await keepSession(page, stack)
    for (const path of [...(await builtRoutes()), ...others]) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(phone)
      await page.goto(path)
      await arrived(page)
      await look(path)
      // The two languages differ in their widths, and in nothing that only a wide screen shows.
      if (language === 'EN') continue
      await page.setViewportSize(wide)
      await arrived(page)
      for (const each of [...(await violationsInBothThemes(page)), ...(await unreasoned(page))]) wrong.push(`${path}: ${each}`)
    }
    expect(wrong).toEqual([])
  })
