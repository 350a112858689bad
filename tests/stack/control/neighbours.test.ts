import { lineFeed, setFeed } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
})
afterAll(() => stack?.close())

test('the position of a line upstream or downstream is known while its equipment is there, and else not known', async () => {
  const at = (LineNo: number) => ({ ControllerID: 'A-T1', LineNo })
  await stack.client.call(setFeed, { params: at(2), body: { FedBy: at(1), Was: null } })
  const positions = async () => {
    const [below, above] = await Promise.all([1, 2].map((LineNo) => stack.client.call(lineFeed, { params: at(LineNo) })))
    return [above?.Upstream, below?.Downstream].map((lines) => lines?.map(({ Position }) => Position))
  }
  await vi.waitFor(async () => expect(await positions()).toEqual([['closed'], ['closed']]))
  stack.fleet.gatewayOf('A-T1').disconnectAbruptly()
  await vi.waitFor(async () => expect(await positions()).toEqual([[null], [null]]))
  await stack.fleet.gatewayOf('A-T1').reconnect()
  await vi.waitFor(async () => expect(await positions()).toEqual([['closed'], ['closed']]))
})
