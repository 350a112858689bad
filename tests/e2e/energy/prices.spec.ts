import { insertTariff } from '@linewarden/contract'
import { smallPlan } from '../../kit/small-plan.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan, fleet: { ticking: false } } })

test.beforeEach(({ page, stack }) => keepSession(page, stack))

const hours = (price: (hour: number) => string) =>
  ['时间,价格', ...Array.from({ length: 24 }, (_, hour) => `2025-03-30 ${String(hour).padStart(2, '0')}:00,${price(hour)}`)].join(
    '\n',
  )
const csv = (text: string) => ({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

test('a row by the quarter takes its prices from a file: what is wrong is told by its line, and what would change is shown first', async ({
  page,
  stack,
}) => {
  const HouseID = stack.server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  const { TariffID } = await stack.client.call(insertTariff, { body: { HouseID, Name: '现货合同' } })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/energyStatistics/energy?at=house:${HouseID}&tab=settings&part=tariffs&tariff=${TariffID}`)
  const spot = page.getByRole('region', { name: '价格', exact: true })
  await spot.getByRole('combobox', { name: '添加项目' }).fill('现货')
  await page.keyboard.press('Enter')
  await expect(spot).toContainText('每刻按导入的价格')
  await expect(spot).toContainText('另加每刻的时序价格')
  const series = page.getByRole('region', { name: '时序电价', exact: true })
  await expect(series).toContainText('还没有导入价格')
  await series.getByRole('button', { name: '导入时序电价' }).click()
  const dialog = page.getByRole('dialog', { name: '导入时序电价' })
  await dialog.getByLabel(/^来源/).fill('交易中心 2025 年 3 月')
  const choose = dialog.locator('input[type=file]')
  await choose.setInputFiles(csv(hours((hour) => (hour === 3 ? 'free' : '0.3'))))
  await expect(dialog).toContainText('文件有 1 处错误，不能导入')
  await expect(dialog).toContainText('第 5 行：“free”不是价格')
  await expect(dialog.getByRole('button', { name: /^导入/ })).toBeHidden()
  await choose.setInputFiles(csv(hours((hour) => (hour === 12 ? '-0.02' : hour === 13 ? '' : '0.3'))))
  await expect(dialog).toContainText('共 96 刻，步长 60 分钟，92 刻有变更，4 刻为负，4 刻未知')
  await expect(dialog.getByRole('row').filter({ hasText: '2025-03-30' })).toContainText('96 / 96')
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('prices-import.png') })
  await dialog.getByRole('button', { name: '导入 92 刻的变更' }).click()
  await expect(dialog).toBeHidden()
  await expect(series.getByRole('row').filter({ hasText: '交易中心' })).toContainText('60 分钟')
  const day = series.getByRole('region', { name: '一日电价' })
  await expect(day.getByRole('img', { name: /^2025-03-30 各刻电价，−0\.0200 至 0\.3000/ })).toBeVisible()
  await expect(day).toContainText('4 刻为负 · 4 刻没有价格')
  await day.getByText('各时段价格').click()
  await expect(day.getByRole('row').filter({ hasText: '12:00–13:00' })).toContainText('−0.0200')
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('prices-list.png'), fullPage: true })
  expect(await tooWide(page)).toEqual([])

  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto(`/energyStatistics/energy?at=house:${HouseID}&tab=settings&part=tariffs&tariff=${TariffID}`)
  await page
    .getByLabel('Add charge')
    .selectOption('Spot price')
    .catch(() => undefined)
  expect(await tooWide(page)).toEqual([])
  expect(await violations(page)).toEqual([])
})
