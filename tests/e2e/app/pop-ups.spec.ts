import { editRole, queryRoles, setSwitchSetting, userInfo } from '@linewarden/contract'
import type { Stack } from '../../kit/stack.ts'
import { signedIn } from '../../kit/stack.ts'
import { live } from '../live-page.ts'
import { flood, raise } from '../raise.ts'
import { signIn, signOut } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ popUpsStay: true })

/** One that no other test has opened: only a closed line can trip. */
function closedLine({ fleet, server }: Stack) {
  const line = [...fleet.gateways.values()]
    .flatMap((gateway) => gateway.lines())
    .find(({ controllerId, lineNo }) => {
      const known = server.plant.lineAt(controllerId, lineNo)
      return (
        lineNo > 0 &&
        known?.device.family.key === 'breaker1p' &&
        known.states.get('position') === 'closed' &&
        known.alarms.size === 0
      )
    })
  if (!line) throw new Error('the fleet has no closed line')
  return line
}

const anyLine = ({ server }: Stack) => {
  const [line] = server.plant.lines.values()
  if (!line) throw new Error('the plant has no line')
  return line
}

test('sound and pop-ups: silent when off, heard when switched on again, cleared at once', async ({ page, stack }) => {
  const client = await signedIn(stack.url, stack.admin)
  await client.call(setSwitchSetting, { body: { Setting: 0 } })
  const setting = async () => (await client.call(userInfo)).Setting
  await live(page, stack)
  const pops = page.getByRole('region', { name: '新事件' })
  const user = page.locator('.user > button')
  const sound = page.getByRole('menuitemcheckbox', { name: /报警声音/ })
  const sounds: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/sounds/')) sounds.push(request.url())
  })
  await user.click()
  // Off for the account, whatever this device would have.
  await expect(sound).toHaveAttribute('aria-checked', 'false')
  const silent = closedLine(stack)
  stack.fleet.run('leakageTrip', silent)
  await expect(pops.getByText(silent.name).first()).toBeVisible()
  await sound.click()
  await expect(sound).toHaveAttribute('aria-checked', 'true')
  expect(await setting()).toBe(1)
  // Off on this device: the account's other ones go on being heard.
  await sound.click()
  await expect(sound).toHaveAttribute('aria-checked', 'false')
  const quiet = closedLine(stack)
  stack.fleet.run('leakageTrip', quiet)
  await expect(pops.getByText(quiet.name).first()).toBeVisible()
  expect(await setting()).toBe(1)
  await sound.click()
  await expect(sound).toHaveAttribute('aria-checked', 'true')
  expect(sounds).toEqual([])
  await user.click()
  // Had the first one been heard, this one would not: sounds keep a distance.
  const played = page.waitForRequest(/\/sounds\/alarm\.wav/)
  const loud = closedLine(stack)
  stack.fleet.run('leakageTrip', loud)
  await played
  await expect(pops.getByText(loud.name).first()).toBeVisible()
  await page.getByRole('button', { name: '清除弹窗' }).click()
  await expect(pops.getByRole('alert')).toHaveCount(0)
})

test('a session that ends at a screen nobody attends takes no pop-up with it, and what is raised meanwhile is told', async ({
  page,
  stack,
  problems,
}) => {
  await live(page, stack)
  const pops = page.getByRole('region', { name: '新事件' })
  const before = closedLine(stack)
  stack.fleet.run('leakageTrip', before)
  await expect(pops.getByText(before.name).first()).toBeVisible()
  const between = closedLine(stack)
  const db = await stack.server.database.connect()
  await db.query("update session set last_used_at = last_used_at - interval '1 day'")
  await db.end()
  await expect(page).toHaveURL(/\/login/)
  stack.fleet.run('leakageTrip', between)
  await expect.poll(() => stack.server.plant.lineAt(between.controllerId, between.lineNo)?.lockoutCause).toBe('leakage')
  await signIn(page, stack)
  await pops.getByRole('button', { name: /^还有 \d+ 条$/ }).click()
  await expect(pops.getByText(between.name).first()).toBeVisible()
  await expect(pops.getByText(before.name).first()).toBeVisible()
  forgive(problems, /Failed to load resource/)
})

test('a role without the live page begins with its own and finds back there; one without any page is told so', async ({
  page,
  stack,
}) => {
  const { accounts, plant } = stack.server
  const [line] = plant.lines.values()
  const privileges = ['system', 'system.log']
  const roleId = await accounts.createRole({ number: 'LOGS', name: '日志', privileges, buttons: [] })
  const projectIds = [line?.device.gateway.project.id ?? 0]
  const password = 'Reader-7391'
  const reader = { userName: '13800000021', password }
  const guest = { userName: '13800000022', password }
  await accounts.createAccount({ ...reader, kind: 'sub', roleId, projectIds })
  await accounts.createAccount({ ...guest, kind: 'shared', roleId, projectIds })
  const home = page.getByRole('main').getByRole('button', { name: '返回首页' })
  const menu = page.getByRole('navigation', { name: '主菜单' }).getByRole('button')
  await page.goto('/login')
  await signIn(page, { ...stack, admin: reader })
  await expect(page).toHaveURL(/\/system\/log/)
  await expect(page.locator('header .link')).toHaveText('实时')
  await raise(stack, anyLine(stack), ['一号楼'])
  const pop = page.getByRole('region', { name: '新事件' }).getByRole('alert')
  await expect(pop).toContainText('一号楼')
  await expect(pop.getByRole('button', { name: '查看' })).toHaveCount(0)
  await page.goto('/devmon/realtime')
  await expect(page).toHaveURL(/Notfound/)
  await expect(menu).toHaveText(['系统管理'])
  await home.click()
  await expect(page).toHaveURL(/\/system\/log/)
  await signOut(page)

  // Another organisation has no pages about the owner's people.
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, { ...stack, admin: guest })
  await expect(page).toHaveURL(/Notfound/)
  await home.click()
  await expect(page.getByRole('main')).toContainText('尚未开通任何页面')
  await expect(menu).toHaveCount(0)
  await expect(page.locator('.user > button')).toBeVisible()
  const client = await signedIn(stack.url, stack.admin)
  const { items } = await client.call(queryRoles, { body: { Name: '日志' } })
  const role = items.find(({ RoleID }) => RoleID === roleId)
  if (!role) throw new Error('the role is not listed')
  const { Number: number, Name, Version } = role
  const Privileges = [...privileges, 'devmon', 'devmon.realtime']
  await client.call(editRole, { body: { RoleID: roleId, Number: number, Name, Privileges, Buttons: [], Version } })
  await page.getByRole('main').getByRole('button', { name: '重试' }).click()
  await expect(page).toHaveURL(/\/devmon\/realtime/)
})

test('ten thousand alarms leave eight pop-ups and a page that answers', async ({ page, stack }) => {
  await live(page, stack)
  const pops = page.getByRole('region', { name: '新事件' })
  for (let from = 0; from < 10_000; from += 500) {
    await raise(stack, anyLine(stack), flood(from, 500))
    await expect(pops.getByText(`第 ${from + 499} 条`, { exact: true })).toBeVisible()
  }
  await pops.getByRole('button', { name: /^还有 (9999|\d{5,}) 条$/ }).click()
  await expect(pops.getByRole('alert')).toHaveCount(8)
  await expect(pops.getByText(/另有 \d+ 条，见未确认列表/)).toBeVisible()
  await page.getByRole('button', { name: '清除弹窗' }).click()
  await expect(pops.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('button', { name: '未确认 999+', exact: true })).toBeVisible()
})

test('names from right to left leave project, gateway and line of a pop-up in their order', async ({ page, stack }) => {
  await live(page, stack)
  const names = ['مصنع الشرق', '5', 'לוח 2']
  const line = anyLine(stack)
  const { gateway } = line.device
  for (const [index, each] of [gateway.project, gateway, line].entries()) each.name = names[index] ?? ''
  await raise(stack, line, ['过流报警'])
  const parts = page.getByRole('region', { name: '新事件' }).locator('.where', { hasText: 'مصنع' }).locator('bdi')
  await expect(parts).toHaveText(names)
  const lefts = await parts.evaluateAll((each) => each.map((part) => part.getBoundingClientRect().left))
  expect(lefts).toEqual(lefts.toSorted((a, b) => a - b))
})

test('over an open dialog on a phone a refusal and an alarm are seen and announced; the pop-up is there when it closes', async ({
  page,
  stack,
}) => {
  await live(page, stack)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.locator('.user > button').click()
  await page.getByRole('menuitem', { name: '登录会话' }).click()
  const dialog = page.getByRole('dialog', { name: '登录会话' })
  const others = dialog.getByRole('button', { name: '下线其他全部会话' })
  await expect(others).toBeEnabled()
  // What is said goes by itself: so each is looked at as it appears. What is covered, or behind a modal dialog, is not met at its place.
  await page.evaluate(() => {
    const seen: [string, boolean][] = []
    Object.assign(window, { seen })
    const look = (node: Node) => {
      if (!(node instanceof HTMLElement) || !node.parentElement?.matches('.toasts[aria-live]')) return
      node.style.pointerEvents = 'auto'
      const { left, top, width, height } = node.getBoundingClientRect()
      seen.push([node.textContent, document.elementFromPoint(left + width / 2, top + height / 2) === node])
    }
    const watch = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) look(node)
    })
    watch.observe(document.body, { childList: true, subtree: true })
  })
  const seen = () => page.evaluate(() => (window as unknown as { seen: [string, boolean][] }).seen)
  await page.route('**/users/sessions/end', (route) =>
    route.fulfill({ json: { Code: 0, Message: 'failed', Text: { zh: '会话不能结束', en: 'The session cannot be ended' } } }),
  )
  await others.click()
  await expect.poll(seen).toContainEqual(['会话不能结束', true])
  const { name, device } = anyLine(stack)
  const where = [device.gateway.project.name, device.gateway.name, name].map((each) => `\u2068${each}\u2069`).join(' / ')
  // One is said at a time: what happens in the plant by itself may be before it.
  const raiseAnother = async () => {
    await raise(stack, anyLine(stack), ['过流报警'])
    return seen()
  }
  await expect.poll(raiseAnother).toContainEqual([`过流报警 ${where}`, true])
  const pop = page.getByRole('region', { name: '新事件' }).getByRole('alert').filter({ hasText: '过流报警' })
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await pop.first().getByRole('button', { name: '查看' }).click()
  await expect(page).toHaveURL(/line=/)
})
