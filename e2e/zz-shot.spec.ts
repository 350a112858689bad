import { readFile } from 'node:fs/promises'
import type { Stack } from '@linewarden/testkit'
import { unzipSync } from 'fflate'
import { signIn } from './sign-in.ts'
import { expect, test } from './stack.ts'

/** Midnight in Shanghai, long before the simulated fleet began. */
const start = Date.UTC(2026, 0, 14, 16)
const hourMs = 3_600_000
const dayMs = 24 * hourMs

type PlantLine = Stack['server']['plant']['lines'] extends Map<number, infer L> ? L : never

/** Two days of a line, with two hours of silence, ten minutes back-filled and an event. */
async function seed({ server }: Stack): Promise<PlantLine> {
  const line = [...server.plant.lines.values()].find(({ device }) => device.family.key === 'breaker3p')
  if (!line) throw new Error('the fleet has no such line')
  const client = await server.database.connect()
  try {
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, v1, v2, v10, counter)
       select $1, at, at, case when at >= $2::timestamptz + interval '32 h' and at < $2::timestamptz + interval '34 h' then 2 else 0 end,
         60 + 40 * sin(m / 180), 50 + 30 * sin(m / 200), 40 + 20 * sin(m / 220), 30, m / 10
       from generate_series($2::timestamptz, $2::timestamptz + interval '2 days', '10 s') as at,
         lateral (select extract(epoch from at - $2::timestamptz)::float8 / 60 as m) as minutes
       where at < $2::timestamptz + interval '30 h' or at >= $2::timestamptz + interval '32 h'
       on conflict do nothing`,
      [line.id, new Date(start)],
    )
    await client.query(
      `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at, historical)
       values ('warning', 'low', 'e2e', '电流预警', 'Current warning', 'normal', $1, $2, $3, $4, $4, true)`,
      [line.device.gateway.project.id, line.device.gateway.id, line.id, new Date(start + 34 * hourMs)],
    )
  } finally {
    await client.end()
  }
  return line
}

let houseId = 0
let lineId = 0
let lineName = ''
test.beforeEach(async ({ page, stack }) => {
  if (lineId === 0) {
    const line = await seed(stack)
    lineId = line.id
    houseId = line.device.gateway.project.id
    lineName = line.name
  }
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page).toHaveURL(/realtime/)
})

const address = (points: string, from: number, to: number, more = '') =>
  `/devmon/hisdata?points=${encodeURIComponent(points)}&from=${from}&to=${to}${more}`
const dayTwo = () => address(`${houseId}:${lineId}:current.a,${houseId}:${lineId}:residual`, start + dayMs, start + 2 * dayMs)

test('shot', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(
    address(
      `${houseId}:${lineId}:current.a,${houseId}:${lineId}:current.b,${houseId}:${lineId}:current.c,${houseId}:${lineId}:residual,${houseId}:${lineId}:energy`,
      start,
      start + 2 * dayMs,
    ),
  )
  await page.waitForTimeout(1500)
  const box = await page.getByRole('region', { name: '历史曲线' }).boundingBox()
  await page.mouse.move((box?.x ?? 0) + 800, (box?.y ?? 0) + 150)
  await page.screenshot({ path: '/tmp/shot-light.png' })
  await page.goto(dayTwo() + '&compare=1')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark'
  })
  await page.waitForTimeout(1500)
  await page.screenshot({ path: '/tmp/shot-dark.png' })
  await page.getByRole('button', { name: '选择测点' }).click()
  await page.waitForTimeout(300)
  await page.screenshot({ path: '/tmp/shot-picker.png' })
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.waitForTimeout(1000)
  await page.screenshot({ path: '/tmp/shot-phone.png' })
})
