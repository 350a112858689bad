import { signIn } from './sign-in.ts'
import { expect, test } from './stack.ts'

test('without a token every page leads to the login, which leads back', async ({ page, stack }) => {
  await page.goto('/devmon/realtime?q=%E7%85%A7%E6%98%8E')
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await signIn(page, stack)
  await expect(page).toHaveURL(/\/devmon\/realtime\?q=/)
})

test('the root leads to the live page, and /login leads back there once signed in', async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page).toHaveURL(/\/devmon\/realtime/)
  await page.goto('/login')
  await expect(page).toHaveURL(/\/devmon\/realtime/)
})

test('a redirect to another site is not followed', async ({ page, stack }) => {
  await page.goto('/login?redirect=//example.com/')
  await signIn(page, stack)
  await expect(page).toHaveURL(new RegExp(`^${stack.url}/`))
})

test('a wrong password says so and stays', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('账号').fill('nobody')
  await page.getByLabel('密码', { exact: true }).fill('wrong-password')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('账号或密码不正确')
  await expect(page).toHaveURL(/\/login/)
})

test('an unknown address is a 404 page', async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page).toHaveURL(/realtime/)
  await page.goto('/no/such/page')
  await expect(page).toHaveURL(/\/Notfound/)
})

test('signing out ends the session', async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page).toHaveURL(/realtime/)
  await page.getByRole('button', { name: stack.admin.userName }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.goto('/devmon/realtime')
  await expect(page).toHaveURL(/\/login\?redirect=/)
})
