import type { Page, Request } from '@playwright/test'
import { expect } from '@playwright/test'

/** From here on the page's time goes on only when it is let; it has gone on by a second at most. */
export const stopTime = (page: Page): Promise<void> =>
  // While a machine stalls, time may pass the moment at which it is to stop: it stands by then, and a later one is given.
  expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)).toPass()

/** For a page that has just been loaded: resolves, when it is called, once whatever the page asked of the server is answered. */
export function answersOf(page: Page): () => Promise<void> {
  const underWay = new Set<Request>()
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/')) underWay.add(request)
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  return async () => {
    // What was under way before is not in the set.
    await page.waitForLoadState('networkidle')
    await expect.poll(() => underWay.size).toBe(0)
  }
}
