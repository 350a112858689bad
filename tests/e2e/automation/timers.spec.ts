import type { TimerForm } from '@linewarden/contract'
import { insertTimer } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { unreasoned, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const weekly = (Name: string, points: readonly [string, 'trip' | 'close'][], lines: readonly number[]): TimerForm => ({
  ...{ Name, Function: 'switch', Type: 'weekly', Period: { Days: 127 }, Exceptions: [], KeepWhileWanted: true, Enabled: true },
  Points: points.map(([At, Action], index) => ({ PointNo: index + 1, At, Action })),
  Lines: lines.map((LineNo) => ({ ControllerID: 'A-T1', LineNo })),
})

const insert = (stack: Stack, form: TimerForm) => {
  const HouseID = stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0
  return stack.client.call(insertTimer, { body: { HouseID, ...form } })
}

async function clear(stack: Stack): Promise<void> {
  const db = await stack.server.database.connect()
  await db.query('delete from automation_run; delete from timer_due; delete from timer_line; delete from timer')
  await db.end()
}

test.beforeEach(async ({ page, stack }) => {
  await clear(stack)
  await keepSession(page, stack)
})

const list = (page: Page) => page.getByRole('table', { name: '定时列表' })

test('timers are listed with what each does next; the address holds the filters; whoever is asked disables one', async ({
  page,
  stack,
}) => {
  await page.goto('/timer/list')
  await expect(page.getByText('还没有定时')).toBeVisible()
  await insert(
    stack,
    weekly(
      '早班送电',
      [
        ['06:30', 'close'],
        ['18:00', 'trip'],
      ],
      [1, 2, 3],
    ),
  )
  await insert(stack, { ...weekly('旧仓库照明', [['22:00', 'trip']], [4]), Enabled: false })
  await page.reload()
  await expect(list(page).locator('tbody tr')).toHaveCount(2)
  await expect(list(page)).toContainText(
    /早班送电.*每周 · 每天.*分合闸.*[今明]天 \d\d:\d\d [分合]闸.*后.*3 路.*A线1、A线2 等.*未执行过/s,
  )
  await expect(list(page)).toContainText(/旧仓库照明.*已停用/s)
  expect(await violationsInBothThemes(page)).toEqual([])
  expect(await unreasoned(page)).toEqual([])

  await page.getByRole('combobox', { name: '启用与停用' }).selectOption('no')
  await expect(list(page).locator('tbody tr')).toHaveCount(1)
  expect(new URL(page.url()).search).toBe('?on=no')
  await page.getByRole('button', { name: '无有效负责人' }).click()
  await page.getByRole('button', { name: '清除筛选' }).click()
  await page.getByRole('treeitem', { name: /项目B/ }).click()
  await expect(page.getByText('还没有定时')).toBeVisible()
  await page.getByRole('treeitem', { name: /项目A/ }).click()

  await list(page).getByRole('switch', { name: '停用 早班送电' }).click()
  const dialog = page.getByRole('dialog', { name: '停用 早班送电' })
  await expect(dialog).toContainText(/下一次 [今明]天 \d\d:\d\d [分合]闸 将不执行/)
  await dialog.getByRole('button', { name: '停用', exact: true }).click()
  await expect(list(page).getByRole('switch', { name: '启用 早班送电' })).toHaveAttribute('aria-checked', 'false')
})

test('on a phone the list fits, in English and in the dark', async ({ page, stack }) => {
  await insert(
    stack,
    weekly(
      '早班送电',
      [
        ['06:30', 'close'],
        ['18:00', 'trip'],
      ],
      [1, 2, 3],
    ),
  )
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto('/timer/list')
  await expect(page.getByRole('table', { name: 'Timers' })).toContainText(/早班送电.*Weekly · every day.*Trip \/ close/s)
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
})
