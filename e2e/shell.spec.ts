import type { EventRecord } from '@linewarden/contract'
import type { Stack } from '@linewarden/testkit'
import { startStack } from '@linewarden/testkit'
import { signIn } from './sign-in.ts'
import { expect, test } from './stack.ts'

test.use({ popUpsStay: true })

const live = async (page: import('@playwright/test').Page, stack: Stack) => {
  await page.goto(`${stack.url}/login`)
  await signIn(page, stack)
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
}

test('what is not built yet says so for a moment', async ({ page, stack }) => {
  await live(page, stack)
  await page.getByRole('navigation', { name: '主菜单' }).getByRole('button', { name: '隐患分析' }).click()
  const notice = page.getByText('正在努力开发中...')
  await expect(notice).toBeVisible()
  await expect(page).toHaveURL(/realtime/)
  await expect(notice).toBeHidden()
})

test('a route that is not built yet exists, and is marked', async ({ page, stack }) => {
  await live(page, stack)
  await page.goto('/hazard/workorder')
  await expect(page.getByText('正在努力开发中...')).toBeVisible()
  await expect(page.getByRole('button', { name: '工单管理' })).toHaveAttribute('aria-current', 'page')
})

test('the language is switched, kept, and the page loaded anew', async ({ page, stack }) => {
  await live(page, stack)
  await page.getByRole('button', { name: /切换语言/ }).click()
  await expect(page.getByRole('heading', { name: 'Live' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Live' })).toBeVisible()
  await page.getByRole('button', { name: /anguage/ }).click()
  await expect(page.getByRole('heading', { name: '实时监控' })).toBeVisible()
})

test('a role opens its own pages alone', async ({ page, stack }) => {
  const roleId = await stack.server.accounts.createRole({
    number: 'VIEW',
    name: '查看',
    privileges: ['devmon', 'devmon.realtime'],
    buttons: [],
  })
  const [project] = stack.server.plant.projects.values()
  const person = { userName: '13800000009', password: 'Viewer-7391' }
  await stack.server.accounts.createAccount({ ...person, kind: 'sub', roleId, projectIds: [project?.id ?? 0] })
  await page.goto('/login')
  await signIn(page, { ...stack, admin: person })
  await expect(page.getByRole('row', { name: '1层照明一' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: '主菜单' }).getByRole('button')).toHaveText(['设备监控'])
  await expect(page.getByRole('navigation', { name: '页面' }).getByRole('button')).toHaveText(['实时监控'])
  await page.goto('/system/city')
  await expect(page).toHaveURL(/Notfound/)
  await page.goto('/devmon/realtime')
  await page.getByRole('row', { name: '1层照明一' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: '合闸' })).toBeDisabled()
})

test('sound and pop-ups: heard when switched on, silent when off, cleared at once', async ({ page, stack }) => {
  await live(page, stack)
  await page.getByRole('heading', { name: '实时监控' }).click()
  // One that no other test has opened: only a closed line can trip.
  const line = [...stack.fleet.gateways.values()]
    .flatMap((gateway) => gateway.lines())
    .find(({ controllerId, lineNo }) => {
      const known = stack.server.plant.lineAt(controllerId, lineNo)
      return (
        lineNo > 0 &&
        known?.device.family.key === 'breaker1p' &&
        known.states.get('position') === 'closed' &&
        known.alarms.size === 0
      )
    })
  if (!line) throw new Error('the fleet has no closed line')
  const heard = page.waitForRequest(/\/sounds\/alarm\.wav/)
  stack.fleet.run('leakageTrip', line)
  await heard
  const pops = page.getByRole('region', { name: '新事件' })
  await expect(pops.getByText(line.name).first()).toBeVisible()
  await page.getByRole('button', { name: '清除弹窗' }).click()
  await expect(pops.getByRole('alert')).toHaveCount(0)
  await page.locator('.user > button').click()
  await page.getByRole('menuitemcheckbox', { name: /报警声音/ }).click()
  await expect(page.getByRole('menuitemcheckbox', { name: /报警声音/ })).toHaveAttribute('aria-checked', 'false')
})

test('ten thousand alarms leave eight pop-ups and a page that answers', async ({ page, stack }) => {
  await live(page, stack)
  const [line] = stack.server.plant.lines.values()
  if (!line) throw new Error('the plant has no line')
  const { gateway } = line.device
  const event = (index: number): EventRecord => ({
    EventID: String(1_000_000 + index),
    Kind: 'alarm',
    Priority: 'high',
    Key: 'leakage.trip',
    Label: { zh: '漏电跳闸', en: 'Leakage trip' },
    Point: null,
    Value: null,
    Limit: null,
    Unit: '',
    State: 'active',
    HouseID: gateway.project.id,
    DeviceID: gateway.id,
    LineID: line.id,
    ControllerID: line.device.controllerId,
    LineNo: line.lineNo,
    Where: `第 ${index} 条`,
    RaisedAt: Date.now(),
    AddTime: Date.now(),
    AcknowledgedAt: null,
    AcknowledgedBy: null,
    ReturnedAt: null,
    Historical: false,
  })
  const pops = page.getByRole('region', { name: '新事件' })
  for (let from = 0; from < 10_000; from += 500) {
    const projectId = gateway.project.id
    stack.server.hub.publish({
      events: Array.from({ length: 500 }, (_, index) => ({
        event: event(from + index),
        isNew: true,
        projectId,
        gatewayId: gateway.id,
      })),
    })
    await expect(pops.getByText(`第 ${from + 499} 条`, { exact: true })).toBeVisible()
  }
  await expect(pops.getByRole('alert')).toHaveCount(8)
  await expect(pops.getByText(/另有 \d+ 条较早的弹窗已自动关闭/)).toBeVisible()
  await page.getByRole('button', { name: '清除弹窗' }).click()
  await expect(pops.getByRole('alert')).toHaveCount(0)
})

test.describe('as an installation is set up', () => {
  let own: Stack
  test.beforeAll(async () => {
    own = await startStack({
      env: {
        LINEWARDEN_COMPANY: '华东精密制造',
        LINEWARDEN_EXTRA_ROUTE: 'admin',
        LINEWARDEN_PROVIDER: '127.0.0.1|供应商网站|https://provider.example/',
      },
    })
  })
  test.afterAll(() => own.close())

  test('company, provider link and the extra route at position 4 are there', async ({ page }) => {
    await live(page, own)
    await expect(page).toHaveTitle('通用智能管理平台')
    await expect(page.getByText('华东精密制造')).toBeVisible()
    await expect(page.getByRole('navigation', { name: '主菜单' }).getByRole('button').nth(3)).toHaveText('预警规则')
    await page.getByRole('button', { name: 'admin' }).click()
    await expect(page.getByRole('menuitem', { name: '供应商网站' })).toHaveAttribute('href', 'https://provider.example/')
  })
})

test('without company details the title is the plain one, and no provider is linked', async ({ page, stack }) => {
  await live(page, stack)
  await expect(page).toHaveTitle('通用管理平台')
  await page.locator('.user > button').click()
  await expect(page.getByRole('menuitem', { name: '退出登录' })).toBeVisible()
  await expect(page.locator('.drop a')).toHaveCount(0)
})
