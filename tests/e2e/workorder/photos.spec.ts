import { insertWorkOrder, workOrderPeople } from '@linewarden/contract'
import { exifWithGps, pngPhoto } from '@linewarden/server/test-photos'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const drawer = (page: Page) => page.getByRole('dialog', { name: '工单详情' })
const photos = (page: Page) => drawer(page).getByRole('region', { name: '照片' })

async function orderOf({ client, server }: Stack, Title: string): Promise<number> {
  const HouseID = [...server.plant.projects.values()].find(({ name }) => name === '项目A')?.id ?? 0
  const { items } = await client.call(workOrderPeople, { query: { HouseID } })
  const body = { HouseID, ActID: crypto.randomUUID(), Type: 'repair', Title, Description: '先停电', Priority: 'medium' } as const
  const days = { ValidDays: 7, ReminderDays: 1, WorkingDaysOnly: false }
  const PersonInCharge = items[0]?.AccountID ?? ''
  return (await client.call(insertWorkOrder, { body: { ...body, ...days, PersonInCharge, Dispatch: true } })).Order.OrderID
}

/** A photo as a phone takes it: larger than is sent, with the place where it was taken. */
async function taken(page: Page, width: number, height: number) {
  const data = await page.evaluate(
    ([w = 0, h = 0]) => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: w, height: h })
      const drawing = canvas.getContext('2d')
      if (drawing) drawing.fillStyle = '#a33'
      drawing?.fillRect(w / 4, h / 4, w / 2, h / 2)
      return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
    },
    [width, height],
  )
  const jpeg = Buffer.from(data, 'base64')
  return {
    name: 'IMG_1.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([jpeg.subarray(0, 2), exifWithGps, jpeg.subarray(2)]),
  }
}

const opened = async (page: Page, title: string) => {
  await page.goto('/hazard/workorder')
  await page.getByRole('button', { name: title }).first().click()
  await expect(photos(page)).toBeVisible()
}

test('an electrician adds photos before and after on a phone, and whoever looks sees them side by side', async ({
  page,
  stack,
}) => {
  const OrderID = await orderOf(stack, '换密封接头')
  await keepSession(page, stack)
  await page.setViewportSize(phone)
  await opened(page, '换密封接头')
  await photos(page)
    .getByLabel('处理前照片')
    .setInputFiles(await taken(page, 2_400, 1_800))
  const before = photos(page).getByRole('img', { name: /^处理前 · / })
  await expect(before).toHaveJSProperty('naturalWidth', 1_600)
  await photos(page)
    .getByLabel('处理后照片')
    .setInputFiles({ name: 'after.png', mimeType: 'image/png', buffer: pngPhoto({ width: 900, height: 1_200, even: true }) })
  const after = photos(page).getByRole('img', { name: /^处理后 · / })
  await expect(after).toHaveJSProperty('naturalHeight', 1_200)
  await expect(photos(page).getByRole('list', { name: '未传完的照片' })).toHaveCount(0)
  const [left, right] = [await before.boundingBox(), await after.boundingBox()]
  expect(left && right && Math.abs(left.y - right.y) < 1 && left.x + left.width <= right.x).toBe(true)
  expect(await tooWide(page)).toEqual([])
  expect(await violations(page)).toEqual([])
  for (const { sent_hash } of await stack.server.photos.listOf({ kind: 'workOrder', id: String(OrderID) })) {
    const { bytes } = await stack.server.photos.file({ kind: 'workOrder', id: String(OrderID) }, sent_hash)
    expect(Buffer.from(bytes).includes('GPSLatitude')).toBe(false)
    expect(bytes.length).toBeLessThanOrEqual(400_000)
  }

  // One after the other, by keys.
  await photos(page)
    .getByRole('button', { name: /^查看照片：处理前/ })
    .click()
  const viewer = page.getByRole('dialog', { name: '照片' })
  await expect(viewer.getByRole('img', { name: /^处理前/ })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(viewer.getByRole('img', { name: /^处理后/ })).toBeVisible()
  await expect(viewer.getByRole('button', { name: '下一张' })).toBeDisabled()
  expect(await tooWide(page)).toEqual([])
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(before).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])

  // One that should not be there.
  await photos(page)
    .getByRole('button', { name: /^查看照片：处理后/ })
    .click()
  await viewer.getByRole('button', { name: '撤回照片' }).click()
  const sure = page.getByRole('dialog', { name: '撤回照片' })
  await sure.getByRole('button', { name: '撤回照片' }).click()
  await expect(viewer).toHaveCount(0)
  await expect(after).toHaveCount(0)
  await expect(before).toBeVisible()
})

test('a photo that does not get through stays, says why, and is sent again; what is no picture says so', async ({
  page,
  stack,
  problems,
}) => {
  await orderOf(stack, '查端子')
  await keepSession(page, stack)
  await opened(page, '查端子')
  await page.route('**/photos/*', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
  await photos(page)
    .getByLabel('其他照片')
    .setInputFiles(await taken(page, 400, 300))
  await expect(photos(page).getByRole('alert')).toHaveText(/./)
  await page.unroute('**/photos/*')
  await photos(page).getByRole('button', { name: '重试' }).click()
  await expect(photos(page).getByRole('img', { name: /^其他 · / })).toBeVisible()
  await photos(page)
    .getByLabel('其他照片')
    .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<script>1</script>') })
  await expect(photos(page).getByRole('alert')).toHaveText(/无法读取该图片/)
  await photos(page).getByRole('button', { name: '不传了' }).click()
  await expect(photos(page).getByRole('alert')).toHaveCount(0)
  forgive(problems, /ERR_FAILED/)
})

test('a comment has its photos with it', async ({ page, stack }) => {
  await orderOf(stack, '紧固接线')
  await keepSession(page, stack)
  await opened(page, '紧固接线')
  const comment = drawer(page).getByRole('region', { name: '评论', exact: true })
  await comment.getByLabel('评论').fill('端子已变色')
  await comment.getByLabel('附照片').setInputFiles(await taken(page, 400, 300))
  await expect(comment.getByText('1 张')).toBeVisible()
  await comment.getByRole('button', { name: '发表' }).click()
  const history = drawer(page).getByRole('region', { name: '经过与评论' })
  await expect(history).toContainText('端子已变色')
  await history.getByRole('button', { name: /^查看照片：评论照片/ }).click()
  await expect(page.getByRole('dialog', { name: '照片' }).getByRole('img')).toBeVisible()
  // It is the comment's, and not one of the order's own.
  await page.keyboard.press('Escape')
  await expect(photos(page).getByRole('img')).toHaveCount(0)
})
