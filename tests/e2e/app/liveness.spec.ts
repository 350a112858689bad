import { hourMs } from '@linewarden/equipment'
import type { Locator, Page, WebSocket } from '@playwright/test'
import { hide, ofTheNetwork, test } from '../on-weak-network.ts'
import { answersOf, stopTime } from '../page-time.ts'
import { expect, forgive } from '../stack.ts'
import type { WeakNetwork } from '../weak-network.ts'

/** The plant's time, which goes on while a machine sleeps; a session may be idle for as long. */
let aheadMs = 0
const now = () => Date.now() + aheadMs
const options = { clock: now, fleet: { now }, env: { LINEWARDEN_SESSION_IDLE_MINUTES: '120' } }
test.use({ popUpsStay: true, options })

/** A live page whose time only goes on when it is let; the server was heard just now. */
async function withTimeInHand(page: Page, network: WeakNetwork): Promise<{ link: Locator; row: Locator }> {
  await page.clock.install()
  // The page that is left may open one, too, before it goes.
  const sockets: WebSocket[] = []
  page.on('websocket', (socket) => sockets.push(socket))
  await page.goto(`${network.url}/devmon/realtime`)
  const answers = answersOf(page)
  const link = page.locator('header .link')
  await expect(page.getByRole('row', { name: '1层照明一' })).toContainText('合闸')
  await expect(link).toHaveText('实时')
  await stopTime(page)
  // A call that is under way when the network goes gets no answer, and would be a reason to doubt.
  await answers()
  await sockets.at(-1)?.waitForEvent('framereceived')
  return { link, row: page.getByRole('row', { name: '1层照明一' }) }
}

test('a browser that says it is offline is believed before any time has passed, and back online it is live again', async ({
  network,
  page,
  context,
  problems,
}) => {
  const { link, row } = await withTimeInHand(page, network)
  await context.setOffline(true)
  await expect(link).not.toHaveText('实时')
  await expect(row).toContainText('旧')
  // A phone says it, too.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(link).toBeInViewport({ ratio: 1 })
  await context.setOffline(false)
  await page.clock.resume()
  await expect(link).toHaveText('实时')
  await expect(page.locator('header .link-state .age')).toBeInViewport({ ratio: 1 })
  forgive(problems, ofTheNetwork)
})

test('a network that swallows everything is told within twelve seconds, and not before a second hello is missing', async ({
  network,
  page,
  problems,
}) => {
  const { link, row } = await withTimeInHand(page, network)
  // Polls and pages of their own fail on it, too, and would be a reason to doubt: here the silence alone is to tell.
  await page.route(/\/api\/v1\//, () => {})
  network.sleep()
  await page.clock.runFor(9_000)
  await expect(link).toHaveText('实时')
  await page.clock.runFor(3_000)
  await expect(link).not.toHaveText('实时')
  await expect(row).toContainText('旧')
  forgive(problems, ofTheNetwork)
})

test('any call that gets no answer makes the page doubt its live connection, which does not answer and is given up', async ({
  network,
  page,
  problems,
}) => {
  const { link } = await withTimeInHand(page, network)
  network.sleep()
  const failed = page.waitForEvent('requestfailed')
  await page.getByRole('row', { name: '1层照明一' }).click()
  await failed
  await expect(async () => {
    await page.clock.runFor(100)
    await expect(link).not.toHaveText('实时', { timeout: 100 })
  }).toPass()
  forgive(problems, ofTheNetwork)
})

test('a page that nobody looked at asks whether its connection lives when somebody looks again, and not when they leave', async ({
  network,
  page,
  problems,
}) => {
  const { link } = await withTimeInHand(page, network)
  await page.route(/\/api\/v1\//, () => {})
  network.sleep()
  await page.clock.runFor(7_000)
  await hide(page, true)
  await page.clock.runFor(1_000)
  await expect(link).toHaveText('实时')
  await hide(page, false)
  await page.clock.runFor(1_000)
  await expect(link).not.toHaveText('实时')
  forgive(problems, ofTheNetwork)
})

/** How far into a picture its first mark of a colour stands, as a share of its width; null: it has none. */
const firstOf = (canvas: Locator, token: string): Promise<number | null> =>
  canvas.evaluate((canvas: HTMLCanvasElement, token) => {
    const probe = document.createElement('i')
    probe.style.color = `var(${token})`
    canvas.after(probe)
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number)
    probe.remove()
    const { width, height } = canvas
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
    const isMark = (x: number, y: number): boolean => {
      const at = (y * width + x) * 4
      const far = [red, green, blue].reduce((sum, each, index) => sum + Math.abs(each - (pixels[at + index] ?? 0)), 0)
      return far < 24 && pixels[at + 3] === 255
    }
    for (let x = 0; x < width; x += 1) for (let y = 0; y < height; y += 1) if (isMark(x, y)) return x / width
    return null
  }, token)

// The last of this file: the plant's time does not go back.
test('a machine that slept for an hour doubts its live connection as soon as somebody looks, and shows what happened meanwhile', async ({
  network,
  page,
  stack,
  problems,
}) => {
  const lines = [...stack.server.plant.lines.values()]
  const open = lines.find(({ device }) => device.family.key === 'breaker3p')
  const newest = lines.find(({ name }) => name === '2层插座一')
  if (!open || !newest) throw new Error('the fleet has no such lines')
  const others = lines.filter((each) => each.device.controllerId.endsWith('-S1') && each !== newest).slice(0, 60)
  // What it measured while somebody was looking: a picture full of it, up and down, for a level line may lie between two rows of pixels.
  const client = await stack.server.database.connect()
  await client.query(
    `insert into reading (line_id, at, received_at, quality, v0, v1, v2, counter) select $1, at, at, 0, 30, 40 + 9 * sin(extract(epoch from at) / 17), 50, 0
     from generate_series(now() - interval '14 min', now() - interval '20 s', '10 s') as at on conflict do nothing`,
    [open.id],
  )
  await client.end()
  // From the start on: what the page has set going by another clock would go on by that one.
  await page.clock.install()
  await page.goto(`${network.url}/devmon/realtime?line=${open.id}`)
  const row = page.getByRole('row', { name: newest.name })
  const link = page.locator('header .link')
  const picture = page.getByRole('dialog', { name: open.name }).locator('.chart canvas').first()
  await expect(row).toContainText('合闸')
  await expect(link).toHaveText('实时')
  await expect.poll(() => firstOf(picture, '--ph-b')).toBeLessThan(0.2)

  // It sleeps: no timer runs, and nothing tells it what happens.
  await stopTime(page)
  network.sleep()
  aheadMs += hourMs
  const trip = ({ device, lineNo }: typeof newest) =>
    stack.fleet.run('leakageTrip', { controllerId: device.controllerId, lineNo })
  const isTripped = ({ device, lineNo }: typeof newest) =>
    stack.server.plant.lineAt(device.controllerId, lineNo)?.lockoutCause === 'leakage'
  for (const each of others) trip(each)
  await expect.poll(() => others.every(isTripped)).toBe(true)
  trip(newest)
  await expect.poll(() => isTripped(newest)).toBe(true)
  await expect(row).toContainText('合闸')
  await expect(link).toHaveText('实时')

  const anew = page.waitForRequest(/\/live\/ticket/)
  network.wake()
  await page.clock.setSystemTime(now())
  await page.clock.resume()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await anew
  // Of more alarms than are told at once the newest.
  await expect(page.getByRole('alert').filter({ hasText: '漏电跳闸' }).first()).toContainText(newest.name)
  await expect(page.getByRole('button', { name: /^还有 \d+ 条$/ })).toBeVisible()
  await expect(row).toContainText('脱扣')
  await expect(row).not.toContainText('旧')
  await expect(link).toHaveText('实时')
  // Of the hour nothing is known, and nothing is drawn.
  await expect.poll(() => firstOf(picture, '--ph-b')).toBeGreaterThan(0.9)
  forgive(problems, ofTheNetwork)
})
