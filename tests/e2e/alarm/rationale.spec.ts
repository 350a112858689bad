import { updateAlarmRationale } from '@linewarden/contract'
import { rationaleOf } from '@linewarden/equipment/rationalisation'
import type { Page } from '@playwright/test'
import { raiseEvents } from '../../kit/raised-events.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { unreasoned, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const key = 'residual.alarm'
const houseOf = (stack: Stack) => [...stack.server.plant.projects.values()].find(({ name }) => name === '项目A')?.id ?? 0
const sheet = (page: Page) => page.getByRole('table', { name: '报警合理化表' })
const dialog = (page: Page) => page.getByRole('dialog', { name: /修改处置说明/ })
const drawer = (page: Page) => page.locator('section.drawer')

test.beforeEach(async ({ page, stack }) => {
  const db = await stack.server.database.connect()
  await db.query('delete from alarm_rationale_change; delete from alarm_rationale')
  await db.end()
  await keepSession(page, stack)
})

test('what is written in the sheet is what to do in the drawer of the alarm, and can be given back', async ({ page, stack }) => {
  const [event = ''] = await raiseEvents(stack, [{ key, label: { zh: '剩余电流报警', en: 'Residual current alarm' } }])
  await page.goto(`/hazard/rationale?house=${houseOf(stack)}&text=${key}`)
  await expect(sheet(page)).toContainText(rationaleOf(key)?.action.zh ?? '-')
  await sheet(page).getByRole('button').first().click()
  await expect(drawer(page).getByRole('region', { name: '修改历史' })).toContainText('还没有改过')
  expect(await violationsInBothThemes(page)).toEqual([])
  await drawer(page).getByRole('button', { name: '修改' }).click()
  const chinese = dialog(page).getByRole('textbox', { name: '处置建议（中文）' })
  await chinese.fill(' ')
  await dialog(page).getByRole('button', { name: '保存，立即生效' }).click()
  await expect(dialog(page).getByText('不能为空')).toBeVisible()
  await chinese.fill('先停 3 号泵，再测绝缘')
  await dialog(page)
    .getByRole('textbox', { name: /修改原因/ })
    .fill('现场经验')
  expect(await violationsInBothThemes(page)).toEqual([])
  await dialog(page).getByRole('button', { name: '保存，立即生效' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(sheet(page)).toContainText(/先停 3 号泵，再测绝缘.*项目/s)
  const history = drawer(page).getByRole('region', { name: '修改历史' })
  await expect(history).toContainText('现场经验')
  await history.getByText('处置建议', { exact: true }).click()
  await expect(history.locator('ins')).toHaveText('先停 3 号泵，再测绝缘')
  expect(await unreasoned(page)).toEqual([])

  await page.goto(`/hazard/alarmList?event=${event}`)
  await expect(drawer(page).getByRole('region', { name: '处置建议' })).toContainText('先停 3 号泵，再测绝缘')

  await page.goto(`/hazard/rationale?house=${houseOf(stack)}&key=${key}`)
  await drawer(page).getByRole('button', { name: '恢复默认' }).click()
  const restore = page.getByRole('dialog', { name: '恢复默认' })
  await restore.getByRole('button', { name: '误改' }).click()
  await restore.getByRole('button', { name: '恢复默认' }).click()
  await expect(restore).toHaveCount(0)
  await expect(drawer(page)).toContainText(rationaleOf(key)?.action.zh ?? '-')
})

test('what another person saved meanwhile is not overwritten, and what was typed stays', async ({ page, stack, problems }) => {
  const HouseID = houseOf(stack)
  await page.goto(`/hazard/rationale?house=${HouseID}&key=${key}`)
  await drawer(page).getByRole('button', { name: '修改' }).click()
  const chinese = dialog(page).getByRole('textbox', { name: '处置建议（中文）' })
  await chinese.fill('我写的')
  const both = { zh: '别人写的', en: 'by another' }
  const Texts = { Cause: both, Consequence: both, Action: both, Time: both, Priority: both, Basis: both }
  await stack.client.call(updateAlarmRationale, { body: { HouseID, Key: key, Version: 0, Texts } })
  forgive(problems, /409/)
  await dialog(page).getByRole('button', { name: '保存，立即生效' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('他人已修改')
  await expect(chinese).toHaveValue('我写的')
  // A third person's words, which the writer has not been shown at the refusal, are not overwritten either.
  await stack.client.call(updateAlarmRationale, { body: { HouseID, Key: key, Version: 1, Texts } })
  await dialog(page).getByRole('button', { name: '保存，立即生效' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('他人已修改')
  await dialog(page).getByRole('button', { name: '保存，立即生效' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(drawer(page).locator('.sheet-texts')).toContainText('我写的')
})

test('what another person saved while somebody was about to give it up stays', async ({ page, stack, problems }) => {
  const HouseID = houseOf(stack)
  const write = (Version: number, word: string) => {
    const both = { zh: word, en: word }
    const Texts = { Cause: both, Consequence: both, Action: both, Time: both, Priority: both, Basis: both }
    return stack.client.call(updateAlarmRationale, { body: { HouseID, Key: key, Version, Texts } })
  }
  await write(0, '第一版')
  await page.goto(`/hazard/rationale?house=${HouseID}&key=${key}`)
  await drawer(page).getByRole('button', { name: '恢复默认' }).click()
  const restore = page.getByRole('dialog', { name: '恢复默认' })
  await restore.getByRole('button', { name: '误改' }).click()
  await write(1, '第二版')
  forgive(problems, /409/)
  await restore.getByRole('button', { name: '恢复默认' }).click()
  await expect(restore.getByRole('alert')).toBeVisible()
  await expect(drawer(page).locator('.sheet-texts')).toContainText('第二版')
  // Shown now, but not what was asked for.
  await restore.getByRole('button', { name: '恢复默认' }).click()
  await expect(restore.getByRole('alert')).toBeVisible()
  await restore.getByRole('button', { name: '取消' }).click()
  await expect(drawer(page).locator('.sheet-texts')).toContainText('第二版')
})

test('nothing is without an answer, and what somebody writes over one is found, on a phone too', async ({ page, stack }) => {
  await page.setViewportSize(phone)
  await page.goto(`/hazard/rationale?house=${houseOf(stack)}`)
  await page.getByRole('button', { name: /只看尚无说明/ }).click()
  const rows = sheet(page).locator('tbody tr')
  await expect(page.getByRole('button', { name: /只看尚无说明/ })).toContainText('0')
  await page.getByRole('button', { name: '清除筛选' }).click()
  expect(await tooWide(page)).toEqual([])
  await rows.filter({ hasText: 'leakage.step' }).getByRole('button').click()
  await drawer(page).getByRole('button', { name: '修改' }).click()
  for (const box of await dialog(page).getByRole('textbox').all()) await box.fill('测绝缘')
  expect(await tooWide(page)).toEqual([])
  await dialog(page).getByRole('button', { name: '保存，立即生效' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.goto(`/hazard/rationale?house=${houseOf(stack)}&show=written`)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('测绝缘')
  await page.goto(`/hazard/rationale?house=${houseOf(stack)}&text=nothing-of-the-kind`)
  await page.getByRole('button', { name: '清除筛选' }).click()
  await expect(rows.first()).toBeVisible()
})
