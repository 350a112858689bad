import { getScene, insertScene, operateLine, queryScenes, sceneLog, updateScene } from '@linewarden/contract'
import type { Locator, Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { unreasoned, violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

/** Project A has a second cabinet: whoever is given the first one alone sees a scene of both in part. */
const plan = smallPlan.map((project, index) => ({
  ...project,
  gateways: project.gateways.flatMap((gateway) => [
    gateway,
    ...(index > 0
      ? []
      : [
          {
            ...gateway,
            ...{ number: 'GW-A2', name: '二柜' },
            devices: gateway.devices.slice(0, 1).map((device) => ({
              ...device,
              controllerId: 'A-T2',
              lines: device.lines.map((line) => ({ ...line, name: `二柜线${line.lineNo}` })),
            })),
          },
        ]),
  ]),
}))
test.use({ options: { plan } })

const house = (stack: Stack) => [...stack.server.plant.projects.values()].find(({ name }) => name === '项目A')?.id ?? 0
const at = (LineNo: number, ControllerID = 'A-T1') => ({ ControllerID, LineNo })
const trip = (LineNo: number, on?: string) => ({ ...at(LineNo, on), Action: 'trip' as const, Order: 0 })
const close = (LineNo: number, Order = 0) => ({ ...at(LineNo), Action: 'close' as const, Order })
const made = (stack: Stack, Name: string, Items: readonly (ReturnType<typeof trip> | ReturnType<typeof close>)[]) =>
  stack.client.call(insertScene, {
    body: { HouseID: house(stack), Name, Icon: 'work', Items: [...Items], IfRefused: 'goOn', Enabled: true },
  })

/** As a person at the breaker or its protection would: the equipment reports it. */
async function opens(stack: Stack, lineNo: number, cause: 'overload' | 'leakage'): Promise<void> {
  const line = stack.fleet.gatewayOf('A-T1').line('A-T1', lineNo)
  Object.assign(line, { position: 'open', tripCause: cause })
  await expect.poll(() => stack.server.plant.lineAt('A-T1', lineNo)?.states.get('trip.cause')).toBe(cause)
}

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const drawer = (page: Page) => page.getByRole('dialog', { name: /^(场景详情|Scene details)$/ })
/** How the last run ended; a figure that is still loading is a status too. */
const heading = (page: Page) => drawer(page).locator('h3[role=status]')
const form = (page: Page) => page.getByRole('dialog', { name: /^(新建|编辑)场景/ })
const progressOf = (page: Page, line: string) =>
  drawer(page).getByRole('region', { name: '查看进度' }).getByRole('listitem').filter({ hasText: line })

/** Where the server asks for the number of lines it is typed. */
async function confirm(dialog: Locator): Promise<void> {
  const field = dialog.getByLabel(/^(涉及 \d+ 路|This concerns)/)
  if ((await field.count()) === 0) return
  const [count = ''] = /\d+/.exec((await dialog.locator('label', { hasText: /涉及|This concerns/ }).textContent()) ?? '') ?? []
  await field.fill(count)
}

test('an administrator builds a scene, sees what blocks it, runs it line by line, and mends and removes it', async ({
  page,
  stack,
  problems,
}) => {
  await opens(stack, 2, 'overload')
  await opens(stack, 3, 'overload')
  await opens(stack, 4, 'leakage')
  await keepSession(page, stack)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/scene/list')
  await expect(page.getByText('还没有场景')).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: '新建场景' }).first().click()

  // Everything that is missing is said at once.
  await form(page).getByRole('button', { name: '保存' }).click()
  await expect(form(page).getByRole('alert')).toHaveText(['请选择项目', '名称不能为空', '请至少选择一条线路'])
  await form(page).getByRole('combobox', { name: '项目' }).click()
  await page.getByRole('option', { name: '项目A' }).click()
  await expect(form(page).getByRole('alert')).toHaveText(['名称不能为空', '请至少选择一条线路'])
  await form(page).getByLabel(/^名称/).fill('装配线复工')
  await form(page).getByRole('button', { name: '生产', exact: true }).click()
  const tick = (name: string) => form(page).getByRole('checkbox', { name: new RegExp(`^${name} `) })
  await tick('A线1').check()
  await form(page).getByRole('group', { name: '勾选后' }).getByRole('button', { name: '合闸' }).click()
  for (const name of ['A线2', 'A线3', 'A线4']) await tick(name).check()
  const closes = form(page).getByRole('region', { name: /^再合闸/ })
  await expect(closes.locator('.name bdi:first-child')).toHaveText(['A线2', 'A柜', 'A线3', 'A柜', 'A线4', 'A柜'])
  const order = () => closes.locator('li .name > bdi').allTextContents()
  // By key, by button, and by drag.
  await form(page)
    .getByRole('button', { name: /^移动 A线4/ })
    .press('Home')
  await expect.poll(order).toEqual(['A线4', 'A线2', 'A线3'])
  await form(page).getByRole('button', { name: '上移 A线3' }).click()
  await expect.poll(order).toEqual(['A线4', 'A线3', 'A线2'])
  const [grip, first] = await Promise.all([
    form(page)
      .getByRole('button', { name: /^移动 A线2/ })
      .boundingBox(),
    closes.getByRole('listitem').nth(1).boundingBox(),
  ])
  await page.mouse.move((grip?.x ?? 0) + 10, (grip?.y ?? 0) + 10)
  await page.mouse.down()
  await page.mouse.move((grip?.x ?? 0) + 10, (first?.y ?? 0) + 12)
  await page.mouse.up()
  await expect.poll(order).toEqual(['A线4', 'A线2', 'A线3'])
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await form(page).getByRole('button', { name: '保存' }).click()
  await expect(form(page)).toHaveCount(0)
  await expect(drawer(page)).toContainText('负责人 admin')
  const [scene] = (await stack.client.call(queryScenes, { body: {} })).items
  expect(scene?.Items.map(({ Action, LineName }) => `${Action} ${LineName}`)).toEqual([
    'trip A线1',
    'close A线4',
    'close A线2',
    'close A线3',
  ])

  // The card: how far it is in force, what is not, what blocks, and how many orders would go out.
  const own = card(page, '装配线复工')
  await expect(own).toContainText('符合0/4')
  await expect(own.getByRole('img', { name: '符合 0 路，不符 4 路，未知 0 路' })).toBeVisible()
  await expect(own).toContainText(/A线4.?：漏电、短路或电弧跳闸后尚未登记原因/)
  await expect(own.getByRole('button', { name: '执行 · 下发 3 路' })).toBeVisible()
  expect(await unreasoned(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })

  // It runs: trips first, closes in their order; a refusal says the words of the permit and stops nothing.
  await drawer(page).getByRole('button', { name: '执行 · 下发 3 路' }).click()
  const run = page.getByRole('dialog', { name: '执行场景 装配线复工' })
  await expect(run).toContainText('1 路受阻，轮到时仍受阻则拒绝')
  await expect(run).toContainText(/将断开负荷.*送电后负荷最多/s)
  await run.getByRole('button', { name: '执行（下发 3 路）' }).click()
  await expect(run.getByText('请填写原因')).toBeVisible()
  await run.getByRole('button', { name: '换型完成' }).click()
  await confirm(run)
  await run.getByRole('button', { name: '执行（下发 3 路）' }).click()
  await expect(page).toHaveURL(/scene=\d+&run=[0-9a-f-]{36}/)
  await expect(progressOf(page, 'A线1')).toContainText('分闸 核实')
  await expect(progressOf(page, 'A线4')).toContainText(/合闸 被拒绝.*未下发.*尚未登记原因/s)
  await expect(progressOf(page, 'A线3')).toContainText('合闸 核实')
  await expect(progressOf(page, 'A线3').locator('.state')).toHaveText('合闸')
  await expect(heading(page)).toHaveText('部分完成')
  await expect(drawer(page)).toContainText('原因“换型完成”')
  // What ended is there again after the page was loaded anew, and in the list of its runs.
  await page.reload()
  await expect(progressOf(page, 'A线4')).toContainText('被拒绝')
  expect(await violations(page)).toEqual([])
  await drawer(page).getByRole('button', { name: '返回场景' }).click()
  await expect(drawer(page).getByRole('region', { name: '最近执行' })).toContainText(/admin.*部分完成.*3\/4/s)
  await expect(drawer(page).getByRole('link', { name: '场景日志' })).toHaveAttribute('href', /\/scene\/log\?of=\d+$/)
  await expect(own).toContainText('符合3/4')

  // Somebody else saves it while the form is open.
  forgive(problems, /409/)
  await drawer(page).getByRole('button', { name: '编辑' }).click()
  await form(page).getByLabel(/^名称/).fill('我的改名')
  const now = await stack.client.call(getScene, { params: { SceneID: scene?.SceneID ?? 0 } })
  const Items = now.Items.map(({ ControllerID, LineNo, Action, Order }) => ({ ControllerID, LineNo, Action, Order }))
  const { SceneID, Version, Icon } = now
  await stack.client.call(updateScene, {
    body: { SceneID, Version, Name: '装配线复工二', Icon, IfRefused: 'stopCloses', Enabled: true, Items },
  })
  await form(page).getByRole('button', { name: '保存' }).click()
  await expect(form(page).getByRole('alert')).toContainText('其他人刚刚修改过')
  // What was typed is not lost by one press.
  const leaving = page.getByRole('dialog', { name: '场景未保存' })
  await form(page).getByRole('button', { name: '取消' }).click()
  await leaving.getByRole('button', { name: '留下继续' }).click()
  await expect(form(page).getByLabel(/^名称/)).toHaveValue('我的改名')
  await form(page).getByRole('button', { name: '取消' }).click()
  await leaving.getByRole('button', { name: '放弃并离开' }).click()
  await expect(card(page, '装配线复工二')).toBeVisible()

  // Found by a line of it in the tree's way; disabled with a reason, found as such, and removed.
  await drawer(page).getByRole('button', { name: 'A线3' }).click()
  await expect(page).toHaveURL(/at=line/)
  await expect(card(page, '装配线复工二')).toBeVisible()
  await card(page, '装配线复工二').getByRole('button', { name: '装配线复工二' }).click()
  await drawer(page).getByRole('button', { name: '停用' }).click()
  const disable = page.getByRole('dialog', { name: '停用场景 装配线复工二' })
  await disable.getByLabel(/^原因/).fill('改造')
  await disable.getByRole('button', { name: '停用' }).click()
  await expect(card(page, '装配线复工二')).toContainText('已停用')
  await expect(card(page, '装配线复工二').getByRole('button', { name: /^执行/ })).toHaveAccessibleDescription(
    '场景已停用，请先启用',
  )
  await page.getByRole('button', { name: '已停用', exact: true }).click()
  await expect(page).toHaveURL(/off=yes/)
  await drawer(page).getByRole('button', { name: '删除' }).click()
  await page.getByRole('dialog', { name: '删除场景 装配线复工二' }).getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
  await page.getByRole('button', { name: '清除筛选' }).click()
  await expect(page.getByText('还没有场景')).toBeVisible()
})

test('a run goes on when the page is closed, is found again, and is stopped: what had no turn is not operated', async ({
  page,
  stack,
}) => {
  await opens(stack, 6, 'overload')
  await opens(stack, 7, 'overload')
  const scene = await made(stack, '停下', [trip(8), close(6), close(7, 1)])
  const { behaviour } = stack.fleet.gatewayOf('A-T1')
  // The breaker does not move: the closes wait for it.
  Object.assign(behaviour, { acknowledge: false, move: false })
  await keepSession(page, stack)
  await page.goto('/scene/list')
  await card(page, '停下').getByRole('button', { name: '执行 · 下发 3 路' }).click()
  const run = page.getByRole('dialog', { name: '执行场景 停下' })
  await run.getByLabel(/^原因/).fill('试停')
  await confirm(run)
  await run.getByRole('button', { name: '执行（下发 3 路）' }).click()
  await expect(progressOf(page, 'A线8')).toContainText('分闸 已下发')
  // The symbol stands where the equipment reports, whatever was ordered.
  await expect(progressOf(page, 'A线8').locator('.state')).toHaveText('合闸')
  await expect(progressOf(page, 'A线6')).toContainText('合闸 等待')
  await page.keyboard.press('Escape')
  await expect(drawer(page)).toHaveCount(0)
  await page.goto('/scene/list')
  await expect(card(page, '停下').getByRole('button', { name: '停止余下' })).toBeVisible()
  await card(page, '停下').getByRole('button', { name: '查看进度' }).click()
  await drawer(page).getByRole('button', { name: '停止余下 2 路' }).click()
  await expect(progressOf(page, 'A线6')).toContainText('未下发，已停止')
  await expect(progressOf(page, 'A线7')).toContainText('未下发，已停止')
  Object.assign(behaviour, { acknowledge: true, move: true })
  // What the gateway did not take is ordered by hand: the line's report proves both.
  await stack.client.call(operateLine, {
    params: { ...at(8), attr: 'trip' },
    body: { CommandID: crypto.randomUUID(), Reason: 'x' },
  })
  await expect(heading(page)).toHaveText('已停止')
  await expect(drawer(page)).toContainText('由 admin 停止')
  const { items } = await stack.client.call(sceneLog, { body: { SceneID: scene.SceneID } })
  expect(items[0]).toMatchObject({ State: 'stopped', Counts: { Stopped: 2 } })
})

test('each button that a role lacks says so; a scene with a line that is not seen is neither run nor changed', async ({
  page,
  stack,
  browser,
}) => {
  await made(stack, '一柜', [trip(5)])
  await made(stack, '两柜', [trip(5), trip(1, 'A-T2')])
  const enter = async (userName: string, buttons: readonly string[], kind: 'sub' | 'shared' = 'sub', part = false) => {
    const { accounts, database } = stack.server
    const privileges = ['devmon', 'devmon.realtime', 'timer', 'scene.list', 'scene.log']
    const roleId = await accounts.createRole({ number: userName, name: userName, privileges, buttons: [...buttons] })
    const admin = { userName, password: 'Duty-7391' }
    const projectIds = part ? [] : [house(stack)]
    const accountId = await accounts.createAccount({ ...admin, kind, roleId, projectIds })
    const gatewayId = stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.id ?? 0
    if (part)
      await database.general.insertInto('account_gateway').values({ account_id: accountId, gateway_id: gatewayId }).execute()
    const context = await browser.newContext({ baseURL: stack.url })
    const own = await context.newPage()
    await keepSession(own, { url: stack.url, admin })
    await own.goto('/scene/list')
    await expect(card(own, '一柜')).toBeVisible()
    return own
  }
  const runs = (own: Page, name: string) => card(own, name).getByRole('button', { name: /^执行/ })
  const adds = (own: Page) => own.getByRole('button', { name: '新建场景' })

  const watcher = await enter('13800000201', ['manageScene'])
  await expect(runs(watcher, '一柜')).toHaveAccessibleDescription(/没有“线路分合闸”权限/)
  await expect(adds(watcher)).toHaveAccessibleDescription(/没有“线路分合闸”权限/)
  expect(await unreasoned(watcher)).toEqual([])
  await watcher.context().close()

  const switcher = await enter('13800000202', ['lineSwitch'])
  await expect(adds(switcher)).toHaveAccessibleDescription(/没有“管理场景”权限/)
  await expect(runs(switcher, '一柜')).not.toHaveAttribute('aria-disabled', 'true')
  await switcher.context().close()

  const shared = await enter('13800000203', ['lineSwitch', 'manageScene'], 'shared')
  await expect(runs(shared, '一柜')).toHaveAccessibleDescription('共享账号只能查看，不能操作')
  await expect(adds(shared)).toHaveAccessibleDescription('共享账号只能查看，不能操作')
  await shared.context().close()

  const partly = await enter('13800000204', ['lineSwitch', 'manageScene'], 'sub', true)
  await expect(card(partly, '两柜')).toContainText('仅部分线路可见')
  await expect(card(partly, '两柜')).not.toContainText('二柜线1')
  await expect(runs(partly, '两柜')).toHaveAccessibleDescription(/包含您无权查看的线路/)
  await expect(runs(partly, '一柜')).not.toHaveAttribute('aria-disabled', 'true')
  await card(partly, '两柜').getByRole('button', { name: '两柜' }).click()
  await expect(drawer(partly).getByRole('button', { name: '编辑' })).toHaveAccessibleDescription(/包含您无权查看的线路/)
  expect(await unreasoned(partly)).toEqual([])
  await partly.context().close()
  await page.close()
})

test('on a phone a scene is run from the bottom of the screen with the control password, in English and in the dark', async ({
  page,
  stack,
  problems,
}) => {
  const admin = { userName: 'careful', password: 'Duty-7391' }
  await stack.server.accounts.createAccount({ ...admin, kind: 'platform', controlPassword: 'Ctrl-2580' })
  await made(stack, '夜里', [trip(5)])
  await keepSession(page, { url: stack.url, admin })
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto('/scene/list')
  await expect(card(page, '夜里')).toBeVisible()
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await card(page, '夜里').getByRole('button', { name: 'Run · 1 order' }).click()
  const run = page.getByRole('dialog', { name: 'Run scene 夜里' })
  await expect(run).toContainText('1 line is tripped and loses supply')
  const bottom = () => run.evaluate((sheet) => Math.round(sheet.getBoundingClientRect().bottom))
  await expect.poll(bottom).toBe(phone.height)
  await run.getByLabel(/^Reason/).fill('End of shift')
  await confirm(run)
  const go = run.getByRole('button', { name: 'Run (1 order)' })
  await go.click()
  await expect(run.getByText('Enter the control password')).toBeVisible()
  forgive(problems, /40\d/)
  await run.getByLabel(/^Control password/).fill('Wrong-111')
  await go.click()
  await expect(run.locator('.problem')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await run.getByLabel(/^Control password/).fill('Ctrl-2580')
  await go.click()
  await expect(run).toHaveCount(0)
  await expect(drawer(page)).toContainText(/Trip verified/)
  await expect(heading(page)).toHaveText('Done')
  expect(await tooWide(page)).toEqual([])
  await drawer(page).getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit scene 夜里' })
  await edit.getByLabel(/^Name/).fill('夜间')
  await edit.getByLabel(/^Control password/).fill('Ctrl-2580')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toHaveCount(0)
  await expect(drawer(page)).toContainText('Owner careful')
})
