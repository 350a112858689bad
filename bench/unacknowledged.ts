/// <reference lib="dom" />
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@linewarden/client'
import type { EventRecord } from '@linewarden/contract'
import { listUnacknowledged, placeNames } from '@linewarden/contract'
import type { Fleet } from '@linewarden/simulator'
import { generatedPlan, startFleet } from '@linewarden/simulator'
import type { Page } from '@playwright/test'
import { signedIn } from '../tests/kit/stack.ts'
import { errorsOf, launchBrowser, scriptSpeed, signIn } from './browser.ts'
import type { Field } from './field.ts'
import { field } from './field.ts'
import { report } from './report.ts'

const targets = { unreachable: 0 }
const linesPerGateway = 20
/** Of one gateway at once. */
const tripsAtOnce = 20

/**
 * Lines trip, each an event that nobody acknowledges. Then the page is loaded again, its pop-ups are cleared away, and as many lines trip again
 * that were not among them: which of the first are in the server's list, page after page, and in the list that the console shows, is counted.
 */
export async function unacknowledged(options: { events?: number }): Promise<void> {
  const wanted = options.events ?? 1_000
  const gateways = Math.ceil((2 * wanted) / linesPerGateway)
  const target = await field(generatedPlan({ gateways, linesPerGateway, reportingPeriodMs: 10_000 }), 18_360)
  const fleet = startFleet(target.gateways, { url: `mqtt://127.0.0.1:${target.mqttPort}` })
  await fleet.ready
  const client = await signedIn(target.url, target.admin)
  const lines = [...fleet.gateways.values()].flatMap((gateway) => gateway.lines())
  await trip(fleet, lines.slice(0, wanted))
  const first = await stored(target, wanted)

  const browser = await launchBrowser()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const pageErrors = errorsOf(page)
  await page.goto(target.url)
  await signIn(page, target.admin)
  const unreachable: Record<string, number> = {}
  await page.locator('.pop').first().waitFor()
  await page.reload()
  await page.locator('.pop').first().waitFor()
  unreachable.reloaded = await missing(client, page, first)
  await page.getByRole('button', { name: '清除弹窗' }).click()
  await page.locator('.pop').waitFor({ state: 'detached' })
  unreachable.cleared = await missing(client, page, first)
  await trip(fleet, lines.slice(wanted, 2 * wanted))
  await stored(target, 2 * wanted)
  unreachable.flooded = await missing(client, page, first)
  await page.reload()
  await page.locator('.pop').first().waitFor()
  unreachable.reloadedAfter = await missing(client, page, first)
  const calibratorMs = await scriptSpeed(page)
  await browser.close()
  await fleet.close()
  await target.close()
  const most = Math.max(...Object.values(unreachable))
  report('unacknowledged', {
    unreachable: `${most} of ${first.size}`,
    ...unreachable,
    furtherEvents: wanted,
    pageErrors: [...new Set(pageErrors)],
    calibratorMs,
    targets,
    verdict: most === targets.unreachable && first.size === wanted && pageErrors.length === 0,
  })
}

type Line = ReturnType<NonNullable<ReturnType<Fleet['gateways']['get']>>['lines']>[number]

async function trip(fleet: Fleet, lines: readonly Line[]): Promise<void> {
  for (let from = 0; from < lines.length; from += tripsAtOnce) {
    for (const { controllerId, lineNo } of lines.slice(from, from + tripsAtOnce))
      fleet.run('shortCircuit', { controllerId, lineNo })
    await wait(20)
  }
}

/** Waits until the table has so many that nobody acknowledged, and answers their numbers. */
async function stored(target: Field, count: number): Promise<ReadonlySet<string>> {
  const database = await target.database()
  const until = Date.now() + 60_000
  let ids: string[] = []
  while (ids.length < count && Date.now() < until) {
    await wait(200)
    const { rows } = await database.query<{ event_id: string }>(
      `select event_id::text from event where state in ('active', 'returned')`,
    )
    ids = rows.map(({ event_id }) => event_id)
  }
  await database.end()
  if (ids.length !== count) throw new Error(`${ids.length} events are stored, not ${count}`)
  return new Set(ids)
}

/** How many of these are missing in the server's list, in the console's, or in either. */
async function missing(client: Client, page: Page, wanted: ReadonlySet<string>): Promise<number> {
  const events = await listed(client)
  const shown = await shownIn(page, events.size)
  const isReachable = (id: string) => {
    const event = events.get(id)
    return event !== undefined && shown.has(placeNames(event.Where).join(' / '))
  }
  return [...wanted].filter((id) => !isReachable(id)).length
}

async function listed(client: Client): Promise<ReadonlyMap<string, EventRecord>> {
  const events = new Map<string, EventRecord>()
  let After: string | null = null
  do {
    const page: Awaited<ReturnType<typeof next>> = await next(After)
    for (const event of page.items) events.set(event.EventID, event)
    After = page.about.Next
  } while (After)
  return events

  function next(from: string | null) {
    return client.call(listUnacknowledged, { body: { Size: 200, ...(from !== null && { After: from }) } })
  }
}

/** Opens the list from the header, scrolls to the end of its `total` rows, and answers the places it names: each line tripped once. */
async function shownIn(page: Page, total: number): Promise<ReadonlySet<string>> {
  await page.getByRole('button', { name: /^未确认/ }).click()
  const list = page.getByRole('dialog', { name: '未确认' })
  const rows = list.locator('ul.unacknowledged > li')
  // What was read before the flood stands there until it is read anew.
  await list.locator(`ul.unacknowledged > li[aria-setsize="${total}"]`).first().waitFor()
  const places: string[] = []
  for (let last = 0; last < total; ) {
    places.push(...(await rows.locator('.about .mute').allTextContents()))
    last = Math.max(...(await rows.evaluateAll((drawn) => drawn.map((each) => Number(each.getAttribute('aria-posinset'))))))
    if (last >= total) break
    await list.locator('.event-scroller').evaluate((box) => box.scrollBy(0, box.clientHeight * 0.8))
    await page.waitForFunction(
      (known) => [...document.querySelectorAll('ul.unacknowledged > li')].some((each) => Number(each.ariaPosInSet) > known),
      last,
    )
  }
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  return new Set(places)
}
