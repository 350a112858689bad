import { md5Hex } from '@linewarden/client'
import {
  addRole,
  addSubAccount,
  detection,
  lineFeed,
  quietHours,
  reclosure,
  setDetection,
  setFeed,
  setQuietHours,
  setReclosure,
  updateLine,
} from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { signedIn } from '../../kit/stack.ts'
import { violationsInBothThemes } from '../axe.ts'
import { openTab } from '../drawer-tab.ts'
import { keepSession, signIn } from '../sign-in.ts'
import { closePopUps, expect, forgive, test } from '../stack.ts'

test.beforeEach(async ({ page, stack }) => {
  await keepSession(page, stack)
})

type Stack = Parameters<Parameters<typeof test>[2]>[0]['stack']

async function openDrawer(page: Page, { server }: Stack, name: string) {
  const line = [...server.plant.lines.values()].find((each) => each.name === name)
  if (!line) throw new Error(`there is no line ${name}`)
  await page.goto(`/devmon/realtime?at=house:${line.device.gateway.project.id}&line=${line.id}`)
  const drawer = page.getByRole('dialog', { name }).first()
  await expect(drawer.getByRole('region', { name: '测点数值' })).toBeVisible()
  return { drawer, line }
}

test('quiet hours of a project are set, and forbid a self-test before it is ordered', async ({ page, stack, problems }) => {
  const project = [...stack.server.plant.projects.values()][0]
  await page.goto(`/devmon/selftests?view=quiet&at=house:${project?.id}`)
  const view = page.getByRole('region', { name: '免打扰时段' })
  await expect(view).toContainText('未设置免打扰时段')
  await view.getByRole('button', { name: '修改时段' }).click()
  const dialog = page.getByRole('dialog', { name: /^免打扰时段/ })
  await dialog.getByRole('button', { name: '添加时段' }).click()
  for (const day of ['一', '二', '三', '四', '五']) await dialog.getByRole('button', { name: day, exact: true }).click()
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog.getByRole('alert')).toContainText('至少选择一天')
  for (const day of ['一', '二', '三', '四', '五', '六', '日'])
    await dialog.getByRole('button', { name: day, exact: true }).click()
  await dialog.getByLabel('开始', { exact: true }).fill('00:00')
  await dialog.getByLabel(/^结束/).fill('00:00')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(view).toContainText('每天 全天')
  await page.reload()
  await expect(view).toContainText('每天 全天')

  // Somebody else changes them while the form is open: whoever saves it is told, and takes nothing back.
  await view.getByRole('button', { name: '修改时段' }).click()
  const colleague = await signedIn(stack.url, stack.admin)
  const params = { HouseID: project?.id ?? 0 }
  const { Windows, Version } = await colleague.call(quietHours, { params })
  const mealtime = { Days: 127, FromMinute: 690, ToMinute: 780 }
  await colleague.call(setQuietHours, { params, body: { Windows: [...Windows, mealtime], Version } })
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog.getByRole('alert')).toContainText('其他人刚刚修改过')
  await expect(view).toContainText('每天 11:30')
  await dialog.getByRole('button', { name: '取消' }).click()
  forgive(problems, /status of 409/)
  const { drawer } = await openDrawer(page, stack, '1层插座一')
  await openTab(drawer, '操作')
  const tests = drawer.getByRole('region', { name: '漏电自检' })
  await expect(tests).toContainText(/现在是免打扰时段.*到时自动解除，或由管理员修改免打扰时段/)
  await expect(tests.getByRole('button', { name: '开始自检：1 项未满足' })).toBeDisabled()
  expect(await violationsInBothThemes(page)).toEqual([])
})

test('what is permitted is told on a machine whose clock is an hour slow, too', async ({ page, stack, problems }) => {
  await page.clock.install({ time: Date.now() - 3_600_000 })
  const { drawer } = await openDrawer(page, stack, '2层插座一')
  await expect(drawer.getByRole('region', { name: '合闸许可' })).toContainText('线路已经合闸')
  await expect(drawer.getByRole('region', { name: '合闸许可' })).not.toContainText('未确认前不能合闸')
  // Until the first reply the console does not know by how much the clock is wrong.
  forgive(problems, /status of 401/)
})

test('a gateway whose clock is wrong is marked in the row and in the drawer, and closes nothing until it is right', async ({
  page,
  stack,
}) => {
  const name = '2层插座一'
  const { drawer, line } = await openDrawer(page, stack, name)
  const { device } = line
  await page.goto(`/devmon/realtime?at=device:${device.gateway.project.id}:${device.controllerId}&line=${line.id}`)
  const values = drawer.getByRole('region', { name: '测点数值' })
  const permit = drawer.getByRole('region', { name: '合闸许可' })
  const mark = page.locator('.trow.line.chosen .age .quality')
  await expect(values).toContainText('质量良好')
  await expect(permit).toContainText('网关时钟准确')
  await expect(mark).toHaveCount(0)
  stack.fleet.run('clockWrong', { gateway: device.gateway.number })
  try {
    await expect(values).toContainText(/钟\s*设备时钟相差 7 分钟/)
    await expect(values).not.toContainText('质量良好')
    await expect(mark).toHaveText('钟')
    await expect(permit).toContainText(/网关时间与服务器相差过大.*须满足：网关时钟准确/)
    // It is closed already, so nothing is asked of it; what stands against closing is told all the same.
    await expect(permit).toContainText('已合闸，无需操作')
    expect(await violationsInBothThemes(page)).toEqual([])
  } finally {
    stack.fleet.run('clockRight', { gateway: device.gateway.number })
  }
  await expect(values).toContainText('质量良好')
  await expect(mark).toHaveCount(0)
  await expect(permit).not.toContainText('网关时间与服务器相差过大')
})

test('lines that were never tested are overdue; a plan takes one off the list, and for many at once', async ({ page, stack }) => {
  const project = [...stack.server.plant.projects.values()][0]
  await page.goto(`/devmon/selftests?at=house:${project?.id}&size=100`)
  const list = page.getByRole('table', { name: '漏电自检' })
  await page.getByRole('searchbox', { name: '线路', exact: true }).fill('2层照明一')
  const row = list.getByRole('row', { name: /2层照明一/ })
  await expect(row).toContainText(/从未自检.*应立即自检/)
  const { drawer } = await openDrawer(page, stack, '2层照明一')
  await openTab(drawer, '操作')
  const tests = drawer.getByRole('region', { name: '漏电自检' })
  await expect(tests).toContainText('每 31 天自检')
  await tests.getByRole('button', { name: '自检计划' }).click()
  const dialog = page.getByRole('dialog', { name: /^自检计划/ })
  await dialog.getByLabel('自检周期').fill('32')
  await expect(dialog.getByRole('alert')).toContainText('1 至 31')
  await dialog.getByLabel('自检周期').fill('7')
  await dialog.getByLabel('要求自检').uncheck()
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(tests).toContainText('未要求自检')
  await page.goto(`/devmon/selftests?at=house:${project?.id}&name=${encodeURIComponent('2层照明')}`)
  await expect(list.getByRole('row', { name: /2层照明二/ })).toBeVisible()
  await expect(list.getByRole('row', { name: /2层照明一/ })).toHaveCount(0)
  await page.goto(`/devmon/selftests?view=all&at=house:${project?.id}&name=${encodeURIComponent('2层照明')}`)
  await page.getByRole('button', { name: '整个项目的计划' }).click()
  const many = page.getByRole('dialog', { name: '自检计划（2 条线路）' })
  await many.getByRole('button', { name: '保存' }).click()
  await expect(many).toBeHidden()
  await page.getByRole('button', { name: '逾期' }).click()
  await page.getByRole('searchbox', { name: '线路', exact: true }).fill('2层照明一')
  await expect(list.getByRole('row', { name: /2层照明一/ })).toBeVisible()
})

test('a self-test that is being prepared stays open when its line is no longer due', async ({ page, stack }) => {
  const line = [...stack.server.plant.lines.values()].find(({ name }) => name === '3层照明二')
  const { gateway } = line?.device ?? {}
  await page.goto(`/devmon/selftests?at=house:${gateway?.project.id}&name=${encodeURIComponent('3层照明二')}`)
  const list = page.getByRole('table', { name: '漏电自检' })
  await list.getByRole('checkbox', { name: '选择', exact: true }).check()
  await page.getByRole('group', { name: /^已选/ }).getByRole('button', { name: '批量自检' }).click()
  const dialog = page.getByRole('dialog', { name: '批量自检' })
  await dialog.getByLabel('原因').fill('月度自检')

  const colleague = await signedIn(stack.url, stack.admin)
  const ids = { DeviceID: gateway?.id ?? 0, LineID: line?.id ?? 0 }
  const { EveryDays, Version } = await colleague.call(detection, { params: ids })
  await colleague.call(setDetection, { body: { ...ids, Enabled: false, EveryDays, Version } })
  await expect(page.locator('table[aria-label="漏电自检"] tbody tr')).toHaveCount(0)
  await expect(dialog.getByLabel('原因')).toHaveValue('月度自检')
  await dialog.getByRole('button', { name: '取消' }).click()
  await expect(dialog).toHaveCount(0)
})

test('the policy says what it thinks of re-closing before anybody saves it', async ({ page, stack, problems }) => {
  // It protects people: 30 mA.
  const guarded = [...stack.server.plant.lines.values()].find(({ name }) => name === '3层照明一')
  const client = await signedIn(stack.url, stack.admin)
  await client.call(updateLine, {
    body: {
      ControllerID: guarded?.device.controllerId ?? '',
      LineNo: guarded?.lineNo ?? 0,
      Settings: [{ Key: 'leakage.trip', Value: 30 }],
      CommandID: crypto.randomUUID(),
      Reason: '人身防护',
    },
  })
  await expect.poll(() => guarded?.reported.get('leakage.trip')).toBe(30)
  const { drawer } = await openDrawer(page, stack, '3层照明一')
  await openTab(drawer, '操作')
  const part = drawer.getByRole('region', { name: '自动重合闸' })
  await expect(part).toContainText('未启用')
  await part.getByRole('button', { name: '设置' }).click()
  const dialog = page.getByRole('dialog', { name: /^自动重合闸/ })
  const verdict = dialog.getByRole('region', { name: '策略检查' })
  await expect(verdict).toContainText(/不符合策略.*用于人身防护/)
  await dialog.getByLabel('启用自动重合闸').check()
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog.getByRole('alert')).toContainText('不符合策略')
  await dialog.getByRole('button', { name: '取消' }).click()

  const main = await openDrawer(page, stack, '3层总开关')
  await openTab(main.drawer, '操作')
  const own = main.drawer.getByRole('region', { name: '自动重合闸' })
  await own.getByRole('button', { name: '设置' }).click()
  await expect(verdict).toContainText('符合策略，可以启用')
  await dialog.getByLabel('第 1 次前等待').fill('5')
  await expect(verdict).toContainText(/间隔 5、60、300 秒过短/)
  await dialog.getByLabel('第 1 次前等待').fill('20')
  await dialog.getByRole('group', { name: '重合次数' }).getByRole('button', { name: '2' }).click()
  await dialog.getByLabel('启用自动重合闸').check()
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(own).toContainText('已启用：20 秒 / 60 秒')

  // Somebody switches it off while the form is open: who saves the form does not switch it on again unseen.
  await own.getByRole('button', { name: '设置' }).click()
  const { ControllerID, LineNo } = { ControllerID: main.line.device.controllerId, LineNo: main.line.lineNo }
  const colleague = await signedIn(stack.url, stack.admin)
  const { Version } = await colleague.call(reclosure, { params: { ControllerID, LineNo } })
  await colleague.call(setReclosure, { body: { ControllerID, LineNo, Enabled: false, DelaysS: [20, 60], Version } })
  await expect(own).toContainText('未启用')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog.getByRole('alert')).toContainText('其他人刚刚修改过')
  expect((await colleague.call(reclosure, { params: { ControllerID, LineNo } })).Enabled).toBe(false)
  forgive(problems, /status of 409/)
})

test('what feeds a line is recorded, leads there, and never in a circle', async ({ page, stack, browser }) => {
  const { drawer, line } = await openDrawer(page, stack, '4层照明一')
  await openTab(drawer, '跳闸分析')
  const feed = drawer.getByRole('region', { name: '供电关系' })
  await expect(feed).toContainText('未登记上级线路')
  await feed.getByRole('button', { name: '登记上级' }).click()
  const dialog = page.getByRole('dialog', { name: '4层照明一 的上级线路' })
  await dialog.getByLabel('上级线路').fill('4层总开关')
  await page.getByRole('option', { name: /4层总开关/ }).click()
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(feed.getByRole('link', { name: /4层总开关/ })).toBeVisible()
  await feed.getByRole('link', { name: /4层总开关/ }).click()
  const above = page.getByRole('dialog', { name: '4层总开关' })
  await expect(above.getByRole('region', { name: '供电关系' })).toContainText(/下级.*4层照明一/)

  // Whoever does not see the line above is told that there is one, and by saving changes nothing.
  const { gateway } = line.device
  const elsewhere = [...stack.server.plant.lines.values()].find(
    (each) => each.lineNo > 0 && each.device.gateway !== gateway && each.device.gateway.project === gateway.project,
  )
  if (!elsewhere) throw new Error('the project has one gateway only')
  const params = { ControllerID: line.device.controllerId, LineNo: line.lineNo }
  const FedBy = { ControllerID: elsewhere.device.controllerId, LineNo: elsewhere.lineNo }
  const client = await signedIn(stack.url, stack.admin)
  const [main] = (await client.call(lineFeed, { params })).Upstream
  const Was = { ControllerID: main?.ControllerID ?? '', LineNo: main?.LineNo ?? 0 }
  await client.call(setFeed, { params, body: { FedBy, Was } })
  const role = { Number: 'part', Name: '部分', Privileges: ['devmon', 'devmon.realtime'], Buttons: ['lineSwitch'] }
  const { RoleID } = await client.call(addRole, { body: role })
  const [userName, password] = ['13800000301', 'Partly-7391']
  const Assigned = { HouseIDs: [], DeviceIDs: [gateway.id] }
  const account = { UserName: userName, NickName: '部分', Password: md5Hex(password), RoleID, Assigned }
  await client.call(addSubAccount, { body: account })
  const context = await browser.newContext()
  const other = await context.newPage()
  await closePopUps(other)
  await other.goto(`${stack.url}/login`)
  await signIn(other, { ...stack, admin: { userName, password } })
  await expect(other).toHaveURL(/realtime/)
  await other.goto(`${stack.url}/devmon/realtime?line=${line.id}&tab=trips`)
  const part = other.getByRole('dialog', { name: '4层照明一' }).first().getByRole('region', { name: '供电关系' })
  await expect(part).toContainText('上级线路不在您的查看范围内')
  await part.getByRole('button', { name: '登记上级' }).click()
  const kept = other.getByRole('dialog', { name: '4层照明一 的上级线路' })
  await kept.getByRole('button', { name: '保存' }).click()
  await expect(kept).toHaveCount(0)
  expect((await client.call(lineFeed, { params })).Upstream[0]?.LineName).toBe(elsewhere.name)

  // Somebody records another while the form is open: whoever saves it is told, and takes nothing back.
  await part.getByRole('button', { name: '登记上级' }).click()
  await client.call(setFeed, { params, body: { FedBy: Was, Was: FedBy } })
  await kept.getByLabel('上级线路').fill('没有上级')
  await other.getByRole('option', { name: /没有上级/ }).click()
  await kept.getByRole('button', { name: '保存' }).click()
  await expect(kept.getByRole('alert')).toContainText('其他人刚刚修改过')
  await expect(part.getByRole('link', { name: /4层总开关/ })).toBeVisible()
  await context.close()
})

test("the line's code leads to its drawer, and says whose tag hangs", async ({ page, stack }) => {
  const { drawer, line } = await openDrawer(page, stack, '4层茶水间')
  await drawer.getByRole('button', { name: '线路二维码' }).click()
  const dialog = page.getByRole('dialog', { name: '线路二维码' })
  const address = await dialog.getByRole('img').getAttribute('aria-label')
  expect(address).toBe(`${stack.url}/devmon/realtime?at=house:${line.device.gateway.project.id}&line=${line.id}`)
  await expect(dialog).toContainText('未挂牌')
  await page.goto(address ?? '')
  await expect(page.getByRole('dialog', { name: '4层茶水间' }).getByRole('tab', { name: '挂牌' })).toBeVisible()
})

test('what was written on the parameters page is still there after another page and a reload', async ({ page, stack }) => {
  const [line] = [...stack.server.plant.lines.values()].filter(({ device }) => device.family.key === 'breaker1p')
  await page.goto(`/devmon/params?at=line:${line?.device.gateway.project.id}:${line?.id}`)
  const delay = page.getByRole('textbox', { name: '过载延时' })
  await expect(delay).toHaveValue(/\d/)
  const before = await delay.inputValue()
  expect(before).not.toBe('41')
  await delay.fill('41')
  await page.getByRole('button', { name: '历史数据' }).click()
  await expect(page).toHaveURL(/hisdata/)
  await page.getByRole('button', { name: '参数设置' }).click()
  await expect(delay).toHaveValue('41')
  await page.reload()
  await expect(delay).toHaveValue('41')
  await page.getByRole('button', { name: '放弃' }).click()
  await page.reload()
  await expect(delay).toHaveValue(before)
})
