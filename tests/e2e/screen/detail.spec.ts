import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import { violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { test } from '../on-weak-network.ts'
import { stopTime } from '../page-time.ts'
import { expect } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const values = (page: Page) => page.getByRole('region', { name: '测点数值', exact: true })
const now = (page: Page) => page.getByRole('region', { name: '当前状态', exact: true })

test('a device has its switch, what it measures in each phase, its trend and limits, and how it is supplied; of a trip it says the cause', async ({
  page,
  network,
  stack,
}) => {
  await page.goto(`${network.url}/bigScreen/detail/A-T1`)
  await expect(page.getByRole('heading', { name: /^A线1/ })).toBeVisible()
  await expect(now(page)).toContainText('合闸')
  const row = values(page).getByRole('row', { name: /^电压/ })
  await expect(row.getByRole('cell')).toHaveCount(5)
  await expect(row.getByRole('cell').first()).toHaveText(/^2\d\d/)
  await expect(page.getByRole('region', { name: '近 15 分钟 功率', exact: true }).locator('.line')).toHaveAttribute('d', /^M/)
  await expect(page.getByRole('list', { name: '供电路径', exact: true }).getByRole('listitem')).toHaveText([
    /^市电/,
    /^A线1.*合闸/,
  ])
  stack.fleet.run('leakageTrip', { controllerId: 'A-T1', lineNo: 5 })
  // Of several lines the one that stands worst is shown.
  await expect(page.getByRole('heading', { name: /^A线5/ })).toBeVisible()
  await expect(now(page)).toContainText('脱扣')
  await expect(now(page)).toContainText('漏电')
  await expect(page.getByRole('region', { name: '最近', exact: true })).toContainText('漏电')
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: /A线2/ }).click()
  await expect(page.getByRole('heading', { name: /^A线2/ })).toBeVisible()
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
  await page.getByRole('link', { name: '在实时监控中查看' }).click()
  await expect(page).toHaveURL(/realtime.*line=/)
})

test('a detector is shown by what its family says of it', async ({ page, network }) => {
  await page.goto(`${network.url}/bigScreen/detail/A-Y1`)
  await expect(now(page)).toContainText('正常')
  await expect(values(page).locator('dl')).toContainText('烟雾')
  await expect(page.getByRole('list', { name: '供电路径', exact: true })).toHaveCount(0)
})

test('what was opened from the diagram goes back by itself once nobody touches it', async ({ page, network, stack }) => {
  const houseId = stack.server.plant.lineAt('B-T1', 1)?.device.gateway.project.id ?? 0
  await page.clock.install()
  await page.goto(`${network.url}/bigScreen/home/${houseId}`)
  await page.getByRole('link', { name: /^B线3 / }).click()
  await expect(page).toHaveURL(/detail\/B-T1/)
  await expect(page.getByRole('heading', { name: /^B线3/ })).toBeVisible()
  await stopTime(page)
  await page.clock.runFor(50_000)
  await page.keyboard.press('Shift')
  await page.clock.runFor(50_000)
  await expect(page).toHaveURL(/detail\/B-T1/)
  await page.clock.runFor(12_000)
  await expect(page).toHaveURL(new RegExp(`home/${houseId}$`))
})

test('of a device that is not there nothing is hinted at, and after ten seconds the overview comes back', async ({
  page,
  network,
}) => {
  await page.clock.install()
  await page.goto(`${network.url}/bigScreen/detail/X-99?house=7`)
  await expect(page.getByText('此设备不在本大屏范围')).toBeVisible()
  await stopTime(page)
  await page.clock.runFor(12_000)
  await expect(page).toHaveURL(/\/bigScreen$/)
})
