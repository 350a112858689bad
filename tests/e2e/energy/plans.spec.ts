import { insertSupply, insertTariff, publishTariff, saveTariffDraft } from '@linewarden/contract'
import { evenStrip } from '@linewarden/rules/energy'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan, fleet: { ticking: false } } })

let houseId = 0
let lineId = 0

/** March 2025 of a line that uses 4 kWh an hour, at one yuan a kWh. */
async function stored({ server, client }: Stack): Promise<void> {
  const line = server.plant.lineAt('A-T1', 1)
  if (!line || houseId !== 0) return
  houseId = line.device.gateway.project.id
  lineId = line.id
  await server.database.borrow(async (db) => {
    await db.query(
      `insert into energy_quarter (line_id, day, wh, how)
       select $1, day::date, array_fill(1000, array[96]), decode(repeat('00', 96), 'hex') from generate_series('2024-12-31'::date, '2025-03-31', interval '1 day') as day`,
      [line.id],
    )
    await db.query("insert into energy_line (line_id, since, made_to) values ($1, '2024-12-31', '2025-04-01')", [line.id])
  })
  const HouseID = houseId
  const { TariffID } = await client.call(insertTariff, { body: { HouseID, Name: '单一制' } })
  const even = evenStrip(0)
  const Content = {
    ...{ From: '2025-01-01', To: null, Source: '苏发改价格发〔2025〕1 号', Bands: ['flat'] },
    Seasons: [
      {
        Name: '',
        From: '01-01',
        To: '12-31',
        Days: { workday: even, saturday: even, sunday: even, holiday: even, makeUpWorkday: even },
      },
    ],
    Components: [
      { Key: 'purchase', Basis: 'kwh' as const, Prices: ['1'], Of: [], InPowerFactorBase: true, GovernmentFund: false },
    ],
    ...{ DemandRule: null, PowerFactorStandard: null },
  }
  const saved = await client.call(saveTariffDraft, { body: { HouseID, TariffID, Version: 0, Content } })
  await client.call(publishTariff, {
    body: { HouseID, VersionID: saved?.Head.VersionID ?? 0, Version: saved?.Head.Version ?? 0 },
  })
  await client.call(insertSupply, {
    body: {
      ...{ HouseID, Name: '总进线', AccountNo: '', CapacityVa: null, DeclaredW: null, BillingDay: 0, PowerFactorStandard: null },
      ...{ EnergyStepWh: 1, From: '2025-01-01', To: null, Members: [{ LineID: line.id, Sign: 1 as const }] },
      Tariffs: [{ TariffID, From: null }],
    },
  })
}

test.beforeEach(async ({ page, stack }) => {
  await stored(stack)
  await keepSession(page, stack)
})

test('a budget is set, and its month is drawn against it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/energyStatistics/energy?at=house:${houseId}`)
  await page.getByRole('tab', { name: '预算' }).click()
  await expect(page.getByText('此项目还没有预算')).toBeVisible()
  await page.getByRole('button', { name: '新建预算' }).click()
  const dialog = page.getByRole('dialog', { name: '新建预算' })
  await dialog.getByLabel('名称').fill('每月电费')
  await dialog.getByText('电度电费', { exact: true }).click()
  await dialog.getByRole('textbox', { name: '预算' }).fill('2500')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toContainText('电费预算须选择供电点')
  await dialog.getByLabel('对象').selectOption('总进线')
  expect(await violationsInBothThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toBeHidden()
  await page.goto(`${page.url()}&on=2025-03-15`)
  await expect(page.getByRole('img', { name: /每月电费：2025-03-01 至 2025-04-01/ })).toBeVisible()
  await expect(page.getByText('已用 119.0 %')).toBeVisible()
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('budget.png'), fullPage: true })
})

test('holidays and carbon factors have their places in the settings; in English, on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/energyStatistics/energy?at=house:${houseId}&tab=settings&part=carbon`)
  const carbon = page.getByRole('region', { name: '碳排放因子', exact: true })
  await expect(carbon).toContainText('按项目所在地取 全国')
  await carbon.getByRole('button', { name: '录入因子' }).click()
  const dialog = page.getByRole('dialog', { name: '录入因子' })
  await dialog.getByLabel(/^年份/).fill('2025')
  await dialog.getByLabel('kg/kWh').fill('0.51')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toContainText('请填写依据')
  await dialog.getByLabel(/^依据/).fill('示例公告 2026 年第 1 号')
  expect(await violationsInBothThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(carbon.getByRole('row').filter({ hasText: '示例公告' })).toContainText('0.51')
  await page.screenshot({ path: test.info().outputPath('carbon.png') })
  await page.goto(`/energyStatistics/energy?at=line:${houseId}:${lineId}&unit=day&day=2025-03-20`)
  await expect(page.getByText('碳排放').first()).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('carbon-strip.png') })

  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  for (const part of ['publicDays', 'carbon']) {
    await page.goto(`/energyStatistics/energy?at=house:${houseId}&tab=settings&part=${part}`)
    await expect(page.getByRole('table')).toBeVisible()
    expect(await tooWide(page)).toEqual([])
    expect(await violations(page)).toEqual([])
    await page.screenshot({ path: test.info().outputPath(`${part}-phone.png`) })
  }
  await page.goto(`/energyStatistics/energy?at=house:${houseId}&tab=budget&on=2025-03-15`)
  await expect(page.getByRole('tabpanel', { name: 'Budget' })).toBeVisible()
  expect(await tooWide(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('budget-phone.png') })
})
