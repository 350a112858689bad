/// <reference lib="dom" />
import { openLive } from '@linewarden/client'
import { insertTemplate, updateLines } from '@linewarden/contract'
import type { ProjectPlan } from '@linewarden/simulator'
import type { Page } from '@playwright/test'
import type { Stack } from '../tests/kit/stack.ts'
import { signedIn, startStack } from '../tests/kit/stack.ts'
import { errorsOf, launchBrowser, longTasks, noteLongTasks, scriptSpeed, signIn } from './browser.ts'
import { report } from './report.ts'

// A task of 100 ms is what a person begins to notice (RAIL); the live table keeps to the same.
const targets = { firstMs: 1_000, allMs: 30_000, longestTaskMs: 100 }
const perGateway = 20

/**
 * A template to 200 lines at once, sent from the page that people send it from, in a real browser: from the call to the last value the equipment
 * reports back, as somebody at the live socket sees it, and whether the page stays responsive while it shows all of that.
 */
export async function settings(options: { lines?: number }): Promise<void> {
  const asked = options.lines ?? 200
  const each = Math.min(asked, perGateway)
  const gateways = Math.ceil(asked / each)
  const lines = gateways * each
  const stack = await startStack({ plan: [plan(gateways, each)] })
  const { verified, close } = await watch(stack)
  const browser = await launchBrowser()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
  const pageErrors = errorsOf(page)
  await openTemplate(page, stack)
  const calibratorMs = await scriptSpeed(page)
  const shown = page.getByRole('region', { name: '本次下发' })
  await page.getByRole('button', { name: `下发到 ${lines} 路` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '整定调整' }).click()
  const isOrder = (url: string) => new URL(url).pathname.endsWith(updateLines.path)
  const requested = page.waitForRequest((request) => isOrder(request.url())).then(() => performance.now())
  const answered = page.waitForResponse((response) => isOrder(response.url())).then(() => performance.now())
  await noteLongTasks(page)
  await noteFrames(page)
  await dialog.getByRole('button', { name: '下发', exact: true }).click()
  const began = await requested
  const answeredMs = Math.round((await answered) - began)
  const isShown = await shown
    .getByText(`${lines} 已回报，0 等待，0 未生效`)
    .waitFor({ timeout: targets.allMs })
    .then(() => true)
    .catch(() => false)
  const shownMs = isShown ? Math.round(performance.now() - began) : null
  // What the last report sets off on the page belongs to it.
  await page.waitForTimeout(1_000)
  const tasks = await longTasks(page)
  const worstFrameMs = Math.round(await page.evaluate(() => (window as unknown as { worstFrame: number }).worstFrame))
  const took = [...verified.values()].map((at) => at - began)
  await browser.close()
  close()
  await stack.close()

  const firstMs = took.length === 0 ? null : Math.round(Math.min(...took))
  const allMs = took.length === 0 ? null : Math.round(Math.max(...took))
  const longestTaskMs = Math.round(Math.max(0, ...tasks))
  const inTime = firstMs !== null && allMs !== null && firstMs < targets.firstMs && allMs < targets.allMs
  report('settings', {
    lines,
    verified: verified.size,
    answeredMs,
    firstMs,
    allMs,
    shownMs,
    longestTaskMs,
    tasksOver50Ms: tasks.length,
    worstFrameMs,
    pageErrors: [...new Set(pageErrors)],
    calibratorMs,
    targets,
    verdict: verified.size === lines && inTime && isShown && longestTaskMs <= targets.longestTaskMs && pageErrors.length === 0,
  })
}

/** Every change that becomes verified, and when, at a live socket of its own. */
async function watch(stack: Stack): Promise<{ verified: ReadonlyMap<string, number>; close: () => void }> {
  const client = await signedIn(stack.url, stack.admin)
  const verified = new Map<string, number>()
  const live = await new Promise<ReturnType<typeof openLive>>((resolve) => {
    const opened = openLive({
      client,
      onLink: (link) => link === 'open' && setTimeout(() => resolve(opened), 100),
      onMessages(messages) {
        for (const message of messages)
          if (message.t === 'setting' && message.change.State === 'verified')
            verified.set(message.change.CommandID, performance.now())
      },
    })
  })
  return { verified, close: () => live.close() }
}

/** The page on which a template goes to many lines, with all of them chosen. */
async function openTemplate(page: Page, stack: Stack): Promise<void> {
  const { TemplateID } = await stack.client.call(insertTemplate, {
    body: { Name: 'bench', Family: 'breaker3p', Settings: [{ Key: 'leakage.trip', Value: 100 }] },
  })
  await page.goto(`${stack.url}/login`)
  await signIn(page, stack.admin)
  await page.waitForURL(/realtime/)
  await page.goto(`${stack.url}/devmon/params?view=copy&template=${TemplateID}`)
  await page.getByRole('checkbox', { name: '全选' }).check()
}

/** From here on the page keeps the longest time between two of its frames. */
const noteFrames = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.assign(window, { worstFrame: 0 })
    let before = performance.now()
    const next = () => {
      const now = performance.now()
      const noted = window as unknown as { worstFrame: number }
      noted.worstFrame = Math.max(noted.worstFrame, now - before)
      before = now
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })

const plan = (gateways: number, perGateway: number): ProjectPlan => ({
  group: 'bench',
  name: 'bench',
  timeZone: 'Asia/Shanghai',
  standard: 'GB',
  gateways: Array.from({ length: gateways }, (_, gateway) => ({
    number: `GW-S${gateway}`,
    name: `S${gateway}`,
    secret: '',
    reportingPeriodMs: 1_000,
    devices: [
      {
        controllerId: `S-${gateway}`,
        family: 'breaker3p',
        model: '3PN',
        name: `S${gateway}`,
        lines: Array.from({ length: perGateway }, (__, line) => ({
          lineNo: line + 1,
          name: `S${gateway}-${line + 1}`,
          ratedCurrentA: 63,
          load: 'office' as const,
        })),
      },
    ],
  })),
})
