/// <reference lib="dom" />
import { listEvents } from '@linewarden/contract'
import { raiseEvents } from '../../kit/raised-events.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import { signedIn } from '../../kit/stack.ts'
import { storeIncident } from '../../kit/stored-incident.ts'
import { violationsInBothThemes } from '../axe.ts'
import { tooWide } from '../looks.ts'
import { raise } from '../raise.ts'
import { expect, test } from '../stack.ts'
import { begin, called, open, row, rows, table } from './list-page.ts'

test.use({ options: { plan: smallPlan } })

const minuteMs = 60_000

test('a row says that its alarm chatters or was fleeting and how often it came; the drawer says since when', async ({
  page,
  stack,
}) => {
  const [over = '', trip = ''] = await begin(stack)
  const db = await stack.server.database.connect()
  await db.query(
    `update event set occurrences = 12, chatter_since = now() - interval '2 minutes', chatter_at = now() where event_id = $1`,
    [over],
  )
  await db.query(
    `update event set state = 'returned', returned_at = raised_at + interval '3 seconds', raised_again_at = null where event_id = $1`,
    [trip],
  )
  await db.end()
  await open(page, stack)
  await expect(row(page, '过电压')).toContainText('抖动 12×')
  await expect(row(page, '过电压')).toContainText('3 / 12')
  await expect(row(page, '短路脱扣')).toContainText('瞬时')
  await expect(row(page, '烟雾报警')).not.toContainText(/抖动|瞬时/)
  await row(page, '过电压').getByRole('button', { name: /^查看/ }).click()
  const facts = page.getByRole('dialog', { name: '过电压' }).getByRole('region', { name: '基本信息' })
  await expect(facts).toContainText('共 12 次，本条 3 次')
  await expect(facts).toContainText('仍在抖动')
  await expect(facts.getByRole('link', { name: '调整延时与死区' })).toHaveAttribute('href', new RegExp(`event=${over}.*#tuning$`))
  expect(await violationsInBothThemes(page)).toEqual([])

  // Ten minutes later it is over, and the row says that it was.
  await stack.server.database.general
    .updateTable('event')
    .set({ chatter_since: new Date(Date.now() - 20 * minuteMs), chatter_at: new Date(Date.now() - 11 * minuteMs) })
    .where('event_id', '=', over)
    .execute()
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, stack)
  await expect(row(page, '过电压')).toContainText('曾抖动 12×')
  await expect(row(page, '过电压')).toContainText('系列 12 次')
  expect(await tooWide(page)).toEqual([])
})

test('the root of an incident is named as one, opens with what it shows for, and is acknowledged with all of it', async ({
  page,
  stack,
}) => {
  const [over = '', gone = '', smoke = ''] = await begin(stack, [
    { key: 'device.offline', label: called('设备离线', 'Device offline'), priority: 'critical', lineNo: null },
    { key: 'gateway.offline', label: called('网关离线', 'Gateway offline'), lineNo: 'gateway' },
    { key: 'device.stale', label: called('设备无数据', 'Device silent'), controllerId: 'A-Y1', lineNo: null },
  ])
  await storeIncident(stack, [gone, over, smoke])
  await open(page, stack)
  await expect(rows(page)).toHaveText([/网关离线.*网关失联.*内含紧急.*含 2 条/])
  await row(page, '网关离线').getByRole('button', { name: /^查看/ }).click()
  const drawer = page.getByRole('dialog', { name: '网关离线' })
  const incident = drawer.getByRole('region', { name: '归并事件' })
  await expect(incident).toContainText('根因未恢复')
  await expect(incident).toContainText('待处理 2 条，共 2 条')
  await expect(incident.getByRole('listitem')).toHaveText([/设备离线/, /设备无数据/])
  expect(await violationsInBothThemes(page)).toEqual([])

  await incident.getByRole('link', { name: '设备离线' }).click()
  const member = page.getByRole('dialog', { name: '设备离线' }).getByRole('region', { name: '已折叠到' })
  await expect(member).toContainText('网关失联')
  await member.getByRole('link', { name: '网关离线' }).click()
  await drawer.getByRole('button', { name: '确认整个事件（共 3 条）' }).click()
  await expect(drawer.getByRole('button', { name: /^确认/ })).toHaveCount(0)
  const client = await signedIn(stack.url, stack.admin)
  const { items } = await client.call(listEvents, { body: {} })
  expect(items.map(({ State }) => State)).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
})

test('a flood is said while the list is read, which stays as it is; one that is opened in it is folded by place', async ({
  page,
  stack,
}) => {
  await begin(stack)
  await open(page, stack)
  await expect(rows(page)).toHaveCount(4)
  const strip = page.getByRole('status', { name: '报警洪泛' })
  await expect(strip).toHaveCount(0)
  const ids = await raiseEvents(
    stack,
    Array.from({ length: 14 }, () => ({})),
  )
  await storeIncident(stack, ids.slice(0, 4))
  const line = stack.server.plant.lineAt('A-T1', 3)
  if (!line) throw new Error('the plant has no line')
  await raise(stack, line, ['新来的'])
  await expect(strip).toContainText('另有 3 条已折叠到 1 个归并事件')
  await expect(rows(page)).toHaveCount(4)
  expect(await violationsInBothThemes(page)).toEqual([])

  await page.goto('/hazard/alarmList')
  await expect(page).toHaveURL(/fold=place/)
  await expect(table(page).getByRole('button', { name: /展开或收起/ })).toHaveText([/A柜/, /B柜/])
  await strip.getByRole('button', { name: '按归并事件折叠' }).click()
  await expect(rows(page)).toHaveCount(16)
  await page.setViewportSize({ width: 360, height: 740 })
  // Nothing covers it there.
  await strip.getByRole('button', { name: '按位置折叠' }).click()
  await expect(page).toHaveURL(/fold=place/)
  expect(await tooWide(page)).toEqual([])
})

test('a comment takes a photo of what was found, which whoever opens the alarm looks at', async ({ page, stack }) => {
  const [over = ''] = await begin(stack)
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, stack, `?event=${over}`)
  const drawer = page.getByRole('dialog', { name: '过电压' })
  await drawer.getByLabel('写备注').fill('端子已变色')
  await drawer
    .getByLabel('照片（可选）')
    .setInputFiles({ name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('none') })
  await drawer.getByRole('button', { name: '提交备注' }).click()
  await expect(drawer.getByText('无法读取该照片，请换一张')).toBeVisible()
  await drawer
    .getByLabel('照片（可选）')
    .setInputFiles({ name: 'terminal.png', mimeType: 'image/png', buffer: await page.screenshot() })
  await drawer.getByRole('button', { name: '提交备注' }).click()
  const step = drawer.getByRole('listitem').filter({ hasText: '端子已变色' })
  await step.getByRole('button', { name: '查看照片' }).click()
  const photo = page.getByRole('dialog', { name: /admin 的照片/ })
  const picture = photo.getByRole('img', { name: /admin 的照片/ })
  await expect(picture).toBeVisible()
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
  expect(await tooWide(page)).toEqual([])
})
