import { createClient } from '@linewarden/client'
import { keySignIn } from '@linewarden/contract'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test('a key is made for a system, its secret is shown once and opens a session, and revoking it ends that', async ({
  page,
  stack,
}) => {
  await keepSession(page, stack)
  await page.goto('/system/keys')
  await page.getByRole('button', { name: '新增密钥' }).first().click()
  const form = page.getByRole('dialog', { name: '新增密钥' })
  await form.getByRole('button', { name: '保存' }).click()
  await expect(form.getByText('请至少选择一个项目')).toBeVisible()
  await form.getByLabel('名称*').fill('楼宇管理系统')
  await form.getByRole('checkbox').first().check()
  await expect(form.getByRole('button', { name: '只读' })).toHaveAttribute('aria-pressed', 'true')
  await form.getByRole('button', { name: '保存' }).click()

  const secret = page.getByRole('dialog', { name: '密钥 楼宇管理系统' })
  await expect(secret.getByRole('alert')).toContainText('只显示这一次')
  const [KeyID = '', Secret = ''] = await secret.locator('code').allTextContents()
  const open = createClient({ baseUrl: stack.url, session: () => null })
  expect((await open.call(keySignIn, { body: { KeyID, Secret } })).Token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  await secret.getByRole('button', { name: '我已保存' }).click()

  await page.reload()
  const row = page.getByRole('row', { name: /楼宇管理系统/ })
  await expect(row).toContainText('只读')
  await expect(row).toContainText('有效')
  await expect(page.getByText(Secret)).toHaveCount(0)
  await row.getByRole('button', { name: '吊销' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '吊销' }).click()
  await expect(row).toContainText('已吊销')
  await expect(open.call(keySignIn, { body: { KeyID, Secret } })).rejects.toThrow('key wrong')
})
