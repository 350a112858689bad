import type { Client } from '@linewarden/client'
import { dispatchWorkOrders, getWorkOrder, insertWorkOrder, workOrderPeople } from '@linewarden/contract'
import type { Browser, Page } from '@playwright/test'
import { raiseFindings } from '../../kit/raised-findings.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { sessionOf, signedIn } from '../../kit/stack.ts'
import { violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { expect, test } from '../stack.ts'
import { person } from './person.ts'

test.use({ options: { plan: smallPlan } })

const houseOf = ({ server }: Stack): number => [...server.plant.projects.values()].find((each) => each.name === '项目A')?.id ?? 0

async function accountOf(stack: Stack, name: string): Promise<string> {
  const { items } = await stack.client.call(workOrderPeople, { query: { HouseID: houseOf(stack) } })
  return items.find(({ Name }) => Name === name)?.AccountID ?? ''
}

async function orderFor(stack: Stack, name: string, EventID?: string): Promise<number> {
  const PersonInCharge = await accountOf(stack, name)
  const body = { HouseID: houseOf(stack), ActID: crypto.randomUUID(), Type: 'repair', Title: '换密封接头' } as const
  const days = { Description: '先停电', ValidDays: 7, ReminderDays: 1, WorkingDaysOnly: false, Dispatch: true }
  const call = stack.client.call(insertWorkOrder, {
    body: { ...body, ...days, Priority: 'medium', PersonInCharge, ...(EventID !== undefined && { EventID }) },
  })
  return (await call).Order.OrderID
}

/** A phone with its own storage and service worker, its list of orders open. */
async function phoneOf(browser: Browser, stack: Stack, admin: { userName: string; password: string }) {
  const context = await browser.newContext({
    ...{ viewport: phone, baseURL: stack.url, serviceWorkers: 'allow', hasTouch: true },
  })
  const session = await sessionOf(stack.url, admin)
  const page = await context.newPage()
  await page.goto('/login')
  await page.evaluate(
    ({ userId, token }) => localStorage.setItem('linewarden.session', JSON.stringify({ userId, token })),
    session,
  )
  await page.goto('/hazard/workorder/phone')
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await expect(page.getByRole('heading', { name: '换密封接头' })).toBeVisible()
  return { context, page }
}

const unsent = (page: Page) => page.getByRole('region', { name: '还没送达服务器' }).getByRole('listitem')

async function process(page: Page): Promise<void> {
  await page.getByRole('button', { name: '处理完成…' }).click()
  const dialog = page.getByRole('dialog')
  expect(await tooWide(page)).toEqual([])
  await dialog.getByRole('textbox', { name: '原因' }).fill('接线盒进液')
  await dialog.getByRole('textbox', { name: '处理措施' }).fill('换密封接头')
  await dialog.getByRole('button', { name: '处理完成' }).click()
}

test('an order is carried out without a network, its page killed and opened again, and stands processed once', async ({
  browser,
  stack,
}) => {
  const { admin } = await person(stack, '13700000051', '王海峰')
  const [EventID = ''] = await raiseFindings(stack, [{ key: 'contact', lineNo: 3 }])
  const OrderID = await orderFor(stack, '王海峰', EventID)
  const client = await signedIn(stack.url, admin)
  const known = () => client.call(getWorkOrder, { params: { OrderID } })
  const { context, page: first } = await phoneOf(browser, stack, admin)
  expect(await tooWide(first)).toEqual([])
  expect(await violationsInBothThemes(first)).toEqual([])
  await first.getByRole('button', { name: '打开' }).click()
  await expect(first.getByText('服务器：已派发未处理')).toBeVisible()
  await first.getByRole('button', { name: '接单', exact: true }).click()
  // The server has it, and it is no longer offered.
  await expect.poll(async () => (await known()).Order.TakenAt).not.toBeNull()
  await expect(first.getByRole('button', { name: '接单', exact: true })).toHaveCount(0)
  await expect(unsent(first)).toHaveCount(0)

  // No lock-out tag hangs on its line; without the server nobody knows.
  await expect(first.getByText('挂牌状态未知')).toHaveCount(0)
  await context.setOffline(true)
  await expect(first.getByText('挂牌状态未知')).toBeVisible()
  await first.getByRole('button', { name: '到场', exact: true }).click()
  await expect(unsent(first)).toHaveCount(1)
  await first.getByRole('button', { name: '处理后', exact: true }).click()
  await first
    .locator('input[type=file]')
    .setInputFiles({ name: 'after.png', mimeType: 'image/png', buffer: await first.screenshot() })
  await expect(first.getByRole('img', { name: '拍照' })).toBeVisible()
  await first.getByRole('button', { name: '写备注…' }).click()
  await first.getByRole('dialog').getByRole('textbox', { name: '备注' }).fill('接头进液')
  await first.getByRole('dialog').getByRole('button', { name: '备注' }).click()
  // Two acts, and a line for the photo.
  await expect(unsent(first)).toHaveCount(3)
  await process(first)
  await expect(unsent(first)).toHaveCount(4)
  // What is shown as the order's state is what the server said.
  await expect(first.getByText('服务器：已派发未处理')).toBeVisible()
  expect(await tooWide(first)).toEqual([])
  expect(await violationsInBothThemes(first)).toEqual([])

  // Killed, and opened again where it was.
  const address = first.url()
  await first.close()
  const second = await context.newPage()
  await second.goto(address)
  await expect(unsent(second)).toHaveCount(4)
  await expect(second.getByRole('link', { name: '待上传 1 张照片、3 项工单操作' })).toBeVisible()
  expect((await known()).Steps.map(({ Act }) => Act)).toEqual(['insert', 'dispatch', 'take'])

  // Up again, with two pages of the same phone open.
  const third = await context.newPage()
  await third.goto('/hazard/patrol/phone/waiting')
  await context.setOffline(false)
  await expect(third.getByRole('heading', { name: '全部已上传' })).toBeVisible()
  await expect(second.getByText('服务器：已派发已处理')).toBeVisible()
  await expect(second.getByText('服务器已有 1 张')).toBeVisible()
  await expect(unsent(second)).toHaveCount(0)
  const { Order, Steps, Photos } = await known()
  expect(Order).toMatchObject({ Status: 'processed', Cause: '接线盒进液', Done: '换密封接头' })
  expect(Steps.map(({ Act }) => Act)).toEqual(['insert', 'dispatch', 'take', 'arrive', 'comment', 'process'])
  expect(Steps.slice(2).every(({ PhoneTime }) => PhoneTime !== null)).toBe(true)
  expect(Photos).toHaveLength(1)
  expect(Photos[0]).toMatchObject({ Role: 'after', StepID: null })
  await context.close()
})

async function givenTo(stack: Stack, client: Client, OrderID: number, name: string): Promise<void> {
  const { Order } = await client.call(getWorkOrder, { params: { OrderID } })
  const Orders = [{ OrderID, Version: Order.Version }]
  const PersonInCharge = await accountOf(stack, name)
  await client.call(dispatchWorkOrders, { body: { ActID: crypto.randomUUID(), Orders, PersonInCharge, Reason: '换人' } })
}

test('what the server does not take stays on the phone with why, until the person decides', async ({ browser, stack }) => {
  const { admin } = await person(stack, '13700000052', '赵宇')
  await person(stack, '13700000053', '李强')
  const OrderID = await orderFor(stack, '赵宇')
  const { context, page } = await phoneOf(browser, stack, admin)
  await page.getByRole('button', { name: '打开' }).click()
  await expect(page.getByText('服务器：已派发未处理')).toBeVisible()
  await context.setOffline(true)
  await process(page)
  await expect(unsent(page)).toHaveCount(1)
  await givenTo(stack, stack.client, OrderID, '李强')
  await context.setOffline(false)

  const refused = page.getByRole('region', { name: '服务器没有接收' })
  await expect(refused).toContainText('现由 李强 负责')
  await expect(page.getByText('服务器：已派发未处理')).toBeVisible()
  await page.reload()
  await expect(refused).toContainText('现由 李强 负责')
  await expect(page.getByRole('link', { name: '1 条需要您看' })).toBeVisible()
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  // The list of orders keeps it, though it is somebody else's now.
  await page.goto('/hazard/workorder/phone')
  await expect(page.getByText('1 项服务器没有接收，请打开处理')).toBeVisible()
  await page.getByRole('button', { name: '打开' }).click()
  await refused.getByRole('button', { name: '按最新工单再提交' }).click()
  await expect(refused).toContainText('不能这样操作')
  await refused.getByRole('button', { name: '放弃' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '放弃' }).click()
  await expect(refused).toHaveCount(0)
  const { Order, Steps } = await stack.client.call(getWorkOrder, { params: { OrderID } })
  expect(Order.Status).toBe('dispatched')
  expect(Steps.map(({ Act }) => Act)).toEqual(['insert', 'dispatch', 'dispatch', 'comment'])
  await context.close()
})
