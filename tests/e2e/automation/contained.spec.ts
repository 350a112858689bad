import type { LinkageForm, TimerForm } from '@linewarden/contract'
import { insertLinkage, insertTimer, lineOverride } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'
import { fromNow } from './shanghai.ts'

test.use({ options: { plan: smallPlan } })

const hourMs = 3_600_000

/** A timer that closes and trips a line later today or tomorrow, and the drawer of that line. */
async function timedLine(page: Page, stack: Stack, LineNo: number, Name: string) {
  await keepSession(page, stack)
  const line = stack.server.plant.lineAt('A-T1', LineNo)
  const HouseID = line?.device.gateway.project.id ?? 0
  const at = fromNow()
  const form: TimerForm = {
    ...{ Name, Function: 'switch', Type: 'weekly', Period: { Days: 127 }, Exceptions: [], KeepWhileWanted: true, Enabled: true },
    Points: [
      { PointNo: 1, At: at(6), Action: 'close' },
      { PointNo: 2, At: at(12), Action: 'trip' },
    ],
    Lines: [{ ControllerID: 'A-T1', LineNo }],
  }
  await stack.client.call(insertTimer, { body: { HouseID, ...form } })
  await page.goto(`/devmon/realtime?at=house:${HouseID}&line=${line?.id}`)
  const drawer = page.getByRole('dialog', { name: line?.name ?? '' }).first()
  await expect(drawer.getByRole('region', { name: '合闸许可' })).toBeVisible()
  return { drawer, foot: drawer.locator('.operate-foot'), word: drawer.getByRole('region', { name: '手动保持' }) }
}

test('a person who trips and closes a line with a timer says what the timer is to do, and ends the word from the line', async ({
  page,
  stack,
}) => {
  const { drawer, foot, word } = await timedLine(page, stack, 1, '走廊照明')
  await foot.getByRole('button', { name: '分闸' }).click()
  const trip = page.getByRole('dialog', { name: /^分闸 / })
  await expect(trip).toContainText(/以下定时会操作该线路.*「走廊照明」：\d{4}-\d\d-\d\d \d\d:\d\d 合闸/s)
  await expect(trip.getByRole('radio', { name: /保持断开/ })).toBeChecked()
  await expect(trip.getByRole('radio', { name: /定时照常：\d{4}-\d\d-\d\d \d\d:\d\d 合闸/ })).not.toBeChecked()
  expect(await violationsInBothThemes(page)).toEqual([])
  await trip.getByLabel(/^原因/).fill('检修')
  await trip.getByRole('button', { name: /^分闸/ }).click()
  await expect(word).toContainText(/保持断开，定时和联动不会合闸.*admin/s)
  // Until its outcome is there the drawer moves: what is pressed would no longer be where it is let go.
  await expect(drawer.getByRole('region', { name: '操作记录' }).locator('.outcome').first()).toContainText('位置已核实')

  await word.getByRole('button', { name: '解除保持' }).click()
  const end = page.getByRole('dialog', { name: /^解除「.*」的手动保持$/ })
  await expect(end).toContainText(/线路现在不会动作.*下一次：\d{4}-\d\d-\d\d \d\d:\d\d 定时「走廊照明」合闸/s)
  await end.getByRole('button', { name: '解除保持' }).click()
  await expect(word).toHaveCount(0)

  // Some seconds lie between two operations of a line.
  const closing = foot.getByRole('button', { name: '合闸', exact: true })
  await expect(closing).not.toHaveAttribute('aria-disabled', 'true')
  await closing.click()
  const close = page.getByRole('dialog', { name: /^合闸送电 / })
  await expect(close).toContainText('合闸后，定时如何继续')
  await close.getByLabel(/^原因/).fill('检修完毕')
  await close.getByRole('button', { name: /^合闸/ }).click()
  await expect(close.getByRole('alert').filter({ hasText: '请选择定时如何继续' })).toBeVisible()
  await close.getByRole('radio', { name: /合闸并保持到指定时间/ }).check()
  await close.getByLabel(/^保持到/).fill('2020-01-01 08:00')
  await close.getByRole('button', { name: /^合闸/ }).click()
  await expect(close.getByRole('alert').filter({ hasText: '14 天以内' })).toBeVisible()
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 720 })
  await close.getByLabel(/^保持到/).fill(new Date(Date.now() + 11 * hourMs).toISOString().slice(0, 16).replace('T', ' '))
  await close.getByRole('button', { name: /^合闸/ }).click()
  await expect(word).toContainText(/定时暂停到.*检修完毕/s)
  await expect(drawer).toContainText('合闸')
  // Before somebody switches it again it is said who keeps its timers from it.
  await foot.getByRole('button', { name: '分闸' }).click()
  await expect(trip).toContainText(/手动保持.*定时暂停到.*admin.*原因：检修完毕/s)
  await page.keyboard.press('Escape')

  await page.goto('/timer/list')
  await page.getByText('手动保持 1 路').click()
  const listed = page.locator('.line-overrides')
  await expect(listed).toContainText(/A线1.*定时暂停到.*项目A.*检修完毕/s)
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
  await listed.getByRole('button', { name: 'A线1' }).click()
  const sheet = page.getByRole('dialog', { name: '手动保持' })
  await expect(sheet).toContainText(/A线1.*定时暂停到.*原因：检修完毕.*解除保持后.*解除保持不会立即动作/s)
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await sheet.getByRole('button', { name: '解除保持' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(listed).toHaveCount(0)
})

test('who trips several lines at once says until when their timers wait; who closes them may say the same', async ({
  page,
  stack,
}) => {
  const { drawer } = await timedLine(page, stack, 2, '夜间照明')
  await drawer.getByRole('button', { name: '关闭' }).click()
  await page.getByRole('button', { name: '批量操作' }).click()
  const dialog = page.getByRole('dialog', { name: '批量操作' })
  const timed = dialog.getByRole('group', { name: '有定时的线路' })
  await dialog.getByRole('button', { name: '合闸', exact: true }).click()
  await expect(timed.getByRole('button', { name: '不合闸' })).toHaveAttribute('aria-pressed', 'true')
  await timed.getByRole('button', { name: '合闸并保持到指定时间' }).click()
  await expect(dialog.getByLabel(/^保持到/)).toBeVisible()
  await dialog.getByRole('button', { name: '自检', exact: true }).click()
  await expect(timed).toHaveCount(0)

  await dialog.getByRole('button', { name: '分闸', exact: true }).click()
  await expect(timed.getByRole('button', { name: '保持断开', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await dialog.getByRole('checkbox', { name: 'A线2' }).check()
  await dialog.getByLabel(/^原因/).fill('检修')
  await timed.getByRole('button', { name: '保持断开到指定时间' }).click()
  const trip = dialog.getByRole('button', { name: '分闸停电（1 路）' })
  await trip.click()
  await expect(dialog.getByRole('alert').filter({ hasText: '14 天以内' })).toBeVisible()
  const until = new Date(Date.now() + 11 * hourMs).toISOString().slice(0, 16).replace('T', ' ')
  await dialog.getByLabel(/^保持到/).fill(until)
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 720 })
  await trip.click()
  await expect(dialog).toContainText('位置已核实')
  const override = await stack.client.call(lineOverride, { params: { ControllerID: 'A-T1', LineNo: 2 } })
  expect(override).toMatchObject({ Kind: 'until', Until: Date.parse(`${until.replace(' ', 'T')}+08:00`) })
})

test('a line that a linkage alone would close says that it is kept open by a person, and is released from there', async ({
  page,
  stack,
}) => {
  await keepSession(page, stack)
  const line = stack.server.plant.lineAt('A-T1', 3)
  const HouseID = line?.device.gateway.project.id ?? 0
  const linkage: LinkageForm = {
    ...{ Name: '夜间送电', Enabled: true, Mode: 'live', Match: 'all', MayClose: true, ActiveHours: [] },
    ...{ CooldownS: 300, MaxPerHour: 6, MaxPerDay: 24 },
    Conditions: [
      { Kind: 'point', ControllerID: 'A-T1', LineNo: 4, Key: 'power.total', Op: '>', Value: 260, Release: 13, ForS: 0 },
    ],
    Actions: [{ Kind: 'close', ControllerID: 'A-T1', LineNo: 3, DelayS: 0 }],
  }
  await stack.client.call(insertLinkage, { body: { HouseID, ...linkage } })
  await page.goto(`/devmon/realtime?at=house:${HouseID}&line=${line?.id}`)
  const drawer = page.getByRole('dialog', { name: line?.name ?? '' }).first()
  await drawer.locator('.operate-foot').getByRole('button', { name: '分闸' }).click()
  const trip = page.getByRole('dialog', { name: /^分闸 / })
  await trip.getByLabel(/^原因/).fill('检修')
  await trip.getByRole('button', { name: /^分闸/ }).click()
  const override = drawer.getByRole('region', { name: '手动保持' })
  await expect(override).toContainText(/保持断开，定时和联动不会合闸.*admin/s)
  await expect(drawer.getByRole('region', { name: '操作记录' }).locator('.outcome').first()).toContainText('位置已核实')
  expect(await violationsInBothThemes(page)).toEqual([])
  await override.getByRole('button', { name: '解除保持' }).click()
  const end = page.getByRole('dialog', { name: /^解除「.*」的手动保持$/ })
  await expect(end).toContainText('之后由定时和联动操作')
  await end.getByRole('button', { name: '解除保持' }).click()
  await expect(override).toHaveCount(0)
})
