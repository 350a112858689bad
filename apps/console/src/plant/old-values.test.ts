import type { LineState } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { freshForMs } from '@linewarden/rules/control'
import { expect, test } from 'vitest'
import { isOld } from './old-values.ts'

const now = 1_800_000_000_000
const received = (ReceivedAt: number | null) => ({ ReceivedAt }) as LineState

test.each([
  ['a breaker heard just now', 'breaker1p', now, false],
  ['at the limit of the interlocks', 'breaker1p', now - freshForMs, false],
  ['past it', 'breaker1p', now - freshForMs - 1, true],
  ['told a moment ahead of the page’s clock', 'breaker1p', now + 900, false],
  ['of which nothing was ever heard: its dash says so', 'breaker1p', null, false],
  ['a smoke alarm that reports once an hour', 'smoke', now - 3_600_000, false],
  ['equipment of a family that is not known', '', now - 3_600_000, false],
] as const)('%s', (_, family, at, old) => {
  expect(family === '' || familyOf(family)).not.toBeNull()
  expect(isOld(received(at), familyOf(family), now)).toBe(old)
})

test('a line that is not known has no values that could be old', () => {
  expect(isOld(undefined, familyOf('breaker1p'), now)).toBe(false)
})
