import type { LineState } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { freshForMs } from '@linewarden/rules/control'
import { expect, test } from 'vitest'
import { countedAs } from './counted-as.ts'

const now = 1_800_000_000_000
const breaker = familyOf('breaker1p')
/** A breaker last reported so long ago. */
const reported = (ageMs: number, States: LineState['States']): LineState =>
  ({ LineID: 1, At: now - ageMs, ReceivedAt: now - ageMs, States, Active: [], Pending: null }) as unknown as LineState

test.each([
  ['closed', { position: 'closed' }, 'online', 0, 'closed'],
  ['at the limit of the interlocks', { position: 'closed' }, 'online', freshForMs, 'closed'],
  ['closed by an old report', { position: 'closed' }, 'online', freshForMs + 1, 'unknown'],
  ['open by an old report', { position: 'open' }, 'online', freshForMs + 1, 'unknown'],
  ['tripped, however long ago that was reported', { position: 'open', 'trip.cause': 'leakage' }, 'online', 60_000, 'tripped'],
  ['closed, behind equipment that fell silent', { position: 'closed' }, 'stale', 0, 'offline'],
] as const)('a line that is %s counts as that', (_, states, link, ageMs, counted) => {
  expect(countedAs(reported(ageMs, states), link, breaker, now)).toBe(counted)
})
