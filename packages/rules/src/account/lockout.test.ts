import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allowedFailures, gate, lockMs } from './lockout.ts'

const minute = 60_000
const now = 100 * minute
/** So many failures, one a second, the last of them now. */
const failures = (count: number) => Array.from({ length: count }, (_, i) => now - i * 1_000)

test('who has not failed has all tries', () => {
  expect(gate([], now)).toEqual({ open: true, left: 5 })
})

test.each([
  [1, 4],
  [2, 3],
  [3, 2],
  [4, 1],
])('after %i failures %i tries are left', (count, left) => {
  expect(gate(failures(count), now)).toEqual({ open: true, left })
})

test('the fifth locks for fifteen minutes from the last', () => {
  expect(gate(failures(5), now)).toEqual({ open: false, until: now + 15 * minute })
})

test('the lock ends by itself: no lock is permanent', () => {
  const at = [now, now, now, now, now]
  expect(gate(at, now + lockMs - 1).open).toBe(false)
  expect(gate(at, now + lockMs)).toEqual({ open: true, left: 5 })
})

test('failures older than fifteen minutes are forgotten', () => {
  expect(gate([now - lockMs, ...failures(4)], now)).toEqual({ open: true, left: 1 })
  expect(gate([now - lockMs + 1, ...failures(4)], now).open).toBe(false)
})

test('the order of the failures does not matter', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: now - 2 * lockMs, max: now }), { maxLength: 12 }), (at) => {
      const sorted = [...at].sort((a, b) => a - b)
      expect(gate(sorted.toReversed(), now)).toEqual(gate(sorted, now))
    }),
  )
})

test('a further failure never opens a closed gate, and never adds tries', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: now - 2 * lockMs, max: now }), { maxLength: 12 }), (at) => {
      const before = gate(at, now)
      const after = gate([...at, now], now)
      if (!before.open) expect(after.open).toBe(false)
      if (before.open && after.open) expect(after.left).toBe(before.left - 1)
      if (before.open && !after.open) expect(before.left).toBe(1)
      expect(allowedFailures).toBe(5)
    }),
  )
})
