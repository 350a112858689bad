import { getCalendar } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const houseOf = (stack: Stack) => stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0

test.beforeEach(async ({ page, stack }) => {
  const db = await stack.server.database.connect()
  await db.query('delete from day_class; delete from owner_day_class')
  await db.end()
  await keepSession(page, stack)
})

const daysBeside = (page: Page) => page.getByRole('complementary', { name: /的特别日期$/ })
const ics = [
  'BEGIN:VCALENDAR',
  ...['BEGIN:VEVENT', 'SUMMARY:元旦 假期', 'DTSTART;VALUE=DATE:20350101', 'DTEND;VALUE=DATE:20350103', 'END:VEVENT'],
  ...['BEGIN:VEVENT', 'SUMMARY:元旦 补班', 'DTSTART;VALUE=DATE:20350107', 'END:VEVENT'],
  ...['BEGIN:VEVENT', 'SUMMARY:例会', 'DTSTART:20350108T090000', 'END:VEVENT'],
  'END:VCALENDAR',
].join('\r\n')

test('days are entered, imported from a file that is shown first, and taken away; the year says what each is', async ({
  page,
  stack,
  problems,
}) => {
  // A file that is no calendar is refused.
  forgive(problems, /400/)
  await page.goto('/timer/list')
  await page.getByRole('button', { name: '日历', exact: true }).click()
  await expect(page).toHaveURL(/calendar=1/)
  await page.goto(`/timer/list?calendar=1&house=${houseOf(stack)}&year=2035`)
  await expect(daysBeside(page)).toContainText('没有录入的日期')

  await page.getByRole('button', { name: '录入日期' }).click()
  const enter = page.getByRole('dialog', { name: '录入日期' })
  await enter.getByRole('button', { name: '录入', exact: true }).click()
  await expect(enter.getByRole('alert').first()).toHaveText('日期不存在')
  await enter.getByRole('textbox', { name: '开始日期' }).fill('2035-06-01')
  await enter.getByRole('textbox', { name: '结束日期' }).fill('2035-06-02')
  await enter.getByRole('textbox', { name: '名称' }).fill('停电检修')
  await enter.getByRole('button', { name: '录入', exact: true }).click()
  await expect(daysBeside(page)).toContainText(`06-01 特殊日 停电检修${stack.admin.userName} 录入`)

  await page.getByRole('button', { name: '导入', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '导入日历' })
  const choose = (name: string, text: string) =>
    dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/calendar', buffer: Buffer.from(text) })
  await choose('page.ics', '<!doctype html>')
  await expect(dialog.getByRole('alert')).toContainText('不是可读的日历文件')
  await choose('2035.ics', ics)
  await expect(dialog).toContainText(/共 3 天：新增 3，改变 0，不变 0，保留人工录入 0.*1 行无法导入.*第 \d+ 行：不是全天日程/s)
  await expect(dialog.getByRole('row', { name: /2035-01-07.*工作日.*补班.*休息日.*按星期.*新增/ })).toBeVisible()
  expect(
    (await stack.client.call(getCalendar, { params: { HouseID: houseOf(stack) }, query: { Year: 2035 } })).Days,
  ).toHaveLength(2)
  expect(await violationsInBothThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: '导入 3 天' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(daysBeside(page)).toContainText(`01-07 工作日 元旦 补班${stack.admin.userName} 导入`)
  await expect(page.getByRole('button', { name: /2035年1月1日.*节假日.*元旦 假期/ })).toHaveClass(/holiday/)

  await daysBeside(page).getByRole('button', { name: '删除 2035-06-02' }).click()
  await page.getByRole('dialog', { name: '删除 2035-06-02' }).getByRole('button', { name: '删除', exact: true }).click()
  await expect(daysBeside(page).getByRole('listitem')).toHaveCount(4)
  await page.getByRole('button', { name: '下一年' }).click()
  await expect(page).toHaveURL(/year=2036/)
})

test('days of all projects are entered once, and each project shows where they come from', async ({ page, stack }) => {
  const other = stack.server.plant.deviceByControllerId.get('B-T1')?.gateway.project.id ?? 0
  await page.goto(`/timer/list?calendar=1&house=${houseOf(stack)}&year=2035`)
  await page.getByRole('group', { name: '日历适用范围' }).getByRole('button', { name: '全部项目' }).click()
  await expect(page).toHaveURL(/for=owner/)
  await page.getByRole('button', { name: '录入日期' }).click()
  const enter = page.getByRole('dialog', { name: '录入日期' })
  await expect(enter).toContainText('项目自己录入的日期不变')
  await enter.getByRole('textbox', { name: '开始日期' }).fill('2035-10-01')
  await enter.getByRole('textbox', { name: '结束日期' }).fill('2035-10-01')
  await enter.getByRole('textbox', { name: '名称' }).fill('国庆')
  await enter.getByRole('button', { name: '录入', exact: true }).click()
  await expect(daysBeside(page)).toContainText(`10-01 特殊日 国庆${stack.admin.userName} 录入`)
  await expect(daysBeside(page).getByRole('button', { name: '删除 2035-10-01' })).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.goto(`/timer/list?calendar=1&house=${other}&year=2035`)
  await expect(daysBeside(page)).toContainText(`10-01 特殊日 国庆${stack.admin.userName} 录入 · 全部项目`)
  // It is taken away where it was entered.
  await expect(daysBeside(page).getByRole('button', { name: '删除 2035-10-01' })).toHaveCount(0)
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
})

test('on a phone, in English, the calendar fits', async ({ page, stack }) => {
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto(`/timer/list?calendar=1&house=${houseOf(stack)}&year=2026`)
  await expect(page.getByRole('complementary', { name: 'Special days of 2026' })).toContainText('comes with the product')
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
})
