import { placeTag } from '@linewarden/contract'
import { validSeconds } from '@linewarden/rules/control'
import type { Locator, Page } from '@playwright/test'
import { signedIn } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { openTab } from '../drawer-tab.ts'
import { keepSession } from '../sign-in.ts'
import { closePopUps, expect, forgive, test } from '../stack.ts'
import { breaker, whileInspected } from './inspected.ts'

// Lines of the fleet that the other files leave alone, counted from the end.
test.beforeEach(async ({ page, stack }) => {
  await keepSession(page, stack)
})

type Stack = Parameters<Parameters<typeof test>[2]>[0]['stack']

const openDrawer = (page: Page, stack: Stack, fromEnd: number) => openDrawerOf(page, stack, breaker(stack, fromEnd).name)

async function openDrawerOf(page: Page, stack: Stack, name: string) {
  const line = [...stack.server.plant.lines.values()].find((each) => each.name === name)
  await page.goto(`/devmon/realtime?at=house:${line?.device.gateway.project.id}&line=${line?.id}`)
  const drawer = page.getByRole('dialog', { name }).first()
  await expect(drawer.getByRole('region', { name: '合闸许可' })).toBeVisible()
  return drawer
}

test('a tag is hung, blocks closing by name, and is taken off by its holder', async ({ page, stack }) => {
  const drawer = await openDrawer(page, stack, 1)
  await openTab(drawer, '挂牌')
  await drawer.getByRole('button', { name: '挂牌' }).click()
  const dialog = page.getByRole('dialog', { name: /^在 .* 上挂牌$/ })
  // The line is closed: that is said before anybody hangs a lock on it, with the way to open it first.
  const warning = dialog.getByRole('alert').filter({ hasText: '带电！挂牌不等于停电' })
  await expect(warning).toContainText('线路仍在合闸位置')
  await warning.getByRole('button', { name: '先分闸' }).click()
  const trip = page.getByRole('dialog', { name: /^分闸 / })
  await trip.getByRole('button', { name: '取消' }).click()
  await drawer.getByRole('button', { name: '挂牌' }).click()
  await dialog.getByLabel(/^原因/).fill('更换电缆头')
  await dialog.getByRole('button', { name: '挂牌', exact: true }).last().click()
  const tags = drawer.getByRole('region', { name: '挂牌与巡检' })
  await expect(tags).toContainText('更换电缆头')
  await openTab(drawer, '实时')
  await expect(drawer.getByRole('region', { name: '合闸许可' })).toContainText('已挂牌')
  // Seen wherever the line is seen.
  const name = breaker(stack, 1).name
  await expect(drawer.locator('.tag-mark.plate')).toHaveText('挂牌 1')
  const row = page.getByRole('row', { name }).first()
  const project = [...stack.server.plant.lines.values()].find((each) => each.name === name)?.device.gateway.project
  await page.getByRole('main').getByRole('button', { name: '挂牌 1', exact: true }).press('Enter')
  await expect(row.locator('.tag-mark')).toHaveText('挂牌')
  const house = page.getByRole('treeitem', { name: project?.name ?? '' })
  await expect(house).toHaveAccessibleName(/挂牌 1/)
  await openTab(drawer, '挂牌')
  await tags.getByRole('button', { name: '取下' }).click()
  await page.getByRole('dialog', { name: /取下/ }).getByRole('button', { name: '取下' }).click()
  await expect(tags).toContainText('未挂牌')
  await expect(row).toHaveCount(0)
  await expect(drawer.locator('.tag-mark.plate')).toHaveCount(0)
  await tags.getByText('已取下的挂牌（1）').click()
  await expect(tags).toContainText(/更换电缆头.*由 admin 取下/)
})

test("a tag's photo is taken with it, and is there to be looked at, also when the tag is off again", async ({ page, stack }) => {
  const drawer = await openDrawer(page, stack, 3)
  await openTab(drawer, '挂牌')
  const tags = drawer.getByRole('region', { name: '挂牌与巡检' })
  await tags.getByRole('button', { name: '挂牌', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^在 .* 上挂牌$/ })
  await dialog.getByLabel(/^原因/).fill('更换断路器')
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'padlock.png', mimeType: 'image/png', buffer: await somePng(page) })
  await expect(dialog).toContainText('padlock.png')
  await dialog.getByRole('button', { name: '挂牌', exact: true }).last().click()
  await expect(tags).toContainText('更换断路器')
  const photo = page.getByRole('dialog', { name: 'admin 的挂牌照片' })
  const look = async () => {
    await tags.getByRole('button', { name: '照片', exact: true }).click()
    const img = photo.getByRole('img', { name: 'admin 的挂牌照片' })
    // As large as it was taken, and of its colour: what was drawn is what arrived.
    await expect.poll(() => img.evaluate((each: HTMLImageElement) => [each.naturalWidth, each.naturalHeight])).toEqual([64, 48])
    const [red = 0, green = 0, blue = 0] = await img.evaluate((each: HTMLImageElement) => {
      const canvas = document.createElement('canvas')
      canvas.getContext('2d')?.drawImage(each, 0, 0)
      return [...(canvas.getContext('2d')?.getImageData(32, 24, 1, 1).data ?? [])]
    })
    expect(red).toBeGreaterThan(200)
    expect(Math.max(green, blue)).toBeLessThan(60)
    await photo.getByRole('button', { name: '关闭' }).click()
  }
  await look()
  await tags.getByRole('button', { name: '取下' }).click()
  await page.getByRole('dialog', { name: /取下/ }).getByRole('button', { name: '取下' }).click()
  await tags.getByText('已取下的挂牌（1）').click()
  await look()
})

test('an inspection locks the line for a minute', async ({ page, stack }) => {
  const drawer = await openDrawer(page, stack, 2)
  await openTab(drawer, '挂牌')
  await drawer.getByRole('button', { name: '开始巡检' }).click()
  await expect(drawer).toContainText('正在巡检')
  await openTab(drawer, '实时')
  await whileInspected(stack, breaker(stack, 2).name, 'device', () =>
    expect(drawer.getByRole('region', { name: '合闸许可' })).toContainText('正在巡检'),
  )
})

test('an inspection of a whole gateway and a tag on it block everything behind it, and every line says so', async ({
  page,
  stack,
  problems,
}) => {
  const drawer = await openDrawerOf(page, stack, '2号楼公共照明')
  await openTab(drawer, '挂牌')
  const section = drawer.getByRole('region', { name: '挂牌与巡检' })
  await section.getByRole('button', { name: '挂牌', exact: true }).click()
  const hanging = page.getByRole('dialog', { name: /^在 .* 上挂牌$/ })
  // It hangs and the answer is lost: chosen anew, another place is another tag.
  forgive(problems, /status of 503/)
  await page.route('**/tags', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.fulfill({ status: 503 })
  })
  await hanging.getByLabel(/^原因/).fill('更换灯具')
  await hanging.getByRole('button', { name: '挂牌', exact: true }).last().click()
  await expect(hanging.locator('.problem')).not.toBeEmpty()
  await page.unroute('**/tags')
  await hanging.getByRole('button', { name: '整个网关' }).click()
  await expect(hanging).toContainText(/2 台设备、12 条线路（含以后新增的）/)
  await hanging.getByLabel(/^原因/).fill('更换进线开关')
  const expected = hanging.getByLabel(/^预计结束时间/)
  await expected.fill('05/01/2099')
  await expect(hanging.getByText('请按“2026-11-22 18:30”填写日期和时间')).toBeVisible()
  await expected.fill('2099-05-01 17:30')
  expect(await violations(page)).toEqual([])
  await hanging.getByRole('button', { name: '挂牌', exact: true }).last().click()
  await expect(section).toContainText(/更换进线开关.*挂在整个网关.*预计 .*17:30.* 结束/)
  await section.getByRole('listitem').filter({ hasText: '更换灯具' }).getByRole('button', { name: '取下' }).click()
  await page.getByRole('dialog', { name: /取下/ }).getByRole('button', { name: '取下' }).click()
  await expect(section.getByRole('listitem')).toHaveCount(1)
  await section.getByRole('button', { name: '巡检整个网关' }).click()
  const dialog = page.getByRole('dialog', { name: /^巡检网关 / })
  await expect(dialog).toContainText(/2 台设备、12 条线路/)
  await dialog.getByRole('button', { name: '巡检整个网关' }).click()
  await expect(section).toContainText(/正在巡检整个网关，剩余 [1-5]?\d 秒/)
  await expect(section).toContainText('admin')
  const number =
    [...stack.server.plant.lines.values()].find(({ name }) => name === '2号楼公共照明')?.device.gateway.number ?? 'none'
  await page.goto(`/system/geteway?Number=${number}`)
  await expect(page.getByRole('row', { name: number })).toContainText('挂牌 1')
  // A line of the gateway's other device.
  const other = await openDrawerOf(page, stack, '2号楼水泵')
  const inspected = (seen: () => Promise<void>) => whileInspected(stack, '2号楼水泵', 'gateway', seen)
  await inspected(() => expect(other.getByRole('region', { name: '合闸许可' })).toContainText('正在巡检'))
  await expect(other.getByRole('region', { name: '合闸许可' })).toContainText('已挂牌：admin（整个网关：更换进线开关）')
  const there = other.getByRole('region', { name: '挂牌与巡检' })
  await openTab(other, '挂牌')
  await inspected(() => expect(there).toContainText('正在巡检整个网关'))
  await there.getByRole('button', { name: '取下' }).click()
  const off = page.getByRole('dialog', { name: '取下 admin 的挂牌' })
  await expect(off).toContainText('2 台设备、12 条线路都不再受它限制')
  await off.getByRole('button', { name: '取下' }).click()
  await expect(there).toContainText('未挂牌')
  await openTab(other, '实时')
  await expect(other.getByRole('region', { name: '合闸许可' })).not.toContainText('已挂牌')
})

test('a self-test shows its trip time and its certificate, and the trip analysis says what opened the line', async ({
  page,
  stack,
}) => {
  const drawer = await openDrawer(page, stack, 12)
  await openTab(drawer, '操作')
  const tests = drawer.getByRole('region', { name: '漏电自检' })
  await expect(tests).toContainText('从未自检')
  await tests.getByRole('button', { name: '开始自检' }).click()
  const dialog = page.getByRole('dialog', { name: /^漏电自检 / })
  await dialog.getByLabel(/^原因/).fill('月度自检')
  await dialog.getByRole('button', { name: '开始自检' }).click()
  await expect(dialog).toContainText('1/1 已完成')
  await dialog.getByRole('button', { name: '关闭' }).click()
  await expect(tests).toContainText(/合格.*脱扣 \d+ ms（限值 300 ms）/)
  await tests.getByRole('button', { name: '证书' }).click()
  const certificate = page.getByRole('dialog', { name: '漏电自检证书' })
  await expect(certificate).toContainText(/LW-ST-\d{8}/)
  await certificate.getByRole('button', { name: '关闭' }).click()
  await openTab(drawer, '跳闸分析')
  await expect(drawer.getByRole('region', { name: '跳闸分析' })).toContainText('漏电自检')
})

test('a group trips what was chosen, by the control password of whoever has one, and the ledger shows each step with its evidence', async ({
  stack,
  browser,
}) => {
  const guarded = { userName: 'guarded', password: 'Duty-7391' }
  await stack.server.accounts.createAccount({ ...guarded, kind: 'platform', controlPassword: 'Ctrl-2580' })
  const context = await browser.newContext()
  const page = await context.newPage()
  await closePopUps(page)
  await keepSession(page, { ...stack, admin: guarded })
  const { controllerId, lineNo, name } = breaker(stack, 13)
  const line = stack.server.plant.lineAt(controllerId, lineNo)
  const house = line?.device.gateway.project.id
  /** Nothing goes without the control password: it is asked for, and nothing entered is no wrong try. */
  const order = async (dialog: Locator, button: string) => {
    await dialog.getByLabel(/^原因/).fill('整柜检修')
    for (let i = 0; i < 5; i++) await dialog.getByRole('button', { name: button }).click()
    await expect(dialog.getByText('请输入控制密码')).toBeVisible()
    await dialog.getByLabel(/^控制密码/).fill('Ctrl-2580')
    await dialog.getByRole('button', { name: button }).click()
  }
  await page.goto(`${stack.url}/devmon/realtime?at=line:${house}:${line?.id}`)
  await page.getByRole('button', { name: '批量操作' }).click()
  const dialog = page.getByRole('dialog', { name: '批量操作' })
  await dialog.getByRole('button', { name: '分闸', exact: true }).click()
  await expect(dialog).toContainText('分闸不受任何联锁限制')
  await dialog.getByRole('checkbox', { name }).check()
  await order(dialog, '分闸停电（1 路）')
  await expect(dialog).toContainText('位置已核实')
  await dialog.getByRole('button', { name: '关闭' }).click()

  // A trip waits for nothing, also of a line that is open; its dialog says how long it is good for.
  await page.goto(`${stack.url}/devmon/realtime?at=house:${house}&line=${line?.id}`)
  await page.locator('.operate-foot').getByRole('button', { name: '分闸' }).click()
  const trip = page.getByRole('dialog', { name: `分闸 ${name}` })
  await expect(trip).toContainText(`${validSeconds('trip')} 秒内有效`)
  await order(trip, '分闸停电')
  await expect(trip).toBeHidden()

  await page.goto(`${stack.url}/devmon/ledger?device=${controllerId}&no=${lineNo}`)
  const row = page.getByRole('row', { name: new RegExp(name) }).filter({ hasText: '批量' })
  await row.getByRole('button', { name: '步骤' }).click()
  const steps = page.getByRole('dialog', { name: '操作步骤' })
  await expect(steps).toContainText('通过全部检查')
  await expect(steps).toContainText('上报位置：分闸')
  await context.close()
})

test('a group has nothing chosen, tells what stands against each line, and leaves out what is blocked', async ({
  page,
  stack,
}) => {
  const { controllerId } = breaker(stack, 20)
  const device = stack.server.plant.deviceByControllerId.get(controllerId)
  const lines = [...(device?.lines.values() ?? [])]
  const [tagged, ...others] = lines
  if (!device || !tagged) throw new Error('the fleet has no such breaker')
  const client = await signedIn(stack.url, stack.admin)
  await client.call(placeTag, {
    params: { ControllerID: controllerId, LineNo: tagged.lineNo },
    body: { TagID: crypto.randomUUID(), Kind: 'lock', Reason: '更换电缆头' },
  })
  await page.goto(`/devmon/realtime?at=device:${device.gateway.project.id}:${controllerId}`)
  await page.getByRole('button', { name: '批量操作' }).click()
  const dialog = page.getByRole('dialog', { name: '批量操作' })
  for (const action of ['分闸', '合闸', '自检'])
    await expect(dialog.getByRole('button', { name: action, exact: true })).toHaveAttribute('aria-pressed', 'false')
  await expect(dialog).toContainText('请先选择要执行的操作')
  await expect(dialog.getByRole('button', { name: '执行' })).toBeDisabled()

  await dialog.getByRole('button', { name: '合闸', exact: true }).click()
  const row = (name: string) => dialog.locator('.group-lines section > ul > li').filter({ hasText: name })
  for (const { name } of lines) await expect(row(name)).toContainText(/线路已经合闸.*无需操作/)
  await expect(dialog.getByRole('button', { name: '选中可操作的 0 路' })).toBeDisabled()

  await dialog.getByRole('button', { name: '自检', exact: true }).click()
  await expect(row(tagged.name)).toContainText(/1 项未满足.*已挂牌：.*更换电缆头.*挂牌人/)
  for (const { name } of others) await expect(row(name)).toContainText('可操作')
  for (const tick of await dialog.locator('.group-lines').getByRole('checkbox').all()) await expect(tick).not.toBeChecked()
  await dialog.getByRole('button', { name: `选中可操作的 ${others.length} 路` }).click()
  await expect(dialog.getByRole('checkbox', { name: tagged.name })).not.toBeChecked()
  await dialog.getByRole('checkbox', { name: tagged.name }).check()
  await expect(dialog).toContainText('所选线路中有 1 路未满足条件或未确认，不会执行')
  const pause = dialog.getByLabel('线路间隔')
  await pause.fill('0.5')
  await expect(dialog.getByText('间隔为 1 至 60 秒，最多一位小数')).toBeVisible()
  await pause.fill('1.5')
  await expect(dialog).toContainText(`全部下发约需 ${(others.length - 1) * 1.5} 秒`)
  expect(await violationsInBothThemes(page)).toEqual([])
  // However long the choice is, the way out and the order stay in sight.
  await page.setViewportSize({ width: 390, height: 640 })
  for (const name of [/^取消$/, /^自检（/]) await expect(dialog.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 720 })

  // What was chosen for a test is not chosen for a trip, and a trip waits for nothing.
  await dialog.getByRole('button', { name: '分闸', exact: true }).click()
  await expect(dialog).toContainText(`已选 0/${lines.length} 路`)
  await dialog.getByRole('button', { name: `选中可操作的 ${lines.length} 路` }).click()
  await expect(dialog).toContainText(`${lines.length} 路将同时分闸停电。`)
  await expect(dialog).not.toContainText('全部下发约需')
  await dialog.getByRole('button', { name: '自检', exact: true }).click()
  await dialog.getByRole('button', { name: `选中可操作的 ${others.length} 路` }).click()
  await dialog.getByRole('checkbox', { name: tagged.name }).check()

  await dialog.getByLabel(/^原因/).fill('月度自检')
  // So many are not begun without saying how many they are.
  await expect(dialog).toContainText(/将断开负荷 \d+\.\d kW|当前负荷未知/)
  await dialog.getByRole('button', { name: `自检（${others.length} 路）` }).click()
  const typed = dialog.getByLabel(`涉及 ${others.length} 路，请输入该数量确认`)
  await expect(dialog.getByText(`请输入 ${others.length}`, { exact: true })).toBeVisible()
  await typed.fill(String(others.length + 1))
  await dialog.getByRole('button', { name: `自检（${others.length} 路）` }).click()
  await expect(dialog.getByText(`请输入 ${others.length}`, { exact: true })).toBeVisible()
  await typed.fill(String(others.length))
  await dialog.getByRole('button', { name: `自检（${others.length} 路）` }).click()
  await expect(dialog).toContainText(`${others.length}/${others.length} 已完成`)
  await expect(dialog).not.toContainText(tagged.name)
  const tested = stack.fleet.executed.filter((each) => each.controllerId === controllerId && each.action === 'selfTest')
  expect(tested.map(({ lineNo }) => lineNo)).toEqual(others.map(({ lineNo }) => lineNo))
})

test('a line of a group shows its state as of now only while its equipment is there', async ({ page, stack }) => {
  const { controllerId, name } = breaker(stack, 20)
  const project = stack.server.plant.deviceByControllerId.get(controllerId)?.gateway.project
  await page.goto(`/devmon/realtime?at=device:${project?.id}:${controllerId}`)
  await page.getByRole('button', { name: '批量操作' }).click()
  const dialog = page.getByRole('dialog', { name: '批量操作' })
  await dialog.getByRole('button', { name: '分闸', exact: true }).click()
  const row = dialog.locator('.group-lines li').filter({ hasText: name })
  const load = row.locator('.kw')
  await expect(load).toHaveText(/ kW$/)
  await expect(row).toContainText('合闸')
  const gateway = stack.fleet.gatewayOf(controllerId)
  gateway.disconnectAbruptly()
  await expect(load).toHaveText(/^旧/)
  await expect(row).not.toContainText('合闸')
  expect(await violationsInBothThemes(page)).toEqual([])
  await gateway.reconnect()
  await expect(load).toHaveText(/ kW$/)
  await expect(row).toContainText('合闸')
})

test('a group that goes on after its dialog was closed is found again, and stopped', async ({ page, stack }) => {
  const { controllerId } = breaker(stack, 27)
  const device = stack.server.plant.deviceByControllerId.get(controllerId)
  const lines = [...(device?.lines.values() ?? [])]
  await page.goto(`/devmon/realtime?at=device:${device?.gateway.project.id}:${controllerId}`)
  await page.getByRole('button', { name: '批量操作', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '自检', exact: true }).click()
  await dialog.getByRole('button', { name: `选中可操作的 ${lines.length} 路` }).click()
  await dialog.getByLabel('线路间隔').fill('60')
  await dialog.getByLabel(/^原因/).fill('年度自检')
  await dialog.getByLabel(/^涉及 \d+ 路/).fill(String(lines.length))
  await dialog.getByRole('button', { name: `自检（${lines.length} 路）` }).click()
  await expect(dialog.getByRole('button', { name: '停止' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('button', { name: '1 个批量操作进行中' }).click()
  await expect(dialog).toContainText('等待')
  await expect(dialog).toContainText('退出登录后仍继续执行')
  await dialog.getByRole('button', { name: '停止' }).click()
  await expect(dialog).toContainText('已停止，未执行')
  await expect(dialog).not.toContainText('退出登录后仍继续执行')
  await dialog.getByRole('button', { name: '关闭' }).click()
  await expect(page.getByRole('button', { name: /批量操作进行中/ })).toHaveCount(0)

  await page.goto('/devmon/ledger')
  await page.getByRole('button', { name: '按批次' }).click()
  const row = page.getByRole('row', { name: /年度自检/ })
  await expect(row).toContainText(/由 admin 停止/)
  await expect(row).toContainText(`已停止 ${lines.length - 1}`)
  await row.getByRole('button', { name: '查看进度' }).click()
  await expect(dialog).toContainText('已停止，未执行')
  await dialog.getByRole('button', { name: '关闭' }).click()
  await page.getByRole('button', { name: '逐条命令' }).click()
  await page
    .getByRole('row', { name: /年度自检/ })
    .getByRole('button', { name: '批量操作进度' })
    .click()
  await expect(dialog).toContainText('已停止，未执行')
})

/** A red picture of 64 x 48, as the browser itself makes one. */
async function somePng(page: Page): Promise<Buffer> {
  const data = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 })
    const pen = canvas.getContext('2d')
    if (pen) pen.fillStyle = '#e01010'
    pen?.fillRect(0, 0, 64, 48)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  return Buffer.from(data, 'base64')
}
