import { createClient } from '@linewarden/client'
import { placeTag, tokenDetails } from '@linewarden/contract'
import type { Action, Family, Point } from '@linewarden/equipment'
import { families } from '@linewarden/equipment'
import type { Locator, Page } from '@playwright/test'
import { everyFamilyPlan } from '../../kit/every-family-plan.ts'
import { signedIn } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { openTab } from '../drawer-tab.ts'
import { enter } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

// One device of each family: a new family is tested the day its file is added.
test.use({ options: { plan: everyFamilyPlan } })

type Stack = Parameters<Parameters<typeof test>[2]>[0]['stack']

test.beforeEach(async ({ page, stack }) => {
  await enter(page, stack)
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

/** How well a detector can be reached: its tile says so apart from what it senses. */
const isUpkeep = ({ quantity }: Point) => quantity === 'battery' || quantity === 'signal'

/** A figure for the first thing the family senses and for each of its upkeep: none it has by itself, and none that is an alarm. */
function figuresOf({ points }: Family): readonly (readonly [Point, number])[] {
  const sensed = points.find((point) => !isUpkeep(point))
  if (!sensed) throw new Error('a family that senses nothing')
  const upkeep = points.filter(isUpkeep).map((point) => [point, point.quantity === 'battery' ? 63 : -81] as const)
  return [[sensed, 7.3], ...upkeep]
}

/** What stands in the field, where a test insists on its figures. */
function equipmentOf(stack: Stack, { key, level }: Family) {
  const gateway = stack.fleet.gatewayOf(key)
  return level === 'line' ? gateway.line(key, 1) : gateway.detector(key)
}

/** The figure of a point in the drawer. */
const figureOf = (values: Locator, { label }: Point) =>
  values
    .locator('dl > div')
    .filter({ has: values.page().getByText(label.zh, { exact: true }) })
    .locator('.value')

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
  await dialog.getByLabel('原因').fill('整机核对')
  await dialog.locator('.foot .primary').click()
  // It closes once the ledger has the new command: until then the last one is the one before.
  await expect(dialog).toBeHidden()
  await expect(lastCommand(drawer).locator('.outcome')).toContainText(/位置已核实|设备上报已证实/)
  // A trip that is not proven within a second is sent again, and the copy refused.
  const executed = stack.fleet.executed.filter(({ outcome }) => outcome === 'executed')
  expect(executed.at(-1)).toMatchObject({ controllerId: family.key, lineNo: lineNoOf(family), action: action.key })
}

/** Each kind of equipment once: a breaker, a detector with a sounder, one on a bus. The long run operates all; the API does in every run. */
const operated = families.filter(({ key }) => process.env.TEST_LONG || ['breaker1p', 'smoke', 'detectorRs'].includes(key))

test('the row, the drawer and the tile of every family say what it reports', async ({ page, stack }) => {
  test.setTimeout(600_000)
  for (const family of families)
    await test.step(family.key, async () => {
      const row = page.getByRole('row', { name: nameOf(family), exact: true })
      await expect(row).toContainText(family.level === 'line' ? '合闸' : '正常')
      const drawer = await openDrawer(page, family)
      await expect(drawer).toContainText(family.label.zh)
      const values = drawer.getByRole('region', { name: '测点数值' })
      for (const { label } of family.points) await expect(values.getByText(label.zh, { exact: true })).toBeVisible()
      await expect(values).toContainText(/收到.*设备时间.*质量良好/)
      await expect(values.locator('dd .value', { hasText: '–' })).toHaveCount(0)
      // What the equipment reports next is what stands there.
      const figures = figuresOf(family)
      const { forced } = equipmentOf(stack, family)
      for (const [point, figure] of figures) forced.set(point.key, figure)
      await stack.fleet.gatewayOf(family.key).report()
      for (const [point, figure] of figures) await expect(figureOf(values, point)).toHaveText(figure.toFixed(point.precision))
      for (const [point] of figures) if (!isUpkeep(point)) forced.delete(point.key)
      await closeDrawer(page, drawer)
    })
  await page.getByRole('button', { name: '卡片' }).click()
  await expect(page).toHaveURL(/view=cards/)
  for (const family of families)
    await test.step(`${family.key}: its tile`, async () => {
      const card = page.getByRole('row', { name: nameOf(family), exact: true })
      await expect(card).toBeVisible()
      if (family.level === 'device') {
        const foot = card.locator('.tile-foot')
        await expect(foot).toContainText('最近上报')
        for (const [point, figure] of figuresOf(family))
          if (isUpkeep(point))
            await expect(foot).toContainText(`${point.label.zh}${figure.toFixed(point.precision)}${point.unit}`)
      }
      equipmentOf(stack, family).forced.clear()
    })
})

for (const family of operated)
  test(`${family.key} does what it is told from its drawer`, async ({ page, stack }) => {
    const drawer = await openDrawer(page, family)
    // Closing waits for its gap after the trip and has a test of its own; a leakage test is ordered from its own section.
    for (const action of family.actions)
      if (action.key !== 'close' && !action.measures)
        await test.step(action.key, () => isProven({ page, stack, family, drawer, action }))
    await closeDrawer(page, drawer)
  })

/** The pressed button cannot be pressed again and has lost the focus; the key is heard all the same. */
async function closeDrawer(page: Page, drawer: Locator): Promise<void> {
  // A dialog that is still there takes the first one.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden({ timeout: 500 })
  }).toPass()
}

test('silencing what is quiet is refused before anybody presses, with the reason', async ({ page }) => {
  const smoke = families.find(({ key }) => key === 'smoke')
  if (!smoke) throw new Error('there is no smoke detector')
  const drawer = await openDrawer(page, smoke)
  await expect(drawer.locator('.operate-foot').getByRole('button', { name: '消音', exact: true })).toBeDisabled()
  await expect(drawer.getByRole('region', { name: '操作许可' })).toContainText('没有鸣响，无需消音')
})

test('a tag hangs on a detector, blocks its test by name beside all else, and is taken off again', async ({ page }) => {
  const detector = families.find(({ key }) => key === 'detectorRs')
  if (!detector) throw new Error('there is no RS-485 detector')
  const drawer = await openDrawer(page, detector)
  const permits = drawer.getByRole('region', { name: '操作许可' })
  await expect(permits).toContainText('可以自检')
  const tags = drawer.getByRole('region', { name: '挂牌与巡检' })
  await openTab(drawer, '挂牌')
  await tags.getByRole('button', { name: '挂牌' }).click()
  const placing = page.getByRole('dialog', { name: /^在 .* 上挂牌$/ })
  await expect(placing).toContainText('消音不受影响')
  await placing.getByLabel(/^原因/).fill('更换探头')
  await placing.getByRole('button', { name: '挂牌', exact: true }).last().click()
  await tags.getByRole('button', { name: '开始巡检' }).click()
  await expect(tags).toContainText(/正在巡检本设备，剩余 \d+ 秒/)
  await openTab(drawer, '实时')
  await expect(permits).toContainText(/不可自检.*2 项未满足.*到时自动解除.*已挂牌：.*更换探头.*挂牌人/)
  await expect(drawer.locator('.operate-foot').getByRole('button', { name: '自检：2 项未满足' })).toBeDisabled()
  expect(await violationsInBothThemes(page)).toEqual([])
  await openTab(drawer, '挂牌')
  await tags.getByRole('button', { name: '取下' }).click()
  await page.getByRole('dialog', { name: /取下/ }).getByRole('button', { name: '取下' }).click()
  await tags.getByText('已取下的挂牌（1）').click()
  await expect(tags).toContainText(/更换探头.*由 admin 取下/)
  await openTab(drawer, '实时')
  await expect(permits).not.toContainText('已挂牌')
})

test('where nobody operates or sets anything tags are shown as soon as one is in force, and while it is', async ({
  page,
  stack,
}) => {
  const family = families.find(({ actions, settings }) => actions.length === 0 && settings.length === 0)
  if (!family) throw new Error('everything is operated or set')
  const drawer = await openDrawer(page, family)
  const tags = drawer.getByRole('region', { name: '挂牌与巡检' })
  await expect(tags).toHaveCount(0)
  const client = await signedIn(stack.url, stack.admin)
  const target = { ControllerID: family.key, LineNo: lineNoOf(family) }
  const body = { TagID: crypto.randomUUID(), Kind: 'lock', On: 'gateway', Reason: '更换进线开关' } as const
  await client.call(placeTag, { params: target, body })
  await expect(tags).toContainText(/更换进线开关.*挂在整个网关/)
  await drawer.getByRole('button', { name: '二维码' }).click()
  const code = page.getByRole('dialog', { name: '二维码' })
  await expect(code).toContainText('已挂牌：admin（整个网关）')
  await code.getByRole('button', { name: '关闭' }).click()
  await tags.getByRole('button', { name: '取下' }).click()
  await page.getByRole('dialog', { name: /取下/ }).getByRole('button', { name: '取下' }).click()
  await expect(tags).toHaveCount(0)
})

test('a token of a detector is made, shown once, and taken back; only who manages gateways sees to it', async ({
  page,
  stack,
  problems,
}) => {
  const detector = families.find(({ key }) => key === 'tokenDetector')
  if (!detector) throw new Error('there is no detector by token')
  await page.route(/\/devices\/token\//, (route) => route.fulfill({ status: 503, body: '' }))
  const drawer = await openDrawer(page, detector)
  const section = drawer.getByRole('region', { name: '访问码' })
  await expect(section).toContainText('服务不可用')
  await expect(section.getByRole('button', { name: '生成访问码' })).toBeDisabled()
  await page.unrouteAll()
  await section.getByRole('button', { name: '重试' }).click()
  await expect(section).toContainText('没有有效的访问码')
  forgive(problems, /status of 503/)
  await section.getByRole('button', { name: '生成访问码' }).click()
  await page
    .getByRole('dialog', { name: /^生成 / })
    .getByRole('button', { name: '生成访问码' })
    .click()
  const once = page.getByRole('dialog', { name: 'tokenDetector 的访问码', exact: true })
  await expect(once).toContainText('只显示这一次')
  const token = (await once.locator('code').first().textContent()) ?? ''
  expect(token).toMatch(/^[\w-]{22}$/)
  await expect(once.locator('code').last()).toHaveText(`${stack.url}/api/v1/${token}`)
  const stranger = createClient({ baseUrl: stack.url, session: () => null })
  const opened = () => stranger.call(tokenDetails, { params: { Token: token } })
  expect(await opened()).toMatchObject({ ControllerID: 'tokenDetector' })
  expect(await violations(page)).toEqual([])
  await once.getByRole('button', { name: '已保存' }).click()
  await expect(section).toContainText(/admin 于 .* 生成/)
  expect(await page.content()).not.toContain(token)
  await section.getByRole('button', { name: '收回' }).click()
  const asking = page.getByRole('dialog', { name: /^收回 / })
  await expect(asking).toContainText('立即失效')
  await asking.getByRole('button', { name: '收回' }).click()
  await expect(section).toContainText('没有有效的访问码')
  await expect(opened()).rejects.toThrow('page not found')

  const { accounts, plant } = stack.server
  const roleId = await accounts.createRole({
    number: 'duty',
    name: '值班员',
    privileges: ['devmon', 'devmon.realtime'],
    buttons: ['lineSwitch'],
  })
  const projectIds = [...plant.projects.keys()]
  const duty = { userName: '13800000201', password: 'Duty-7391' }
  await accounts.createAccount({ ...duty, kind: 'sub', roleId, projectIds })
  await page.context().clearCookies()
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await enter(page, { ...stack, admin: duty })
  await openDrawer(page, detector)
  await expect(page.getByRole('region', { name: '操作许可' })).toBeVisible()
  await expect(section).toHaveCount(0)
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
  await dialog.getByLabel('原因').fill('无应答')
  await dialog.locator('.foot .primary').click()
  const outcome = lastCommand(drawer).locator('.outcome')
  await expect(outcome).toContainText('结果未知')
  Object.assign(behaviour, { acknowledge: true, move: true, report: true })
})

test('an arc fault is on record with its half-cycles and the minute around it', async ({ page, stack }) => {
  const arc = families.find(({ key }) => key === 'arcDetector')
  if (!arc) throw new Error('there is no arc detector')
  const drawer = await openDrawer(page, arc)
  await openTab(drawer, '事件')
  const records = drawer.getByRole('region', { name: '电弧记录' })
  await expect(records).toContainText('这段时间没有故障电弧')
  await records.getByRole('button', { name: '全部' }).click()
  await expect(records).toContainText('从未记录到故障电弧')
  stack.fleet.run('arc', { controllerId: arc.key })
  const entry = records.getByRole('button', { name: /故障电弧报警/ })
  await expect(entry).toContainText(/\d+半周期\/秒.*未复位/)
  await entry.click()
  await expect(records.getByRole('img', { name: '1秒内电弧半周期数' })).toBeVisible()
  await expect(records.getByRole('img', { name: '电弧电流波形' })).toBeVisible()
  await expect(records).toContainText(/峰值 \d+\.\d\d A，200 ms/)
})

test('filters find what is abnormal of every family, and the tree counts it', async ({ page, stack }) => {
  stack.fleet.run('smoke', { controllerId: 'nt8117' })
  stack.fleet.run('shortCircuit', { controllerId: 'currentLimiter' })
  await expect(page.getByRole('row', { name: 'nt8117', exact: true })).toContainText('报警')
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
