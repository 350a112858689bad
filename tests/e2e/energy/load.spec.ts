import { quarterMs } from '@linewarden/rules/energy'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { makeDueProfiles } from '../../../apps/server/src/store/energy/make-profiles.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } } })

/** Midnight in Shanghai of 1 May 2025, more than 400 days before the simulated fleet began; the first five days are holidays. */
const start = Date.UTC(2025, 3, 30, 16)
const days = 31

let houseId = 0
let lineId = 0

/** A month of a line: 1 kW, by day 4 kW on workdays, 12 kW once; silent for three hours of the 8th, and gone for good on the 30th. */
const readings = () => {
  const all: { at: number; kwh: number }[] = []
  let wh = 0
  for (let index = 0; index <= (days - 2) * 96; index++) {
    const [day, quarter] = [Math.floor(index / 96), index % 96]
    const isRest = day < 5 || (day + 3) % 7 >= 5
    const own = day === 12 && quarter === 40 ? 3_000 : !isRest && quarter >= 32 && quarter < 64 ? 1_000 : 250
    for (let third = 0; third < 3; third++) {
      const isSilent = day === 7 && quarter * 3 + third > 144 && quarter * 3 + third < 180
      if (!isSilent) all.push({ at: start + index * quarterMs + (third * quarterMs) / 3, kwh: (wh + (own * third) / 3) / 1_000 })
    }
    wh += own
  }
  return all
}

async function stored({ server }: Stack): Promise<void> {
  const line = server.plant.lineAt('A-T1', 1)
  if (!line || lineId !== 0) return
  const client = await server.database.connect()
  try {
    const own = readings()
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select $1, at, at, 0, 1, kwh from unnest($2::timestamptz[], $3::float8[]) as t (at, kwh)`,
      [line.id, own.map(({ at }) => new Date(at)), own.map(({ kwh }) => kwh)],
    )
    await client.query('insert into energy_due (line_id, starts, ends) values ($1, $2, $3)', [
      line.id,
      new Date(start),
      new Date(start + days * 96 * quarterMs),
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

test('the load of a month: its figures, its charts read by the arrow keys, and the largest quarters', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/energyStatistics/energy?at=line:${houseId}:${lineId}&unit=day&day=2025-05-10`)
  await page.getByRole('tab', { name: '负荷' }).click()
  await expect(page).toHaveURL(/tab=load/)
  const strip = page.getByRole('tabpanel', { name: '负荷' })
  await expect(strip.getByText('2025-05-13 10:00')).toHaveCount(2)
  await expect(strip.getByText(/补算 12 刻/)).toBeVisible()
  // All of the 30th and of the 31st.
  await expect(strip.getByText(/缺数 192 刻（有线路无数据即不计）/)).toBeVisible()
  const profile = page.getByRole('slider', { name: '典型日负荷' })
  await profile.focus()
  await page.keyboard.press('ArrowRight')
  await expect(profile).toHaveAttribute('aria-valuetext', /^10:15，工作日中位 4\.00 kW/)
  await page.getByRole('button', { name: '周日和节假日' }).click()
  await expect(profile).toHaveAttribute('aria-valuetext', /周日和节假日中位 1\.00 kW/)
  const heat = page.getByRole('slider', { name: '时 × 日' })
  await heat.focus()
  for (let step = 0; step < 12; step++) await page.keyboard.press('ArrowRight')
  for (let step = 0; step < 7; step++) await page.keyboard.press('ArrowDown')
  await expect(heat).toHaveAttribute('aria-valuetext', '2025-05-08 12:00，4.00 kW，补算')
  await expect(page.getByRole('slider', { name: '持续曲线' })).toHaveAttribute('aria-valuetext', '50 % 的时间达到或超过 1.00 kW')
  await expect(page.getByRole('table', { name: '最大的刻' }).getByRole('row').nth(1)).toContainText('12.00')
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: '上一时段' }).click()
  await expect(page.getByText('从 2025-05-01 起有电量数据。')).toBeVisible()
})

test('in English, on a phone, a year', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto(`/energyStatistics/energy?at=line:${houseId}:${lineId}&unit=year&day=2025-05-10&tab=load`)
  await expect(page.getByRole('table', { name: 'Largest quarters' }).getByRole('row').nth(1)).toContainText('12.00')
  await expect(page.getByRole('slider', { name: 'Hour by day' })).toBeVisible()
  expect(await tooWide(page)).toEqual([])
  expect(await violations(page)).toEqual([])
})
