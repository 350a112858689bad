import { hourMs } from '@linewarden/equipment'
import type { Page } from '@playwright/test'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { makeDueProfiles } from '../../../apps/server/src/store/energy/make-profiles.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violations, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ options: { plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } } })

/** Midnight in Shanghai of 1 January 2025. */
const start = Date.UTC(2024, 11, 31, 16)
const hours = 24 * 31
/** kWh an hour by line: 1 feeds 2, 3 and 4, which feeds 5 with twice its multiplier; 6 feeds 7, and 8 stands alone. */
const paces = [60, 24, 18, 12, 23.9, 20, 19.9, 6]
const feeds = [
  [2, 1],
  [3, 1],
  [4, 1],
  [5, 4],
  [7, 6],
]

let houseId = 0

async function stored({ server }: Stack): Promise<void> {
  const lineOf = (lineNo: number) => server.plant.lineAt('A-T1', lineNo)?.id ?? 0
  if (houseId !== 0) return
  const client = await server.database.connect()
  try {
    const ids = paces.map((_, index) => lineOf(index + 1))
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select line_id, at, at, 0, 1, pace * extract(epoch from at - $1::timestamptz) / 3600
       from unnest($2::int[], $3::float8[]) as t (line_id, pace), generate_series($1::timestamptz, $1::timestamptz + make_interval(hours => $4), '15 min') as at
       -- The seventh line says nothing through the first six hours.
       where line_id <> ($2::int[])[7] or at >= $1::timestamptz + interval '6 hours'`,
      [new Date(start), ids, paces, hours],
    )
    for (const [line, feeder] of feeds)
      await client.query("insert into feed_span (line_id, fed_by, starts) values ($1, $2, '-infinity')", [
        lineOf(line ?? 0),
        lineOf(feeder ?? 0),
      ])
    await client.query('insert into energy_due (line_id, starts, ends) select id, $2, $3 from unnest($1::int[]) as t (id)', [
      ids,
      new Date(start),
      new Date(start + hours * hourMs),
    ])
    await makeDueQuarters(client, Date.now())
    await makeDueProfiles(client, Date.now())
  } finally {
    await client.end()
  }
  houseId = server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
}

test.beforeEach(async ({ page, stack }) => {
  await stored(stack)
  await keepSession(page, stack)
})

const tab = (more = '') => `/energyStatistics/energy?at=house:${houseId}&tab=balance&unit=day&day=2025-01-10${more}`
const row = (page: Page, name: string) =>
  page.getByRole('table', { name: /^(供电关系与余量|Feeds and what is left)$/ }).getByRole('row', { name })

test('where energy goes, what is left at each feeder, and what would explain it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(tab('&compare=previous'))
  await expect(page.getByRole('img', { name: /项目A 的电能去向，共 63,984\.0 kWh，8 条线路/ })).toBeVisible()
  // 12 kWh an hour measured, 23.9 in what it feeds.
  await expect(row(page, 'A线4')).toContainText('分表大于总表')
  await expect(row(page, 'A线4')).toContainText('−8,853.6')
  await expect(page.getByText('A线5 的倍率疑为 2 倍')).toBeVisible()
  await expect(page.getByText('疑为倍率 2 倍，见上')).toHaveCount(1)
  await expect(row(page, 'A线1')).toContainText('4,464.0')
  // Of the first date the seventh line lacks six hours: they count for neither.
  await expect(row(page, 'A线6')).toContainText('缺 6 小时，双方都不计')
  await page.getByRole('button', { name: '超出误差 2' }).click()
  await expect(row(page, 'A线6')).toHaveCount(0)
  await page.getByText('以表格查看电能去向').click()
  await expect(
    page.getByRole('table', { name: '电能从哪里到哪里' }).getByRole('row').filter({ hasText: '未计量与损耗' }),
  ).not.toHaveCount(0)
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: '全部 3' }).click()
  await row(page, 'A线4').getByRole('button', { name: 'A线4', exact: true }).click()
  await expect(page).toHaveURL(/at=line/)
  await expect(page.getByRole('img', { name: /A线4 用电/ })).toBeVisible()
  // What the tree selects is shown by the tab that is open.
  await page.getByRole('tab', { name: '负荷' }).click()
  await page.getByRole('treeitem', { name: /项目A/ }).click()
  await expect(page).toHaveURL(/at=house.*tab=load|tab=load.*at=house/)
})

test('in English on a phone, and on paper', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto(tab())
  await expect(row(page, 'A线4')).toContainText('Sub-meters above it')
  expect(await tooWide(page)).toEqual([])
  expect(await violations(page)).toEqual([])
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('tablist')).toBeHidden()
  await expect(row(page, 'A线1')).toBeVisible()
  await expect(page.getByRole('table', { name: 'From where to where energy goes' })).toBeVisible()
  // Dark on the screen, ink on white on paper.
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(22, 25, 26)')
})

test('where no line feeds another it says what feeds are and where they are set', async ({ page, stack }) => {
  const other = stack.server.plant.lineAt('B-T1', 1)?.device.gateway.project.id
  await page.goto(`/energyStatistics/energy?at=house:${other}&tab=balance&unit=day&day=2025-01-10`)
  await expect(page.getByText('没有线路给其他计量线路供电')).toBeVisible()
  await page.getByRole('button', { name: '前往实时监测' }).click()
  await expect(page).toHaveURL(/devmon\/realtime/)
})

test('a wrong multiplier that the balance names is corrected where it leads to, and the balance agrees', async ({
  page,
  stack,
  problems,
}) => {
  forgive(problems, /409/)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(tab())
  await page.getByRole('link', { name: '更正 A线5 的倍率' }).click()
  const dialog = page.getByRole('dialog', { name: 'A线5：更正表计' })
  await expect(dialog.getByLabel('倍率（CT × PT）')).toHaveValue('0.5')
  await expect(dialog.getByLabel('原因')).toHaveValue('平衡检验：倍率约 2 倍')
  expect(await violations(page)).toEqual([])
  await dialog.getByLabel('表号').fill('DTSD 5')
  await dialog.getByRole('button', { name: '更正' }).click()
  await expect(dialog).toBeHidden()
  const card = page.getByRole('listitem', { name: 'A线5', exact: true })
  await expect(card).toContainText('表号 DTSD 5')
  await expect(card).toContainText('倍率 0.5')
  const client = await stack.server.database.connect()
  try {
    await makeDueQuarters(client, Date.now())
    await makeDueProfiles(client, Date.now())
  } finally {
    await client.end()
  }
  await page.goto(tab())
  await expect(row(page, 'A线4')).toContainText('误差内')

  // Its meter was replaced once, and what was typed contradicts what was read.
  await page.goto(`/energyStatistics/energy?at=house:${houseId}&tab=settings&part=meters`)
  await card.getByRole('button', { name: '换表' }).click()
  const replace = page.getByRole('dialog', { name: 'A线5：换表' })
  await replace.getByLabel('换表时间').fill('2025-01-20 10:00')
  await replace.getByLabel('旧表止码').fill('10')
  await replace.getByLabel('原因').fill('到期轮换')
  await replace.getByRole('button', { name: '换表' }).click()
  await expect(replace.getByRole('alert')).toContainText('止码小于最后读数')
  await replace.getByRole('checkbox', { name: '读数确认无误，仍要保存' }).check()
  await replace.getByRole('button', { name: '换表' }).click()
  await expect(replace).toBeHidden()
  await expect(card).toContainText('止码 10 kWh')
  await expect(card).toContainText('到期轮换')
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
})
