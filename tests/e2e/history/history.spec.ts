import { readFile } from 'node:fs/promises'
import { dayMs, hourMs } from '@linewarden/equipment'
import { unzipSync } from 'fflate'
import type { Stack } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { keepSession, signIn, signOut } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

// The two days are long past: the nightly clean-up is not to take them away beneath the tests.
test.use({ options: { env: { LINEWARDEN_RAW_DAYS: '3650' } } })

/** Midnight in Shanghai, long before the simulated fleet began. */
const start = Date.UTC(2026, 0, 14, 16)

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
  await keepSession(page, stack)
})

const address = (points: string, from: number, to: number, more = '') =>
  `/devmon/hisdata?points=${encodeURIComponent(points)}&from=${from}&to=${to}${more}`
const dayTwo = () => address(`${houseId}:${lineId}:current.a,${houseId}:${lineId}:residual`, start + dayMs, start + 2 * dayMs)

test('a machine whose clock is a day ahead asks for the last hour of the plant, not of its own', async ({ page, problems }) => {
  await page.addInitScript((ahead) => {
    const Real = Date
    globalThis.Date = class extends Real {
      constructor(...given: [] | ConstructorParameters<DateConstructor>) {
        super(...((given.length === 0 ? [Real.now() + ahead] : given) as ConstructorParameters<DateConstructor>))
      }
      static override now = () => Real.now() + ahead
    } as DateConstructor
  }, dayMs)
  const asked = page.waitForRequest(/\/monitor\/history$/)
  await page.goto(`/devmon/hisdata?at=line:${houseId}:${lineId}&last=hour1`)
  await expect(page.locator('main.history canvas').first()).toBeVisible()
  const { From, To } = (await asked).postDataJSON() as { From: number; To: number }
  expect(Math.abs(To - Date.now())).toBeLessThan(5 * 60_000)
  expect(To - From).toBe(hourMs)
  // Its first request is refused for its time, and made again with the server's.
  forgive(problems, /status of 401/)
})

test('of a link that names lines that are gone, what is there is shown and the rest is said', async ({ page }) => {
  await page.goto(address(`${houseId}:${lineId}:current.a,${houseId}:999999:current.a`, start, start + dayMs))
  await expect(page.getByRole('list', { name: '选择测点' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByText('1 个测点已不存在，或无权查看')).toBeVisible()
})

test('points are chosen from the tree and by hand, and the address keeps them', async ({ page }) => {
  await page.goto('/devmon/hisdata')
  await expect(page.getByText('还没有选择测点')).toBeVisible()
  await page.goto(`/devmon/hisdata?at=line:${houseId}:${lineId}`)
  const chips = page.getByRole('list', { name: '选择测点' }).getByRole('listitem')
  await expect(chips).toHaveCount(3)
  await page.getByRole('button', { name: '选择测点' }).click()
  const picker = page.getByRole('dialog', { name: '选择测点' })
  for (const name of ['剩余电流', 'A相温度', 'B相温度', 'C相温度', '总功率'])
    await picker.getByRole('button', { name, exact: true }).click()
  await expect(picker.getByRole('status')).toHaveText('最多同时显示 8 个测点')
  await expect(picker.getByRole('button', { name: '功率因数' })).toBeDisabled()
  await picker.getByRole('button', { name: '完成' }).click()
  await expect(chips).toHaveCount(8)
  await page.reload()
  await expect(chips).toHaveCount(8)
  await page.getByRole('button', { name: `移除 ${lineName} 总功率` }).click()
  await expect(chips).toHaveCount(7)
})

test('a day is drawn with its gap, its event and its figures; the cursor reads every point', async ({ page }) => {
  await page.goto(dayTwo())
  const legend = page.locator('.legend')
  for (const word of [`${lineName} A相电流`, `${lineName} 剩余电流`, '缺数', '补传', '事件'])
    await expect(legend).toContainText(word)
  const table = page.getByRole('table', { name: '数据表' })
  await expect(table.getByRole('row').nth(1)).toContainText('30')
  await expect(page.locator('.history-table .pager')).toContainText('1 个事件')
  await expect(page.locator('.history-table .pager')).toContainText('Asia/Shanghai')
  const chart = page.getByRole('region', { name: '历史曲线' })
  await expect(chart.locator('canvas').first()).toBeVisible()
  const box = await chart.boundingBox()
  if (!box) throw new Error('no chart')
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2)
  await expect(page.getByRole('tooltip')).toContainText(`${lineName} 剩余电流`)
  await expect(page.getByRole('tooltip')).toContainText('30')
})

test('the wheel zooms, dragging pans, and the picture stays until the new one is there', async ({ page }) => {
  await page.goto(dayTwo())
  const chart = page.getByRole('region', { name: '历史曲线' })
  await expect(page.locator('.legend')).toContainText('缺数')
  // It listens to the wheel as soon as it is drawn.
  await expect(chart.locator('canvas').first()).toBeVisible()
  const spanOf = () => {
    const query = new URL(page.url()).searchParams
    return { from: Number(query.get('from')), to: Number(query.get('to')) }
  }
  const before = spanOf()
  const box = await chart.boundingBox()
  if (!box) throw new Error('no chart')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.wheel(0, -400)
  await expect.poll(() => spanOf().to - spanOf().from).toBeLessThan(before.to - before.from)
  const zoomed = spanOf()
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 + 200, box.y + box.height / 2, { steps: 4 })
  // Nothing blank while the hand is down.
  await expect(page.getByRole('status', { name: '加载中' })).toHaveCount(0)
  await expect(chart.locator('canvas').first()).toBeVisible()
  await page.mouse.up()
  await expect.poll(() => spanOf().from).toBeLessThan(zoomed.from)
  expect(spanOf().to - spanOf().from).toBe(zoomed.to - zoomed.from)
  await chart.focus()
  await page.keyboard.press('-')
  await expect.poll(() => spanOf().to - spanOf().from).toBe((zoomed.to - zoomed.from) * 2)
})

test('an end of the range that passes the other takes it along; what cannot be read gives way to what is drawn', async ({
  page,
}) => {
  await page.goto(dayTwo())
  const from = page.getByLabel('开始时间', { exact: true })
  const to = page.getByLabel('结束时间', { exact: true })
  await expect(to).toHaveValue('2026-01-17 00:00:00')
  await from.fill('2026-01-20T08:00:05')
  await from.press('Enter')
  const drawn = (at: number) => new RegExp(`from=${at}&to=${at + dayMs}$`)
  await expect(page).toHaveURL(drawn(Date.UTC(2026, 0, 20, 0, 0, 5)))
  await expect(from).toHaveValue('2026-01-20 08:00:05')
  await expect(from).toBeFocused()
  await expect(to).toHaveValue('2026-01-21 08:00:05')
  await to.fill('2026/1/10 8:00:05')
  await to.blur()
  await expect(page).toHaveURL(drawn(Date.UTC(2026, 0, 9, 0, 0, 5)))
  await expect(from).toHaveValue('2026-01-09 08:00:05')
  await expect(to).toHaveValue('2026-01-10 08:00:05')
  await to.fill('2026-02-30 08:00:05')
  await to.blur()
  await expect(to).toHaveValue('2026-01-10 08:00:05')
  await expect(page).toHaveURL(drawn(Date.UTC(2026, 0, 9, 0, 0, 5)))
})

test('a time is stepped by the keys and picked from a calendar, in the language of the page', async ({ page }) => {
  await page.goto(dayTwo())
  const to = page.getByLabel('结束时间', { exact: true })
  await to.fill('2026-01-31 08:00:05')
  await to.press('Home')
  await to.press('ArrowRight')
  await to.press('ArrowUp')
  await expect(to).toHaveValue('2027-01-31 08:00:05')
  await to.press('ArrowDown')
  await page.getByRole('button', { name: '结束时间：日历' }).press('Enter')
  const calendar = page.getByRole('dialog', { name: '日历' })
  await expect(calendar).toContainText('2026年1月')
  await expect(calendar.getByRole('button', { name: '2026年1月31日星期六' })).toBeFocused()
  await page.keyboard.press('PageUp')
  await page.keyboard.press('ArrowLeft')
  await expect(calendar.getByRole('button', { name: '2025年12月30日星期二' })).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(calendar).toBeHidden()
  await expect(to).toHaveValue('2025-12-30 08:00:05')
  await expect(page).toHaveURL(new RegExp(`to=${Date.UTC(2025, 11, 30, 0, 0, 5)}$`))
})

test('the previous period is drawn and read beside the present one', async ({ page }) => {
  await page.goto(dayTwo())
  await page.getByRole('button', { name: '对比上一周期' }).click()
  await expect(page).toHaveURL(/compare=1/)
  await expect(page.locator('.legend')).toContainText('上一周期')
  // Without a pointer, in the table.
  const newest = page.getByRole('table', { name: '数据表' }).getByRole('row').nth(1)
  await expect(newest.getByRole('cell').nth(2)).toHaveText(/^30\s*上一周期 30$/)
  const chart = page.getByRole('region', { name: '历史曲线' })
  await expect(chart.locator('canvas').first()).toBeVisible()
  const box = await chart.boundingBox()
  if (!box) throw new Error('no chart')
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2)
  await expect(page.getByRole('tooltip').getByRole('row').first()).toContainText(/上一周期 \d/)
})

test('every reading comes as CSV, with progress', async ({ page }) => {
  await page.goto(dayTwo())
  await page.getByRole('button', { name: '导出 CSV' }).click()
  const dialog = page.getByRole('dialog', { name: '导出 CSV' })
  await dialog.getByRole('radio', { name: /全部原始数据/ }).check()
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: '导出' }).click()])
  const text = await readFile(await download.path(), 'utf8')
  const [head, ...rows] = text.trimEnd().split('\r\n')
  expect(head).toMatch(/^\uFEFF"时间 \(Asia\/Shanghai\)",".* A相电流 \(A\)",".*剩余电流 \(mA\)","质量"$/)
  expect(rows).toHaveLength((22 * hourMs) / 10_000)
  expect(rows[0]).toMatch(/^2026-01-16 00:00:00,/)
  expect(download.suggestedFilename()).toBe('历史数据-202601160000-202601170000.csv')
  await expect(page.getByRole('region', { name: /^下载完成/ })).toContainText('100%')
  await page.getByRole('button', { name: '关闭' }).click()
  await expect(page.getByRole('region', { name: /^下载完成/ })).toHaveCount(0)
})

test('a download goes on while the server cannot be asked how far it is', async ({ page, problems }) => {
  await page.goto(dayTwo())
  let lost = 0
  await page.route(/\/downloads\/[^/]+\/progress$/, (route) => {
    lost += 1
    return lost > 2 ? route.continue() : route.abort()
  })
  await page.getByRole('button', { name: '导出 CSV' }).click()
  const dialog = page.getByRole('dialog', { name: '导出 CSV' })
  await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: '导出' }).click()])
  await expect(page.getByRole('region', { name: /^下载完成/ })).toBeVisible()
  expect(lost).toBeGreaterThan(2)
  forgive(problems, /ERR_FAILED/)
})

test('what one account has downloaded is not told to the next', async ({ page, stack }) => {
  await page.goto(dayTwo())
  await page.getByRole('button', { name: '导出 CSV' }).click()
  const dialog = page.getByRole('dialog', { name: '导出 CSV' })
  await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: '导出' }).click()])
  await expect(page.getByRole('region', { name: /^下载完成/ })).toBeVisible()
  await signOut(page)
  await signIn(page, stack)
  await expect(page.locator('.user > button')).toBeVisible()
  await expect(page.getByRole('region', { name: /^下载/ })).toHaveCount(0)
})

test('what is shown comes as a workbook', async ({ page }) => {
  await page.goto(dayTwo())
  await page.getByRole('button', { name: '导出 xlsx' }).click()
  const dialog = page.getByRole('dialog', { name: '导出 xlsx' })
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: '导出' }).click()])
  const files = unzipSync(new Uint8Array(await readFile(await download.path())))
  const sheet = new TextDecoder().decode(files['xl/worksheets/sheet1.xml'])
  expect(sheet).toContain(`${lineName} A相电流 平均 (A)`)
})

test('a range without data says so, and a preset leads back', async ({ page }) => {
  await page.goto(address(`${houseId}:${lineId}:current.a`, start - 9 * dayMs, start - 8 * dayMs))
  await expect(page.getByText('这段时间没有数据')).toBeVisible()
  await page.getByRole('button', { name: '1 小时', exact: true }).click()
  await expect(page).toHaveURL(/last=hour1/)
})

test('on a phone nothing is wider than the screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(dayTwo())
  await expect(page.locator('.legend')).toContainText('缺数')
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

test('the page and its dialogs can be read and reached by everybody', async ({ page }) => {
  await page.goto(dayTwo())
  await expect(page.locator('.legend')).toContainText('缺数')
  await expect(page.getByRole('table', { name: '数据表' }).getByRole('row').nth(1)).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: '选择测点' }).click()
  await expect(
    page.getByRole('dialog', { name: '选择测点' }).getByRole('button', { name: '剩余电流', exact: true }).first(),
  ).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '导出 CSV' }).click()
  expect(await violationsInBothThemes(page)).toEqual([])
})
