import type { TimerForm } from '@linewarden/contract'
import { getTimer, insertTimer, queryTimers, updateCalendar, updateTimer } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { unreasoned, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const houseOf = (stack: Stack) => stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0
const weekly = (Name: string, At: string, Action: 'trip' | 'close'): TimerForm => ({
  ...{ Name, Function: 'switch', Type: 'weekly', Period: { Days: 127 }, Exceptions: [], KeepWhileWanted: true, Enabled: true },
  Points: [{ PointNo: 1, At, Action }],
  Lines: [{ ControllerID: 'A-T1', LineNo: 1 }],
})
const insert = (stack: Stack, form: TimerForm) => stack.client.call(insertTimer, { body: { HouseID: houseOf(stack), ...form } })
const stored = async (stack: Stack, name: string) =>
  (await stack.client.call(queryTimers, { body: { Text: name } })).items.find(({ Name }) => Name === name)

test.beforeEach(async ({ page, stack }) => {
  const db = await stack.server.database.connect()
  await db.query(
    'delete from automation_run; delete from timer_due; delete from timer_line; delete from timer; delete from day_class',
  )
  await db.end()
  await keepSession(page, stack)
})

const row = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const preview = (page: Page) => page.getByRole('complementary', { name: '预览' })
const saveButton = (page: Page) => page.getByRole('main').getByRole('button', { name: /^保存/ })
const saveDialog = (page: Page) => page.getByRole('dialog', { name: '保存定时' })
/** Of the project of line A. */
const openNew = async (page: Page, stack: Stack) => {
  await page.goto(`/timer/list?new=1&house=${houseOf(stack)}`)
  await expect(page.getByRole('heading', { name: '新建定时' })).toBeVisible()
}
async function pick(page: Page, ...names: string[]): Promise<void> {
  await row(page, '设备').getByRole('button', { name: '选线路' }).click()
  const dialog = page.getByRole('dialog', { name: '选线路' })
  for (const name of names) await dialog.getByRole('checkbox', { name, exact: true }).check()
  await dialog.getByRole('button', { name: /^选用/ }).click()
}

test('everything that is missing is named at once; by keyboard alone it is filled in, shows its runs, and is saved', async ({
  page,
  stack,
}) => {
  await page.goto('/timer/list')
  await page.getByRole('button', { name: '新建定时' }).click()
  await expect(page).toHaveURL(/new=1/)
  await page.goto(`/timer/list?new=1&house=${houseOf(stack)}`)
  await expect(preview(page)).toContainText('填好功能、类型、执行时间和周期后显示')
  await saveButton(page).click()
  for (const text of ['名称不能为空', '请选择功能', '请选择类型', '请填写执行时间', '请选择设备'])
    await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible()
  await expect(saveButton(page)).toHaveText('保存：先改正 5 处')

  await page.getByRole('textbox', { name: '名称' }).focus()
  await page.keyboard.type('夜间照明')
  await row(page, '功能').first().getByRole('button', { name: '分合闸' }).press('Enter')
  await row(page, '类型').first().getByRole('button', { name: '每周' }).press('Enter')
  await row(page, '执行时间').getByRole('button', { name: '时间点' }).press('Enter')
  await page.getByRole('textbox', { name: '时间 1' }).focus()
  await page.keyboard.type('8:05')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('textbox', { name: '时间 1' })).toHaveValue('08:05')
  await page.getByRole('textbox', { name: '时间 1' }).press('ArrowUp')
  await expect(page.getByRole('textbox', { name: '时间 1' })).toHaveValue(/^0[89]:0[56]$/)
  await page.getByRole('textbox', { name: '时间 1' }).fill('08:05')
  await row(page, '周期').first().getByRole('button', { name: '周一至周五' }).press('Enter')
  await row(page, '设备').getByRole('button', { name: '选线路' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: '选线路' })
  await dialog.getByRole('checkbox', { name: 'A线1', exact: true }).press('Space')
  await dialog.getByRole('checkbox', { name: 'A线2', exact: true }).press('Space')
  await dialog.getByRole('button', { name: '选用 2 路' }).press('Enter')
  await expect(preview(page).locator('.runs tr')).toHaveCount(5)
  await expect(preview(page)).toContainText(/08:05 合闸.*预计用时.*2 路.*没有冲突/s)
  // The preview may still be that of the form without its lines.
  await expect(saveButton(page)).toHaveText('保存')
  expect(await violationsInBothThemes(page)).toEqual([])
  expect(await unreasoned(page)).toEqual([])
  await saveButton(page).press('Enter')
  await expect(saveDialog(page)).toContainText('负责人将是')
  await saveDialog(page).getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByRole('table', { name: '定时列表' })).toContainText('夜间照明')
  expect(await stored(stack, '夜间照明')).toMatchObject({
    Period: { Days: 31 },
    Points: [{ At: '08:05', Action: 'close' }],
    Lines: [{ LineNo: 1 }, { LineNo: 2 }],
    Enabled: true,
  })
})

test('opposite actions are saved only with a reason; an exception of that day is offered beside it', async ({ page, stack }) => {
  await insert(stack, weekly('周末断电', '20:00', 'trip'))
  await openNew(page, stack)
  await page.getByRole('button', { name: '走廊照明 18:00–23:00' }).click()
  await page.getByRole('textbox', { name: '时间 1' }).fill('20:00:30')
  await pick(page, 'A线1')
  await expect(preview(page).getByRole('listitem')).toContainText(/A线1.*与“周末断电”在 60 秒内动作相反.*首次.*不确认不能保存/s)
  await expect(saveButton(page)).toHaveText('保存：先确认 1 处冲突')
  await expect(saveButton(page)).toHaveAttribute('aria-disabled', 'true')
  await preview(page)
    .getByRole('button', { name: /^加例外/ })
    .click()
  await expect(page.getByRole('textbox', { name: '例外 1 开始日期' })).toHaveValue(/^\d{4}-\d\d-\d\d$/)
  await page.getByRole('button', { name: '删除例外 1' }).click()
  await preview(page).getByRole('button', { name: '写明原因并确认' }).click()
  const reason = page.getByRole('dialog', { name: '写明原因并确认冲突' })
  await reason.getByRole('button', { name: '确认', exact: true }).click()
  await expect(reason.getByRole('alert')).toHaveText('请填写原因')
  await reason.getByRole('textbox', { name: '原因' }).fill('换班')
  await reason.getByRole('button', { name: '确认', exact: true }).click()
  await expect(preview(page)).toContainText('已写明原因并确认')
  await saveButton(page).click()
  await saveDialog(page).getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByRole('table', { name: '定时列表' })).toContainText('走廊照明 18:00–23:00')
  expect((await stored(stack, '走廊照明 18:00–23:00'))?.Points[0]?.At).toBe('20:00:30')
})

test('a day of the calendar says its class and where it comes from; a month without the 31st is offered its last day', async ({
  page,
  stack,
}) => {
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  await stack.client.call(updateCalendar, {
    body: { HouseID: houseOf(stack), Days: [{ Date: today, Class: 'special', Name: '停电演练' }] },
  })
  await openNew(page, stack)
  await row(page, '类型').first().getByRole('button', { name: '按日历' }).click()
  await row(page, '周期').first().getByRole('button', { name: '特殊日' }).click()
  const weeks = page.getByRole('table', { name: '三周内的日类别与执行日' })
  await expect(weeks.locator('.today')).toContainText(/特殊日.*执行/s)
  await expect(row(page, '周期').first()).toContainText(`${today.slice(5)} 为特殊日，${stack.admin.userName} 录入“停电演练”`)

  await row(page, '类型').first().getByRole('button', { name: '每月' }).click()
  await row(page, '周期').first().getByRole('button', { name: '31', exact: true }).click()
  await expect(page.getByText('有的月份没有 31 日，当月不执行')).toBeVisible()
  await page.getByRole('button', { name: '改为月末日' }).click()
  await expect(row(page, '周期').first().getByRole('button', { name: '月末日', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )

  await row(page, '类型').first().getByRole('button', { name: '日出日落' }).click()
  await row(page, '执行时间').getByRole('button', { name: '时间点' }).click()
  await expect(page.getByText('请先在项目中填写经纬度')).toBeVisible()
  await expect(page.getByText('填写经纬度。', { exact: false }).last()).toBeVisible()
})

test('what somebody else saved meanwhile is not overwritten unasked, and leaving asks before it loses anything', async ({
  page,
  stack,
  problems,
}) => {
  forgive(problems, /409/)
  const timer = await insert(stack, weekly('早班送电', '06:30', 'close'))
  await page.goto(`/timer/list?edit=${timer.TimerID}`)
  await expect(page.getByRole('heading', { name: '编辑定时' })).toBeVisible()
  await page.getByRole('textbox', { name: '时间 1' }).fill('06:45')
  await page.getByRole('button', { name: '返回定时列表' }).click()
  const leave = page.getByRole('dialog', { name: '定时未保存' })
  await leave.getByRole('button', { name: '留下继续' }).click()
  await stack.client.call(updateTimer, {
    body: { TimerID: timer.TimerID, Version: timer.Version, ...weekly('早班送电', '07:00', 'close') },
  })
  await saveButton(page).click()
  await saveDialog(page).getByRole('button', { name: '保存', exact: true }).click()
  await expect(saveDialog(page)).toContainText('别人刚保存过这个定时')
  await saveDialog(page).getByRole('button', { name: '以我的覆盖' }).click()
  await expect(page.getByRole('table', { name: '定时列表' })).toContainText('早班送电')
  const { Points } = await stack.client.call(getTimer, { params: { TimerID: timer.TimerID } })
  expect(Points[0]?.At).toBe('06:45')
})

test('on a narrow screen, in English, what is wrong stands at its field and nothing is cut off; on a phone nothing is edited', async ({
  page,
  stack,
}) => {
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto(`/timer/list?new=template&house=${houseOf(stack)}`)
  await expect(page.getByText('Timers are edited on a wider screen')).toBeVisible()
  await page.getByRole('button', { name: 'Back to the list of timers' }).click()
  await expect(page).not.toHaveURL(/new=/)
  await page.setViewportSize({ width: 600, height: 800 })
  await page.goto(`/timer/list?new=template&house=${houseOf(stack)}`)
  await expect(page.getByRole('button', { name: 'Corridor lights, dusk to dawn' })).toBeFocused()
  await page.getByRole('button', { name: 'Office supply on workdays' }).click()
  await page.getByRole('textbox', { name: 'Time of day 2' }).fill('25:00')
  await expect(page.getByRole('alert').filter({ hasText: 'A time is 00:00 to 23:59:59' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save: correct 1 field first' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Time of day 2' }).fill('08:00')
  await expect(page.getByRole('alert').filter({ hasText: 'Two points of the timer have the same time: 08:00' })).toBeVisible()
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
})
