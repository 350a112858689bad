/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { setTimeout as wait } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import { startStack } from '../tests/kit/stack.ts'
import { errorsOf, launchBrowser, scriptSpeed, signIn } from './browser.ts'
import { median, percentile } from './calibrate.ts'
import { report } from './report.ts'

const targets = { interactionP75Ms: 100 }
/** A person looks before the next click; and Chromium reports an interaction only after its paint. */
const pauseMs = 250
/** What the Event Timing API leaves out, because it was painted within its shortest span. */
const unreportedMs = 16

interface Interaction {
  readonly ms: number
  readonly what: string
}

/**
 * A walk through every page of the menu with mouse and keyboard, on the demo's plant: menus, tree, search, sort, filters, drawer, theme,
 * and whatever search fields, tabs and sortable heads a page has. From each interaction to the next paint, as the browser times it.
 */
export async function walk(options: { rounds?: number }): Promise<void> {
  const stack = await startStack()
  const browser = await launchBrowser()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN', serviceWorkers: 'block' })
  const pageErrors = errorsOf(page)
  await page.goto(`${stack.url}/login`)
  const calibratorMs = await scriptSpeed(page)
  await noteInteractions(page)
  await signIn(page, stack.admin)
  await page.locator('.trow.line').first().waitFor()
  const visited = new Set<string>()
  for (let round = 0; round < (options.rounds ?? 2); round++) {
    await useLivePage(page)
    const sections = page.locator('header nav.menu button')
    for (let section = 0; section < (await sections.count()); section++) {
      await press(sections.nth(section))
      const pages = page.locator('nav.section button')
      for (let at = 0; at < (await pages.count()); at++) {
        await press(pages.nth(at))
        visited.add(new URL(page.url()).pathname)
        await usePage(page)
      }
    }
    await press(page.locator('header').getByRole('button', { name: '切换明暗' }))
    await press(sections.first())
  }
  const { interactions, count } = await interactionsOf(page)
  await browser.close()
  await stack.close()

  const times = [...interactions.map(({ ms }) => ms), ...Array.from({ length: count - interactions.length }, () => unreportedMs)]
  const interactionP75Ms = percentile(times, 0.75)
  report('walk', {
    interactionP75Ms,
    interactionMedianMs: median(times),
    interactionP98Ms: percentile(times, 0.98),
    interactions: times.length,
    pages: [...visited],
    slowest: interactions.sort((a, b) => b.ms - a.ms).slice(0, 8),
    pageErrors: [...new Set(pageErrors)],
    calibratorMs,
    targets,
    verdict: pageErrors.length === 0 && times.length > 50 && interactionP75Ms < targets.interactionP75Ms,
  })
}

async function useLivePage(page: Page): Promise<void> {
  const search = page.getByRole('searchbox', { name: '实时监控 线路名 / 网关名' })
  await type(search, '照明')
  await clear(search)
  for (const tile of [0, 5]) {
    await press(page.locator('.strip > button').nth(tile))
    await press(page.locator('.strip > button').nth(tile))
  }
  for (const name of await page
    .locator('.thead [role=columnheader] button')
    .all()
    .then((all) => all.slice(0, 5)))
    await press(name)
  for (const node of await page
    .locator('.tree [role=treeitem]')
    .all()
    .then((all) => all.slice(0, 4)))
    await press(node)
  await press(page.locator('.tree .whole'))
  await press(page.locator('.trow.line').first())
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await wait(pauseMs)
}

/** What any page offers: search, tabs and chips, sorted columns, the first row. Nothing that changes the plant or an account. */
async function usePage(page: Page): Promise<void> {
  const main = page.locator('main')
  const search = main.getByRole('searchbox').first()
  if (await search.isVisible().catch(() => false)) {
    await type(search, '1')
    await clear(search)
  }
  for (const selector of ['[role=tab]', 'button.chip[aria-pressed]', '[role=columnheader] button']) {
    const all = await main.locator(selector).all()
    for (const each of all.slice(0, 3)) await press(each)
  }
}

async function type(field: Locator, text: string): Promise<void> {
  await field.click()
  await field.pressSequentially(text, { delay: 80 })
  await wait(pauseMs)
}

async function clear(field: Locator): Promise<void> {
  await field.press('ControlOrMeta+a')
  await field.press('Delete')
  await wait(pauseMs)
}

/** A click of the mouse where there is something to click. What is gone or covered by now is passed by, as a person would. */
async function press(target: Locator): Promise<void> {
  if (!(await target.isVisible().catch(() => false))) return
  await target.click({ timeout: 2_000 }).catch(() => {})
  await wait(pauseMs)
}

const noteInteractions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const found: { id: number; ms: number; what: string }[] = []
    Object.assign(window, { interactionsFound: found })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId?: number })[]) {
        if (!entry.interactionId) continue
        const target = entry.target instanceof Element ? entry.target : null
        const name = target?.closest('[class]')?.getAttribute('class') ?? target?.tagName ?? ''
        found.push({ id: entry.interactionId, ms: entry.duration, what: `${location.pathname} ${entry.name} ${name}` })
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  })

/** The longest event of each interaction, and how many interactions there were in all. */
async function interactionsOf(page: Page): Promise<{ interactions: Interaction[]; count: number }> {
  const { found, count } = await page.evaluate(() => ({
    found: (window as unknown as { interactionsFound: { id: number; ms: number; what: string }[] }).interactionsFound,
    count: (performance as unknown as { interactionCount?: number }).interactionCount ?? 0,
  }))
  const longest = new Map<number, Interaction>()
  for (const { id, ms, what } of found) if (ms > (longest.get(id)?.ms ?? 0)) longest.set(id, { ms, what })
  return { interactions: [...longest.values()], count: Math.max(count, longest.size) }
}
