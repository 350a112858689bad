import type { Action, Family } from '@linewarden/equipment'
import { families } from '@linewarden/equipment'
import { everyFamilyPlan } from '@linewarden/testkit'
import type { Locator, Page } from '@playwright/test'
import { signIn } from './sign-in.ts'
import { expect, test } from './stack.ts'

// One device of each family: a new family is tested the day its file is added.
test.use({ options: { plan: everyFamilyPlan } })

type Stack = Parameters<Parameters<typeof test>[2]>[0]['stack']

test.beforeEach(async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page).toHaveURL(/realtime/)
})

const lineNoOf = ({ level }: Family) => (level === 'line' ? 1 : 0)
const nameOf = ({ key, level }: Family) => (level === 'line' ? `${key} 1` : key)

/** The drawer of the family's device, with everything in it. */
async function openDrawer(page: Page, family: Family): Promise<Locator> {
  await page.getByRole('row', { name: nameOf(family), exact: true }).click()
  const drawer = page.getByRole('dialog', { name: nameOf(family), exact: true })
  await expect(drawer.getByRole('region', { name: '测点数值' })).toBeVisible()
  return drawer
}

/** The last command of the line in the drawer's ledger. */
const lastCommand = (drawer: Locator) =>
  drawer
    .getByRole('region', { name: '操作记录' })
    .getByRole('listitem')
    .filter({ has: drawer.page().locator('.what') })
    .first()

/** The action is ordered from the drawer and ends when the equipment reports what proves it. */
async function isProven(order: { page: Page; stack: Stack; family: Family; drawer: Locator; action: Action }): Promise<void> {
  const { page, stack, family, drawer, action } = order
  if (action.key === 'silence') await sounding(stack, family)
  const button = drawer.getByRole('button', { name: action.label.zh, exact: true })
  await expect(button).toBeEnabled()
  await button.click()
  const dialog = page.getByRole('dialog', { name: new RegExp(`^${action.label.zh} `) })
  await dialog.getByLabel('其他原因').fill('整机核对')
  await dialog.locator('.foot .primary').click()
  await expect(lastCommand(drawer).locator('.outcome')).toContainText(/位置已核实|设备上报已证实/)
  expect(stack.fleet.executed.at(-1)).toMatchObject({
    controllerId: family.key,
    lineNo: lineNoOf(family),
    action: action.key,
    outcome: 'executed',
  })
}

for (const family of families) {
  test(`${family.key}: its row, its tile and its drawer say what it reports, and it does what it is told`, async ({
    page,
    stack,
  }) => {
    const row = page.getByRole('row', { name: nameOf(family), exact: true })
    await expect(row).toContainText(family.level === 'line' ? '合闸' : '正常')
    const drawer = await openDrawer(page, family)
    await expect(drawer).toContainText(family.label.zh)
    const values = drawer.getByRole('region', { name: '测点数值' })
    for (const { label } of family.points) await expect(values.getByText(label.zh, { exact: true })).toBeVisible()
    await expect(values).toContainText(/收到.*设备时间.*质量良好/)
    await expect(values.locator('dd .value', { hasText: '–' })).toHaveCount(0)
    // What the equipment reports next is what stands there.
    const [point] = family.points
    if (!point) throw new Error('a family without points')
    const told = 7.3
    if (family.level === 'line') {
      const gateway = stack.fleet.gatewayOf(family.key)
      gateway.setPoint(family.key, 1, point.key, told)
      await gateway.report()
      await expect(values.locator('div', { hasText: point.label.zh }).first()).toContainText(told.toFixed(point.precision))
    }
    // Closing waits for its gap after the trip and has a test of its own; a leakage test is ordered from its own section.
    for (const action of family.actions)
      if (action.key !== 'close' && !action.measures)
        await test.step(action.key, () => isProven({ page, stack, family, drawer, action }))
    // The pressed button cannot be pressed again and has lost the focus; the key is heard all the same.
    // A dialog that is still there takes the first one.
    await expect(async () => {
      await page.keyboard.press('Escape')
      await expect(drawer).toBeHidden({ timeout: 500 })
    }).toPass({ timeout: 10_000 })
    await page.getByRole('button', { name: '卡片' }).click()
    await expect(page).toHaveURL(/view=cards/)
    const card = page.getByRole('row', { name: nameOf(family), exact: true })
    await expect(card).toBeVisible()
    if (family.level === 'device') {
      await expect(card).toContainText('最近上报')
      for (const quantity of ['battery', 'signal']) {
        const upkeep = family.points.find((each) => each.quantity === quantity)
        if (upkeep) await expect(card).toContainText(upkeep.label.zh)
      }
    }
  })
}

test('silencing what is quiet is refused before anybody presses, with the reason', async ({ page }) => {
  const smoke = families.find(({ key }) => key === 'smoke')
  if (!smoke) throw new Error('there is no smoke detector')
  const drawer = await openDrawer(page, smoke)
  const foot = drawer.locator('.operate-foot')
  await expect(foot.getByRole('button', { name: '消音' })).toBeDisabled()
  await expect(foot).toContainText('现在没有鸣响，无需消音')
})

test('an order that nobody answers ends as unknown, never as done', async ({ page, stack }) => {
  const nb = families.find(({ key }) => key === 'nt8141')
  if (!nb) throw new Error('there is no NB-IoT detector')
  const { behaviour } = stack.fleet.gatewayOf(nb.key)
  await sounding(stack, nb)
  const drawer = await openDrawer(page, nb)
  const silence = drawer.getByRole('button', { name: '消音', exact: true })
  await expect(silence).toBeEnabled()
  // The gateway takes the order and is never heard of it again.
  Object.assign(behaviour, { acknowledge: false, move: false, report: false })
  await silence.click()
  const dialog = page.getByRole('dialog', { name: /^消音 / })
  await dialog.getByLabel('其他原因').fill('无应答')
  await dialog.locator('.foot .primary').click()
  const outcome = lastCommand(drawer).locator('.outcome')
  await expect(outcome).toContainText('结果未知', { timeout: 20_000 })
  Object.assign(behaviour, { acknowledge: true, move: true, report: true })
})

test('an arc fault is on record with its half-cycles and the minute around it', async ({ page, stack }) => {
  const arc = families.find(({ key }) => key === 'arcDetector')
  if (!arc) throw new Error('there is no arc detector')
  const drawer = await openDrawer(page, arc)
  const records = drawer.getByRole('region', { name: '电弧记录' })
  await expect(records).toContainText('这段时间没有故障电弧')
  await records.getByRole('button', { name: '全部' }).click()
  await expect(records).toContainText('从未记录到故障电弧')
  stack.fleet.run('arc', { controllerId: arc.key })
  const entry = records.getByRole('button', { name: /故障电弧报警/ })
  await expect(entry).toContainText(/\d+半周期\/秒.*未复位/, { timeout: 20_000 })
  await entry.click()
  await expect(records.getByRole('img', { name: '1秒内电弧半周期数' })).toBeVisible()
  await expect(records.getByRole('img', { name: '电弧电流波形' })).toBeVisible()
  await expect(records).toContainText(/峰值 \d+\.\d\d A，200 ms/)
})

test('filters find what is abnormal of every family, and the tree counts it', async ({ page, stack }) => {
  stack.fleet.run('smoke', { controllerId: 'nt8117' })
  stack.fleet.run('shortCircuit', { controllerId: 'currentLimiter' })
  await expect(page.getByRole('row', { name: 'nt8117', exact: true })).toContainText('报警', { timeout: 20_000 })
  await page.getByRole('button', { name: '只看异常' }).click()
  await expect(page.getByRole('row', { name: 'nt8117', exact: true })).toBeVisible()
  await expect(page.getByRole('row', { name: 'nt8141', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: /^脱扣/ }).click()
  await expect(page.getByRole('row', { name: 'currentLimiter', exact: true })).toBeVisible()
  await expect(page.getByRole('row', { name: 'nt8117', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: /^探测器报警/ }).click()
  await expect(page.getByRole('row', { name: 'nt8117', exact: true })).toBeVisible()
  const gateway = page.getByRole('treeitem', { name: '设备族柜' })
  await expect(gateway.locator('.abnormal > .alarm')).toHaveText(/\d+/)
})

/** Somebody pressed its test button. */
async function sounding(stack: Stack, { key }: Family): Promise<void> {
  stack.fleet.run('sounder', { controllerId: key })
  await stack.fleet.gatewayOf(key).report()
}
