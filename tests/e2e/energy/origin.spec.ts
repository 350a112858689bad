import { hourMs } from '@linewarden/equipment'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { makeDueProfiles } from '../../../apps/server/src/store/energy/make-profiles.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } } })

/** Midnight in Shanghai of 1 January 2025. */
const start = Date.UTC(2024, 11, 31, 16)
let houseId = 0

/** Ten days of a line that uses 3 kWh an hour, silent through the third day. */
async function stored({ server }: Stack): Promise<void> {
  const line = server.plant.lineAt('A-T1', 1)
  if (!line || houseId !== 0) return
  const client = await server.database.connect()
  try {
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select $1, at, at, 0, 1, 1000 + extract(epoch from at - $2::timestamptz) / 1200
       from generate_series($2::timestamptz, $2::timestamptz + interval '10 days', '5 min') as at
       where at <= $2::timestamptz + interval '48 h' or at >= $2::timestamptz + interval '72 h'`,
      [line.id, new Date(start)],
    )
    await client.query('insert into energy_due (line_id, starts, ends) values ($1, $2, $3)', [
      line.id,
      new Date(start),
      new Date(start + 240 * hourMs),
    ])
    await makeDueQuarters(client, Date.now())
    await makeDueProfiles(client, Date.now())
  } finally {
    await client.end()
  }
  houseId = line.device.gateway.project.id
}

test.beforeEach(async ({ page, stack }) => {
  await stored(stack)
  await keepSession(page, stack)
})

test('a figure of a project opens where it comes from, down to two readings of a register', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/energyStatistics/energy?at=house:${houseId}&unit=day&day=2025-01-05`)
  await page.getByRole('button', { name: '720.0，2025-01，查看来历' }).click()
  const sheet = page.getByRole('dialog', { name: '来历' })
  await expect(sheet.getByRole('region', { name: '由这些线路相加' }).getByRole('row').filter({ hasText: 'A线1' })).toContainText(
    '720.000',
  )
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('origin-parts.png') })
  await sheet.getByRole('button', { name: 'A线1' }).click()
  const steps = sheet.getByRole('region', { name: '逐段核对' })
  await expect(steps.getByRole('row').filter({ hasText: '2025-01-01' })).toContainText('1,000.000 → 1,072.000')
  await expect(steps.getByRole('row').filter({ hasText: '2025-01-03' })).toContainText('补算 96 刻')
  await expect(steps.getByRole('row').filter({ hasText: '2025-01-20' })).toContainText('缺 96 刻')
  expect(await violationsInBothThemes(page)).toEqual([])
  await steps.getByRole('button', { name: '2025-01-01' }).click()
  await expect(sheet.getByText('（1,072.000 − 1,000.000）× 1 = 72.000 kWh')).toBeVisible()
  await expect(sheet.getByText('与各刻电量相加一致。')).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('origin-day.png') })
  await steps.getByRole('button', { name: '2025-01-01 08:00' }).click()
  await expect(steps.getByText('读数 2025-01-01 08:15:00：1,024.750 kWh')).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('origin-hour.png') })
  // The address holds the way down: whoever gets the link sees the same.
  await page.reload()
  await expect(steps.getByText('读数 2025-01-01 08:15:00：1,024.750 kWh')).toBeVisible()
  await sheet.getByRole('button', { name: '返回' }).click()
  await expect(sheet.getByText('（1,072.000 − 1,000.000）× 1 = 72.000 kWh')).toBeVisible()
  await sheet.getByRole('button', { name: '关闭' }).click()
  await expect(page).not.toHaveURL(/origin=/)
})

test('in English, on a phone: within a silence the register is not known', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto(`/energyStatistics/energy?at=house:${houseId}&unit=hour&day=2025-01-03`)
  await page.getByRole('button', { name: /^3\.00, 2025-01-03 08:00: where it comes from/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Where it comes from' })
  await sheet.getByRole('button', { name: 'A线1' }).click()
  await expect(
    sheet
      .getByText(/^Read at 2025-01-03 00:00:00: 1,144\.000 kWh, at 2025-01-04 00:00:00: 1,216\.000 kWh; silent in between/)
      .first(),
  ).toBeVisible()
  await expect(sheet.getByText('The register is not known then: readings cannot confirm it.')).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('origin-phone.png') })
  expect(await tooWide(page)).toEqual([])
  expect(await violations(page)).toEqual([])
})
