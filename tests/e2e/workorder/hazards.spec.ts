import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { raiseFindings } from '../../kit/raised-findings.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const drawer = (page: Page) => page.getByRole('dialog', { name: /^(隐患详情|Hazard details)$/ })

test('a finding becomes a hazard, an administrator runs with it, and an order is made of it', async ({ page, stack }) => {
  await keepSession(page, stack)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/hazard/workorder')
  await page.getByRole('button', { name: '隐患', exact: true }).click()
  await expect(page.getByText('没有隐患')).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])

  const [EventID = ''] = await raiseFindings(stack, [{ key: 'contact', lineNo: 3 }])
  await stack.server.hazards.look()
  await page.reload()
  const row = page.getByRole('row', { name: /接点过热/ })
  await expect(row).toBeVisible()
  await row.getByRole('button').click()
  await expect(drawer(page).getByRole('region', { name: '来源记录' })).toContainText(EventID)
  await expect(drawer(page).getByRole('region', { name: '经过' })).toContainText('发现')
  expect(await violationsInBothThemes(page)).toEqual([])

  // It is run with until a day.
  await drawer(page).getByRole('button', { name: '带病运行…' }).click()
  const accept = page.getByRole('dialog', { name: '批准带病运行' })
  await accept.getByRole('button', { name: '批准' }).click()
  await expect(accept.getByRole('alert')).toHaveText(['请填写原因'])
  await accept.getByLabel(/^原因/).fill('备件下周到，已加测温')
  await accept.getByRole('button', { name: '批准' }).click()
  await expect(accept).toHaveCount(0)
  await expect(drawer(page).getByText('带病运行', { exact: true }).first()).toBeVisible()
  await expect(drawer(page).getByRole('region', { name: '经过' })).toContainText('备件下周到，已加测温')
  await expect(page.getByRole('button', { name: /^带病运行 ?1$/ })).toBeVisible()

  // On a phone it is a card, and all of it fits.
  await page.setViewportSize(phone)
  await expect(page.locator('.order-cards')).toHaveCount(1)
  expect(await tooWide(page)).toEqual([])
  expect(await violations(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })

  // An order of it has its place and its words, and ends what was accepted.
  await drawer(page).getByRole('button', { name: '生成工单…' }).click()
  const form = page.getByRole('dialog', { name: '新建工单' })
  await expect(form.getByLabel(/^描述/)).toHaveValue(/项目A › A柜 › A线3/)
  await form.getByRole('combobox', { name: '负责人' }).click()
  await page.locator('[role=option]').first().click()
  await form.getByRole('button', { name: '生成并派发' }).click()
  const order = page.getByRole('dialog', { name: '工单详情' })
  await expect(order.getByRole('region', { name: '从报警到闭环' })).toContainText('处理中')
  await page.getByRole('button', { name: '隐患', exact: true }).click()
  await expect(page.getByRole('row', { name: /接点过热/ })).toContainText('处理中')

  // As a file: what the list shows.
  await page.getByRole('button', { name: '导出' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
  const text = await readFile((await download.path()) ?? '', 'utf8')
  expect(text.trim().split('\r\n')).toHaveLength(2)
  expect(text).toContain('"接点过热","处理中","预警","项目A","A柜","A线3"')
})
