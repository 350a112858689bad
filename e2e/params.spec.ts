import { signIn } from './sign-in.ts'
import { expect, test } from './stack.ts'

test.beforeEach(async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page).toHaveURL(/realtime/)
  await page.goto('/devmon/params')
})

test('a value out of range is told before it is sent; a good one counts once the equipment reports it', async ({ page }) => {
  const delay = page.getByRole('textbox', { name: '过载延时' })
  await delay.fill('9999')
  await expect(page.getByRole('alert').filter({ hasText: '应为 1–3600 s' })).toBeVisible()
  await expect(page.getByRole('button', { name: /先改正/ })).toBeDisabled()
  await delay.fill('33')
  await page.getByRole('button', { name: '下发' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '整定调整' }).click()
  await dialog.getByRole('button', { name: '下发' }).click()
  await expect(page.getByRole('region', { name: '本次下发' })).toContainText('1 已回报')
  const row = page.getByRole('row', { name: /过载延时/ })
  await expect(row).toContainText('33 s')
  await expect(row).toContainText('一致')
})

test('many lines are set at once, and the history leads back', async ({ page }) => {
  await page.getByRole('button', { name: '复制到多路' }).click()
  await page.getByRole('checkbox', { name: '全选' }).check()
  await page.getByRole('button', { name: /下发到 \d+ 路/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '整定调整' }).click()
  await dialog.getByRole('button', { name: '下发' }).click()
  await expect(page.getByRole('region', { name: '本次下发' })).toContainText(/[1-9]\d* 已回报，0 等待/, { timeout: 30_000 })
  await page.getByRole('button', { name: '变更记录' }).click()
  await page.getByRole('button', { name: '全部线路' }).click()
  await expect(page.getByRole('table', { name: '变更记录' })).toContainText('批量')
})
