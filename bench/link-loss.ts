/// <reference lib="dom" />
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { weakNetwork } from '../tests/e2e/weak-network.ts'
import { startStack } from '../tests/kit/stack.ts'
import { errorsOf, launchBrowser, scriptSpeed, signIn } from './browser.ts'
import { report } from './report.ts'

const targets = { noticedP99Ms: 12_000, offlineP99Ms: 1_000 }

/** A live page behind a network that swallows everything, and a browser that says it is offline: how long the page still says that it is live. */
export async function linkLoss(options: { rounds?: number }): Promise<void> {
  const rounds = options.rounds ?? 10
  const stack = await startStack()
  const network = await weakNetwork(stack.url)
  const browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
  const page = await context.newPage()
  const pageErrors = errorsOf(page)
  await page.goto(`${network.url}/login`)
  await signIn(page, stack.admin)
  await page.locator('.trow.line').first().waitFor()
  const calibratorMs = await scriptSpeed(page)
  const swallowedMs: number[] = []
  const offlineMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    await live(page)
    // At another moment between two hellos each time.
    await wait((5_000 * round) / rounds)
    swallowedMs.push(await noticedAfter(page, async () => network.swallow()))
    network.wake()
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await live(page)
    offlineMs.push(await noticedAfter(page, () => context.setOffline(true)))
    await context.setOffline(false)
  }
  await browser.close()
  await network.close()
  await stack.close()
  const worst = (values: readonly number[]) => Math.max(...values)
  const [noticedP99Ms, offlineP99Ms] = [p99(swallowedMs), p99(offlineMs)]
  report('link-loss', {
    rounds,
    noticedP99Ms,
    noticedWorstMs: worst(swallowedMs),
    offlineP99Ms,
    offlineWorstMs: worst(offlineMs),
    pageErrors: [...new Set(pageErrors)],
    calibratorMs,
    targets,
    verdict: noticedP99Ms <= targets.noticedP99Ms && offlineP99Ms <= targets.offlineP99Ms && pageErrors.length === 0,
  })
}

const live = (page: Page): Promise<void> => page.locator('header .link.open').waitFor({ timeout: 60_000 })

/** From the moment the network is gone until the header no longer says that the page is live. */
async function noticedAfter(page: Page, lose: () => Promise<void>): Promise<number> {
  const before = performance.now()
  await lose()
  await page.locator('header .link.open').waitFor({ state: 'detached', timeout: 60_000 })
  return Math.round(performance.now() - before)
}

/** Of so few the slowest. */
const p99 = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0
