import type { GatewayLink, LineState } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { freshForMs } from '@linewarden/rules/control'
import { expect, test } from 'vitest'
import type { LineRef } from '../../plant/equipment.ts'
import { notOpen } from './not-open.ts'

const now = 1_800_000_000_000
const lineRef = (family: string) =>
  ({ line: { LineID: 1 }, device: { ControllerID: 'B1' }, family: familyOf(family) }) as unknown as LineRef
interface TestPlant {
  line(): LineState | undefined
  deviceLink(): GatewayLink | undefined
}
const plant = (position: string | null, receivedAt = now, link: GatewayLink['Link'] = 'online'): TestPlant => ({
  line: () => ({ ReceivedAt: receivedAt, States: { position } }) as unknown as LineState,
  deviceLink: () => ({ Link: link }) as GatewayLink,
})

const unreported: TestPlant = { line: () => undefined, deviceLink: () => undefined }

test.each([
  ['open', plant('open'), true, { closed: 0, unknown: 0 }],
  ['closed', plant('closed'), true, { closed: 1, unknown: 0 }],
  ['of no reported position', plant(null), true, { closed: 0, unknown: 1 }],
  ['open when last heard, which is too long ago', plant('open', now - freshForMs - 1), true, { closed: 0, unknown: 1 }],
  ['open, of a device that is away', plant('open', now, 'offline'), true, { closed: 0, unknown: 1 }],
  ['open, of a silent device', plant('open', now, 'stale'), true, { closed: 0, unknown: 1 }],
  ['open for a page that lost its server', plant('open'), false, { closed: 0, unknown: 1 }],
  ['never heard of', unreported, true, { closed: 0, unknown: 1 }],
] as const)('a breaker %s', (_, live, connected, count) => {
  expect(notOpen([lineRef('breaker1p')], live, connected, now)).toEqual(count)
})

test('a detector switches nothing', () => {
  expect(notOpen([lineRef('smoke')], plant(null), true, now)).toEqual({ closed: 0, unknown: 0 })
})
