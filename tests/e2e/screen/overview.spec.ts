import { violationsInBothThemes } from '../axe.ts'
import { live } from '../live-page.ts'
import { phone, tooWide } from '../looks.ts'
import { expect, test } from '../stack.ts'

test('the wall has every project with how it stands, the worst first, and what is open; its tile leads to the diagram', async ({
  page,
  stack,
}) => {
  await live(page, stack)
  await page.getByRole('button', { name: '大屏', exact: true }).click()
  await expect(page).toHaveURL(/\/bigScreen$/)
  await expect(page.getByRole('heading', { name: '总览' })).toBeVisible()
  const tiles = page.getByRole('region', { name: '项目', exact: true }).getByRole('link')
  await expect(tiles).toHaveCount(2)
  await expect(tiles.first()).toContainText(/\d kW/)
  await expect(page.getByRole('region', { name: '概况' })).toContainText('合闸')
  const line = [...stack.fleet.gateways.values()].flatMap((gateway) => gateway.lines()).find(({ name }) => name === '1层照明一')
  if (!line) throw new Error('the plan has this line')
  stack.fleet.run('leakageTrip', line)
  await expect(tiles.first()).toContainText('1 脱扣')
  await expect(page.getByRole('alert', { name: '报警接管', exact: true })).toContainText('1层照明一')
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.setViewportSize(phone)
  await expect(tiles).toHaveCount(2)
  expect(await tooWide(page)).toEqual([])
  await tiles.first().click()
  await expect(page).toHaveURL(/\/bigScreen\/home\/\d+$/)
})
