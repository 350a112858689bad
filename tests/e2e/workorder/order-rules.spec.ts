import { raiseEvents } from '../../kit/raised-events.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

test('a rule is written, looked at before it is saved, and makes an order of the next alarm', async ({ page, stack }) => {
  await raiseEvents(stack, [
    { key: 'trip.short', lineNo: 1, priority: 'critical', label: { zh: '短路跳闸', en: 'Short circuit' } },
  ])
  await keepSession(page, stack)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/hazard/workorder')
  await page.getByRole('button', { name: '自动派单' }).click()
  const drawer = page.getByRole('dialog', { name: '自动派单规则' })
  await drawer.getByRole('combobox', { name: '项目' }).click()
  await page.getByRole('option', { name: '项目A' }).click()
  await expect(drawer.getByText('此项目还没有自动派单规则')).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])

  await drawer.getByRole('button', { name: '新建规则' }).click()
  const form = page.getByRole('dialog', { name: '新建规则' })
  await form.getByRole('button', { name: '保存' }).click()
  await expect(form.getByText('请填写规则名称')).toBeVisible()
  await form.getByLabel(/^规则名称/).fill('紧急报警')
  await form.getByLabel('紧急', { exact: true }).check()
  await form.getByLabel(/^多少分钟未确认后派单/).fill('0')
  await form.getByRole('button', { name: '预演近 30 天' }).click()
  await expect(form.getByRole('region', { name: '预演近 30 天' })).toContainText('将生成 1 单')
  await form.getByLabel('启用规则').check()
  expect(await violations(page)).toEqual([])
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await form.getByRole('button', { name: '保存' }).click()
  await expect(form).toHaveCount(0)
  await expect(drawer.getByText('已启用')).toBeVisible()

  await raiseEvents(stack, [{ key: 'trip.arc', lineNo: 2, priority: 'critical', label: { zh: '电弧跳闸', en: 'Arc fault' } }])
  await stack.server.workOrders.lookByRules()
  await drawer.getByRole('button', { name: '关闭', exact: true }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: '电弧跳闸' })).toBeVisible()
  await expect(page.getByRole('button', { name: '短路跳闸' })).toHaveCount(0)
})
