import { userInfo } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { breakConnections } from './broken-connections.ts'
import { smallPlan } from './small-plan.ts'
import type { Stack } from './stack.ts'
import { startStack } from './stack.ts'

/** What strangers can do at the HTTP and the upgrade door. An exception that nothing catches fails this run. */
let stack: Stack
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
})
afterAll(() => stack?.close())

test('connections that are malformed, half or cut off end nothing but themselves', async () => {
  const { answers } = await breakConnections(stack.url, { count: 1_200, seed: 7 })
  expect([...answers.keys()].filter((status) => status >= 500)).toEqual([])
  await expect(stack.client.call(userInfo)).resolves.toMatchObject({ UserName: stack.admin.userName })
})
