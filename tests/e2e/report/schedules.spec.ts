import { smallPlan } from '../../kit/small-plan.ts'
import { violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan, fleet: { ticking: false } } })

test.beforeEach(({ page, stack }) => keepSession(page, stack))

test('a report is scheduled with its next five times, changed and taken out; without a mail server it can only be downloaded', async ({
  page,
  stack,
}) => {
  const houseId = stack.server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/system/report/schedules?at=house:${houseId}`)
  await expect(page.getByRole('status').filter({ hasText: '只能下载' })).toBeVisible()
  await page.getByRole('button', { name: '新建定时报表', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '新建定时报表' })
  await dialog.getByLabel(/^名称/).fill('月度用电')
  await dialog.getByLabel(/^发送时间/).fill('0 8 30 2 *')
  await expect(dialog).toContainText('这个时间永远不会到来')
  await dialog.getByLabel(/^发送时间/).fill('30 7 1 * *')
  const next = dialog.getByRole('region', { name: '接下来五次' })
  await expect(next.getByRole('listitem')).toHaveCount(5)
  await expect(next).toContainText('-01 07:30，统计 ')
  await dialog.getByRole('textbox', { name: '邮箱' }).fill('li@example.com')
  expect(await violationsInBothThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await expect(dialog).toBeHidden()

  const card = page.getByRole('region', { name: '定时报表列表' }).getByRole('listitem', { name: '月度用电' })
  await expect(card).toContainText('li@example.com')
  await expect(card).toContainText('待对方确认')
  await expect(card).toContainText('下次发送')
  await expect(card.getByRole('button', { name: '立即发送', exact: true })).toHaveAttribute('aria-disabled', 'true')
  const download = page.waitForEvent('download')
  await card.getByRole('button', { name: '导出', exact: true }).click()
  await page.getByRole('button', { name: '最近一期（XLSX）' }).click()
  expect((await download).suggestedFilename()).toMatch(/^用电报告-项目A-\d{4}-\d{2}-01\.xlsx$/)
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])

  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
  await card.getByRole('button', { name: '修改', exact: true }).click()
  const edit = page.getByRole('dialog', { name: '修改定时报表' })
  expect(await tooWide(page)).toEqual([])
  await edit.getByRole('checkbox', { name: '启用' }).uncheck()
  await edit.getByRole('button', { name: '保存', exact: true }).click()
  await expect(card).toContainText('已停用')
  await card.getByRole('button', { name: '删除', exact: true }).click()
  await page.getByRole('dialog', { name: '删除定时报表' }).getByRole('button', { name: '删除', exact: true }).click()
  await expect(
    page.getByRole('heading', { name: '此项目还没有定时报表' }).or(page.getByText('此项目还没有定时报表')),
  ).toBeVisible()
})
