import type { Page } from '@playwright/test'
import type { Stack } from '../kit/stack.ts'
import { sessionOf } from '../kit/stack.ts'

/** Signs in on the login page, in the language the page is in. */
export async function signIn(page: Page, { admin }: Stack): Promise<void> {
  await page.getByLabel(/^(账号|Account)$/).fill(admin.userName)
  await page.getByLabel(/^(密码|Password)$/).fill(admin.password)
  await page.getByRole('button', { name: /^(登录|Sign in)$/ }).click()
}

/** This browser has kept somebody's session: whatever is opened first is opened as them. Nearly every test begins so. */
export async function keepSession(page: Page, { url, admin }: Pick<Stack, 'url' | 'admin'>): Promise<void> {
  const session = await sessionOf(url, admin)
  await page.addInitScript(({ userId, token }) => {
    // Once in this tab: whoever signs out stays out, and whoever enters later is another. An empty page keeps nothing.
    if (origin === 'null' || sessionStorage.getItem(`entered ${token}`)) return
    sessionStorage.setItem(`entered ${token}`, 'yes')
    localStorage.setItem('linewarden.session', JSON.stringify({ userId, token }))
  }, session)
}

/** The same, and the live page is open. */
export async function enter(
  page: Page,
  stack: Pick<Stack, 'url' | 'admin'>,
  address = `${stack.url}/devmon/realtime`,
): Promise<void> {
  await keepSession(page, stack)
  // To its load: what a test has the browser watch or hold up while a new page takes the place of the empty one is lost now and then.
  await page.goto(address)
}

/** Signs out by the menu, once what the page asks for at first is answered: of a session that is over it would be refused. */
export async function signOut(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.locator('.user > button').click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
}
