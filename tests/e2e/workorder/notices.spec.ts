import type { Client } from '@linewarden/client'
import { insertWorkOrder, workOrderPeople } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn } from '../../kit/stack.ts'
import { violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'
import { person } from './person.ts'

test.use({ options: { plan: smallPlan }, popUpsStay: true })

/** Critical: at night nobody is notified of anything else. */
async function made(stack: Stack, client: Client, Title: string, to: string, Dispatch: boolean): Promise<void> {
  const HouseID = [...stack.server.plant.projects.values()].find(({ name }) => name === '项目A')?.id ?? 0
  const { items } = await client.call(workOrderPeople, { query: { HouseID } })
  await client.call(insertWorkOrder, {
    body: {
      ...{ HouseID, ActID: crypto.randomUUID(), Type: 'repair', Title, Description: '先验电', Priority: 'critical' },
      ...{ PersonInCharge: items.find(({ Name }) => Name === to)?.AccountID ?? '', ValidDays: 7, ReminderDays: 1 },
      ...{ WorkingDaysOnly: false, Dispatch },
    },
  })
}

const drawer = (page: Page) => page.getByRole('dialog', { name: '工单详情' })
const news = (page: Page) => page.getByRole('region', { name: '工单新通知' })
const count = (page: Page) => page.locator('.page-count.order')

test('a notice pops up, and is gone from every screen of its reader once the order is opened', async ({
  page,
  browser,
  stack,
}) => {
  const founder = await person(stack, '13700000011', '周敏')
  const electrician = await person(stack, '13700000012', '王海峰')
  const client = await signedIn(stack.url, founder.admin)
  await keepSession(page, electrician)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/hazard/workorder')
  await expect(page.getByText('没有工单')).toBeVisible()
  const context = await browser.newContext({ viewport: phone, baseURL: stack.url })
  const mobile = await context.newPage()
  await keepSession(mobile, electrician)
  await mobile.goto('/hazard/workorder')
  await expect(mobile.getByText('没有工单')).toBeVisible()

  await made(stack, client, '三号楼漏电', '王海峰', true)
  for (const screen of [page, mobile]) {
    await expect(screen.getByRole('alert').filter({ hasText: '已派发给您：三号楼漏电' })).toBeVisible()
    await expect(news(screen)).toContainText('已派发给您：三号楼漏电')
  }
  await expect(count(page)).toHaveText(/1$/)
  expect(await tooWide(mobile)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])

  await page.getByRole('alert').filter({ hasText: '三号楼漏电' }).getByRole('button', { name: '查看' }).click()
  await expect(drawer(page).getByRole('heading', { name: '三号楼漏电' })).toBeVisible()
  for (const screen of [page, mobile]) {
    await expect(news(screen)).toHaveCount(0)
    await expect(screen.getByRole('alert').filter({ hasText: '三号楼漏电' })).toHaveCount(0)
  }
  await expect(count(page)).toHaveCount(0)
  await context.close()
})

test('several orders are dispatched by one press', async ({ page, stack }) => {
  const founder = await person(stack, '13700000013', '陈岚')
  await person(stack, '13700000014', '李强')
  const client = await signedIn(stack.url, founder.admin)
  for (const title of ['一号柜', '二号柜']) await made(stack, client, title, '李强', false)
  await keepSession(page, founder)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/hazard/workorder?as=list&view=undispatched')
  const rows = page.locator('.order-list tbody tr')
  await expect(rows).toHaveCount(2)
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: '派发 2 单…' }).click()
  const dialog = page.getByRole('dialog', { name: '派发 2 单…' })
  await dialog.getByRole('combobox', { name: '负责人' }).click()
  await page.getByRole('option', { name: /李强/ }).click()
  await dialog.getByRole('button', { name: '派发', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(rows).toHaveCount(0)
  await page.goto('/hazard/workorder?as=list&status=dispatched&q=柜')
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: '李强' })).toHaveCount(2)
})
