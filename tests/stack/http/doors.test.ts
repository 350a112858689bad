import { livePath, liveTicket, userInfo } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Breaking } from '../../kit/broken-connections.ts'
import { breakConnections, doors } from '../../kit/broken-connections.ts'
import { upgrade } from '../../kit/broken-http.ts'
import { connectPacket } from '../../kit/broken-mqtt.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'
import { tryConnect } from '../../kit/try-connect.ts'

/** What strangers, and whoever was let in, can do at the doors. An exception that nothing catches fails this run. */
let stack: Stack
let secret: string
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
  const project = [...stack.server.plant.projects.values()][0]?.id ?? 0
  secret = await stack.server.site.enrolGateway({ projectId: project, number: 'GW-X', name: 'X', reportingPeriodMs: 60_000 })
})
afterAll(() => stack?.close())

const admission = {
  http: {},
  upgrade: {
    admission: {
      number: '',
      bytes: async () => upgrade(`${livePath}?ticket=${(await stack.client.call(liveTicket, {})).Ticket}`),
    },
  },
  mqtt: { admission: { number: 'GW-X', bytes: async () => connectPacket({ number: 'GW-X', secret }) } },
} satisfies Record<string, Partial<Breaking>>

test.each(doors)('connections that are malformed, half or cut off end nothing but themselves: %s', async (door) => {
  const port = door === 'mqtt' ? stack.server.mqttPort : Number(new URL(stack.url).port)
  const { answers } = await breakConnections({ door, port, count: 450, seed: 7, ...admission[door] })
  const codes = [...answers.keys()].filter((code) => code !== null)
  expect(codes.filter((code) => code >= 500)).toEqual([])
  // Some were understood, and some of those that may came in.
  expect(codes).toEqual(expect.arrayContaining(door === 'mqtt' ? [0] : door === 'upgrade' ? [101, 401] : [400]))
  await expect(stack.client.call(userInfo)).resolves.toMatchObject({ UserName: stack.admin.userName })
  expect(await tryConnect(stack.server.mqttPort, 'GW-X', secret)).toBe('in')
})
