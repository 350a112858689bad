import { inspect } from '@linewarden/contract'
import type { Stack } from '../../kit/stack.ts'
import { expect } from '../stack.ts'

/** A breaker with leakage protection. */
export function breaker(stack: Stack, fromEnd: number) {
  const lines = [...stack.fleet.gateways.values()].flatMap((gateway) =>
    gateway
      .devices()
      .flatMap(({ controllerId, family, lines: own }) =>
        family.key.startsWith('breaker') ? [...own.values()].map(({ plan }) => ({ controllerId, ...plan })) : [],
      ),
  )
  const line = lines.at(-fromEnd)
  if (!line) throw new Error('the fleet has too few breakers')
  return line
}

/**
 * What is seen while somebody inspects the device of a line, or all of its gateway: a minute may be over before a slow machine has looked, and
 * whoever stands there begins anew.
 */
export const whileInspected = (stack: Stack, name: string, what: 'device' | 'gateway', seen: () => Promise<void>) =>
  expect(async () => {
    const device = [...stack.server.plant.lines.values()].find((each) => each.name === name)?.device
    const own = what === 'device' && { ControllerID: device?.controllerId ?? '' }
    await stack.client.call(inspect, { body: { DeviceID: device?.gateway.id ?? 0, ...own } })
    await seen()
  }).toPass()
