import { md5Hex } from '@linewarden/client'
import { login } from '@linewarden/contract'
import { signIn, signOut } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

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

test('the address of a section leads to its first page', async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page).toHaveURL(/realtime/)
  for (const [section, first] of [
    ['/advance', '/advance/warning'],
    ['/devmon', '/devmon/realtime'],
    ['/system', '/system/project'],
    ['/system/report', '/system/report/deviceData'],
  ] as const) {
    await page.goto(section)
    await expect(page).toHaveURL(new RegExp(`${first}(\\?|$)`))
  }
})

test('a kept session whose account is refused is over: to the login, which leads back', async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page).toHaveURL(/realtime/)
  const who = /\/api\/v1\/users(\?|$)/
  const refusal = { Code: 0, Message: 'no permission', Text: { zh: '没有权限', en: 'Not permitted' } }
  await page.route(who, (route) => route.fulfill({ json: refusal }))
  await page.goto('/system/log')
  await expect(page).toHaveURL(`${stack.url}/login?redirect=%2Fsystem%2Flog`)
  await page.unroute(who)
  // Nothing of it is kept: it would be answered again by now.
  await page.reload()
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible()
  await signIn(page, stack)
  await expect(page).toHaveURL(/\/system\/log/)
})

test('signing out ends the session', async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
  await signOut(page)
  await expect(page).toHaveURL(/\/login/)
  await page.goto('/devmon/realtime')
  await expect(page).toHaveURL(/\/login\?redirect=/)
})

test('a page loaded anew asks once who is signed in and once for the projects', async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.method()} ${request.url().replace(`${stack.url}/api/v1`, '')}`))
  await page.reload()
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
  expect(asked.filter((each) => /GET \/(users|tree\?Depth=projects)$/.test(each)).toSorted()).toEqual([
    'GET /tree?Depth=projects',
    'GET /users',
  ])
})

test('what was asked for one account is not shown to another who signs in meanwhile', async ({ page, stack }) => {
  const viewer = { userName: '13800000019', password: 'Viewer-7391' }
  const roleId = await stack.server.accounts.createRole({
    number: 'LOOK',
    name: '查看',
    privileges: ['devmon', 'devmon.realtime'],
    buttons: [],
  })
  await stack.server.accounts.createAccount({ ...viewer, kind: 'sub', roleId, projectIds: [] })
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page).toHaveURL(/realtime/)
  // The page is still under way: what it asked for ahead is answered, and not taken yet.
  const { promise: arrives, resolve: arrive } = Promise.withResolvers<void>()
  await page.route(/\/assets\/shell-[^/]*\.js/, async (route) => {
    await arrives
    await route.continue()
  })
  const answered = page.waitForResponse(/\/tree\?Depth=projects/)
  await page.reload({ waitUntil: 'commit' })
  await answered
  const reply = await stack.client.call(login, { body: { UserName: viewer.userName, Password: md5Hex(viewer.password) } })
  const other = await page.context().newPage()
  await other.goto('/login')
  await other.evaluate(
    (session) => localStorage.setItem('linewarden.session', session),
    JSON.stringify({ userId: reply.UserID, token: reply.Token }),
  )
  arrive()
  await expect(page.getByRole('button', { name: viewer.userName })).toBeVisible()
  await expect(page.getByRole('button', { name: stack.admin.userName, exact: true })).toHaveCount(0)
  await expect(page.getByRole('main')).toContainText('还没有线路')
  await expect(page.getByText('望湖小区')).toHaveCount(0)
})
