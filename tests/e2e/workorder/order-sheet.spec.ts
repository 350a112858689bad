import { commentWorkOrder, insertWorkOrder, workOrderPeople } from '@linewarden/contract'
import { pngPhoto } from '@linewarden/server/test-photos'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { isA4, pagesOf } from '../pdf-pages.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const drawer = (page: Page) => page.getByRole('dialog', { name: '工单详情' })

async function made({ client, server }: Stack) {
  const line = server.plant.lineAt('A-T1', 3)
  if (!line) throw new Error('the plan has the line')
  const HouseID = line.device.gateway.project.id
  const { items } = await client.call(workOrderPeople, { query: { HouseID } })
  const PersonInCharge = items[0]?.AccountID ?? ''
  const body = {
    HouseID,
    ControllerID: 'A-T1',
    LineNo: 3,
    ActID: crypto.randomUUID(),
    Type: 'repair',
    Title: '紧固端子',
  } as const
  const rest = { Priority: 'medium', ValidDays: 7, ReminderDays: 1, WorkingDaysOnly: false, Dispatch: true } as const
  const { Order } = await client.call(insertWorkOrder, { body: { ...body, ...rest, PersonInCharge, Description: '端子发热' } })
  await client.call(commentWorkOrder, {
    params: { OrderID: Order.OrderID },
    body: { ActID: crypto.randomUUID(), Text: '已约明早停电' },
  })
  return Order
}

const photo = (width: number) => ({
  name: 'photo.png',
  mimeType: 'image/png',
  buffer: pngPhoto({ width, height: 600, even: true }),
})

test('the sheet of an order is A4, with its photos, its history, and a code that opens it', async ({ page, browser, stack }) => {
  const order = await made(stack)
  await keepSession(page, stack)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/hazard/workorder?order=${order.OrderID}`)
  await drawer(page).getByLabel('处理前照片').setInputFiles(photo(800))
  await expect(drawer(page).getByRole('img', { name: /^处理前 · / })).toHaveJSProperty('naturalWidth', 800)
  await drawer(page).getByLabel('处理后照片').setInputFiles(photo(900))
  await expect(drawer(page).getByRole('img', { name: /^处理后 · / })).toHaveJSProperty('naturalWidth', 900)
  await drawer(page).getByRole('button', { name: '打印工单' }).click()
  const sheet = page.locator('.paper')
  const words = [
    order.Number,
    '项目A',
    '紧固端子',
    'A线3',
    '3 路',
    '端子发热',
    '已约明早停电',
    '已派发未处理',
    '处理人',
    '验收人',
  ]
  for (const word of words) await expect(sheet).toContainText(word)
  // The wider of the two is no wider than its half of the paper.
  for (const name of [/^处理前 · /, /^处理后 · /]) {
    const image = sheet.getByRole('img', { name })
    await expect(image).toHaveJSProperty('naturalHeight', 600)
    expect((await image.boundingBox())?.width).toBeLessThan(397)
  }
  await expect(sheet.getByRole('img', { name: '扫码打开本工单' })).toBeVisible()
  await expect(page.getByRole('button', { name: '打印', exact: true })).toBeEnabled()
  expect(await violationsInBothThemes(page)).toEqual([])

  // In the dark theme too paper is white, and nothing of the console is on it.
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
  await expect(page.locator('header.top')).toBeHidden()
  await expect(page.getByRole('button', { name: '返回' })).toBeHidden()
  expect(await sheet.evaluate((each) => getComputedStyle(each).backgroundColor)).toBe('rgb(255, 255, 255)')
  const pages = pagesOf(await page.pdf({ preferCSSPageSize: true }))
  expect(pages.length).toBeGreaterThan(0)
  expect(pages.every(isA4)).toBe(true)
  await page.emulateMedia({ colorScheme: null, media: null })

  // Back to the order.
  await page.getByRole('button', { name: '返回' }).click()
  await expect(drawer(page)).toBeVisible()

  // On a phone, in English.
  const context = await browser.newContext({ viewport: phone, baseURL: stack.url })
  const mobile = await context.newPage()
  await mobile.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await keepSession(mobile, stack)
  await mobile.goto(`/hazard/workorder?order=${order.OrderID}&sheet=yes`)
  await expect(mobile.locator('.paper')).toContainText('Accepted by')
  await expect(mobile.locator('.paper').getByRole('img', { name: /^After · / })).toHaveJSProperty('naturalWidth', 900)
  expect(await tooWide(mobile)).toEqual([])
  expect(await violations(mobile)).toEqual([])
  await context.close()
})
