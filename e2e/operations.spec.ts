import type { Page } from '@playwright/test'
import { signIn } from './sign-in.ts'
import { expect, test } from './stack.ts'

// Lines of the fleet that the other files leave alone, counted from the end.
test.beforeEach(async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page).toHaveURL(/realtime/)
})

type Stack = Parameters<Parameters<typeof test>[2]>[0]['stack']

/** A breaker with leakage protection. */
function breaker(stack: Stack, fromEnd: number) {
  const lines = [...stack.fleet.gateways.values()].flatMap((gateway) =>
    gateway
      .devices()
      .flatMap(({ controllerId, family, lines: own }) =>
        family.key.startsWith('breaker') ? [...own.values()].map(({ plan }) => ({ controllerId, ...plan })) : [],
      ),
  )
  const line = lines.at(-fromEnd)
  if (!line) throw new Error('the fleet has too few breakers')
  return line
}

async function openDrawer(page: Page, stack: Stack, fromEnd: number) {
  const { controllerId, lineNo, name } = breaker(stack, fromEnd)
  const line = stack.server.plant.lineAt(controllerId, lineNo)
  await page.goto(`/devmon/realtime?at=house:${line?.device.gateway.project.id}&line=${line?.id}`)
  const drawer = page.getByRole('dialog', { name }).first()
  await expect(drawer.getByRole('region', { name: '合闸许可' })).toBeVisible()
  return drawer
}

test('a tag is hung, blocks closing by name, and is taken off by its holder', async ({ page, stack }) => {
  const drawer = await openDrawer(page, stack, 1)
  await drawer.getByRole('button', { name: '挂牌' }).click()
  const dialog = page.getByRole('dialog', { name: /^在 .* 上挂牌$/ })
  await dialog.getByLabel(/^原因/).fill('更换电缆头')
  await dialog.getByRole('button', { name: '挂牌', exact: true }).last().click()
  const tags = drawer.getByRole('region', { name: '挂牌与巡检' })
  await expect(tags).toContainText('更换电缆头')
  await expect(drawer.getByRole('region', { name: '合闸许可' })).toContainText('已挂牌')
  await tags.getByRole('button', { name: '取下' }).click()
  await page.getByRole('dialog', { name: /取下/ }).getByRole('button', { name: '取下' }).click()
  await expect(tags).toContainText('未挂牌')
})

test('an inspection locks the line for a minute', async ({ page, stack }) => {
  const drawer = await openDrawer(page, stack, 2)
  await drawer.getByRole('button', { name: '开始巡检' }).click()
  await expect(drawer.getByRole('region', { name: '合闸许可' })).toContainText('正在巡检')
})

test('a self-test shows its trip time and its certificate, and the autopsy says what opened the line', async ({
  page,
  stack,
}) => {
  const drawer = await openDrawer(page, stack, 12)
  const tests = drawer.getByRole('region', { name: '漏电自检' })
  await expect(tests).toContainText('从未自检')
  await tests.getByRole('button', { name: '开始自检' }).click()
  const dialog = page.getByRole('dialog', { name: /^漏电自检 / })
  await dialog.getByLabel(/^原因/).fill('月度自检')
  await dialog.getByRole('button', { name: '执行' }).click()
  await expect(dialog).toContainText('1/1 已完成')
  await dialog.getByRole('button', { name: '关闭' }).click()
  await expect(tests).toContainText(/合格.*脱扣 \d+ ms（限值 300 ms）/)
  await tests.getByRole('button', { name: '证书' }).click()
  const certificate = page.getByRole('dialog', { name: '漏电自检证书' })
  await expect(certificate).toContainText(/LW-ST-\d{8}/)
  await certificate.getByRole('button', { name: '关闭' }).click()
  await expect(drawer.getByRole('region', { name: '跳闸分析' })).toContainText('漏电自检', { timeout: 15_000 })
})

test('a group trips what was chosen, and the ledger shows each step with its evidence', async ({ page, stack }) => {
  const { controllerId, lineNo, name } = breaker(stack, 13)
  const line = stack.server.plant.lineAt(controllerId, lineNo)
  const house = line?.device.gateway.project.id
  await page.goto(`/devmon/realtime?at=line:${house}:${line?.id}`)
  await page.getByRole('button', { name: '批量操作' }).click()
  const dialog = page.getByRole('dialog', { name: '批量操作' })
  await dialog.getByLabel(/^原因/).fill('整柜检修')
  await dialog.getByRole('button', { name: '执行' }).click()
  await expect(dialog).toContainText('位置已核实')
  await dialog.getByRole('button', { name: '关闭' }).click()
  await page.goto(`/devmon/ledger?device=${controllerId}&no=${lineNo}`)
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('批量')
  await row.getByRole('button', { name: '步骤' }).click()
  const steps = page.getByRole('dialog', { name: '操作步骤' })
  await expect(steps).toContainText('通过全部检查')
  await expect(steps).toContainText('上报位置：分闸')
})
