import { readFile } from 'node:fs/promises'
import { accountDetails, addGroup, operateLine } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { signedIn } from '../../kit/stack.ts'
import { announced } from '../announced.ts'
import { enter, keepSession, signIn } from '../sign-in.ts'
import { closePopUps, expect, test } from '../stack.ts'

const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true })
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: '保存' }).click()

test.beforeEach(async ({ page, stack }) => {
  await keepSession(page, stack)
})

test('a role with its permissions, a sub-account with its devices; it sees what it was given and nothing else', async ({
  page,
  browser,
  stack,
}) => {
  await page.goto('/system/roles')
  await page.getByRole('button', { name: '新增角色' }).first().click()
  await save(page)
  for (const missing of ['角色名称不能为空', '角色编号不能为空', '请至少选择一项权限'])
    await expect(page.getByText(missing)).toBeVisible()
  await field(page, '角色名称*').fill('值班电工')
  await field(page, '角色编号*').fill('R-01')
  await page.getByRole('checkbox', { name: '设备监控' }).check()
  await page.getByRole('checkbox', { name: '网关管理' }).check()
  await expect(page.getByRole('checkbox', { name: '实时监控' })).toBeChecked()
  await save(page)
  await expect(page.getByRole('row', { name: /值班电工/ })).toContainText('网关管理')

  await page.goto('/system/users')
  await page.getByRole('button', { name: '新增用户' }).first().click()
  await save(page)
  for (const missing of ['账号不能为空', '姓名不能为空', '角色不能为空', '密码不能为空', '请再次输入密码', '未分配设备'])
    await expect(page.getByText(missing)).toBeVisible()
  await field(page, '账号*').fill('23800000001')
  await expect(page.getByText('请输入11位手机号', { exact: true })).toBeVisible()
  await field(page, '账号属性*').selectOption('项目管理员')
  await expect(page.getByText('请输入11位手机号，或以字母开头的3至32位账号名')).toBeVisible()
  await field(page, '账号属性*').selectOption('子账号')
  await field(page, '账号*').fill('13800000001')
  await field(page, '姓名*').fill('张电工')
  await field(page, '角色*').selectOption('值班电工')
  await field(page, '密码*').fill('12345')
  await expect(page.getByText('不能低于6位密码')).toBeVisible()
  await field(page, '密码*').fill('breaker-7-east')
  await field(page, '确认密码*').fill('breaker-7-west')
  await expect(page.getByText('两次输入密码不一致!')).toBeVisible()
  await field(page, '确认密码*').fill('breaker-7-east')
  await field(page, '控制密码').fill('control-77')
  await page.getByRole('checkbox', { name: '望湖小区' }).check()
  await save(page)
  const made = page.getByRole('row', { name: /张电工/ })
  await expect(made).toContainText('1 个项目，0 个网关')
  await made.getByRole('button', { name: '编辑' }).click()
  await field(page, '职务').fill('班长')
  await Promise.all([announced(page, '编辑成功'), save(page)])

  const context = await browser.newContext()
  const other = await context.newPage()
  await closePopUps(other)
  await other.goto(`${stack.url}/login`)
  await signIn(other, { ...stack, admin: { userName: '13800000001', password: 'breaker-7-east' } })
  await expect(other).toHaveURL(/realtime/)
  await expect(other.getByRole('navigation', { name: '主菜单' })).not.toContainText('能耗统计')
  await other.goto(`${stack.url}/system/geteway`)
  await expect(other.getByRole('row', { name: /GW-WH-01/ })).toBeVisible()
  await expect(other.getByText('GW-BJ-01')).toHaveCount(0)
  await expect(other.getByRole('button', { name: '停用', exact: true }).first()).toBeDisabled()
  await other.goto(`${stack.url}/system/users`)
  await expect(other).toHaveURL(/Notfound/)

  // With a control password set it is asked for first; then the password is changed and every session ends.
  await other.goto(`${stack.url}/system/geteway`)
  await other.getByRole('button', { name: '张电工' }).click()
  await other.getByRole('menuitem', { name: '修改密码' }).click()
  await field(other, '控制密码*').fill('wrong-one')
  await other.getByRole('button', { name: '下一步' }).click()
  await expect(other.getByText('控制密码错误')).toBeVisible()
  await field(other, '控制密码*').fill('control-77')
  await other.getByRole('button', { name: '下一步' }).click()
  await field(other, '当前密码*').fill('breaker-7-east')
  await field(other, '新密码*').fill('breaker-8-west-east')
  await expect(other.getByText('密码不能超过18位')).toBeVisible()
  await field(other, '新密码*').fill('breaker-8-west')
  await field(other, '确认密码*').fill('breaker-8-wes')
  await save(other)
  await expect(other.getByText('两次密码不同，请重新输入')).toBeVisible()
  await field(other, '确认密码*').fill('breaker-8-west')
  await Promise.all([announced(other, '修改成功'), save(other)])
  await expect(other).toHaveURL(/login/)
  await context.close()

  await page.goto('/system/roles')
  await expect(page.getByRole('row', { name: /值班电工/ }).getByRole('button', { name: '删除' })).toBeDisabled()
})

test('the system log says who did what, and that nothing in it was changed', async ({ page }) => {
  await page.goto('/system/log')
  await expect(page.getByRole('row', { name: /登录/ }).first()).toContainText('admin')
  await page.getByRole('button', { name: '校验日志' }).click()
  await expect(page.getByText(/日志完整：\d+ 条记录/)).toBeVisible()
  await page.getByRole('searchbox', { name: '操作人' }).fill('从未来过的人')
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
})

test('the log calls things by their names, and is searched by them; an order that left says so', async ({ page, stack }) => {
  const line = [...stack.server.plant.lines.values()].find(({ device }) => device.family.level === 'line')
  if (!line) throw new Error('no line')
  const { controllerId } = line.device
  const params = { ControllerID: controllerId, LineNo: line.lineNo, attr: 'trip' } as const
  await stack.client.call(operateLine, { params, body: { CommandID: crypto.randomUUID(), Reason: '检修' } })
  await page.goto('/system/log')
  await page.getByLabel('全部结果').selectOption('已授权')
  await page.getByRole('searchbox', { name: '对象' }).fill(line.name)
  await expect(page.getByRole('row', { name: /分闸/ })).toContainText(`${controllerId}/${line.lineNo} · ${line.name}`)
  const tooShort = page.getByRole('status').filter({ hasText: '只输入一个字时不按名称查找' })
  await expect(tooShort).toHaveCount(0)
  await page.getByRole('searchbox', { name: '对象' }).fill('层')
  await expect(tooShort).toBeVisible()
  await page.getByRole('searchbox', { name: '对象' }).fill(line.name)
  await expect(tooShort).toHaveCount(0)
  const exported = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出' }).click()
  const file = await readFile(await (await exported).path(), 'utf8')
  expect(file.split('\r\n')[1]).toContain(`"分闸","${controllerId}/${line.lineNo} · ${line.name}","已授权",`)
})

test('the log is exported as it stood when the export began, with what was there before and after', async ({ page, stack }) => {
  const client = await signedIn(stack.url, stack.admin)
  const add = (i: number) => client.call(addGroup, { body: { Name: `导出 ${i}` } })
  for (let i = 0; i < 130; i++) await add(i)
  await page.goto('/system/log?Action=group.add')
  await expect(page.getByRole('row', { name: /导出 129/ })).toBeVisible()
  // Between the first page and the second somebody goes on working.
  let pages = 0
  await page.route('**/api/v1/messages/journal/list', async (route) => {
    const { Page = 1, Size = 10 } = route.request().postDataJSON()
    if (Size === 100) pages += 1
    if (Size === 100 && Page === 2) for (let i = 130; i < 140; i++) await add(i)
    await route.continue()
  })
  const exported = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出' }).click()
  const file = await readFile(await (await exported).path(), 'utf8')
  const lines = file.trim().split('\r\n')
  expect(pages).toBe(2)
  expect(lines[0]).toMatch(/"时间","操作人","操作","对象","结果","地址","之前","之后"$/)
  const named = lines.slice(1).flatMap((line) => /导出 \d+/.exec(line)?.[0] ?? [])
  expect(named).toEqual(Array.from({ length: 130 }, (_, i) => `导出 ${129 - i}`))
  expect(lines[1]).toMatch(/""name"": ?""导出 129""/)
})

test('somebody ends one of their own sessions; that one is out, this one stays', async ({ browser, stack }) => {
  const admin = { userName: '13900000091', password: 'Owner-7391' }
  await stack.server.accounts.createAccount({ ...admin, kind: 'project' })
  const elsewhere = await signedIn(stack.url, admin)
  const context = await browser.newContext()
  const page = await context.newPage()
  await closePopUps(page)
  await enter(page, { ...stack, admin })
  await expect(page).not.toHaveURL(/login/)
  await page.getByRole('button', { name: admin.userName }).click()
  await page.getByRole('menuitem', { name: '登录会话' }).click()
  const dialog = page.getByRole('dialog', { name: '登录会话' })
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await expect(dialog.getByRole('listitem').filter({ hasText: '当前会话' }).getByRole('button')).toHaveCount(0)
  await dialog.getByRole('listitem').getByRole('button', { name: '下线' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await expect(dialog.getByRole('button', { name: '下线其他全部会话' })).toBeDisabled()
  await expect(elsewhere.call(accountDetails)).rejects.toThrow()
  await page.reload()
  await expect(page.getByRole('button', { name: admin.userName })).toBeVisible()
  await context.close()
})

test('my information needs a name and a contact; my sessions are listed', async ({ page }) => {
  await page.goto('/devmon/realtime')
  await page.getByRole('button', { name: 'admin' }).click()
  await page.getByRole('menuitem', { name: '编辑信息' }).click()
  await save(page)
  await expect(page.getByText('姓名不能为空')).toBeVisible()
  await expect(page.getByText('联系方式不能为空')).toBeVisible()
  await field(page, '姓名*').fill('理员')
  // Keys in a dialog are the field's, and not those of the menu that it was opened from.
  await field(page, '姓名*').press('Home')
  await field(page, '姓名*').pressSequentially('管')
  await field(page, '联系方式*').fill('0571 8888')
  await Promise.all([announced(page, '编辑成功'), save(page)])
  await page.getByRole('button', { name: '管理员' }).click()
  await page.getByRole('menuitem', { name: '登录会话' }).click()
  await expect(page.getByRole('dialog', { name: '登录会话' })).toContainText('当前会话')
})

test('everybody sets a control password of their own; from then on every operation asks for it, and it can be removed', async ({
  page,
  stack,
}) => {
  const dialog = page.getByRole('dialog', { name: '我的控制密码' })
  const open = async () => {
    await page.locator('.user > button').click()
    await page.getByRole('menuitem', { name: '控制密码' }).click()
  }
  await page.goto('/devmon/realtime')
  // The first operation says that there is none, and leads to it.
  await page
    .getByRole('row', { name: /1层照明/ })
    .first()
    .click()
  await page.getByRole('button', { name: '分闸', exact: true }).click()
  const operate = page.getByRole('dialog', { name: /^分闸/ })
  await operate.getByRole('button', { name: '现在设置' }).click()
  await dialog.getByLabel('登录密码*').fill(stack.admin.password)
  await dialog.getByLabel('新控制密码*').fill(stack.admin.password)
  await dialog.getByLabel('确认控制密码*').fill('Ctrl-2581')
  await expect(dialog.getByText('控制密码不能与登录密码相同')).toBeVisible()
  await expect(dialog.getByText('两次密码不同，请重新输入')).toBeVisible()
  await dialog.getByLabel('新控制密码*').fill('Ctrl-2581')
  await Promise.all([announced(page, '控制密码已设置'), dialog.getByRole('button', { name: '保存' }).click()])
  await expect(dialog).toHaveCount(0)
  await expect(operate.getByLabel('控制密码*')).toBeVisible()
  await expect(operate.getByRole('button', { name: '现在设置' })).toHaveCount(0)
  await operate.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '分闸', exact: true }).click()
  await expect(operate.getByLabel('控制密码*')).toBeFocused()
  await operate.getByRole('button', { name: '取消' }).click()

  await open()
  await dialog.getByRole('checkbox', { name: '取消控制密码' }).check()
  await dialog.getByLabel('登录密码*').fill(stack.admin.password)
  await dialog.getByLabel('当前控制密码*').fill('Ctrl-2581')
  await Promise.all([announced(page, '控制密码已取消'), dialog.getByRole('button', { name: '取消控制密码' }).click()])
  await page.getByRole('button', { name: '分闸', exact: true }).click()
  await expect(operate.getByLabel('控制密码*')).toHaveCount(0)
})
