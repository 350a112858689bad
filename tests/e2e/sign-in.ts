import type { Page } from '@playwright/test'
import type { Stack } from '../kit/stack.ts'

/** Signs in on the login page, in the language the page is in. */
export async function signIn(page: Page, { admin }: Stack): Promise<void> {
  await page.getByLabel(/^(账号|Account)$/).fill(admin.userName)
  await page.getByLabel(/^(密码|Password)$/).fill(admin.password)
  await page.getByRole('button', { name: /^(登录|Sign in)$/ }).click()
}
