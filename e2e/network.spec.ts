import { signIn } from './sign-in.ts'
import { expect, forgive, test } from './stack.ts'
import type { WeakNetwork } from './weak-network.ts'
import { weakNetwork } from './weak-network.ts'

test.use({ popUpsStay: true })

let network: WeakNetwork

test.beforeEach(async ({ page, stack }) => {
  network = await weakNetwork(stack.url)
  await page.goto(`${network.url}/login`)
  await signIn(page, stack)
  await expect(page).toHaveURL(/realtime/)
})
test.afterEach(() => network.close())

/** There is no network: the browser says so, too. */
const ofTheNetwork = /Failed to load resource|WebSocket connection to/

test('with the server gone the page says so and marks its values; back again it goes on, and an alarm of meanwhile is not missed', async ({
  page,
  stack,
  problems,
}) => {
  const row = page.getByRole('row', { name: '1层插座一' })
  await expect(row).toContainText('合闸')
  await expect(row).not.toContainText('旧')
  await network.cut()
  await expect(page.getByRole('alert').filter({ hasText: '无法连接服务器' })).toBeVisible()
  await expect(page.getByText('连接中断')).toBeVisible()
  await expect(row).toContainText('旧')
  const line = [...stack.fleet.gateways.values()].flatMap((gateway) => gateway.lines()).find(({ name }) => name === '1层插座一')
  if (!line) throw new Error('the fleet has no such line')
  stack.fleet.run('leakageTrip', line)
  await expect.poll(() => stack.server.plant.lineAt(line.controllerId, line.lineNo)?.tripLatched).toBe('leakage')
  await network.heal()
  await page.getByRole('button', { name: '重试' }).click()
  await expect(page.getByRole('alert').filter({ hasText: '无法连接服务器' })).toBeHidden()
  await expect(row).toContainText('脱扣')
  await expect(page.getByRole('alert').filter({ hasText: '漏电跳闸' })).toContainText('1层插座一')
  forgive(problems, ofTheNetwork)
})

test('a session that was ended elsewhere leads to the login, which leads back', async ({ page, stack, problems }) => {
  const person = { userName: '13800000008', password: 'Somebody-7391' }
  const accountId = await stack.server.accounts.createAccount({ ...person, kind: 'project' })
  await page.getByRole('button', { name: stack.admin.userName }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await signIn(page, { ...stack, admin: person })
  // The address of the login carries this page's, too.
  await expect(page).toHaveURL(/\/devmon\/realtime/)
  await stack.server.accounts.endSessions(accountId)
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await expect(page.getByRole('row')).toHaveCount(0)
  // Said for as long as it stands there: whoever comes back to the desk was not looking when it happened.
  const why = page.getByRole('alert').filter({ hasText: '登录已过期，请重新登录' })
  await expect(why).toBeVisible()
  await page.reload()
  await expect(why).toBeVisible()
  await signIn(page, { ...stack, admin: person })
  await expect(page).toHaveURL(/\/devmon\/realtime/)
  await expect(why).toHaveCount(0)
  forgive(problems, ofTheNetwork)
})
