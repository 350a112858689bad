import { readFile } from 'node:fs/promises'
import { hourMs } from '@linewarden/equipment'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { arrived, phone, tooWide } from '../looks.ts'
import { enter, keepSession } from '../sign-in.ts'
import { closePopUps, expect, test } from '../stack.ts'

// The past of these tests is not to be taken away beneath them.
test.use({ options: { plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' } } })

/** Midnight in Shanghai, long before the simulated fleet began. */
const start = Date.UTC(2026, 0, 14, 16)
const day = { from: start, to: start + 24 * hourMs }

let houseId = 0
/** A day of three lines, each minute; two hours are missing, and what was said of one came late. */
async function stored({ server }: Stack): Promise<void> {
  if (houseId !== 0) return
  const lines = [1, 2, 3].flatMap((lineNo) => server.plant.lineAt('A-T1', lineNo)?.id ?? [])
  houseId = server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  for (const gateway of server.plant.gateways.values()) gateway.reportingPeriodMs = 60_000
  const client = await server.database.connect()
  await client.query(
    `insert into reading (line_id, at, received_at, quality, v0, v1, v2, v9, v10, counter)
     select line_id, at, at, case when m between 300 and 360 then 2 else 0 end, 60 + 40 * sin(m / 180) + line_id, 50 + 30 * sin(m / 200),
       40 + 20 * sin(m / 220), 33 + 12 * sin(m / 200), 18, 4000 + m / 2
     from unnest($1::int[]) as t (line_id), generate_series($2::timestamptz, $3::timestamptz, '1 min') as at,
       lateral (select extract(epoch from at - $2::timestamptz)::float8 / 60 as m) as minutes
     where m < 360 or m >= 480 on conflict do nothing`,
    [lines, new Date(day.from), new Date(day.to - 1)],
  )
  await client.query("insert into rollup_due select distinct date_trunc('hour', at) from reading on conflict do nothing")
  await client.end()
}

const address = (more = '') => `/system/report/deviceData?at=house:${houseId}&from=${day.from}&to=${day.to}${more}`
const rows = (page: Page) => page.getByRole('table', { name: /^(设备数据表|Device data)$/ }).locator('tbody tr')

test('lines of a cabinet by the hour: what is missing is a dash, pages go on, and all of it leaves as a file', async ({
  page,
  browser,
  stack,
}) => {
  await stored(stack)
  await page.setViewportSize({ width: 1440, height: 900 })
  await enter(page, stack, `${stack.url}/system/report/deviceData`)
  // Of two projects somebody chooses one.
  await expect(page.getByText('选择项目或网关')).toBeVisible()
  await page.goto(stack.url + address())
  await expect(page.getByText('第 1–100 行，共 192 行')).toBeVisible()
  await page.getByRole('button', { name: '选择线路' }).click()
  const dialog = page.getByRole('dialog', { name: '选择线路' })
  // All of a cabinet by one press, and none of it by another.
  const cabinet = dialog.getByRole('checkbox', { name: 'A柜' })
  await cabinet.click()
  await expect(dialog.getByRole('button', { name: '查看 9 条线路' })).toBeVisible()
  await cabinet.click()
  for (const name of ['A线1', 'A线2', 'A线3']) await dialog.getByRole('checkbox', { name }).check()
  await dialog.getByRole('button', { name: '查看 3 条线路' }).click()
  await expect(page.getByText('第 1–72 行，共 72 行')).toBeVisible()
  await expect(rows(page).filter({ hasText: '2026-01-15 06:00' }).first()).toContainText('缺数')
  await expect(rows(page).filter({ hasText: '2026-01-15 06:00' }).first().getByRole('cell').nth(1)).toHaveText('–')
  await expect(rows(page).filter({ hasText: '2026-01-15 05:00' }).first()).toContainText('补传')
  await page.getByRole('button', { name: '剩余电流' }).click()
  await expect(page.getByRole('columnheader', { name: /剩余电流/ })).toBeVisible()
  await expect(page).toHaveURL(/points=[^&]*residual/)
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])

  // Finer, and page by page.
  await page.getByRole('button', { name: '15 分钟' }).click()
  await expect(page.getByText('第 1–100 行，共 288 行')).toBeVisible()
  await page.getByRole('button', { name: '下一页' }).click()
  await expect(page.getByText('第 101–200 行，共 288 行')).toBeVisible()
  await page.getByRole('button', { name: '上一页' }).click()
  await expect(page.getByText('第 1–100 行，共 288 行')).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出' }).click()
  await page.getByRole('button', { name: 'CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^设备数据-项目A-202601150000-202601160000\.csv$/)
  expect((await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')).toHaveLength(289)

  // A period that has not come, and one that is too long for its step, say so and lead on.
  await page.goto(`${stack.url}/system/report/deviceData?at=house:${houseId}&from=${day.from}&to=${day.from + 400 * 24 * hourMs}`)
  await page.getByRole('button', { name: '改用日' }).click()
  await expect(page).toHaveURL(/step=day/)
  await page.goto(`${stack.url}/system/report/deviceData?at=house:${houseId}&from=4000000000000&to=4000000100000`)
  await page.getByRole('button', { name: '查看今天' }).click()
  // The button that led here is called alike while it is still there.
  await expect(page.getByRole('button', { name: '今天', exact: true })).toHaveAttribute('aria-pressed', 'true')

  // On a phone, in English.
  const context = await browser.newContext({ viewport: phone, baseURL: stack.url })
  const mobile = await context.newPage()
  await closePopUps(mobile)
  await mobile.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await keepSession(mobile, stack)
  await mobile.goto(address())
  await expect(rows(mobile).first()).toBeVisible()
  await arrived(mobile)
  expect(await tooWide(mobile)).toEqual([])
  expect(await violations(mobile)).toEqual([])
  await context.close()
})
