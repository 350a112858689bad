import { insertSupply, insertTariff, publishTariff, saveTariffDraft } from '@linewarden/contract'
import { evenStrip, painted } from '@linewarden/rules/energy'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan, fleet: { ticking: false } } })

let houseId = 0

/** March 2025 of two lines that use 4 kWh an hour together; a price of peak and flat from its 11th on. */
async function stored({ server, client }: Stack): Promise<void> {
  const lines = [1, 2].flatMap((lineNo) => server.plant.lineAt('A-T1', lineNo) ?? [])
  const [line] = lines
  if (!line || houseId !== 0) return
  houseId = line.device.gateway.project.id
  const db = await server.database.connect()
  try {
    const ids = lines.map(({ id }) => id)
    await db.query(
      `insert into energy_quarter (line_id, day, wh, how)
       select id, day::date, array_fill(500, array[96]), decode(repeat('00', 96), 'hex')
       from unnest($1::int[]) as t (id), generate_series('2025-02-28'::date, '2025-03-31', interval '1 day') as day`,
      [ids],
    )
    await db.query(
      "insert into energy_line (line_id, since, made_to) select id, '2025-02-28', '2025-04-01' from unnest($1::int[]) as t (id)",
      [ids],
    )
  } finally {
    await db.end()
  }
  const HouseID = houseId
  const { TariffID } = await client.call(insertTariff, { body: { HouseID, Name: '工商业两部制' } })
  const workday = painted(evenStrip(1), 34, 46, 0)
  const days = { workday, makeUpWorkday: workday, saturday: evenStrip(1), sunday: evenStrip(1), holiday: evenStrip(1) }
  const row = { Of: [], InPowerFactorBase: true, GovernmentFund: false }
  const Content = {
    ...{ From: '2025-03-11', To: null, Source: '苏发改价格发〔2025〕1 号', Bands: ['peak', 'valley'] },
    Seasons: [{ Name: '全年', From: '01-01', To: '12-31', Days: days }],
    Components: [
      { Key: 'purchase', Basis: 'kwhByBand' as const, Prices: ['1.2', '0.5'], ...row },
      { Key: 'demand', Basis: 'kwDemand' as const, Prices: ['40.8'], ...row },
    ],
    ...{ DemandRule: null, PowerFactorStandard: 90 as const },
  }
  const saved = await client.call(saveTariffDraft, { body: { HouseID, TariffID, Version: 0, Content } })
  await client.call(publishTariff, {
    body: { HouseID, VersionID: saved?.Head.VersionID ?? 0, Version: saved?.Head.Version ?? 0 },
  })
  for (const [Name, own, From] of [
    ['一号进线', line, '2025-03-01'],
    ['二号进线', lines[1] ?? line, '2025-03-11'],
  ] as const)
    await client.call(insertSupply, {
      body: {
        ...{ HouseID, Name, AccountNo: '', CapacityVa: null, DeclaredW: null, BillingDay: 0 },
        PowerFactorStandard: Name === '二号进线' ? 90 : null,
        ...{ EnergyStepWh: 1, From, To: null, Members: [{ LineID: own.id, Sign: 1 }], Tariffs: [{ TariffID, From: null }] },
      },
    })
}

test.beforeEach(async ({ page, stack }) => {
  await stored(stack)
  await keepSession(page, stack)
})

test('what a month costs by band, what has no price, and its bill with what it lacks', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/energyStatistics/energy?at=house:${houseId}&unit=day&day=2025-03-20`)
  await page.getByRole('tab', { name: '费用' }).click()
  await expect(page.getByRole('img', { name: /一号进线 分时用电，共 1,488\.0 kWh/ })).toBeVisible()
  // Ten days have no price: their cost is not known, and so is that of the month.
  await expect(page.getByText(/缺 960 刻电价（480\.0 kWh），未计入/).first()).toBeVisible()
  const table = page.getByRole('table', { name: '分时电量和电费' })
  await expect(table.getByRole('row').filter({ hasText: '2025-03-10' })).toContainText('–')
  // 6 kWh at 1.2 and 42 at 0.5.
  await expect(table.getByRole('row').filter({ hasText: '2025-03-11' })).toContainText('≈ 28.20')
  const bill = page.getByRole('region', { name: '账单试算' })
  // Of 31 days the version prices 21, and bears so much of the demand of the month.
  await expect(bill).toContainText('按 21/31 天')
  await expect(bill).toContainText('不是供电公司的结算单')
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])

  await page.getByLabel('供电点').selectOption('二号进线')
  await expect(page).toHaveURL(/supply=\d+/)
  await expect(page.getByText('谷电占比')).toBeVisible()
  // 15 workdays of 6 kWh in the peak, of 1,008 kWh.
  await expect(page.getByText('≈ 567.00').first()).toBeVisible()

  // Against the month before, of which nothing is known.
  await page.getByLabel('不对比').selectOption('previous')
  await expect(page.getByText('不给出变化').first()).toBeVisible()
  const bands = page.getByRole('table', { name: '各时段电费' })
  // 90 kWh at 1.2 and 918 at 0.5.
  await expect(bands.getByRole('row').filter({ hasText: '峰' })).toContainText('≈ 108.00')
  await expect(bands.getByRole('row').filter({ hasText: '谷' })).toContainText('≈ 459.00')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出' }).click()
  await page.getByRole('button', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^电费-二号进线-.+\.csv$/)

  // Its power factor is typed from a bill, and taken out again.
  await expect(bill).toContainText('功率因数未录入')
  await bill.getByRole('button', { name: '录入功率因数', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '2025-03 功率因数' })
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toContainText('请填写 0.01–1.00')
  await dialog.getByRole('textbox', { name: '功率因数' }).fill('0.93')
  await dialog.getByRole('textbox', { name: '依据' }).fill('2025 年 3 月电费单')
  expect(await violationsInBothThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toBeHidden()
  await expect(bill).toContainText('功率因数 0.93')
  await expect(bill).toContainText('依据：2025 年 3 月电费单。')
  await bill.getByRole('button', { name: '修改功率因数' }).click()
  await page.getByRole('dialog').getByText('未知', { exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await expect(bill).toContainText('功率因数未录入')
})

test('a project without supplies leads to where they are set; in English, on a phone', async ({ page, stack }) => {
  const other = stack.server.plant.lineAt('B-T1', 1)?.device.gateway.project.id ?? 0
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto(`/energyStatistics/energy?at=house:${houseId}&tab=cost&unit=day&day=2025-03-20`)
  await expect(page.getByRole('region', { name: 'Bill, computed' })).toContainText('Sum of what is known')
  expect(await tooWide(page)).toEqual([])
  expect(await violations(page)).toEqual([])
  await page.goto(`/energyStatistics/energy?at=house:${other}&tab=cost`)
  await page.getByRole('button', { name: 'Set supplies' }).click()
  await expect(page).toHaveURL(/tab=settings.*part=supplies/)
})
