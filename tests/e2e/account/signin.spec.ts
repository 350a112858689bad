import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { test as plain } from '@playwright/test'
import type { TestProvider } from '../../kit/oidc-provider.ts'
import { signOnClient, startProvider } from '../../kit/oidc-provider.ts'
import { startStack } from '../../kit/stack.ts'
import { announced } from '../announced.ts'
import { signIn } from '../sign-in.ts'
import { closePopUps, expect, test } from '../stack.ts'

const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true })
const press = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const menu = async (page: Page, item: string) => {
  await page.locator('.user > button').click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** A browser that was never here fetches the whole console first. */
const inside = (page: Page) => expect(page).toHaveURL(/realtime/)

const stepNow = () => Math.floor(Date.now() / 30_000)

/** What the person's phone shows. */
function codeOf(key: string): string {
  const bits = [...key].map((char) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0')).join('')
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(stepNow(), 4)
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const hash = createHmac('sha1', secret).update(counter).digest()
  return String((hash.readUInt32BE((hash[19] ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

test('a remembered device signs in again by itself, is listed, and asks for the password before it trips a line', async ({
  browser,
  stack,
}) => {
  // A page of its own: that the first attempt is refused stands in the browser's console, as it should.
  const context = await browser.newContext()
  const page = await context.newPage()
  await closePopUps(page)
  await page.goto(`${stack.url}/login`)
  await page.getByRole('checkbox', { name: '在此设备上保持登录' }).check()
  await signIn(page, stack)
  await inside(page)
  // The session is gone, as after a night; the device is not.
  await page.evaluate(() => localStorage.removeItem('linewarden.session'))
  await page.goto(`${stack.url}/devmon/realtime`)
  const line = [...stack.server.plant.lines.values()].find(({ lineNo, device }) => lineNo > 0 && device.gateway.link === 'online')
  await page
    .getByRole('row', { name: line?.name ?? '' })
    .first()
    .click()
  const drawer = page.getByRole('dialog', { name: line?.name ?? '' })
  await drawer.getByRole('button', { name: '分闸' }).click()
  const confirm = page.getByRole('dialog', { name: /分闸/ })
  await confirm.getByRole('button', { name: '检修' }).click()
  await confirm.getByRole('button', { name: /^分闸/ }).click()
  const prove = page.getByRole('dialog', { name: '请输入密码' })
  await expect(prove).toBeVisible()
  expect(stack.fleet.executed).toHaveLength(0)
  await prove.getByLabel('密码*').fill(stack.admin.password)
  await prove.getByRole('button', { name: '继续' }).click()
  await expect(drawer.getByRole('region', { name: '操作记录' }).locator('.outcome').first()).toContainText('位置已核实')
  await expect.poll(() => stack.fleet.executed.at(-1)).toMatchObject({ action: 'trip' })

  await page.goto(`${stack.url}/system/users`)
  await menu(page, '登录会话')
  await expect(page.getByRole('dialog')).toContainText('保持登录')
  await press(page, '关闭')
  await menu(page, '退出登录')
  await expect(page).toHaveURL(/login/)
  await page.reload()
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeEnabled()
  await context.close()
})

test('a second factor: set up with a code, asked at the next sign-in, a recovery code instead, off again', async ({
  page,
  stack,
}) => {
  const someone = { userName: 'factor', password: 'Factor-7391' }
  await stack.server.accounts.createAccount({ ...someone, kind: 'project' })
  const as = { ...stack, admin: someone }
  await page.goto('/login')
  await signIn(page, as)
  await inside(page)
  await menu(page, '两步验证')
  await press(page, '启用')
  await field(page, '登录密码*').fill('wrong')
  await press(page, '下一步')
  await expect(page.getByRole('alert')).toContainText('账号或密码不正确')
  await field(page, '登录密码*').fill(someone.password)
  await press(page, '下一步')
  await expect(page.getByRole('img', { name: '两步验证密钥二维码' })).toBeVisible()
  const key = (await page.locator('.factor-key code').textContent()) ?? ''
  await field(page, '验证码*').fill('12')
  await press(page, '确认启用')
  await expect(page.getByText('请输入 6 位数字')).toBeVisible()
  const usedStep = stepNow()
  await field(page, '验证码*').fill(codeOf(key))
  await press(page, '确认启用')
  await expect(page.locator('.recovery-codes li')).toHaveCount(10)
  const recovery = (await page.locator('.recovery-codes li').first().textContent()) ?? ''
  await press(page, '我已保存')

  await menu(page, '退出登录')
  await signIn(page, as)
  await page.getByLabel('验证码').fill('000 000')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('验证码不正确或已使用')
  await page.getByLabel('验证码').fill(recovery.toLowerCase())
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await inside(page)
  await menu(page, '两步验证')
  await expect(page.getByRole('dialog')).toContainText('剩余恢复码 9 个')
  await press(page, '停用两步验证')
  await field(page, '登录密码*').fill(someone.password)
  // No code counts twice; each counts for its own half minute and the next, however slow the machine is.
  await expect.poll(stepNow).toBeGreaterThan(usedStep)
  await field(page, '验证码*').fill(codeOf(key))
  await press(page, '停用两步验证')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

// One pixel by one, as a browser draws it.
const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

test('branding: logo, names and title stand on the login page, in the header and the title; a project administrator has no such page', async ({
  page,
  stack,
  browser,
}) => {
  test.slow()
  await page.goto('/login')
  await signIn(page, stack)
  await inside(page)
  await page.goto('/system/branding')
  await page.getByLabel('单位名称（中文）').fill('望湖物业')
  await page.getByLabel('页面标题（中文）').fill('望湖用电安全')
  await page.getByLabel('服务商链接地址').fill('javascript:alert(1)')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('请输入以 http:// 或 https:// 开头的地址')).toBeVisible()
  await page.getByLabel('服务商链接地址').fill('https://provider.example/')
  await page.getByLabel('服务商链接名称').fill('服务商')
  await page.getByLabel('显示链接的主机名').fill('127.0.0.1')
  const svg = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }
  await page.getByLabel('徽标', { exact: true }).setInputFiles(svg)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('alert')).toContainText('徽标须为 PNG、JPEG 或 WebP')
  await page.getByLabel('徽标', { exact: true }).setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
  await Promise.all([announced(page, '已保存'), page.getByRole('button', { name: '保存' }).click()])
  await expect(page.locator('header .company')).toHaveText('望湖物业')
  await expect(page.locator('header .brand-logo')).toHaveJSProperty('naturalWidth', 1)
  await expect(page).toHaveTitle('望湖用电安全')
  await page.reload()
  await page.locator('.user > button').click()
  await expect(page.getByRole('menuitem', { name: '服务商' })).toHaveAttribute('href', 'https://provider.example/')

  const context = await browser.newContext()
  const other = await context.newPage()
  await closePopUps(other)
  await other.goto(`${stack.url}/login`)
  await expect(other.locator('.login .company')).toHaveText('望湖物业')
  await expect(other).toHaveTitle('登录 · 望湖用电安全')
  await stack.server.accounts.createAccount({ userName: 'plainowner', password: 'Owner-73911', kind: 'project' })
  await signIn(other, { ...stack, admin: { userName: 'plainowner', password: 'Owner-73911' } })
  await inside(other)
  await other.goto(`${stack.url}/system/branding`)
  await expect(other).toHaveURL(/Notfound/)
  await context.close()
})

test('of two people who edit the branding the second is told', async ({ page, stack, browser }) => {
  test.slow()
  const context = await browser.newContext()
  const other = await context.newPage()
  await closePopUps(other)
  for (const each of [page, other]) {
    await each.goto(`${stack.url}/login`)
    await signIn(each, stack)
    await inside(each)
    await each.goto(`${stack.url}/system/branding`)
    await expect(each.getByLabel('页面标题（英文）')).toBeVisible()
  }
  await page.getByLabel('页面标题（英文）').fill('First')
  await Promise.all([announced(page, '已保存'), page.getByRole('button', { name: '保存' }).click()])
  await other.getByLabel('页面标题（英文）').fill('Second')
  await other.getByRole('button', { name: '保存' }).click()
  await expect(other.getByRole('alert')).toContainText('其他人刚刚修改过')
  await context.close()
})

plain.describe('with the sign-on of the organisation', () => {
  let provider: TestProvider
  let stack: Awaited<ReturnType<typeof startStack>>
  plain.beforeAll(async () => {
    plain.setTimeout(120_000)
    provider = await startProvider()
    const client = `${signOnClient.id}:${signOnClient.secret}`
    const env = {
      LINEWARDEN_OIDC_ISSUER: provider.issuer,
      LINEWARDEN_OIDC_CLIENT: client,
      LINEWARDEN_OIDC_NAME: '示例集团',
      LINEWARDEN_OIDC_CLAIM: 'preferred_username',
    }
    stack = await startStack({ env: { ...env, LINEWARDEN_REQUIRE_SECOND_FACTOR: 'yes' } })
    provider.serveFor(stack.url)
    await stack.server.accounts.createAccount({ userName: 'wang.gong', password: 'Owner-7391', kind: 'project' })
  })
  plain.afterAll(async () => {
    await stack?.close()
    await provider?.close()
  })

  const through = async (page: Page, login: string) => {
    await page.goto(`${stack.url}/system/users`)
    await page.getByRole('link', { name: '使用 示例集团 登录' }).click()
    await page.locator('input[name=login]').fill(login)
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.locator('button[type=submit]').click()
  }

  plain('an account is signed in and led back to where it wanted to go', async ({ page }) => {
    await through(page, 'wang.gong')
    await expect(page).toHaveURL(/\/system\/users$/)
    await expect(page.getByRole('heading', { name: '用户管理' })).toBeVisible()
  })

  plain('a link with the ticket of somebody else signs nobody in, and swaps nobody', async ({ page }) => {
    const link = `${stack.url}/login#ticket=${'A'.repeat(43)}`
    await page.goto(link)
    // The page has made a value of its own by then, which is not that of the ticket, or none.
    await expect(page.getByRole('alert')).toContainText(/单点登录失败|验证已超时/)
    expect(await page.evaluate(() => localStorage.getItem('linewarden.session'))).toBeNull()
    await through(page, 'wang.gong')
    await expect(page.getByRole('heading', { name: '用户管理' })).toBeVisible()
    await page.goto('about:blank')
    await page.goto(link)
    await expect(page).not.toHaveURL(/\/login/)
    await expect(page.getByRole('navigation', { name: '主菜单' })).toBeVisible()
  })

  plain('who has no account is told', async ({ page }) => {
    await through(page, 'nobody.here')
    await expect(page.getByRole('alert')).toContainText('没有与该身份对应的账号')
    await expect.poll(() => new URL(page.url()).hash).toBe('')
  })

  plain('a platform administrator who must have a second factor sets it up before anything else', async ({ page }) => {
    await page.goto(`${stack.url}/login`)
    await signIn(page, stack)
    await expect(page.getByText('您的账号须启用两步验证后才能继续使用。')).toBeVisible()
    await page.getByRole('button', { name: '启用', exact: true }).click()
    await field(page, '登录密码*').fill(stack.admin.password)
    await press(page, '下一步')
    const key = (await page.locator('.factor-key code').textContent()) ?? ''
    await field(page, '验证码*').fill(codeOf(key))
    await press(page, '确认启用')
    await press(page, '我已保存')
    await inside(page)
    await expect(page.getByRole('navigation', { name: '主菜单' })).toBeVisible()
  })
})
