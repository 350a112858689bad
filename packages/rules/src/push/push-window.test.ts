import { expect, test } from 'vitest'
import { pushTimely } from './push-window.ts'

const now = 1_795_000_000_000
const minute = 60_000

test.each<[string, number | null, boolean]>([
  ['of now', now, true],
  ["of OneNET's last try, 2 h 45 min after the first", now - 165 * minute, true],
  ['of more than three hours ago', now - 180 * minute - 1, false],
  ['of a platform whose clock is ahead', now + 9 * minute, true],
  ['of exactly ten minutes ahead', now + 10 * minute, true],
  ['of exactly three hours ago', now - 180 * minute, true],
  ['of the future', now + 10 * minute + 1, false],
  ['without a time', null, true],
])('a push %s', (_, at, taken) => {
  expect(pushTimely(at, now)).toBe(taken)
})
