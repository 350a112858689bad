/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createClient, md5Hex } from '@linewarden/client'
import { login, snapshot, tree } from '@linewarden/contract'
import type { CDPSession, Page } from '@playwright/test'
import { errorsOf, launchBrowser, longTasks, noteLongTasks, scriptSpeed, signIn } from './browser.ts'
import { median } from './calibrate.ts'
import type { LiveField } from './live-field.ts'
import { liveField } from './live-field.ts'
import { report } from './report.ts'

const targets = { lines: 10_000, longestTaskMs: 100, heapGrowth: 0.1, sortAndFilterMs: 200 }
const settleMs = 8_000

/** 10,000 lines on one live page, each changing once a second, in a real browser: long tasks, heap, sorting and filtering. */
export async function liveTable(options: { seconds?: number; rounds?: number }): Promise<void> {
  const seconds = options.seconds ?? 600
  const rounds = options.rounds ?? 10
  const field = await liveField({ gateways: 200, linesPerGateway: 50 })
  const server = await serverFigures(field)
  const browser = await launchBrowser()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
  const pageErrors = errorsOf(page)
  await page.goto(field.url)
  const before = performance.now()
  await signIn(page, field.admin)
  await page.locator('.trow.line').first().waitFor()
  const loadMs = Math.round(performance.now() - before)
  const tools = await page.context().newCDPSession(page)
  await wait(settleMs)
  const calibratorMs = await scriptSpeed(page)
  await noteLongTasks(page)
  const filterMs: number[] = []
  const sortMs: number[] = []
  const started = performance.now()
  const firstHeap = Math.min(60, seconds / 4)
  await wait(firstHeap * 1_000)
  const quiet = await longTasks(page)
  // `BENCH_PROFILE=folder` writes a trace of the sorting and filtering there, for the browser's own performance panel.
  const folder = process.env.BENCH_PROFILE
  if (folder) await browser.startTracing(page, { path: `${folder}/live-table.json` })
  for (let round = 0; round < rounds; round++) {
    filterMs.push(await filterBy(page, round % 2 === 0 ? 'LG-7' : 'LG-12'), await filterBy(page, ''))
    filterMs.push(await pressTile(page), await pressTile(page))
    sortMs.push(...(await sortColumns(page)))
  }
  if (folder) await browser.stopTracing()
  const heapAtStartMb = await heapMb(tools)
  while (performance.now() - started < seconds * 1_000) await wait(1_000)
  const heapAtEndMb = await heapMb(tools)
  const version = await page.evaluate(() => navigator.userAgent.match(/Chrome\/[\d.]+/)?.[0] ?? '')
  const tasks = await longTasks(page)
  const shown = await page.locator('.pager').textContent()
  await browser.close()
  await field.close()

  const longestTaskMs = Math.round(Math.max(0, ...tasks))
  const heapGrowth = Number((heapAtEndMb / heapAtStartMb - 1).toFixed(3))
  const worst = (values: readonly number[]) => Math.round(Math.max(0, ...values))
  report('live-table', {
    lines: field.lines,
    shown,
    seconds,
    browser: version,
    longestTaskMs,
    longestTaskWithoutInputMs: Math.round(Math.max(0, ...quiet)),
    tasksOver50Ms: tasks.length,
    heapAtStartMb,
    heapAtEndMb,
    heapGrowth,
    filterWorstMs: worst(filterMs),
    filterMedianMs: Math.round(median(filterMs)),
    sortWorstMs: sortMs.length === 0 ? null : worst(sortMs),
    loadMs,
    ...server,
    pageErrors: [...new Set(pageErrors)],
    calibratorMs,
    targets,
    verdict:
      pageErrors.length === 0 &&
      field.lines >= targets.lines &&
      longestTaskMs <= targets.longestTaskMs &&
      heapGrowth <= targets.heapGrowth &&
      worst([...filterMs, ...sortMs]) <= targets.sortAndFilterMs,
  })
}

/** What the page asks of the server before it can show anything. */
async function serverFigures({ url, admin }: LiveField) {
  let session: { userId: string; token: string } | null = null
  let bytes = ''
  const client = createClient({
    baseUrl: url,
    session: () => session,
    fetch: async (input, init) => {
      const reply = await fetch(input, init)
      bytes = await reply.clone().text()
      return reply
    },
  })
  const { UserID, Token } = await client.call(login, { body: { UserName: admin.userName, Password: md5Hex(admin.password) } })
  session = { userId: UserID, token: Token }
  const timed = async (work: () => Promise<unknown>) => {
    const took: number[] = []
    for (let i = 0; i < 5; i++) {
      const before = performance.now()
      await work()
      took.push(performance.now() - before)
    }
    return {
      ms: Math.round(median(took)),
      kib: Math.round(bytes.length / 1_024),
      gzipKib: Math.round(gzipSync(bytes).length / 1_024),
    }
  }
  return {
    treeCall: await timed(() => client.call(tree, { query: {} })),
    snapshotCall: await timed(() => client.call(snapshot, { query: {} })),
  }
}

async function heapMb(tools: CDPSession): Promise<number> {
  await tools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await tools.send('Runtime.getHeapUsage')
  return Math.round((usedSize / 1_048_576) * 10) / 10
}

/** From the event to the paint after the table says how many lines it shows now, measured inside the page. */
function settled(page: Page, act: string): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const count = () => document.querySelector('.pager')?.textContent ?? ''
    const before = count()
    const at = performance.now()
    const watch = new MutationObserver(() => {
      if (count() === before) return
      watch.disconnect()
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now() - at)
        port2.postMessage(null)
      })
    })
    watch.observe(document.body, { childList: true, subtree: true, characterData: true })
    ${act}
  })`)
}

const filterBy = (page: Page, text: string): Promise<number> =>
  settled(
    page,
    `const input = document.querySelector('main input[type=search]')
     Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, ${JSON.stringify(text)})
     input.dispatchEvent(new Event('input', { bubbles: true }))`,
  )

/** The tile of active alarms: on, then off. */
const pressTile = (page: Page): Promise<number> => settled(page, `document.querySelectorAll('.strip > button')[5].click()`)

/** Each sortable column's head once; to the paint after the first row is another one, or the head says that it sorts. */
async function sortColumns(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const heads = [
      ...document.querySelectorAll<HTMLElement>('.thead [aria-sort] button, .thead [role=columnheader] button'),
    ].slice(0, 4)
    const took: number[] = []
    for (const head of heads) {
      took.push(
        await new Promise<number>((resolve) => {
          const at = performance.now()
          const column = head.closest('[role=columnheader]')
          const watch = new MutationObserver(() => {
            watch.disconnect()
            requestAnimationFrame(() => {
              const { port1, port2 } = new MessageChannel()
              port1.onmessage = () => resolve(performance.now() - at)
              port2.postMessage(null)
            })
          })
          if (column) watch.observe(column, { attributes: true, subtree: true, childList: true })
          head.click()
        }),
      )
    }
    return took
  })
}
