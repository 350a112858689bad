import { listEvents } from '@linewarden/contract'
import { countDueSteps } from '@linewarden/server/event-counts'
import type { Page } from '@playwright/test'
import { filterOf, readAddress } from '../../../apps/console/src/areas/alarm/list/address.ts'
import { readSelection } from '../../../apps/console/src/plant/equipment.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import { signedIn } from '../../kit/stack.ts'
import type { StoredAlarm } from '../../kit/stored-alarms.ts'
import { storeAlarms } from '../../kit/stored-alarms.ts'
import { violationsInBothThemes } from '../axe.ts'
import { arrived, tooWide } from '../looks.ts'
import { enter } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

type Stack = Parameters<Parameters<typeof test>[2]>[0]['stack']

// The first days of March 2026 by the clock of Shanghai, of which the simulated fleet reports nothing.
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const midnight = Date.UTC(2026, 1, 28, 16)
const range = 'from=2026-03-01&to=2026-03-14'

/** A fortnight: something each morning, a chatter, and a flood on the ninth day. */
function alarms(): StoredAlarm[] {
  const mornings = Array.from({ length: 14 * 3 }, (_, i): StoredAlarm => {
    const raisedAt = midnight + Math.floor(i / 3) * dayMs + (8 + (i % 3) * 4) * hourMs
    return {
      raisedAt,
      returnedAt: raisedAt + 20 * minuteMs,
      acknowledgedAt: raisedAt + 3 * minuteMs,
      lineNo: 1 + (i % 4),
      priority: (['low', 'medium', 'high'] as const)[i % 3] ?? 'low',
    }
  })
  const chatter = Array.from({ length: 5 }, (_, i): StoredAlarm => {
    const raisedAt = midnight + 3 * dayMs + 9 * hourMs + i * 15_000
    return { raisedAt, returnedAt: raisedAt + 4_000, lineNo: 5, key: 'voltage.over' }
  })
  const flood = Array.from({ length: 14 }, (_, i): StoredAlarm => {
    const raisedAt = midnight + 8 * dayMs + 8 * hourMs + i * 20_000
    return {
      raisedAt,
      returnedAt: raisedAt + hourMs,
      lineNo: 1 + (i % 8),
      key: 'trip.short',
      priority: 'critical',
      controllerId: 'B-T1',
    }
  })
  return [...mornings, ...chatter, ...flood]
}

let isStored = false
async function open(page: Page, stack: Stack, query = range, language: 'CN' | 'EN' = 'CN') {
  if (!isStored) {
    await storeAlarms(stack, alarms())
    const client = await stack.server.database.connect()
    await countDueSteps(client)
    const tuned = [stack.server.plant.lineAt('A-T1', 5)?.id, new Date(midnight + 7 * dayMs)]
    await client.query(
      `with point as (update event set point = 'voltage.a' where key = 'voltage.over'),
         tuning as (insert into alarm_tuning (line_id, key, point, on_delay_ms, off_delay_ms, dead_band_share, changed_at, changed_by)
           values ($1, 'voltage.over', 'voltage.a', 0, 10000, 0.02, $2, '13700000000') returning tuning_id)
       insert into alarm_tuning_change (tuning_id, version, at, actor, reason, restored, before, after)
       select tuning_id, 1, $2, '13700000000', '抖动', false, '{"onDelayMs": 0, "offDelayMs": 5000, "deadBandShare": 0.02}',
         '{"onDelayMs": 0, "offDelayMs": 10000, "deadBandShare": 0.02}' from tuning`,
      tuned,
    )
    await client
      .query(
        `with rule as (
           insert into warning_rule (project_id, key, enabled, params, priority, target, changed_at, changed_by)
           select project_id, 'contact', false, '{}', 'high', 'all', $1, '13700000000' from project where name = '项目A' returning rule_id)
         insert into warning_rule_change (rule_id, version, at, actor, reason, restored, before, after)
         select rule_id, 1, $1, '13700000000', '检修', false, '{"enabled": true, "params": {}}', '{"enabled": false, "params": {}}' from rule`,
        [new Date(midnight + 5 * dayMs)],
      )
      .finally(() => client.end())
    isStored = true
  }
  if (language === 'EN') await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await enter(page, stack, `${stack.url}/hazard/analysis?${query}`)
  await arrived(page)
}
const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

test('a manager sees what the alarm system misses, and follows a figure to its list', async ({ page, stack }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(page, stack)
  // The flood misses the rate, and is named with when it was.
  const rate = page.getByRole('link', { name: /^报警率/ })
  await expect(rate).toContainText('未达')
  await expect(rate).toContainText('最多 15')
  await expect(page.getByRole('link', { name: /^长期未恢复/ })).toContainText('达标')
  await expect(region(page, '每日报警与在线率')).toContainText('61 条')
  await expect(page.getByRole('list', { name: '改动' })).toContainText(/预警规则“.+”（项目A） 停用 · 检修 · 13700000000/)
  await expect(page.getByRole('list', { name: '改动' })).toContainText(
    /延时与回差 .*A线5.* 恢复延时 5 秒 → 10 秒 · 抖动 · 13700000000/,
  )
  await expect(region(page, '高频报警').getByRole('listitem').first()).toContainText('过流报警')
  await expect(region(page, '什么时候响')).toContainText('最密')
  await expect(region(page, '抖动与瞬时')).toContainText('1 段')
  await expect(region(page, '安静也要有数据')).toContainText('不算安静')
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  // Only one project, then only what is critical: both stand in the address.
  await page.getByRole('combobox', { name: '全部优先级' }).selectOption('critical')
  await expect(region(page, '每日报警与在线率')).toContainText('14 条')
  await expect(page).toHaveURL(/priorities=critical/)
  await rate.click()
  await expect(page).toHaveURL(/\/hazard\/alarmList\?.*counted=announced.*view=all.*priorities=critical.*from=\d+.*to=\d+/)
  await expect(page.getByText(/^统计明细：.*已提示 .*合计 14 次/)).toBeVisible()
  await expect(page.getByRole('table', { name: '报警列表' }).getByRole('row').filter({ hasText: 'trip.short' })).toHaveCount(14)
  await page.goBack()
  await expect(rate).toContainText('未达')
  // What chatters is tuned from here: the list opens at its newest event, down at its delays.
  await page.goto(`/hazard/analysis?${range}`)
  await region(page, '高频报警').getByRole('link', { name: '调延时' }).first().click()
  const tuning = page.getByRole('dialog').getByRole('region', { name: '延时与回差' })
  await expect(tuning.getByText('已调整')).toBeInViewport()
})

test('every figure opens the list that it counts, neither more nor less', async ({ page, stack }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(page, stack)
  await page.getByText('每日数据表').click()
  const client = await signedIn(stack.url, stack.admin)
  const figures = new Map<string, number>()
  const gather = async () => {
    const links = await page
      .locator('a[data-figure]')
      .evaluateAll((all) =>
        all.map((each) => [each.getAttribute('href') ?? '', Number(each.getAttribute('data-figure'))] as const),
      )
    for (const [href, n] of links) figures.set(href, n)
  }
  await gather()
  for (const by of ['线路', '报警', '原因', '项目', '型号']) {
    const before = page.url()
    await region(page, '高频报警').getByText(by, { exact: true }).click()
    await expect(page).not.toHaveURL(before)
    await expect(page).toHaveURL(/by=/)
    await arrived(page)
    await gather()
  }
  // What is counted: windows, floods, days and those before them, midnights, hours of the week, rows of six Paretos, and the rest.
  expect(figures.size).toBeGreaterThan(80)
  expect([...figures.values()].filter((n) => n > 0).length).toBeGreaterThan(40)
  const found = [...figures.keys()].map(async (href) => {
    const query = new URL(href, stack.url).searchParams
    const filter = filterOf(readAddress(query), readSelection(query.get('at')), 0)
    return [href, (await client.call(listEvents, { body: { ...filter, Size: 1 } })).about.Times]
  })
  expect(await Promise.all(found)).toEqual([...figures])
  // A cell of the map opens what the list of hours does.
  await page.locator('.heat .densest').click()
  await expect(page.getByText(/^统计明细：.*周一 08–09 时 · 合计 16 次/)).toBeVisible()
})

test('the table of days says what the picture shows, and each day opens its own list', async ({ page, stack }) => {
  await open(page, stack)
  await page.getByText('每日数据表').click()
  const day = region(page, '每日报警与在线率').getByRole('row', { name: /^2026-03-09/ })
  await expect(day).toContainText('17')
  await day.getByRole('link', { name: '17' }).click()
  await expect(page).toHaveURL(new RegExp(`counted=announced.*from=${midnight + 8 * dayMs}&to=${midnight + 9 * dayMs}`))
})

test('on a phone, in English and dark, each chart is one card, and nothing is cut off', async ({ page, stack }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, stack, range, 'EN')
  await expect(page.getByRole('link', { name: /^Alarm rate/ })).toContainText('Missed')
  const panels = await page.getByRole('region').all()
  for (const panel of panels) expect(((await panel.boundingBox())?.width ?? 0) <= 390).toBe(true)
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
})

test('what is printed is a sheet of its own: dark ink on white, of what and when, with nothing of the page around it', async ({
  page,
  stack,
}) => {
  // What the paper gets: the printer itself is no part of a browser without a screen.
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-sent', document.documentElement.dataset.theme ?? '')
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, stack)
  await expect(region(page, '每日报警与在线率')).toContainText('61 条')
  const root = page.locator('html')
  await page.getByRole('button', { name: '打印' }).click()
  await expect(root).toHaveAttribute('data-sent', 'light')
  await expect(root).toHaveAttribute('data-theme', 'dark')

  // A4 between its margins, at 96 dots an inch.
  await page.emulateMedia({ media: 'print', colorScheme: 'light' })
  await page.setViewportSize({ width: 703, height: 1_032 })
  const sheet = page.locator('.sheet-head')
  await expect(sheet).toContainText(/全部项目.* · 2026-03-01 – 2026-03-14/)
  await expect(sheet).toContainText(/截至/)
  for (const gone of [page.getByRole('banner'), page.getByRole('tree'), page.getByRole('button', { name: '打印' })])
    await expect(gone).toBeHidden()
  await expect(page.getByRole('link', { name: /^报警率/ })).toContainText('未达')
  await expect(region(page, '高频报警').getByRole('listitem').first()).toContainText('过流报警')
  expect(await tooWide(page)).toEqual([])
  for (const panel of await page.locator('.analysis .panel').all()) {
    const { x = -1, width = 0 } = (await panel.boundingBox()) ?? {}
    expect([x >= 0, x + width <= 703]).toEqual([true, true])
  }
  // All of it is on paper, on pages of A4, and the last one is not empty.
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const sizes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => [width, height].map(Number))
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.length).toBeLessThan(5)
  for (const size of sizes) expect(size.map(Math.round)).toEqual([595, 842])
})

test('a range without alarms says how much was seen of the plant, and never that all is well without data', async ({
  page,
  stack,
}) => {
  await open(page, stack, 'from=2026-02-01&to=2026-02-02')
  await expect(page.getByText(/^该时段没有报警，共 \d+ 条线路，在线率未知$/)).toBeVisible()
  await expect(region(page, '高频报警')).toHaveCount(0)
  // With a filter it is the filter that finds nothing.
  await page.goto(`/hazard/analysis?${range}&kinds=warning`)
  await expect(page.getByText('没有符合筛选条件的报警')).toBeVisible()
  await page.getByRole('button', { name: '清除筛选' }).first().click()
  await expect(page.getByRole('link', { name: /^报警率/ })).toBeVisible()
})

test('when the server fails the page says so, and asks again', async ({ page, stack, problems }) => {
  forgive(problems, /503/)
  await page.route('**/api/v1/hazards/analysis', (route) => route.fulfill({ status: 503, body: '' }))
  await enter(page, stack, `${stack.url}/hazard/analysis?${range}`)
  const again = page.getByRole('button', { name: '重试' })
  await expect(again).toBeVisible()
  await page.unroute('**/api/v1/hazards/analysis')
  await again.click()
  await expect(region(page, '每日报警与在线率')).toBeVisible()
})
