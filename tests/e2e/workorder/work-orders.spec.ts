import { getWorkOrder, insertWorkOrder, updateWorkOrder, workOrderPeople } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import { signedIn } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { raise } from '../raise.ts'
import { keepSession } from '../sign-in.ts'
import { closePopUps, expect, forgive, test } from '../stack.ts'
import { person } from './person.ts'

test.use({ options: { plan: smallPlan } })

const drawer = (page: Page) => page.getByRole('dialog', { name: /^(工单详情|Order details)$/ })
const isCut = (element: Element): boolean => element.scrollWidth > element.clientWidth
const form = (page: Page) => page.getByRole('dialog', { name: /^(新建工单|New order)$/ })

test('an order goes from an alarm over an electrician’s phone to whoever accepts it', async ({ page, browser, stack }) => {
  const founder = await person(stack, '13700000001', '周敏')
  const electrician = await person(stack, '13700000002', '王海峰')
  const line = stack.server.plant.lineAt('A-T1', 3)
  if (!line) throw new Error('the plan has the line')
  await raise(stack, line, ['剩余电流缓升'])

  // The founder makes it of the alarm.
  await keepSession(page, founder)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/hazard/workorder')
  await expect(page.getByText('没有工单')).toBeVisible()
  // Each view is one button, in the strip or in the bar.
  for (const view of ['我的', '未派发', '超时', '待验收', '观察中'])
    await expect(page.getByRole('button', { name: new RegExp(`^${view} ?0$`) })).toHaveCount(1)
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.goto('/hazard/alarmList')
  await page.getByRole('button', { name: '剩余电流缓升' }).first().click()
  await page.getByRole('link', { name: '生成工单…' }).click()
  await expect(form(page).getByText('剩余电流缓升').first()).toBeVisible()
  await expect(form(page).getByLabel(/^描述/)).toHaveValue(/剩余电流缓升 · 项目A › A柜 › A线3/)
  await form(page).getByRole('button', { name: '生成并派发' }).click()
  await expect(form(page).getByRole('alert')).toHaveText(['请选择负责人'])
  await form(page).getByRole('combobox', { name: '负责人' }).click()
  await page.getByRole('option', { name: /王海峰/ }).click()
  await form(page).getByRole('button', { name: '生成并派发' }).click()
  await expect(drawer(page).getByRole('heading', { name: '剩余电流缓升' })).toBeVisible()
  await expect(page.getByRole('region', { name: '已派发未处理' }).getByRole('button', { name: '剩余电流缓升' })).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  const address = page.url()

  // The electrician has it on a phone.
  const context = await browser.newContext({ viewport: phone, baseURL: stack.url })
  const mobile = await context.newPage()
  await closePopUps(mobile)
  await keepSession(mobile, electrician)
  await mobile.goto('/hazard/workorder?view=mine')
  // The same order stands above them as news.
  await mobile.locator('.order-cards').getByRole('button', { name: '剩余电流缓升' }).click()
  // Until it is answered which lines are tagged the head keeps a place for saying that this is not known.
  await expect(drawer(mobile).getByRole('button', { name: '接单', exact: true })).toBeVisible()
  await expect(mobile.locator('.tag-mark.unknown')).toHaveCount(0)
  expect(await drawer(mobile).getByRole('heading', { level: 2 }).evaluate(isCut)).toBe(false)
  expect(await tooWide(mobile)).toEqual([])
  expect(await violations(mobile)).toEqual([])
  await drawer(mobile).getByRole('button', { name: '接单', exact: true }).click()
  // What is done next is meant for the order as it is once it was taken.
  await expect(drawer(mobile).getByRole('button', { name: '接单', exact: true })).toHaveCount(0)
  await drawer(mobile).getByRole('button', { name: '处理完成…' }).click()
  const done = mobile.getByRole('dialog', { name: /^处理完成/ })
  await done.getByLabel(/^原因/).fill('接线盒进液')
  await done.getByLabel(/^处理措施/).fill('换密封接头')
  expect(await tooWide(mobile)).toEqual([])
  await done.getByRole('button', { name: '处理完成' }).click()
  // Only the server's own reply ends it: "报警未恢复" stands in the chain from the beginning.
  await expect(done).toHaveCount(0)
  await expect(drawer(mobile).getByText('已派发已处理').first()).toBeVisible()
  await expect(drawer(mobile).getByText('报警未恢复').first()).toBeVisible()
  await context.close()

  // The founder sees it move, and cannot accept what is not proved.
  await expect(page.getByRole('region', { name: '已派发已处理' }).getByRole('button', { name: '剩余电流缓升' })).toBeVisible()
  await expect(drawer(page).getByRole('button', { name: '验收…' })).toHaveAttribute('aria-disabled', 'true')

  // An administrator accepts it, with a reason.
  const desk = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: stack.url })
  const approver = await desk.newPage()
  await closePopUps(approver)
  await keepSession(approver, stack)
  await approver.goto(address)
  await drawer(approver).getByRole('button', { name: '验收…' }).click()
  const accept = approver.getByRole('dialog', { name: /^验收/ })
  await accept.getByRole('button', { name: '验收' }).click()
  await expect(accept.getByRole('alert')).toHaveText(['请填写原因'])
  await accept.getByLabel(/^原因/).fill('现场确认')
  await accept.getByRole('button', { name: '验收' }).click()
  await expect(drawer(approver).getByText('已验收').first()).toBeVisible()
  await expect(drawer(approver).getByRole('region', { name: '经过与评论' })).toContainText('现场确认')
  await desk.close()
})

test('who saves an order after somebody else is refused, and what the other has written stays', async ({
  page,
  stack,
  problems,
}) => {
  const founder = await person(stack, '13700000003', '陈岚')
  const client = await signedIn(stack.url, founder.admin)
  const project = [...stack.server.plant.projects.values()].find(({ name }) => name === '项目A')
  const { items } = await client.call(workOrderPeople, { query: { HouseID: project?.id ?? 0 } })
  const { Order } = await client.call(insertWorkOrder, {
    body: {
      ...{
        HouseID: project?.id ?? 0,
        ActID: crypto.randomUUID(),
        Type: 'repair',
        Title: '查漏电',
        Description: '先停电',
        Priority: 'medium',
      },
      ...{ PersonInCharge: items.find(({ Name }) => Name === '陈岚')?.AccountID ?? '', ValidDays: 7, ReminderDays: 1 },
      ...{ WorkingDaysOnly: false, Dispatch: true },
    },
  })
  await keepSession(page, founder)
  await page.goto('/hazard/workorder')
  await page.getByRole('button', { name: '查漏电' }).first().click()
  const { ValidDays, ReminderDays, WorkingDaysOnly, Priority, OrderID } = Order
  let { Version } = Order
  const changed = async (Title: string) => {
    const body = { OrderID, Version, ActID: crypto.randomUUID(), Title, Description: '先验电' }
    await client.call(updateWorkOrder, { body: { ...body, Priority, ValidDays, ReminderDays, WorkingDaysOnly } })
    Version += 1
    await expect(page.locator('.drawer > header h2')).toHaveText(Title)
  }
  for (const [press, asked, title] of [
    ['修改工单', '修改工单', '别人改的'],
    ['处理完成…', '处理完成', '别人又改的'],
  ] as const) {
    await drawer(page).getByRole('button', { name: press }).click()
    const dialog = page.getByRole('dialog', { name: new RegExp(`^${asked}`) })
    if (asked === '处理完成') await dialog.getByLabel(/^原因/).fill('接线盒进液')
    await dialog.getByLabel(asked === '处理完成' ? /^处理措施/ : /^描述/).fill('我写的')
    await changed(title)
    await dialog.getByRole('button', { name: asked === '处理完成' ? '处理完成' : '保存' }).click()
    await expect(dialog.getByRole('alert')).toContainText('其他人刚刚修改过')
    await dialog.getByRole('button', { name: '取消' }).click()
  }
  expect((await client.call(getWorkOrder, { params: { OrderID } })).Order).toMatchObject({
    Status: 'dispatched',
    Description: '先验电',
  })
  forgive(problems, /status of 409/)
})
