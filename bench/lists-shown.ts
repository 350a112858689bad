import type { Page } from '@playwright/test'
import { errorsOf, launchBrowser, scriptSpeed, signIn } from './browser.ts'
import { percentile } from './calibrate.ts'
import type { Field } from './field.ts'

/** The administration pages, each with one list that its rows are awaited of. */
const pages = ['project', 'city', 'geteway', 'roles', 'users', 'log', 'devLists', 'report/account']
const searched = ['网关 1', '网关 7', '线路 77', '网关 2', '线路 9']

interface Shown {
  readonly what: string
  readonly p95: number
}

/**
 * What a person waits for, as whoever runs the installation: from opening an administration page anew, with its script and its session, to
 * its first row; from a click on a project to its first gateway in the tree; from the last letter of a search to its first hit.
 */
export async function shownTimes({ url, admin }: Field, rounds: number): Promise<{ shown: Shown[]; calibratorMs: number }> {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN', serviceWorkers: 'block' })
    const errors = errorsOf(page)
    await page.goto(`${url}/login`)
    const calibratorMs = await scriptSpeed(page)
    await signIn(page, admin)
    await page.waitForURL(/realtime/)
    const times = new Map<string, number[]>()
    const note = (what: string, ms: number) => times.set(what, [...(times.get(what) ?? []), ms])
    for (let round = 0; round < rounds; round++) {
      for (const path of pages) {
        const row = page.locator('main .query-table tbody tr').first()
        note(path, await timed(() => page.goto(`${url}/system/${path}`, { waitUntil: 'commit' }).then(() => row.waitFor())))
      }
      await page.goto(`${url}/devmon/realtime`)
      await page.locator('.tree .node.house').first().waitFor()
      note('tree unfolds', await unfold(page, round))
      note('tree search', await search(page, searched[round % searched.length] ?? ''))
    }
    if (errors.length > 0) throw new Error(`the console failed: ${errors.join('\n')}`)
    const shown = [...times].map(([what, all]) => ({ what, p95: Math.round(percentile(all, 0.95)) }))
    return { shown: shown.sort((a, b) => b.p95 - a.p95), calibratorMs }
  } finally {
    await browser.close()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Another project each time, folded again so that the next one is in sight. */
async function unfold(page: Page, round: number): Promise<number> {
  const house = page.locator('.tree .node.house').nth(round)
  const gateway = page.locator('.tree .node.gateway').first()
  const took = await timed(async () => {
    await house.locator('.fold').click()
    await gateway.waitFor()
  })
  await house.locator('.fold').click()
  await gateway.waitFor({ state: 'detached' })
  return took
}

/** With the moment that the console waits for another letter. */
async function search(page: Page, text: string): Promise<number> {
  const field = page.locator('.tree input[type=search]')
  const took = await timed(async () => {
    await field.fill(text)
    await page.locator('.tree .hits li').first().waitFor()
  })
  await field.fill('')
  return took
}
