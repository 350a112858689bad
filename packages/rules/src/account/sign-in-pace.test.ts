import { expect, test } from 'vitest'
import { signInPace } from './sign-in-pace.ts'

const now = 100 * 60_000
const failures = (count: number) => Array.from({ length: count }, (_, i) => now - i * 1_000)

test.each<[number, number | null]>([
  [0, null],
  [19, null],
  [20, 1_000],
  [29, 1_000],
  [30, 2_000],
  [40, 4_000],
  [59, 8_000],
  [60, 15 * 60_000],
  [200, 15 * 60_000],
])('after %i failures a network waits %s ms', (count, waitMs) => {
  const pace = signInPace(failures(count), now)
  if (waitMs === null) expect(pace.open).toBe(true)
  else expect(pace).toEqual({ open: false, until: now + waitMs })
  expect(signInPace(failures(count), now + (waitMs ?? 0)).open).toBe(true)
})

test('what is older than fifteen minutes slows nobody', () => {
  expect(
    signInPace(
      failures(40).map((at) => at - 15 * 60_000),
      now,
    ),
  ).toEqual({ open: true, left: 60 })
})
