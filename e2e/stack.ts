import type { Stack } from '@linewarden/testkit'
import { startStack } from '@linewarden/testkit'
import { test as base, expect } from '@playwright/test'

/** One real stack for all tests of a worker: server, database, broker, simulated fleet, built console. */
export const test = base.extend<{ problems: string[] }, { stack: Stack; stackEnv: Readonly<Record<string, string>> }>({
  stackEnv: [{}, { scope: 'worker', option: true }],
  stack: [
    async ({ stackEnv }, use) => {
      const stack = await startStack({ env: stackEnv })
      await use(stack)
      await stack.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ stack }, use) => use(stack.url),
  // A page that reports an error in the browser's console is a failing page.
  problems: [
    async ({ page }, use) => {
      const problems: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text())
      })
      page.on('pageerror', (error) => problems.push(error.message))
      await use(problems)
      expect(problems).toEqual([])
    },
    { auto: true },
  ],
})

export { expect } from '@playwright/test'
