import { signIn } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: [], givenPasswords: true } })

test('whoever was given a password finds no page before it is changed, then signs in with their own', async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page.getByRole('heading', { name: '请先修改密码' })).toBeVisible()
  await page.screenshot({ path: 'test-results/given-password-wide.png' })
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: '修改密码' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('当前密码').fill(stack.admin.password)
  await form.getByLabel('新密码').fill('Mine-Now-552')
  await form.getByLabel('确认密码').fill('Mine-Now-552')
  await page.screenshot({ path: 'test-results/given-password-narrow.png' })
  await form.getByRole('button', { name: '保存' }).click()
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, { ...stack, admin: { ...stack.admin, password: 'Mine-Now-552' } })
  await expect(page.getByRole('heading', { name: '开始使用' })).toBeVisible()
})
