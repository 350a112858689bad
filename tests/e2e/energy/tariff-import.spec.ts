import { utils, write } from '@e965/xlsx'
import { insertTariff, tariffTemplate } from '@linewarden/contract'
import { smallPlan } from '../../kit/small-plan.ts'
import { violationsInBothThemes } from '../axe.ts'
import { tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan, fleet: { ticking: false } } })

test.beforeEach(({ page, stack }) => keepSession(page, stack))

/** The template as somebody fills it in; prices are numbers, as a spreadsheet has them. */
const sheetOf = (from: string, price: number | string) =>
  utils.aoa_to_sheet(
    tariffTemplate(true).map((line) => {
      const [kind = ''] = line
      if (kind === '生效日期') return [kind, from]
      if (kind === '依据') return [kind, '苏发改价格发〔2026〕1018 号']
      return kind === '价格' ? [...line.slice(0, 5), ...line.slice(5).map(() => price)] : [...line]
    }),
  )
function workbook(sheets: Readonly<Record<string, ReturnType<typeof sheetOf>>>) {
  const book = utils.book_new()
  for (const [name, sheet] of Object.entries(sheets)) utils.book_append_sheet(book, sheet, name)
  const buffer = Buffer.from(write(book, { type: 'array', bookType: 'xlsx' }))
  return { name: '电价.xlsx', mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', buffer }
}

test('versions come from a workbook: what is wrong is told by its cell, and several sheets are published at once', async ({
  page,
  stack,
}) => {
  const HouseID = stack.server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  await stack.client.call(insertTariff, { body: { HouseID, Name: '代理购电' } })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/energyStatistics/energy?at=house:${HouseID}&tab=settings&part=tariffs`)
  await page.getByRole('button', { name: '导入版本' }).click()
  const dialog = page.getByRole('dialog', { name: '导入电价版本：代理购电' })
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: '下载模板' }).click()
  expect((await download).suggestedFilename()).toBe('电价版本模板.xlsx')
  const choose = dialog.locator('input[type=file]')
  await choose.setInputFiles(workbook({ 一月: sheetOf('2026-01-01', 0.31), 二月: sheetOf('2026-02-01', '三角') }))
  await expect(dialog).toContainText(/F\d+：价格须为数字/)
  await expect(dialog.getByRole('button', { name: /发布/ })).toBeHidden()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('tariff-import.png') })
  await choose.setInputFiles(workbook({ 一月: sheetOf('2026-01-01', 0.31), 二月: sheetOf('2026-02-01', 0.29) }))
  await dialog.getByRole('button', { name: '发布 2 个版本' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('2026-01-01 至 2026-01-31')).toBeVisible()
  expect(await tooWide(page)).toEqual([])
})
