import type { Page } from '@playwright/test'
import { signIn } from './sign-in.ts'
import { test as base, expect } from './stack.ts'
import type { WeakNetwork } from './weak-network.ts'
import { weakNetwork } from './weak-network.ts'

/** Somebody has signed in and sees the live page, through a network that a test can cut, let sleep and heal. */
export const test = base.extend<{ network: WeakNetwork }>({
  network: [
    async ({ page, stack }, use, testInfo) => {
      const network = await weakNetwork(stack.url)
      await page.goto(`${network.url}/login`)
      await signIn(page, stack)
      await expect(page).toHaveURL(/realtime/)
      await use(network)
      // Nothing is under way any more when the network goes: what failed then would be reported as this test's.
      if (testInfo.status === testInfo.expectedStatus) await page.goto('about:blank')
      await network.close()
    },
    { auto: true },
  ],
})

/** There is no network: the browser says so, too. */
export const ofTheNetwork = /Failed to load resource|WebSocket connection to/

/** Nobody looks, or somebody looks again: another tab lies over this one, or no longer. */
export const hide = (page: Page, hidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (hidden ? 'hidden' : 'visible') })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
