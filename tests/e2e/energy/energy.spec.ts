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

/** Midnight in Shanghai of 1 January 2025, more than 400 days before the simulated fleet began. */
const start = Date.UTC(2024, 11, 31, 16)
const hours = 24 * 40

let houseId = 0
let lineId = 0

/** 40 days of a line that uses 3 kWh an hour, silent through the third day; it went on after a day and a half without a register. */
async function stored({ server }: Stack): Promise<void> {
  const line = server.plant.lineAt('A-T1', 1)
  if (!line || lineId !== 0) return
  const client = await server.database.connect()
  try {
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select $1, at, at, 0, 1, extract(epoch from at - $2::timestamptz) / 1200
       from generate_series($2::timestamptz, $2::timestamptz + make_interval(hours => $3), '5 min') as at
       where at <= $2::timestamptz + interval '48 h' or at >= $2::timestamptz + interval '72 h'`,
      [line.id, new Date(start), hours],
    )
    await client.query('insert into energy_due (line_id, starts, ends) values ($1, $2, $3)', [
      line.id,
      new Date(start),
      new Date(start + hours * hourMs),
    ])
    await makeDueQuarters(client, Date.now())
    await makeDueProfiles(client, Date.now())
  } finally {
    await client.end()
  }
  houseId = line.device.gateway.project.id
  lineId = line.id
}

test.beforeEach(async ({ page, stack }) => {
  await stored(stack)
  await keepSession(page, stack)
})

const table = (page: import('@playwright/test').Page) => page.getByRole('table', { name: /^(各时段用电|Consumption by period)$/ })

test('a month by its days: what was used, what is spread, what nobody knows; and down to the hours of one', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  // Before one is chosen they stand side by side.
  await page.goto('/energyStatistics/energy?unit=day&day=2025-02-10&compare=previous')
  const projects = page.getByRole('table', { name: '各项目用电' })
  await expect(projects.getByRole('row').filter({ hasText: '项目A' })).toContainText('648.0')
  await expect(projects.getByRole('row').filter({ hasText: '项目B' })).toContainText('无数据')
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await projects.getByRole('button', { name: '项目A' }).click()
  await expect(page).toHaveURL(/at=house/)
  const lines = page.getByRole('table', { name: '各线路用电' })
  await expect(lines.getByRole('row').filter({ hasText: 'A线1' })).toContainText('648.0')
  await expect(page.getByRole('img', { name: /项目A 用电，共 648\.0 kWh/ })).toBeVisible()
  const day = table(page).getByRole('row').filter({ hasText: '2025-02-01' })
  await expect(day).toContainText('72.0')
  await expect(table(page).getByRole('row').filter({ hasText: '2025-02-20' })).toContainText('无数据')
  await expect(page.getByText('对比 2025-01-01')).toBeVisible()
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: '上一时段' }).click()
  await expect(page).toHaveURL(/day=2025-01-31/)
  await expect(page.getByText('断线期间的电量，总量准确，时段为均摊')).toBeVisible()
  await table(page).getByRole('button', { name: '2025-01-03', exact: true }).click()
  await expect(page).toHaveURL(/unit=hour/)
  await expect(table(page).getByRole('row').filter({ hasText: '2025-01-03 08:00' })).toContainText('3.00')
})

test('a place without energy, one before its first reading, and a time to come each say so', async ({ page, stack }) => {
  const other = stack.server.plant.lineAt('A-T1', 5)
  await page.goto(`/energyStatistics/energy?at=line:${houseId}:${other?.id}&unit=day&day=2025-01-10`)
  await expect(page.getByText('所选对象还没有电量数据')).toBeVisible()
  await page.goto(`/energyStatistics/energy?at=line:${houseId}:${lineId}&unit=month&day=2023-06-01`)
  await expect(page.getByText('从 2025-01-01 起有电量数据。')).toBeVisible()
  await page.getByRole('button', { name: '查看开始时' }).click()
  await expect(page).toHaveURL(/day=2025-01-01/)
  await page.goto(`/energyStatistics/energy?at=line:${houseId}:${lineId}&unit=day&day=2999-01-01`)
  await expect(page.getByText('这一时段还没有开始')).toBeVisible()
})

test('in English, on a phone', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto(`/energyStatistics/energy?at=line:${houseId}:${lineId}&unit=day&day=2025-01-10&compare=yearAgo`)
  await expect(page.getByText('Less than 95 % of one side is known: no change is given')).toBeVisible()
  await expect(table(page).getByRole('row').filter({ hasText: '2025-01-02' })).toContainText('72.0')
  expect(await tooWide(page)).toEqual([])
  expect(await violations(page)).toEqual([])
})
