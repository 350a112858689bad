import type { Page } from '@playwright/test'
import type { Stack } from '../kit/stack.ts'
import { sessionOf } from '../kit/stack.ts'

/** Signs in on the login page, in the language the page is in. */
export async function signIn(page: Page, { admin }: Stack): Promise<void> {
  await page.getByLabel(/^(账号|Account)$/).fill(admin.userName)
  await page.getByLabel(/^(密码|Password)$/).fill(admin.password)
  await page.getByRole('button', { name: /^(登录|Sign in)$/ }).click()
}

/** Opens a page as somebody whose session this browser has kept: nearly every test begins so, and few are about the login page. */
export async function enter(page: Page, { url, admin }: Stack, address = `${url}/devmon/realtime`): Promise<void> {
  const session = await sessionOf(url, admin)
  await page.addInitScript(({ userId, token }) => {
    // Once in this tab: whoever signs out stays out, and whoever enters later is another. An empty page keeps nothing.
    if (origin === 'null' || sessionStorage.getItem(`entered ${token}`)) return
    sessionStorage.setItem(`entered ${token}`, 'yes')
    localStorage.setItem('linewarden.session', JSON.stringify({ userId, token }))
  }, session)
  // To its load: what a test has the browser watch or hold up while a new page takes the place of the empty one is lost now and then.
  await page.goto(address)
}
