import { expect, test } from 'vitest'
import { controlGate, isTripOperation } from './control-password.ts'

const minute = 60_000
const now = 100 * minute
const failures = (count: number) => Array.from({ length: count }, (_, i) => now - i * 1_000)

test.each<[string, number, number, ReturnType<typeof controlGate>]>([
  ['nobody failed', 0, 0, { open: true, left: 5 }],
  ['this session failed four times', 4, 4, { open: true, left: 1 }],
  ['this session failed five times', 5, 5, { open: false, until: now + 15 * minute }],
  ['other sessions failed ten times', 0, 10, { open: true, left: 5 }],
  ['the account is near its own limit', 0, 18, { open: true, left: 2 }],
  ['the account failed twenty times in all', 0, 20, { open: false, until: now + 15 * minute }],
])('%s', (_, ofSession, ofAccount, expected) => {
  expect(controlGate(failures(ofSession), failures(ofAccount), now)).toEqual(expected)
})

test('a lock ends with the later of the two', () => {
  const earlier = failures(5).map((at) => at - minute)
  expect(controlGate(earlier, failures(20), now)).toEqual({ open: false, until: now + 15 * minute })
})

test.each([
  ['trip:A-T1/1', true],
  ['trip:run/1/2', true],
  ['close:trip:/1', false],
  ['set:trip', false],
  ['account:trip:', false],
])('%s is a trip: %s', (operation, expected) => expect(isTripOperation(operation)).toBe(expected))
