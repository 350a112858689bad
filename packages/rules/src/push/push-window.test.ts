import { expect, test } from 'vitest'
import { pushTimely } from './push-window.ts'

const now = 1_795_000_000_000
const minute = 60_000

test.each<[string, number | null, boolean]>([
  ['of now', now, true],
  ["of OneNET's last try, 2 h 45 min after the first", now - 165 * minute, true],
  ['of more than three hours ago', now - 181 * minute, false],
  ['of a platform whose clock is ahead', now + 9 * minute, true],
  ['of the future', now + 11 * minute, false],
  ['without a time', null, true],
])('a push %s', (_, at, taken) => {
  expect(pushTimely(at, now)).toBe(taken)
})
