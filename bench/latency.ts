/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@linewarden/client'
import { acknowledgeEvents, listUnacknowledged } from '@linewarden/contract'
import { demoPlan, generatedPlan, startFleet } from '@linewarden/simulator'
import type { Page } from '@playwright/test'
import { chromium } from '@playwright/test'
import { findOrInstallChromium } from '../scripts/chromium.ts'
import { signedIn } from '../tests/kit/stack.ts'
import { median, percentile, rawCopyRate } from './calibrate.ts'
import type { Field } from './field.ts'
import { field, traffic } from './field.ts'
import { report } from './report.ts'

const targets = { alarmToPageP99Ms: 500, tripToVerifiedP99Ms: 700 }
const loadPerSecond = 5_000

/**
 * At a fifth of the load that ingest must bear: from the moment a device raises an alarm to its pop-up in the browser's document, and
 * from the press of Trip's confirming button to the verified position on the page.
 */
export async function latency(options: { rounds?: number }): Promise<void> {
  const rounds = options.rounds ?? 100
  const [project] = demoPlan()
  const demo = (project?.gateways ?? []).slice(0, 2).map((gateway) => ({ ...gateway, reportingPeriodMs: 1_000 }))
  const target = await field([...generatedPlan({ gateways: 50, linesPerGateway: 20 }), ...demo], 18_100)
  const numbers = new Set(demo.map(({ number }) => number))
  const database = await target.database()
  const rawCopyRowsPerSecond = await rawCopyRate(database, 5)
  await database.end()
  const client = await signedIn(target.url, target.admin)
  const fleet = startFleet(
    target.gateways.filter(({ number }) => numbers.has(number)),
    { url: `mqtt://127.0.0.1:${target.mqttPort}` },
  )
  await fleet.ready
  const running = traffic(
    target,
    target.gateways.filter(({ number }) => !numbers.has(number)),
    loadPerSecond,
    3_600,
  )
  running.done.catch(() => {})

  const [alarmLine, tripLine] = fleet.gateways.get(demo[0]?.number ?? '')?.lines() ?? []
  if (!alarmLine || !tripLine) throw new Error('the demo has no lines')
  const watched = await WatchedPage.open(target, demo[0]?.number ?? '', fleet, client)
  const alarms: number[] = []
  for (let i = 0; i < rounds; i++) alarms.push(await watched.alarmToPage(alarmLine))
  const trips: number[] = []
  await watched.page.getByRole('row', { name: tripLine.name }).first().click()
  for (let i = 0; i < Math.min(rounds, 50); i++) trips.push(await watched.tripToPage(tripLine))
  const messagesAcknowledged = running.acknowledged()
  await watched.close()
  await fleet.close()
  await target.close()

  const alarmToPageP99Ms = Math.round(percentile(alarms, 0.99))
  const tripToVerifiedP99Ms = Math.round(percentile(trips, 0.99))
  report('latency', {
    alarmToPageP99Ms,
    alarmToPageMedianMs: Math.round(median(alarms)),
    alarms: alarms.length,
    tripToVerifiedP99Ms,
    tripToVerifiedMedianMs: Math.round(median(trips)),
    trips: trips.length,
    mechanismMs: 120,
    loadPerSecond,
    messagesAcknowledged,
    rawCopyRowsPerSecond,
    targets,
    verdict: alarmToPageP99Ms < targets.alarmToPageP99Ms && tripToVerifiedP99Ms < targets.tripToVerifiedP99Ms,
  })
}

type Fleet = ReturnType<typeof startFleet>

interface DemoLine {
  readonly controllerId: string
  readonly lineNo: number
  readonly name: string
}

/** The console of an administrator in a real browser, on the lines of one gateway. */
class WatchedPage {
  readonly page: Page
  readonly #fleet: Fleet
  readonly #client: Client

  private constructor(page: Page, fleet: Fleet, client: Client) {
    this.page = page
    this.#fleet = fleet
    this.#client = client
  }

  static async open(target: Field, number: string, fleet: Fleet, client: Client): Promise<WatchedPage> {
    const browser = await chromium.launch({
      executablePath: findOrInstallChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
    })
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(target.url)
    await page.getByLabel('账号').fill(target.admin.userName)
    await page.getByLabel('密码', { exact: true }).fill(target.admin.password)
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await page.getByRole('searchbox', { name: '实时监控 线路名 / 网关名' }).fill(number)
    await wait(3_000)
    return new WatchedPage(page, fleet, client)
  }

  async close(): Promise<void> {
    await this.page.context().browser()?.close()
  }

  /** The page notes the moment by itself, with the clock that all processes of the machine share. */
  async alarmToPage({ controllerId, lineNo }: DemoLine): Promise<number> {
    const gateway = this.#fleet.gatewayOf(controllerId)
    const line = gateway.line(controllerId, lineNo)
    const seen = this.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const watch = new MutationObserver(() => {
            if (![...document.querySelectorAll('.pop')].some((pop) => pop.textContent?.includes('短路跳闸'))) return
            watch.disconnect()
            resolve(Date.now())
          })
          watch.observe(document.body, { childList: true, subtree: true, characterData: true })
        }),
    )
    await wait(60)
    const raised = Date.now()
    this.#fleet.run('shortCircuit', { controllerId, lineNo })
    const took = (await seen) - raised
    line.position = 'closed'
    line.tripCause = 'none'
    await gateway.report(false)
    await this.#acknowledgeAll()
    return took
  }

  /** What is open when it is raised again is the same event, which is not announced anew within ten minutes. */
  async #acknowledgeAll(): Promise<void> {
    const { items } = await this.#client.call(listUnacknowledged, { body: {} })
    await this.#client.call(acknowledgeEvents, { body: { EventIDs: items.map(({ EventID }) => EventID) } })
    await this.page.locator('.pop').waitFor({ state: 'detached' })
  }

  async tripToPage({ controllerId, lineNo, name }: DemoLine): Promise<number> {
    const gateway = this.#fleet.gatewayOf(controllerId)
    const line = gateway.line(controllerId, lineNo)
    const drawer = this.page.getByRole('dialog', { name })
    await drawer.getByRole('button', { name: '分闸' }).click()
    const confirm = this.page.locator('dialog[open]')
    await confirm.getByRole('button', { name: '检修' }).click()
    // Pressed and observed inside the page: the test's own round trips are not the product's.
    const took = await this.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const before = document.querySelectorAll('.ledger .outcome.verified').length
          const first = document.querySelector('.ledger > li')
          const pressed = Date.now()
          const watch = new MutationObserver(() => {
            const now = document.querySelector('.ledger > li')
            const done = now?.querySelector('.outcome.verified')
            const stateWord = document.querySelector('.drawer .plate')?.textContent ?? ''
            if (
              !done ||
              stateWord !== '分闸' ||
              (now === first && document.querySelectorAll('.ledger .outcome.verified').length === before)
            )
              return
            watch.disconnect()
            resolve(Date.now() - pressed)
          })
          watch.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true })
          document.querySelector<HTMLButtonElement>('dialog[open] button[type=submit]')?.click()
        }),
    )
    line.position = 'closed'
    line.tripCause = 'none'
    await gateway.report(false)
    await drawer.getByRole('status', { name: '开关状态' }).filter({ hasText: '合闸' }).waitFor()
    return took
  }
}
