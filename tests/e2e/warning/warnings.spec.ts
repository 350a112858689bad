import type { Page } from '@playwright/test'
import type { RaisedFinding } from '../../kit/raised-findings.ts'
import { raiseFindings } from '../../kit/raised-findings.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { unreasoned, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const rising = { value: 10.5, limit: 15, unit: 'K', baseline: 26, spread: 0.9, slope: 0.45 }
const found: readonly RaisedFinding[] = [
  {
    ...{ key: 'contact', point: 'temperature.b', level: 'warning' },
    evidence: { ...rising, toLimit: { lo: 12.2, mid: 17, hi: 24.4, confidence: 'medium' } },
  },
  { key: 'leakage.step', lineNo: 2, level: 'notice', evidence: { value: 11, limit: 9, unit: 'mA', baseline: 6, spread: 0.6 } },
  { key: 'neutral', lineNo: 3, level: 'alarm', evidence: { value: 268, limit: 241.5, unit: 'V' } },
  { key: 'leakage.drift', controllerId: 'B-T1', lineNo: 3, level: 'warning', evidence: { value: 7, limit: 15, unit: 'mA' } },
]

async function clear(stack: Stack): Promise<void> {
  const db = await stack.server.database.connect()
  await db.query('delete from event')
  await db.end()
}

test.beforeEach(async ({ page, stack }) => {
  await clear(stack)
  await keepSession(page, stack)
})

const list = (page: Page) => page.getByRole('table', { name: '故障预警' })
const labels = (page: Page) => list(page).getByRole('row').locator('td.what button')
const drawer = (page: Page) => page.getByRole('dialog', { name: '预警详情' })

test('where nothing is found the page says how far it looked, and never that all is well', async ({ page }) => {
  await page.goto('/devmon/faultalarm')
  await expect(page.locator('.void b').first()).toHaveText(/^(尚未判断过|正在学习)$/)
  await expect(page.getByText(/已判断 0 条/)).toBeVisible()
  await expect(page.getByRole('button', { name: '导出' })).toHaveAttribute('aria-disabled', 'true')
  expect(await violationsInBothThemes(page)).toEqual([])
})

test('findings stand worst first, each with its limit, its time to it and what to do; the address holds the filters', async ({
  page,
  stack,
}) => {
  await raiseFindings(stack, found)
  await page.goto('/devmon/faultalarm')
  await expect(labels(page)).toHaveText(['断零', '接点过热', '漏电缓升', '漏电突增'])
  await expect(list(page).locator('tbody tr')).toContainText([
    /报警.*268 \/ 242 V.*已过限.*立即分断总开关/s,
    /警告.*10.5 \/ 15 K.*12–25 天 · 中.*到 15 K/s,
    /上升，时间未定.*满 10 天后给出/s,
    /提示.*11 \/ 9 mA.*底值，3 天中位/s,
  ])
  await expect(page.getByRole('navigation', { name: '页面' }).getByRole('button', { name: /故障预警/ })).toContainText('4')
  expect(await violationsInBothThemes(page)).toEqual([])
  expect(await unreasoned(page)).toEqual([])

  await page.getByRole('button', { name: /^警告 2$/ }).click()
  await expect(labels(page)).toHaveText(['接点过热', '漏电缓升'])
  await page.getByRole('combobox', { name: '全部类型' }).selectOption({ label: '漏电缓升' })
  await page.getByRole('button', { name: '未确认', exact: true }).last().click()
  await expect(labels(page)).toHaveText(['漏电缓升'])
  await expect.poll(() => new URL(page.url()).search).toBe('?level=warning&key=leakage.drift&ack=no')
  await page.reload()
  await expect(labels(page)).toHaveText(['漏电缓升'])
  await page.getByRole('searchbox', { name: '线路、网关、类型' }).fill('A线')
  await page.getByRole('button', { name: '清除筛选' }).click()
  await expect(labels(page)).toHaveCount(4)
  await page.getByRole('treeitem', { name: /项目B/ }).click()
  await expect(labels(page)).toHaveText(['漏电缓升'])
  await page
    .getByRole('button', { name: /^.?项目B/ })
    .last()
    .click()
  await expect(labels(page)).toHaveCount(4)
})

test('details stand beside the list and never over it; it is seen, commented on, put off, and called a normal change', async ({
  page,
  stack,
}) => {
  await raiseFindings(stack, found)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/devmon/faultalarm')
  await list(page).getByRole('button', { name: '接点过热' }).click()
  await expect(drawer(page)).toContainText('接点过热')
  await expect(page).toHaveURL(/warning=\d+/)
  await expect(async () => {
    const [beside, over] = await Promise.all([list(page).boundingBox(), drawer(page).boundingBox()])
    expect((beside?.x ?? 0) + (beside?.width ?? 0)).toBeLessThanOrEqual((over?.x ?? 0) + 1)
  }).toPass()
  await expect(drawer(page)).toContainText(/E95，常用负荷下.*10.5.*\/ 15 K.*\+0.45.*K\/天/s)
  await expect(drawer(page)).toContainText('按力矩紧固该端子')
  expect(await violationsInBothThemes(page)).toEqual([])

  await drawer(page).getByRole('button', { name: '确认', exact: true }).click()
  await expect(drawer(page).getByRole('button', { name: '确认', exact: true })).toHaveCount(0)

  await drawer(page).getByRole('textbox', { name: '写备注' }).fill('外观无变色，周日停电')
  await drawer(page).getByRole('button', { name: '提交备注' }).click()
  await expect(drawer(page).getByRole('region', { name: '经过' })).toContainText('外观无变色，周日停电')

  await drawer(page).getByRole('button', { name: '搁置…' }).click()
  const shelve = page.getByRole('dialog', { name: /^搁置 1 条报警/ })
  await shelve.getByRole('button', { name: '搁置', exact: true }).click()
  await expect(shelve.getByText('请填写原因')).toBeVisible()
  await shelve.getByRole('button', { name: '等待备件' }).click()
  await shelve.getByRole('button', { name: '搁置', exact: true }).click()
  await expect(shelve).toHaveCount(0)
  await expect(labels(page).last()).toHaveText('接点过热')
  await drawer(page).getByRole('button', { name: '取消搁置' }).click()
  await expect(drawer(page).getByRole('button', { name: '搁置…' })).toBeVisible()

  await drawer(page).getByRole('button', { name: '属于正常变化…' }).click()
  const normal = page.getByRole('dialog', { name: '属于正常变化' })
  await normal.getByRole('textbox', { name: '变化日期' }).fill('2199-01-01')
  await normal.getByRole('button', { name: '更换了用电设备' }).click()
  await normal.getByRole('button', { name: '认定并重立基线' }).click()
  await expect(normal.getByText('不能晚于今天')).toBeVisible()
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  await normal.getByRole('textbox', { name: '变化日期' }).fill(today)
  await normal.getByRole('button', { name: '认定并重立基线' }).click()
  await expect(normal).toHaveCount(0)
  await expect(labels(page)).toHaveText(['断零', '漏电缓升', '漏电突增'])
  await page.keyboard.press('Escape')
  await expect(drawer(page)).toHaveCount(0)
  await page.getByRole('button', { name: '已恢复' }).click()
  await expect(labels(page)).toHaveText(['接点过热'])

  // It was a mistake: what was there is open again, and the one that was explained says so.
  await list(page).getByRole('button', { name: '接点过热' }).click()
  await drawer(page).getByRole('button', { name: '撤销认定…' }).click()
  const undo = page.getByRole('dialog', { name: '撤销正常变化认定' })
  await undo.getByRole('button', { name: '撤销认定', exact: true }).click()
  await expect(undo.getByText('请填写原因')).toBeVisible()
  await undo.getByRole('button', { name: '认定有误' }).click()
  await undo.getByRole('button', { name: '撤销认定', exact: true }).click()
  await expect(undo).toHaveCount(0)
  await expect(drawer(page)).toContainText(/撤销认定，恢复原基线.*认定有误/s)
  await expect(drawer(page).getByRole('button', { name: '撤销认定…' })).toHaveCount(0)
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '已恢复' }).click()
  await expect(labels(page).filter({ hasText: '接点过热' })).toHaveCount(1)
})

test('on a phone the list, the details and the acknowledgement fit, in English and in the dark', async ({ page, stack }) => {
  await raiseFindings(stack, found)
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto('/devmon/faultalarm')
  const table = page.getByRole('table', { name: 'Early warning' })
  await expect(table).toContainText(/Broken neutral.*Open the main switch at once/s)
  expect(await tooWide(page)).toEqual([])
  await table.getByRole('button', { name: 'Broken neutral' }).click()
  const details = page.getByRole('dialog', { name: 'Warning details' })
  await details.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(details.getByRole('button', { name: 'Acknowledge' })).toHaveCount(0)
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
})

test('lines that may be overloaded today are named above the list with their hours, and are no findings', async ({
  page,
  stack,
}) => {
  const line = stack.server.plant.lineAt('A-T1', 2)
  if (!line) throw new Error('the small plan has eight lines')
  await stack.server.warning.nightly.look()
  const yesterday = Math.floor((Date.now() + 8 * 3_600_000) / 86_400_000) - 1
  const finding = { key: 'load.again', point: 'current.b', level: 'notice' }
  const evidence = { value: 61.5, limit: 50, unit: 'A', used: 3, hours: [8, 18, 19] }
  const db = await stack.server.database.connect()
  await db.query(
    `insert into line_look (line_id, day, at, learnt_from, learnt_of, outcomes, followed, followed_before)
     values ($1, $2, now(), $2, '{"ratedA":null,"tripMa":null,"model":""}', $3, '{}', '{}')
     on conflict (line_id) do update set day = excluded.day, outcomes = excluded.outcomes`,
    [line.id, yesterday, { 'load.again': { is: 'finding', ...finding, evidence } }],
  )
  await db.end()
  await page.goto('/devmon/faultalarm')
  const part = page.getByRole('region', { name: '今天可能过载' })
  const head = part.getByRole('button', { name: /今天可能过载 1 条线路/ })
  await head.click()
  const item = part.getByRole('listitem')
  await expect(item).toContainText('08:00–09:00、18:00–20:00')
  await expect(item).toContainText('近 3 个同类日最高 61.5 A，过载预警值 50 A')
  await expect(item.getByRole('link')).toHaveAttribute('href', new RegExp(`line:\\d+:${line.id}$`))
  await expect(page.getByText('未恢复 0 条')).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.setViewportSize(phone)
  await expect.poll(() => tooWide(page)).toEqual([])
  // Among what is over it has no place.
  await page.goto('/devmon/faultalarm?over=yes')
  await expect(page.getByRole('button', { name: '已恢复' })).toBeVisible()
  await expect(part).toHaveCount(0)
})
