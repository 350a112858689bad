import type { Client } from '@linewarden/client'
import { CallError } from '@linewarden/client'
import { attendedHeader } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { test as base, expect } from '@playwright/test'
import type { Stack, StackOptions } from '../kit/stack.ts'
import { signedIn, startStack } from '../kit/stack.ts'

interface Fixtures {
  readonly options: StackOptions
  readonly stack: Stack
  readonly problems: string[]
  readonly popUpsStay: boolean
  readonly popUps: undefined
}

/** One real stack for all tests of a file: server, database, broker, simulated fleet, built console. */
export const test = base.extend<Fixtures, { stacks: Stacks }>({
  // One file after the other in a process that has loaded the house and its browser already.
  stacks: [
    async ({ browserName: _ }, use) => {
      const stacks = new Stacks()
      await use(stacks)
      await stacks.close()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  /** What stands in the field, for a file that needs another plant than the demo's: `test.use({ options })`. */
  options: [{}, { option: true }],
  stack: [async ({ stacks, options }, use, { file }) => use(await stacks.of(file, options)), { timeout: 240_000 }],
  baseURL: async ({ stack }, use) => use(stack.url),
  // A page that reports an error in the browser's console is a failing page.
  problems: [
    async ({ page }, use) => {
      const problems: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text())
      })
      page.on('pageerror', (error) => problems.push(error.message))
      // Whatever a page asks, by a person's hand or by itself, it says which: a poll that did not would keep the session alive for ever.
      page.on('request', (request) => {
        const { authorization, [attendedHeader.toLowerCase()]: attended } = request.headers()
        if (authorization && !attended) problems.push(`does not say whether somebody is there: ${request.url()}`)
      })
      await use(problems)
      const expected = forgiven.get(problems) ?? []
      expect(problems.filter((each) => !expected.some((one) => one.test(each)))).toEqual([])
    },
    { auto: true },
  ],
  /** For tests that are about pop-ups: `test.use({ popUpsStay: true })`. */
  popUpsStay: [false, { option: true }],
  // The plant goes on living beside the test: what pops up over a button is closed first, as a person does.
  popUps: [
    async ({ page, popUpsStay }, use) => {
      if (!popUpsStay) await closePopUps(page)
      await use(undefined)
    },
    { auto: true },
  ],
})

/** The stack of the file whose turn it is. */
class Stacks {
  #file = ''
  #stack: Stack | null = null

  async of(file: string, options: StackOptions): Promise<Stack> {
    if (this.#stack && file === this.#file) return this.#stack
    await this.close()
    this.#file = file
    const stack = await startStack(options)
    this.#stack = { ...stack, client: lasting(stack) }
    return this.#stack
  }

  async close(): Promise<void> {
    const stack = this.#stack
    this.#stack = null
    await stack?.close()
  }
}

/** An account has five sessions, and each test of a file begins one: the caller whose session made room signs in anew. */
function lasting(stack: Stack): Client {
  let { client } = stack
  return {
    baseUrl: client.baseUrl,
    async call(...request) {
      try {
        return await client.call(...request)
      } catch (error) {
        if (!(error instanceof CallError && error.endsSession)) throw error
        client = await signedIn(stack.url, stack.admin)
        return client.call(...request)
      }
    },
  }
}

/** For a page that a test opens itself, in a context of its own; the fixture's page has it. */
export async function closePopUps(page: Page): Promise<void> {
  const close = page.locator('.pops').getByRole('button', { name: /^(关闭|Dismiss|全部清除|Clear all)$/ })
  // All at once where there are several: the last of these buttons is the one that does.
  const closeAll = () => close.evaluateAll((buttons: HTMLElement[]) => buttons.at(-1)?.click())
  // A new one may have come by then: it is seen to before the next step.
  await page.addLocatorHandler(close.first(), closeAll, { noWaitAfter: true })
}

const forgiven = new WeakMap<readonly string[], readonly RegExp[]>()

/** What the browser itself says when the test makes a call fail: expected until the page is closed, and nothing else is. */
export function forgive(problems: readonly string[], expected: RegExp): void {
  forgiven.set(problems, [...(forgiven.get(problems) ?? []), expected])
}

export { expect } from '@playwright/test'
