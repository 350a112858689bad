import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import { storeChatter } from '../../kit/stored-chatter.ts'
import { unreasoned, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const panel = (page: Page) => page.locator('section.drawer').getByRole('region', { name: '延时与回差' })

test.beforeEach(async ({ stack }) => {
  const db = await stack.server.database.connect()
  await db.query(
    "delete from alarm_tuning_change; delete from alarm_tuning; delete from event; delete from reading where at < now() - interval '30 minutes'",
  )
  await db.end()
})

test('an alarm that chatters is tuned with its proof and a reason, shown as tuned, and given back', async ({ page, stack }) => {
  const eventId = await storeChatter(stack)
  await keepSession(page, stack)
  await page.goto(`/hazard/alarmList?view=all&event=${eventId}`)
  await expect(panel(page)).toContainText('恢复延时5 秒')
  await panel(page).getByRole('button', { name: '按近 30 天数据计算建议' }).click()
  await expect(panel(page)).toContainText('恢复延时：5 秒 → 10 秒')
  await expect(panel(page)).toContainText('近 30 天报警 20 次，调整后 1 次')
  await expect(panel(page)).toContainText('没有报警变晚')
  expect(await violationsInBothThemes(page)).toEqual([])

  await panel(page).getByRole('button', { name: '采用…' }).click()
  const dialog = page.getByRole('dialog', { name: '采用建议的延时与回差' })
  await dialog.getByRole('button', { name: '采用，立即生效' }).click()
  await expect(dialog.getByText('请填写原因')).toBeVisible()
  await dialog.getByRole('button', { name: '抖动频繁' }).click()
  await dialog.getByRole('button', { name: '采用，立即生效' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(panel(page)).toContainText('恢复延时10 秒出厂 5 秒')
  const history = panel(page).getByRole('region', { name: '调整记录' })
  await expect(history).toContainText('恢复延时 5 秒 → 10 秒')
  await expect(history).toContainText('当时近 30 天：20 次 → 1 次')
  await expect(history).toContainText('抖动频繁')
  await expect(panel(page)).toContainText('不需要调整')
  expect(await unreasoned(page)).toEqual([])

  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
  await panel(page).getByRole('button', { name: '恢复出厂值…' }).click()
  const restore = page.getByRole('dialog', { name: '恢复出厂的延时与回差' })
  await restore.getByRole('button', { name: '误调' }).click()
  await restore.getByRole('button', { name: '恢复出厂值', exact: true }).click()
  await expect(restore).toHaveCount(0)
  await expect(history).toContainText('恢复出厂值')
  await expect(panel(page)).not.toContainText('已调整')
})

test('whoever may not change rules reads what is in force and what is offered, and is told why there is nothing to press', async ({
  page,
  stack,
}) => {
  const eventId = await storeChatter(stack)
  const { accounts, plant } = stack.server
  const watcher = { userName: `watcher-${eventId}`, password: 'Duty-7391' }
  const roleId = await accounts.createRole({
    number: watcher.userName,
    name: watcher.userName,
    privileges: ['hazard', 'hazard.alarmList'],
    buttons: [],
  })
  const projectIds = [...plant.projects.values()].map(({ id }) => id)
  await accounts.createAccount({ ...watcher, kind: 'sub', roleId, projectIds })
  await keepSession(page, { url: stack.url, admin: watcher })
  await page.goto(`/hazard/alarmList?view=all&event=${eventId}`)
  await panel(page).getByRole('button', { name: '按近 30 天数据计算建议' }).click()
  const apply = panel(page).getByRole('button', { name: '采用…' })
  await expect(apply).toHaveAttribute('aria-disabled', 'true')
  await expect(apply).toHaveAccessibleDescription('需要“预警规则”权限')
  await apply.click({ force: true })
  await expect(page.getByRole('dialog', { name: '采用建议的延时与回差' })).toHaveCount(0)
})
